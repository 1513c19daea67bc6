#include "pipeline/paper/machine.h"

#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

#include "core/progress.h"
#include "tests/support/simd_choice.h"

namespace flyscribe {
namespace {

TEST(MachineFacts, SayWhatMattersForTimes) {
  std::vector<std::string> names;
  const SimdChoice choice("plain");
  for (const auto& [name, value] : MachineFacts()) {
    names.push_back(name);
    EXPECT_NE(value, "") << name;
  }
  EXPECT_EQ(names.front(), "processor");
  EXPECT_EQ(MachineFacts()[3].second, "plain");
}

TEST(MemoryWatch, SeesWhatIsHeldMeanwhile) {
  ASSERT_GT(AnonymousMemory(), 0U);
  const MemoryWatch watch;
  const std::vector<char> held(std::size_t{64} << 20, 'x');
  const std::uint64_t expected = watch.before() + (std::uint64_t{48} << 20);
  // The other thread looks when it is given the time.
  const double start = SecondsNow();
  while (watch.peak() < expected && SecondsNow() - start < 60.0) std::this_thread::yield();
  EXPECT_GE(watch.peak(), expected) << held[7];
}

TEST(MemoryWatch, SeesMemoryThatIsUsedAgain) {
  // Small pieces stay with the process when they are freed.
  { const std::vector<std::string> pieces(100000, std::string(500, 'x')); }
  const MemoryWatch watch;
  const std::vector<std::string> pieces(100000, std::string(500, 'y'));
  const std::uint64_t expected = watch.before() + (std::uint64_t{40} << 20);
  const double start = SecondsNow();
  while (watch.peak() < expected && SecondsNow() - start < 60.0) std::this_thread::yield();
  EXPECT_GE(watch.peak(), expected) << pieces[7];
}

}  // namespace
}  // namespace flyscribe
