// Runs the nodes of a graph, each after its inputs, several at a time.
//
// Nodes are numbered so that inputs come before their readers; of those that are ready, the lowest number is started
// first, so with one job the order is 0, 1, 2 ...
#pragma once

#include <cstddef>
#include <exception>
#include <functional>
#include <optional>
#include <vector>

namespace flyscribe {

// A node that is neither done nor has an error was not run: an input failed, or a failure elsewhere ended everything.
struct NodeEnd {
  bool done = false;
  std::exception_ptr error;                 // of a failed node
  std::optional<std::size_t> failed_input;  // the failed node that kept this one from being run, if it lies before it
};

enum class AfterFailure { kStop, kKeepGoing };

// Calls run(i) for every node i, at most `jobs` at a time, on the calling thread if jobs is 1. After a failure those
// already running are waited for; with kKeepGoing all nodes that do not depend on a failed one are run.
// REQUIRES: inputs[i] holds numbers below i.
std::vector<NodeEnd> RunGraph(const std::vector<std::vector<std::size_t>>& inputs,
                              int jobs,
                              AfterFailure after_failure,
                              const std::function<void(std::size_t node)>& run);

}  // namespace flyscribe
