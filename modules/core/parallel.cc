#include "core/parallel.h"

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace flyscribe {
namespace {

// Remembers the exception of the lowest-numbered item.
class FirstFailure {
 public:
  explicit FirstFailure(std::size_t count) : item_(count) {}

  void Record(std::size_t item) {
    const std::lock_guard lock(mutex_);
    if (item >= item_.load()) return;
    item_.store(item);
    exception_ = std::current_exception();
  }
  bool Before(std::size_t item) const { return item_.load() < item; }
  void Rethrow() const {
    if (exception_) std::rethrow_exception(exception_);
  }

 private:
  std::mutex mutex_;
  std::atomic<std::size_t> item_;
  std::exception_ptr exception_;
};

}  // namespace

int DefaultThreads() {
  cpu_set_t cores;
  if (sched_getaffinity(0, sizeof(cores), &cores) == 0) return std::max(1, CPU_COUNT(&cores));
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

std::size_t WorkerCount(int threads, std::size_t count) {
  const auto wanted = static_cast<std::size_t>(threads > 0 ? threads : DefaultThreads());
  return std::max<std::size_t>(1, std::min(wanted, count));
}

void ParallelForWorkers(int threads,
                        std::size_t count,
                        const std::function<void(std::size_t item, std::size_t worker)>& body) {
  FirstFailure failure(count);
  std::atomic<std::size_t> next{0};
  const auto work = [&](std::size_t worker) {
    for (std::size_t item = next++; item < count && !failure.Before(item); item = next++) {
      try {
        body(item, worker);
      } catch (...) {
        failure.Record(item);
      }
    }
  };
  std::vector<std::jthread> workers;
  const std::size_t helpers = WorkerCount(threads, count) - 1;
  try {
    for (std::size_t worker = 1; worker <= helpers; ++worker) workers.emplace_back(work, worker);
  } catch (const std::system_error&) {
    // The system gives no more threads: fewer do the same work.
  }
  work(0);
  workers.clear();  // joins
  failure.Rethrow();
}

void ParallelFor(int threads, std::size_t count, const std::function<void(std::size_t item)>& body) {
  ParallelForWorkers(threads, count, [&body](std::size_t item, std::size_t /*worker*/) { body(item); });
}

}  // namespace flyscribe
