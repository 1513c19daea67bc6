// Work on several threads: a loop over independent items, and the nodes of a graph, each after its inputs.
//
// Determinism: item i may only write what belongs to item i; then the result is the same for any number of threads.
// Errors: if items throw, the exception of the lowest-numbered one that was run is rethrown after all threads ended,
// and no item above it is started. (Items are handed out in order, so every item below a failed one has been run.)
#pragma once

#include <algorithm>
#include <cstddef>
#include <exception>
#include <functional>
#include <optional>
#include <vector>

namespace flyscribe {

// The number of threads to use when the user said 0: one per core this process may run on.
int DefaultThreads();

// Calls body(i) for i in [0, count). threads <= 0 means DefaultThreads(); 1 runs on the calling thread.
void ParallelFor(int threads, std::size_t count, const std::function<void(std::size_t item)>& body);

// The same, with the worker's number in [0, threads) for per-worker scratch memory.
void ParallelForWorkers(int threads,
                        std::size_t count,
                        const std::function<void(std::size_t item, std::size_t worker)>& body);

// How many workers ParallelForWorkers will use.
std::size_t WorkerCount(int threads, std::size_t count);

// So many items of ParallelInOrder are in memory at a time: enough to keep many cores busy between two hand-overs.
inline constexpr std::size_t kItemsAtATime = 256;

// Makes the items 0 ... count - 1 on several threads with make(i), and hands them to take(i, item) in their order on
// the calling thread. However many there are, memory holds at most kItemsAtATime of them.
template <class Make, class Take>
void ParallelInOrder(int threads, std::size_t count, const Make& make, const Take& take) {
  using Item = decltype(make(std::size_t{0}));
  for (std::size_t begin = 0; begin < count; begin += kItemsAtATime) {
    std::vector<Item> items(std::min(kItemsAtATime, count - begin));
    ParallelFor(threads, items.size(), [&](std::size_t i) { items[i] = make(begin + i); });
    for (std::size_t i = 0; i < items.size(); ++i) take(begin + i, std::move(items[i]));
  }
}

// A node that is neither done nor has an error was not run: an input failed, or a failure elsewhere ended everything.
struct NodeEnd {
  bool done = false;
  std::exception_ptr error;                 // of a failed node
  std::optional<std::size_t> failed_input;  // the failed node that kept this one from being run, if it lies before it
};

enum class AfterFailure { kStop, kKeepGoing };

// Runs the nodes of a graph, each after its inputs: calls run(i) for every node i, at most `jobs` at a time, on the
// calling thread if jobs is 1. Of those that are ready, the lowest number is started first, so with one job the order
// is 0, 1, 2 ... After a failure those already running are waited for; with kKeepGoing all nodes that do not depend on
// a failed one are run. REQUIRES: inputs[i] holds numbers below i.
std::vector<NodeEnd> RunGraph(const std::vector<std::vector<std::size_t>>& inputs,
                              int jobs,
                              AfterFailure after_failure,
                              const std::function<void(std::size_t node)>& run);

}  // namespace flyscribe
