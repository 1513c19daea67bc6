#include "core/parallel.h"

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include "core/error.h"

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

class GraphRun {
 public:
  GraphRun(const std::vector<std::vector<std::size_t>>& inputs,
           AfterFailure after_failure,
           const std::function<void(std::size_t node)>& run)
      : inputs_(inputs), after_failure_(after_failure), run_(run), ends_(inputs.size()), state_(inputs.size()) {}

  // One of several workers: takes nodes until none is left for it.
  void Work() {
    std::unique_lock lock(mutex_);
    while (true) {
      const std::optional<std::size_t> node = NextReady();
      if (node) {
        RunOne(*node, lock);
      } else if (running_ == 0) {
        return;  // nothing can become ready any more
      } else {
        changed_.wait(lock);
      }
    }
  }

  std::vector<NodeEnd> TakeEnds() { return std::move(ends_); }

 private:
  enum class State { kWaiting, kRunning, kEnded };

  std::optional<std::size_t> NextReady() {
    const auto is_done = [this](std::size_t input) { return ends_[input].done; };
    for (std::size_t node = 0; node < inputs_.size(); ++node) {
      if (state_[node] != State::kWaiting) continue;
      if (const auto failed = FailedInput(node)) {
        state_[node] = State::kEnded;
        ends_[node].failed_input = failed;
      } else if (!stopped_ && std::ranges::all_of(inputs_[node], is_done)) {
        return node;
      }
    }
    return std::nullopt;
  }

  std::optional<std::size_t> FailedInput(std::size_t node) const {
    for (const std::size_t input : inputs_[node]) {
      if (state_[input] != State::kEnded || ends_[input].done) continue;
      return ends_[input].error ? input : ends_[input].failed_input;
    }
    return std::nullopt;
  }

  void RunOne(std::size_t node, std::unique_lock<std::mutex>& lock) {
    state_[node] = State::kRunning;
    ++running_;
    lock.unlock();
    NodeEnd end;
    try {
      run_(node);
      end.done = true;
    } catch (...) {
      end.error = std::current_exception();
    }
    lock.lock();
    --running_;
    state_[node] = State::kEnded;
    stopped_ |= end.error != nullptr && after_failure_ == AfterFailure::kStop;
    ends_[node] = std::move(end);
    changed_.notify_all();
  }

  const std::vector<std::vector<std::size_t>>& inputs_;
  AfterFailure after_failure_;
  const std::function<void(std::size_t node)>& run_;
  std::mutex mutex_;  // guards all that follows
  std::condition_variable changed_;
  std::vector<NodeEnd> ends_;
  std::vector<State> state_;
  std::size_t running_ = 0;
  bool stopped_ = false;
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

std::vector<NodeEnd> RunGraph(const std::vector<std::vector<std::size_t>>& inputs,
                              int jobs,
                              AfterFailure after_failure,
                              const std::function<void(std::size_t node)>& run) {
  for (std::size_t node = 0; node < inputs.size(); ++node) {
    for (const std::size_t input : inputs[node]) FLYSCRIBE_CHECK(input < node, "inputs come before their readers");
  }
  GraphRun graph(inputs, after_failure, run);
  std::vector<std::jthread> others;
  try {
    for (int job = 1; job < jobs; ++job) others.emplace_back([&graph] { graph.Work(); });
  } catch (const std::system_error&) {
    // The system gives no more threads: fewer do the same work.
  }
  graph.Work();
  others.clear();  // joins
  return graph.TakeEnds();
}

}  // namespace flyscribe
