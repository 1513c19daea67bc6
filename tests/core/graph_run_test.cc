#include "core/graph_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <barrier>
#include <mutex>
#include <set>
#include <string>
#include <thread>

#include "tests/support/expect_error.h"

namespace flyscribe {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using Inputs = std::vector<std::vector<std::size_t>>;

// "done", "failed", "not run" or "not run: 2" with the failed input.
std::vector<std::string> Texts(const std::vector<NodeEnd>& ends) {
  std::vector<std::string> texts;
  for (const NodeEnd& end : ends) {
    std::string text = end.done ? "done" : end.error ? "failed" : "not run";
    if (end.failed_input) text += ": " + std::to_string(*end.failed_input);
    EXPECT_FALSE(end.done && end.error);
    texts.push_back(text);
  }
  return texts;
}

// Fails in the given nodes; keeps the order in which nodes were run.
struct Recorder {
  std::set<std::size_t> failing;
  std::mutex mutex;
  std::vector<std::size_t> order;

  void operator()(std::size_t node) {
    const std::lock_guard lock(mutex);
    order.push_back(node);
    if (failing.contains(node)) throw Error(ErrorCode::kInput, "node " + std::to_string(node));
  }
};

std::vector<NodeEnd> RunAll(const Inputs& inputs, int jobs, AfterFailure after, Recorder& recorder) {
  return RunGraph(inputs, jobs, after, [&](std::size_t node) { recorder(node); });
}

//   0 > 1 > 3 > 5
//   0 > 2 > 3    4 stands alone
const Inputs kDiamond = {{}, {0}, {0}, {1, 2}, {}, {3}};

TEST(RunGraphTest, NothingToDo) {
  Recorder recorder;
  EXPECT_THAT(RunAll({}, 4, AfterFailure::kStop, recorder), IsEmpty());
}

TEST(RunGraphTest, OneJobTakesThemInOrderOnTheCallingThread) {
  std::vector<std::size_t> order;
  const auto caller = std::this_thread::get_id();
  const auto ends = RunGraph(kDiamond, 1, AfterFailure::kStop, [&](std::size_t node) {
    EXPECT_EQ(std::this_thread::get_id(), caller);
    order.push_back(node);
  });
  EXPECT_THAT(order, ElementsAre(0, 1, 2, 3, 4, 5));
  EXPECT_THAT(Texts(ends), ElementsAre("done", "done", "done", "done", "done", "done"));
}

TEST(RunGraphTest, IndependentNodesRunAtTheSameTime) {
  std::barrier together(4);  // nobody passes unless all four are there
  const auto ends =
      RunGraph({{}, {}, {}, {}}, 4, AfterFailure::kStop, [&](std::size_t /*node*/) { together.arrive_and_wait(); });
  EXPECT_THAT(Texts(ends), ElementsAre("done", "done", "done", "done"));
}

TEST(RunGraphTest, NeverMoreThanTheJobs) {
  std::atomic<int> running = 0;
  std::atomic<int> most = 0;
  RunGraph(Inputs(200), 3, AfterFailure::kStop, [&](std::size_t /*node*/) {
    const int now = ++running;
    int seen = most;
    while (now > seen && !most.compare_exchange_weak(seen, now)) {
    }
    std::this_thread::yield();
    --running;
  });
  EXPECT_LE(most, 3);
}

TEST(RunGraphTest, EachNodeOnceAndAfterItsInputs) {
  Inputs inputs(120);
  for (std::size_t node = 1; node < inputs.size(); ++node) inputs[node] = {node / 2, node - (node % 7 == 0 ? 1 : node)};
  std::vector<std::atomic<int>> done(inputs.size());
  RunGraph(inputs, 4, AfterFailure::kStop, [&](std::size_t node) {
    for (const std::size_t input : inputs[node]) EXPECT_EQ(done[input], 1) << input << " before " << node;
    ++done[node];
  });
  for (const auto& times : done) EXPECT_EQ(times, 1);
}

TEST(RunGraphTest, AFailureStopsTheRest) {
  Recorder recorder;
  recorder.failing = {1};
  const auto ends = RunAll(kDiamond, 1, AfterFailure::kStop, recorder);
  EXPECT_THAT(recorder.order, ElementsAre(0, 1));
  EXPECT_THAT(Texts(ends), ElementsAre("done", "failed", "not run", "not run: 1", "not run", "not run: 1"))
      << "those before which a failed one lies say so";
  EXPECT_EQ(TextOf(ends[1].error), "error: node 1");
}

TEST(RunGraphTest, OrOnlyWhatDependsOnIt) {
  Recorder recorder;
  recorder.failing = {1};
  const auto ends = RunAll(kDiamond, 1, AfterFailure::kKeepGoing, recorder);
  EXPECT_THAT(recorder.order, ElementsAre(0, 1, 2, 4));
  EXPECT_THAT(Texts(ends), ElementsAre("done", "failed", "done", "not run: 1", "done", "not run: 1"));
}

TEST(RunGraphTest, SeveralFailures) {
  Recorder recorder;
  recorder.failing = {1, 2, 4};
  const auto ends = RunAll(kDiamond, 4, AfterFailure::kKeepGoing, recorder);
  EXPECT_THAT(Texts(ends), ElementsAre("done", "failed", "failed", "not run: 1", "failed", "not run: 1"));
  EXPECT_EQ(TextOf(ends[4].error), "error: node 4");
}

TEST(RunGraphTest, ThoseAlreadyRunningAreWaitedFor) {
  std::barrier together(2);
  std::atomic<bool> finished = false;
  std::atomic<bool> later = false;
  const auto ends = RunGraph({{}, {}, {1}}, 2, AfterFailure::kStop, [&](std::size_t node) {
    later = later || node == 2;
    if (node == 2) return;
    together.arrive_and_wait();
    if (node == 0) throw Error(ErrorCode::kInput, "first");
    for (int i = 0; i < 1000; ++i) std::this_thread::yield();
    finished = true;
  });
  EXPECT_TRUE(finished);
  EXPECT_EQ(Texts(ends)[0], "failed");
  EXPECT_EQ(Texts(ends)[1], "done");
  EXPECT_EQ(Texts(ends)[2], later ? "done" : "not run");
}

TEST(RunGraphTest, InputsMustComeBefore) {
  Recorder recorder;
  const CaughtError error = ExpectError([&] { RunAll({{0}}, 1, AfterFailure::kStop, recorder); });
  EXPECT_EQ(error.code, ErrorCode::kInternal);
  EXPECT_THAT(error.text, testing::HasSubstr("inputs come before their readers"));
  EXPECT_THAT(recorder.order, IsEmpty());
}

}  // namespace
}  // namespace flyscribe
