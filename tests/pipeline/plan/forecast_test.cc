#include "pipeline/plan/forecast.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "tests/pipeline/cache_copy.h"
#include "tests/support/expect_error.h"

namespace flyscribe {
namespace {

using Names = std::vector<std::string>;

class ForecastTest : public testing::Test {
 protected:
  // state -> steps, in order.
  std::map<std::string, Names> States(const RunRequest& request, const Names& overrides = {}) const {
    const Plan plan = cache_.PlanWith(overrides);
    const std::vector<StepForecast> forecast = ForecastRun(plan, cache_.Store(), request);
    std::map<std::string, Names> states;
    for (std::size_t i = 0; i < forecast.size(); ++i) {
      states[StateName(forecast[i].state)].push_back(plan.instances[i].step->name);
    }
    return states;
  }
  std::string ErrorOf(const RunRequest& request, const Names& overrides = {}) const {
    const CaughtError error = ExpectError([&] { States(request, overrides); });
    EXPECT_EQ(error.code, ErrorCode::kUsage);
    return error.text;
  }

  CacheCopy cache_;
};

const Names kFromLearn = {"learn", "encode", "pool", "train", "evaluate", "report"};
const Names kUntilNormalise = {"simulate", "ingest", "standardise", "extract", "normalise"};

TEST_F(ForecastTest, AfterARunEverythingIsAHit) {
  const auto states = States({});
  ASSERT_EQ(states.size(), 1U);
  EXPECT_EQ(states.at("hit").size(), 11U);
}

TEST_F(ForecastTest, AChangedOptionRunsItsDependents) {
  const auto states = States({}, {"learn.lambda=0.12"});
  EXPECT_EQ(states.at("run"), kFromLearn);
  EXPECT_EQ(states.at("hit"), kUntilNormalise);
}

TEST_F(ForecastTest, AMissingIntermediateIsNotNeededWhereResultsAreCached) {
  cache_.Remove("normalise");
  cache_.Remove("learn");
  const auto states = States({});
  EXPECT_EQ(states.at("unneeded"), (Names{"normalise", "learn"}));
  EXPECT_EQ(states.count("run"), 0U);
}

TEST_F(ForecastTest, WhatIsAlsoAskedForIsAResult) {
  cache_.Remove("normalise");
  cache_.Remove("learn");
  RunRequest request;
  request.also = {"learn"};
  const auto states = States(request);
  EXPECT_EQ(states.at("run"), (Names{"normalise", "learn"}));
  EXPECT_EQ(states.count("unneeded"), 0U);
}

TEST_F(ForecastTest, AMissingIntermediateRunsForAReaderThatRuns) {
  cache_.Remove("extract");
  EXPECT_EQ(States({}, {"train.c=3"}).at("unneeded"), Names{"extract"});
  const auto states = States({}, {"normalise.min_deviation=3"});
  EXPECT_EQ(states.at("run"),
            (Names{"extract", "normalise", "learn", "encode", "pool", "train", "evaluate", "report"}));
  EXPECT_EQ(states.at("hit"), (Names{"simulate", "ingest", "standardise"}));
}

TEST_F(ForecastTest, AMissingResultRunsAlone) {
  cache_.Remove("evaluate");
  const auto states = States({});
  EXPECT_EQ(states.at("run"), Names{"evaluate"});
  EXPECT_EQ(states.at("hit").size(), 10U);
}

TEST_F(ForecastTest, UntilEndsWithAStep) {
  const auto states = States({.until = "encode"}, {"learn.lambda=0.12"});
  EXPECT_EQ(states.at("run"), (Names{"learn", "encode"}));
  EXPECT_EQ(states.at("not asked"), (Names{"pool", "train", "evaluate", "report"}));
  EXPECT_EQ(states.at("hit"), kUntilNormalise);
  cache_.Remove("pool");
  EXPECT_EQ(States({.until = "pool"}).at("run"), Names{"pool"}) << "it is a result when it is asked for";
}

TEST_F(ForecastTest, OnlyRunsOneStepAndReadsTheRest) {
  const auto states = States({.only = "learn"}, {"learn.lambda=0.12"});
  EXPECT_EQ(states.at("run"), Names{"learn"});
  EXPECT_EQ(states.at("hit"), (Names{"ingest", "normalise"})) << "what it reads";
  EXPECT_EQ(states.at("not asked").size(), 8U);
}

TEST_F(ForecastTest, OnlyRefusesToComputeWhatItReads) {
  EXPECT_EQ(ErrorOf({.only = "learn"}, {"extract.stride=24"}),
            "--only learn: error: normalise for 4-6 is not cached and would have to be computed first\n"
            "  hint: run it with --until normalise, or leave out --only");
}

TEST_F(ForecastTest, FromComputesAStepAndWhatFollows) {
  EXPECT_EQ(States({.from = "learn"}, {"learn.lambda=0.12"}).at("run"), kFromLearn);
  EXPECT_EQ(ErrorOf({.from = "train"}, {"learn.lambda=0.12"}),
            "--from train: error: pool for 4-6, fold-0 is not cached and would have to be computed first\n"
            "  hint: leave out --from");
  cache_.Remove("extract");
  EXPECT_EQ(States({.from = "train"}).at("unneeded"), Names{"extract"}) << "what nobody reads may be missing";
}

TEST_F(ForecastTest, ForceComputesAgain) {
  EXPECT_EQ(States({.force = {"extract", "train"}}).at("run"), (Names{"extract", "train"}));
  EXPECT_EQ(States({.force_all = true}).at("run").size(), 11U);
  // Not beyond what --from and --until allow.
  const auto between = States({.from = "learn", .until = "encode", .force_all = true});
  EXPECT_EQ(between.at("run"), (Names{"learn", "encode"}));
  // What a forced step reads must be there.
  cache_.Remove("standardise");
  EXPECT_EQ(States({.force = {"extract"}}).at("run"), (Names{"standardise", "extract"}));
}

TEST_F(ForecastTest, UnknownStepsAreRefusedWithASuggestion) {
  const std::string steps =
      "steps: simulate, ingest, standardise, extract, normalise, learn, encode, pool, train, evaluate, "
      "pixels, train-pixels, evaluate-pixels, report";
  const std::string trian = "error: unknown step 'trian'\n  hint: did you mean 'train'? " + steps;
  EXPECT_EQ(ErrorOf({.from = "trian"}), trian);
  EXPECT_EQ(ErrorOf({.until = "trian"}), trian);
  EXPECT_EQ(ErrorOf({.only = "trian"}), trian);
  EXPECT_EQ(ErrorOf({.force = {"train", "trian"}}), trian);
  EXPECT_EQ(ErrorOf({.only = "quantise-it"}), "error: unknown step 'quantise-it'\n  hint: " + steps);
}

TEST_F(ForecastTest, ADamagedArtifactRunsAndStaysWhereItIs) {
  const fs::path file = cache_.root() /
                        fs::relative(SharedTinyRun().FolderOf("evaluate"), SharedTinyRun().folder / "cache") /
                        "terms.tsv";
  fs::resize_file(file, 3);
  const Plan plan = cache_.PlanWith();
  const std::vector<StepForecast> forecast = ForecastRun(plan, cache_.Store(), {});
  const StepForecast& evaluate = forecast[9];
  EXPECT_EQ(evaluate.state, StepState::kRun);
  EXPECT_EQ(evaluate.found.problem, "terms.tsv has the wrong size");
  EXPECT_TRUE(fs::exists(file));
}

TEST_F(ForecastTest, WhatIsNotKnownYetMustRun) {
  const auto states = States({}, {"simulate.seed=8"});
  EXPECT_EQ(states.at("run").size(), 11U);
}

}  // namespace
}  // namespace flyscribe
