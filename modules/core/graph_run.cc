#include "core/graph_run.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <system_error>
#include <thread>

#include "core/error.h"

namespace flyscribe {
namespace {

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
    for (std::size_t node = 0; node < inputs_.size(); ++node) {
      if (state_[node] != State::kWaiting) continue;
      if (const auto failed = FailedInput(node)) {
        state_[node] = State::kEnded;
        ends_[node].failed_input = failed;
      } else if (!stopped_ && InputsDone(node)) {
        return node;
      }
    }
    return std::nullopt;
  }

  bool InputsDone(std::size_t node) const {
    return std::all_of(
        inputs_[node].begin(), inputs_[node].end(), [&](std::size_t input) { return ends_[input].done; });
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
