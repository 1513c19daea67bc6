#include "pipeline/paper/machine.h"

#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <fstream>

#include "core/parallel.h"
#include "core/simd.h"
#include "core/text.h"
#include "descriptors/dense_sift.h"

namespace flyscribe {
namespace {

constexpr std::chrono::milliseconds kLookEvery{50};

// What follows "name:" in one of the kernel's lists; "" if there is no such line.
std::string KernelFact(const char* file, const std::string& name) {
  std::ifstream lines(file);
  std::string line;
  while (std::getline(lines, line)) {
    const std::size_t colon = line.find(':');
    if (colon != std::string::npos && Trim(line.substr(0, colon)) == name)
      return std::string(Trim(line.substr(colon + 1)));
  }
  return {};
}

// "1234 kB" -> bytes.
std::uint64_t Kilobytes(const std::string& text) {
  const auto number = ParseInteger(Split(text, ' ').front());
  return number && *number > 0 ? static_cast<std::uint64_t>(*number) * 1024 : 0;
}

// "1.84 over the last minute": runnable processes.
std::string LoadText() {
  std::array<double, 1> load = {};
  if (getloadavg(load.data(), 1) != 1) return "unknown";
  return FormatFixed(load[0], 2) + " over the last minute";
}

// Without what was freed and kept for later: memory that is used again would not be seen to be taken.
std::uint64_t HeldMemory() {
  malloc_trim(0);
  return AnonymousMemory();
}

}  // namespace

std::string ProcessorName() {
  const std::string name = KernelFact("/proc/cpuinfo", "model name");
  return name.empty() ? "unknown" : name;
}

std::vector<std::pair<std::string, std::string>> MachineFacts() {
  return {{"processor", ProcessorName()},
          {"cores", std::to_string(DefaultThreads())},
          {"memory", HumanBytes(Kilobytes(KernelFact("/proc/meminfo", "MemTotal")))},
          {"instruction set", SimdInUse()},
          {"SIFT", "VLFeat " + SiftLibraryVersion()},
          {"compiler", __VERSION__},
          {"load when this page was written", LoadText()}};
}

std::uint64_t AnonymousMemory() { return Kilobytes(KernelFact("/proc/self/status", "RssAnon")); }

MemoryWatch::MemoryWatch() : before_(HeldMemory()), peak_(before_), thread_([this] { Watch(); }) {}

MemoryWatch::~MemoryWatch() {
  {
    const std::lock_guard lock(mutex_);
    end_ = true;
  }
  ended_.notify_all();
  thread_.join();
}

void MemoryWatch::Watch() {
  std::unique_lock lock(mutex_);
  while (!end_) {
    peak_ = std::max<std::uint64_t>(peak_, AnonymousMemory());
    ended_.wait_for(lock, kLookEvery, [this] { return end_; });
  }
}

}  // namespace flyscribe
