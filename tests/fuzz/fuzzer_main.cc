// What libFuzzer calls; FLYSCRIBE_FUZZ_TARGET names the target of this program.
#include <cstddef>
#include <cstdint>
#include <stdexcept>

#include "tests/fuzz/targets.h"

namespace {

flyscribe::FuzzTarget TargetOfThisProgram() {
  for (const flyscribe::FuzzTarget& target : flyscribe::FuzzTargets()) {
    if (target.name == FLYSCRIBE_FUZZ_TARGET) return target;
  }
  throw std::logic_error("no target " FLYSCRIBE_FUZZ_TARGET);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const flyscribe::FuzzTarget target = TargetOfThisProgram();
  target.run({reinterpret_cast<const char*>(data), size});
  return 0;
}
