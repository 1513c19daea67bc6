// What measurements are made on: the processor, its memory, and how busy it is.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace flyscribe {

// "AMD EPYC 7B13"; "unknown" where the system does not say.
std::string ProcessorName();

// Name and value, for people: processor, cores, memory, instruction set, libraries, compiler, load.
std::vector<std::pair<std::string, std::string>> MachineFacts();

// Anonymous memory of this process now, in bytes: what is not a mapped file. 0 where the system does not say.
std::uint64_t AnonymousMemory();

// Looks at the anonymous memory some twenty times a second from another thread, until it goes out of scope.
class MemoryWatch {
 public:
  MemoryWatch();
  ~MemoryWatch();
  MemoryWatch(const MemoryWatch&) = delete;
  MemoryWatch& operator=(const MemoryWatch&) = delete;

  std::uint64_t before() const { return before_; }
  // The most seen so far.
  std::uint64_t peak() const { return peak_; }

 private:
  void Watch();

  std::uint64_t before_;
  std::atomic<std::uint64_t> peak_;
  std::mutex mutex_;
  std::condition_variable ended_;
  bool end_ = false;
  std::thread thread_;
};

}  // namespace flyscribe
