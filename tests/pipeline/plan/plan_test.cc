#include "pipeline/plan/plan.h"

#include <gtest/gtest.h>

#include <map>

#include "tests/pipeline/tiny_run.h"

namespace flyscribe {
namespace {

// The shared run's data, planned anew with other options.
Plan PlanWith(const std::vector<std::string>& overrides, PlanGoal goal = PlanGoal::kEvaluation) {
  const TinyRun& run = SharedTinyRun();
  auto config = std::make_shared<const Config>(TinyConfig(run.folder.path(), overrides));
  auto corpus = std::make_shared<CorpusSource>(*config, run.FolderOf("simulate"), NoProgress());
  for (const StageRange range : config->StageRanges()) corpus->Import(range, {}, NoProgress());
  return BuildPlan(config, corpus, goal);
}

std::vector<std::string> Names(const Plan& plan) {
  std::vector<std::string> names;
  for (const StepInstance& instance : plan.instances) {
    names.push_back(instance.step->name + (instance.part.IsAll() ? "" : " " + instance.part.name()));
  }
  return names;
}

// The steps whose keys differ between two plans of the same shape.
std::vector<std::string> Changed(const Plan& a, const Plan& b) {
  std::vector<std::string> steps;
  for (std::size_t i = 0; i < a.instances.size(); ++i) {
    if (a.instances[i].key != b.instances[i].key) steps.push_back(a.instances[i].step->name);
  }
  return steps;
}

TEST(Plan, OneHoldOutFold) {
  EXPECT_EQ(Names(PlanWith({})),
            (std::vector<std::string>{"simulate",
                                      "ingest",
                                      "standardise",
                                      "extract",
                                      "normalise",
                                      "learn fold-0",
                                      "encode fold-0",
                                      "pool fold-0",
                                      "train fold-0",
                                      "evaluate",
                                      "report"}));
}

TEST(Plan, PartsPerFoldOrOneDictionaryForAll) {
  const Plan strict = PlanWith({"protocol.test_folds=2"});
  const Plan paper = PlanWith({"protocol.test_folds=2", "protocol.dictionary=all"});
  EXPECT_EQ(Names(strict),
            (std::vector<std::string>{"simulate",
                                      "ingest",
                                      "standardise",
                                      "extract",
                                      "normalise",
                                      "learn fold-0",
                                      "encode fold-0",
                                      "pool fold-0",
                                      "train fold-0",
                                      "learn fold-1",
                                      "encode fold-1",
                                      "pool fold-1",
                                      "train fold-1",
                                      "evaluate",
                                      "report"}));
  EXPECT_EQ(Names(paper),
            (std::vector<std::string>{"simulate",
                                      "ingest",
                                      "standardise",
                                      "extract",
                                      "normalise",
                                      "learn",
                                      "encode",
                                      "pool",
                                      "train fold-0",
                                      "train fold-1",
                                      "evaluate",
                                      "report"}));
}

// Step, part and key of all instances but the report.
std::map<std::string, std::string> KeysBeforeReport(const Plan& plan) {
  std::map<std::string, std::string> keys;
  for (const StepInstance& instance : plan.instances) {
    if (instance.step != &ReportStep()) keys[instance.Label()] = instance.key;
  }
  return keys;
}

TEST(Plan, TheBaselineGoesItsOwnWayFromTheImages) {
  const Plan plan = PlanWith({"protocol.test_folds=2", "protocol.dictionary=all", "protocol.pixel_baseline=true"});
  const std::vector<std::string> names = Names(plan);
  EXPECT_EQ((std::vector<std::string>(names.begin() + 10, names.end())),
            (std::vector<std::string>{
                "evaluate", "pixels", "train-pixels fold-0", "train-pixels fold-1", "evaluate-pixels", "report"}));
  const auto inputs = [&](std::size_t i) {
    std::vector<std::string> read;
    for (const StepLink& link : plan.instances[i].links) {
      read.push_back(link.name + " of " + names[link.instance]);
    }
    return read;
  };
  EXPECT_EQ(inputs(11), (std::vector<std::string>{"images of ingest", "standardise of standardise"}));
  EXPECT_EQ(inputs(12), (std::vector<std::string>{"pixels of pixels", "labels of ingest", "folds of ingest"}));
  EXPECT_EQ(inputs(14),
            (std::vector<std::string>{"labels of ingest",
                                      "folds of ingest",
                                      "train-pixels fold-0 of train-pixels fold-0",
                                      "train-pixels fold-1 of train-pixels fold-1"}));
  EXPECT_EQ(inputs(15).back(), "4-6 evaluate-pixels of evaluate-pixels");
}

TEST(Plan, TheBaselineChangesNoOtherKeyButTheReports) {
  const std::map<std::string, std::string> off = KeysBeforeReport(PlanWith({"protocol.test_folds=2"}));
  std::map<std::string, std::string> on =
      KeysBeforeReport(PlanWith({"protocol.test_folds=2", "protocol.pixel_baseline=true"}));
  EXPECT_EQ(on.size(), off.size() + 4);
  std::erase_if(on, [](const auto& entry) { return entry.first.find("pixels") != std::string::npos; });
  EXPECT_EQ(on, off);
}

TEST(Plan, TheBaselineKnowsNothingOfDictionaries) {
  const std::string baseline = "protocol.pixel_baseline=true";
  const Plan base = PlanWith({baseline});
  const std::map<std::string, std::vector<std::string>> expected = {
      {"learn.lambda=0.12", {"learn", "encode", "pool", "train", "evaluate", "report"}},
      {"train.c=2", {"train", "evaluate", "train-pixels", "evaluate-pixels", "report"}},
      {"evaluate.top_terms=5", {"evaluate", "evaluate-pixels", "report"}},
      {"ingest.permute_labels=3", {"ingest", "train", "evaluate", "train-pixels", "evaluate-pixels", "report"}}};
  for (const auto& [argument, steps] : expected) {
    EXPECT_EQ(Changed(base, PlanWith({baseline, argument})), steps) << argument;
  }
}

TEST(Plan, LearnedCodesAreNotEncoded) {
  const Plan plan = PlanWith({"protocol.profile=paper", "pool.codes=learned"});
  EXPECT_EQ(Names(plan),
            (std::vector<std::string>{"simulate",
                                      "ingest",
                                      "standardise",
                                      "extract",
                                      "normalise",
                                      "learn",
                                      "pool",
                                      "train fold-0",
                                      "evaluate",
                                      "report"}));
}

TEST(Plan, AModelIsTrainedOnAllBags) {
  const Plan plan = PlanWith({"protocol.test_folds=3", "protocol.pixel_baseline=true"}, PlanGoal::kModel);
  EXPECT_EQ(Names(plan),
            (std::vector<std::string>{
                "simulate", "ingest", "standardise", "extract", "normalise", "learn", "encode", "pool", "train"}));
}

TEST(Plan, AModelAlwaysUsesEncodedPatches) {
  const std::vector<std::string> paper = {"protocol.profile=paper", "pool.codes=learned"};
  const Plan model = PlanWith(paper, PlanGoal::kModel);
  EXPECT_EQ(Names(model)[6], "encode");
  EXPECT_EQ(model.points[0].config->pool.codes, PoolOptions::Codes::kEncoded);
  EXPECT_EQ(Changed(model, PlanWith({"protocol.profile=paper"}, PlanGoal::kModel)), (std::vector<std::string>{}));
}

TEST(Plan, AModelDoesNotDependOnFolds) {
  EXPECT_EQ(Changed(PlanWith({}, PlanGoal::kModel), PlanWith({"ingest.split_seed=9"}, PlanGoal::kModel)),
            (std::vector<std::string>{"ingest"}));
}

TEST(Plan, InputsComeBeforeTheirReaders) {
  const Plan plan = PlanWith({"protocol.test_folds=3", "protocol.pixel_baseline=true"});
  for (std::size_t i = 0; i < plan.instances.size(); ++i) {
    for (const StepLink& link : plan.instances[i].links) {
      if (link.instance == kNoInstance) continue;
      EXPECT_LT(link.instance, i);
    }
  }
}

TEST(Plan, AnOptionChangesExactlyItsDependents) {
  const Plan base = PlanWith({});
  const std::vector<std::string> from_learn = {"learn", "encode", "pool", "train", "evaluate", "report"};
  const std::map<std::string, std::vector<std::string>> expected = {
      {"learn.lambda=0.12", from_learn},
      {"learn.seed=9", from_learn},
      {"extract.smoothing=1.5", {"extract", "normalise", "learn", "encode", "pool", "train", "evaluate", "report"}},
      {"normalise.min_deviation=3", {"normalise", "learn", "encode", "pool", "train", "evaluate", "report"}},
      {"encode.kkt_tolerance=1e-3", {"encode", "pool", "train", "evaluate", "report"}},
      {"pool.signs=apart", {"pool", "train", "evaluate", "report"}},
      {"train.c=2", {"train", "evaluate", "report"}},
      {"evaluate.top_terms=5", {"evaluate", "report"}},
      {"report.title=other", {"report"}},
      // Labels are permuted in ingest, but the dictionary does not depend on labels.
      {"ingest.permute_labels=3", {"ingest", "train", "evaluate", "report"}},
      {"threads=5", {}},
      {"output=elsewhere", {}},
      {"cache.dir=elsewhere", {}}};
  for (const auto& [argument, steps] : expected) EXPECT_EQ(Changed(base, PlanWith({argument})), steps) << argument;
}

TEST(Plan, KeysHoldNoPath) {
  for (const StepInstance& instance : PlanWith({}).instances) {
    EXPECT_EQ(instance.key_text.find(SharedTinyRun().folder.path().string()), std::string::npos) << instance.key_text;
  }
}

TEST(StepInstance, Describes) {
  const Plan plan = PlanWith({});
  EXPECT_EQ(plan.instances[0].Describe(), "simulate");
  EXPECT_EQ(plan.instances[5].Describe(), "learn for 4-6, fold-0");
  EXPECT_EQ(plan.instances[0].Label(), "simulate");
  EXPECT_EQ(plan.instances[5].Label(), "learn 4-6 fold-0");
}

}  // namespace
}  // namespace flyscribe
