#include "core/parallel.h"

#include <gtest/gtest.h>

#include <gmock/gmock.h>
#include <algorithm>
#include <atomic>
#include <barrier>
#include <memory>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/expect_error.h"

namespace flyscribe {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
TEST(ParallelForTest, RunsEveryItemOnce) {
  for (const int threads : {1, 2, 3, 8}) {
    for (const std::size_t count : {0U, 1U, 2U, 7U, 1000U}) {
      std::vector<std::atomic<int>> runs(count);
      ParallelFor(threads, count, [&](std::size_t item) { ++runs.at(item); });
      for (std::size_t i = 0; i < count; ++i) EXPECT_EQ(runs[i], 1) << threads << " threads, item " << i;
    }
  }
}

TEST(ParallelForTest, ResultsDoNotDependOnThreads) {
  const auto squares = [](int threads) {
    std::vector<std::size_t> results(5000);
    ParallelFor(threads, results.size(), [&](std::size_t i) { results[i] = i * i; });
    return results;
  };
  EXPECT_EQ(squares(3), squares(1));
  EXPECT_EQ(squares(0), squares(1));
  EXPECT_EQ(squares(3)[4999], 4999U * 4999U);
}

TEST(ParallelForTest, OneThreadIsTheCaller) {
  const auto caller = std::this_thread::get_id();
  ParallelFor(1, 10, [&](std::size_t /*item*/) { EXPECT_EQ(std::this_thread::get_id(), caller); });
}

TEST(ParallelForTest, ReallyRunsOnSeveralThreads) {
  // Each item waits for the other two: with fewer than three threads this would never end.
  std::barrier meeting(3);
  ParallelFor(3, 3, [&](std::size_t /*item*/) { meeting.arrive_and_wait(); });
}

TEST(ParallelForTest, WorkersHaveTheirOwnNumbers) {
  std::vector<std::atomic<int>> busy(4);
  ParallelForWorkers(4, 2000, [&](std::size_t /*item*/, std::size_t worker) {
    EXPECT_EQ(++busy.at(worker), 1) << "two threads share worker " << worker;
    --busy.at(worker);
  });
}

TEST(ParallelForTest, TheLowestFailureWins) {
  for (int repeat = 0; repeat < 200; ++repeat) {
    std::vector<std::atomic<int>> runs(300);
    std::string text;
    try {
      ParallelFor(4, runs.size(), [&](std::size_t item) {
        ++runs[item];
        if (item % 100 == 37) throw std::runtime_error("item " + std::to_string(item));
      });
    } catch (const std::runtime_error& error) {
      text = error.what();
    }
    ASSERT_EQ(text, "item 37");
    for (std::size_t item = 0; item <= 37; ++item) ASSERT_EQ(runs[item], 1) << "below the failure, item " << item;
  }
}

TEST(ParallelForTest, ALowerFailureThatComesLaterWins) {
  // Item 0 fails only after item 1 has.
  std::barrier meeting(2);
  std::string text;
  try {
    ParallelFor(2, 2, [&](std::size_t item) {
      if (item == 1) {
        meeting.arrive_and_drop();
        throw std::runtime_error("one");
      }
      meeting.arrive_and_wait();
      throw std::runtime_error("zero");
    });
  } catch (const std::runtime_error& error) {
    text = error.what();
  }
  EXPECT_EQ(text, "zero");
}

TEST(ParallelForTest, NothingStartsAfterAFailure) {
  std::vector<int> runs(100);
  EXPECT_THROW(ParallelFor(1,
                           runs.size(),
                           [&](std::size_t item) {
                             ++runs[item];
                             if (item == 10) throw std::runtime_error("stop");
                           }),
               std::runtime_error);
  EXPECT_EQ(std::count(runs.begin(), runs.end(), 1), 11);
}

TEST(ParallelForTest, ThrowsWhatWasThrownEvenIfItIsNoException) {
  EXPECT_THROW(ParallelFor(3, 5, [](std::size_t item) { throw static_cast<int>(item); }), int);
}

TEST(ParallelForTest, CanBeNested) {
  std::atomic<int> runs = 0;
  ParallelFor(2, 3, [&](std::size_t /*outer*/) { ParallelFor(2, 4, [&](std::size_t /*inner*/) { ++runs; }); });
  EXPECT_EQ(runs, 12);
}

TEST(ParallelInOrderTest, TakesInOrderWhateverTheThreads) {
  for (const std::size_t count : {std::size_t{0}, std::size_t{1}, 2 * kItemsAtATime + 3}) {
    for (const int threads : {1, 3}) {
      std::vector<std::size_t> taken;
      ParallelInOrder(
          threads,
          count,
          [](std::size_t i) { return i * i; },
          [&](std::size_t i, std::size_t item) {
            EXPECT_EQ(i, taken.size());
            taken.push_back(item);
          });
      ASSERT_EQ(taken.size(), count);
      for (std::size_t i = 0; i < count; ++i) EXPECT_EQ(taken[i], i * i);
    }
  }
}

TEST(ParallelInOrderTest, HoldsFewItemsAtATime) {
  std::atomic<int> alive = 0;
  int most = 0;
  struct Item {
    std::shared_ptr<int> token;
  };
  const auto make = [&](std::size_t) {
    ++alive;
    return Item{std::shared_ptr<int>(new int(0), [&alive](const int* token) {
      delete token;
      --alive;
    })};
  };
  ParallelInOrder(2, 5 * kItemsAtATime, make, [&](std::size_t, const Item&) { most = std::max(most, alive.load()); });
  EXPECT_LE(most, static_cast<int>(kItemsAtATime));
  EXPECT_EQ(alive, 0);
}

TEST(WorkerCountTest, IsBoundedByItemsAndNeverZero) {
  EXPECT_EQ(WorkerCount(8, 3), 3U);
  EXPECT_EQ(WorkerCount(2, 100), 2U);
  EXPECT_EQ(WorkerCount(5, 0), 1U);
  EXPECT_EQ(WorkerCount(0, 1000000), static_cast<std::size_t>(DefaultThreads()));
  EXPECT_EQ(WorkerCount(-1, 1000000), static_cast<std::size_t>(DefaultThreads()));
  EXPECT_GE(DefaultThreads(), 1);
}

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
