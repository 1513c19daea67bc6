#include "core/parallel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <barrier>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace flyscribe {
namespace {

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

}  // namespace
}  // namespace flyscribe
