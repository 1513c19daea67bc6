#include "pipeline/model/model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/file.h"
#include "pipeline/plan/planner.h"
#include "tests/pipeline/tiny_run.h"

namespace flyscribe {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Key;
using testing::Pair;

struct Exported {
  Plan plan;
  RunOutcome outcome;
  Model model;

  explicit Exported(const Config& config) {
    RunObserver nobody;
    const ArtifactStore store(config.cache.dir, [](const std::string&) {});
    RunRequest request;
    request.also = StepsOfModel();
    Runner runner(store, request, nobody);
    plan = Planner(store, {.remember = true, .goal = PlanGoal::kModel}, NoProgress())
               .Make({{"", config}}, [&](const Config& each, const StepInstance& simulate, DigestCache& digests) {
                 return runner.Simulate(each, simulate, digests);
               });
    outcome = runner.Run(plan);
    if (outcome.error) std::rethrow_exception(outcome.error);
    model = ModelOfRun(plan.points.front(), outcome);
  }
};

// One export that the tests look at, in a cache of its own.
struct SharedExport {
  TempFolder folder;
  Config config = TinyConfig(folder.path(), {"pool.regions=[1x1, 2x1]"});
  Exported first{config};
};

const SharedExport& Shared() {
  static const SharedExport shared;
  return shared;
}

TEST(ModelExportTest, IsWhatTheStepsLeft) {
  const auto& [plan, outcome, model] = Shared().first;
  ASSERT_EQ(model.ranges.size(), 1U);
  const RangeModel& range = model.ranges[0];
  const TermModels trained = TermModels::Load(outcome.FolderOf("4-6", "train"));
  EXPECT_EQ(range.dictionary.atoms, Dictionary::Load(outcome.FolderOf("4-6", "learn")).atoms);
  EXPECT_EQ(range.models.terms, trained.terms);
  EXPECT_EQ(range.models.weights, trained.weights);
  EXPECT_GT(range.models.terms.size(), 1U);
  EXPECT_EQ(range.models.weights.cols(), 24U * 3U);
  EXPECT_EQ(range.models.scores.rows(), 0U) << "scores of training bags stay at home";
  EXPECT_EQ(model.id, ModelId(model));
  EXPECT_EQ(model.options.pool.regions, (std::vector<std::string>{"1x1", "2x1"}));
}

TEST(ModelExportTest, EveryGeneHasItsInnerFold) {
  const auto& [plan, outcome, model] = Shared().first;
  const Config& config = *plan.points[0].config;
  const Collection& collection = plan.points[0].corpus->Of(StageRange::FromName("4-6"));
  const RangeModel& range = model.ranges[0];
  EXPECT_EQ(range.models.inner_folds(), static_cast<std::size_t>(config.train.inner_folds));
  EXPECT_EQ(range.genes.size(), collection.bags.size());
  for (const TrainedGene& gene : range.genes) {
    EXPECT_EQ(gene.inner_fold, config.train.InnerFoldOf(gene.gene));
    EXPECT_THAT(collection.bags,
                Contains(AllOf(testing::Field(&Bag::gene, gene.gene), testing::Field(&Bag::names, gene.names))));
    EXPECT_EQ(gene.names.ids.size(), 2U) << "its CG id and its FBgn id";
  }
  for (std::size_t i = 0; i < range.fbbt_ids.size(); ++i) {
    EXPECT_THAT(collection.terms, Contains(TermRecord{range.models.terms[i].term, range.fbbt_ids[i]}));
  }
}

TEST(ModelExportTest, ProvenanceHasNoTimesAndNoPaths) {
  const Model& model = Shared().first.model;
  EXPECT_THAT(model.provenance, Contains(Pair("config", "tiny")));
  EXPECT_THAT(model.provenance, Contains(Pair("4-6 bags", std::to_string(model.ranges[0].genes.size()))));
  EXPECT_THAT(model.provenance, Contains(Key("4-6 digest of labels")));
  EXPECT_THAT(model.provenance, Contains(Pair("options", HasSubstr("learn:\n"))));
  for (const auto& [name, value] : model.provenance)
    EXPECT_EQ(value.find(Shared().folder.path().string()), std::string::npos);
}

TEST(ModelExportTest, TheSecondTimeNothingRunsAndTheBytesAreTheSame) {
  const TempFolder out;
  const Exported again(Shared().config);
  EXPECT_THAT(Computed(again.outcome), IsEmpty());
  SaveModel(Shared().first.model, out / "a.tar.zst");
  SaveModel(again.model, out / "b.tar.zst");
  EXPECT_EQ(ReadFile(out / "a.tar.zst"), ReadFile(out / "b.tar.zst"));
  EXPECT_EQ(LoadModel(out / "a.tar.zst", out / "scratch").id, again.model.id);
}

// The dictionary is asked for itself: the models alone are not enough, and a damaged one is no dictionary.
TEST(ModelExportTest, WhatIsMissingOrDamagedIsComputedAgain) {
  const fs::path dictionary = Shared().first.outcome.FolderOf("4-6", "learn");
  const std::string file = ReadFile(dictionary / "dictionary.npy");
  std::string flipped = file;
  flipped.back() = static_cast<char>(flipped.back() ^ 1);
  WriteFile(dictionary / "dictionary.npy", flipped);
  const Exported mended(Shared().config);
  EXPECT_THAT(Computed(mended.outcome), ElementsAre("learn"));
  EXPECT_EQ(mended.model.id, Shared().first.model.id);
  RemoveTree(dictionary);
  const Exported remade(Shared().config);
  EXPECT_THAT(Computed(remade.outcome), ElementsAre("learn"));
  EXPECT_EQ(ReadFile(dictionary / "dictionary.npy"), file);
}

TEST(ModelExportTest, AlwaysOfEncodedPatches) {
  Config config = Shared().config;
  config.protocol.dictionary = ProtocolOptions::DictionaryFrom::kAll;
  config.pool.codes = PoolOptions::Codes::kLearned;
  const Exported learned(config);
  EXPECT_EQ(learned.model.options.pool.codes, PoolOptions::Codes::kEncoded);
}

}  // namespace
}  // namespace flyscribe
