#include "pipeline/explain/why.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/pipeline/cache_copy.h"

namespace flyscribe {
namespace {

using testing::HasSubstr;

class WhyTest : public testing::Test {
 protected:
  Reason Why(const std::string& label, const std::vector<std::string>& overrides = {}) const {
    const Plan plan = cache_.PlanWith(overrides);
    return Explainer(plan, History(cache_.root())).Explain(InstanceOf(plan, label));
  }
  // The same, as a run sees it.
  Reason WhyRun(const std::string& label, const RunRequest& request, const std::vector<std::string>& overrides) const {
    const Plan plan = cache_.PlanWith(overrides);
    const History history(cache_.root());
    const std::vector<StepForecast> forecast = ForecastRun(plan, cache_.Store(), request);
    for (std::size_t i = 0; i < forecast.size(); ++i) {
      if (plan.instances[i].Label() != label) continue;
      return Explainer(plan, history).Explain(plan.instances[i], forecast[i], request);
    }
    throw std::out_of_range(label);
  }

  CacheCopy cache_;
};

TEST_F(WhyTest, CachedIsCached) { EXPECT_EQ(Why("learn 4-6 fold-0").kind, Reason::Kind::kCached); }

TEST_F(WhyTest, TheRootCauseIsFollowedThroughTheStepsBetween) {
  const std::map<std::string, std::string> expected = {
      {"learn 4-6 fold-0", "learn.lambda: 0.1 -> 0.12"},
      {"encode 4-6 fold-0", "learn.lambda: 0.1 -> 0.12, through learn"},
      {"pool 4-6 fold-0", "learn.lambda: 0.1 -> 0.12, through learn"},  // the shortest way, not by encode
      {"train 4-6 fold-0", "learn.lambda: 0.1 -> 0.12, through pool < learn"},
      {"evaluate 4-6", "learn.lambda: 0.1 -> 0.12, through train < pool < learn"},
      {"report", "learn.lambda: 0.1 -> 0.12"}};  // it shows all options
  for (const auto& [label, text] : expected) {
    const Reason reason = Why(label, {"learn.lambda=0.12"});
    EXPECT_EQ(reason.kind, Reason::Kind::kChanged) << label;
    EXPECT_EQ(reason.ToString(), text) << label;
    EXPECT_EQ(reason.changes.size(), 1U) << label;
  }
}

TEST_F(WhyTest, TheNearestOfSeveralIsComparedWith) {
  const Plan base = cache_.PlanWith();
  const StepInstance& learn = InstanceOf(base, "learn 4-6 fold-0");
  const std::string near = Replaced(learn.key_text, "learn.atoms: 24", "learn.atoms: 48");
  cache_.Put(learn, near);
  cache_.Put(learn, Replaced(near, "learn.lambda: 0.1", "learn.lambda: 0.3"));
  const Reason reason = Why("learn 4-6 fold-0", {"learn.atoms=48", "learn.epochs=3"});
  EXPECT_EQ(reason.earlier, Sha256OfText(near));
  EXPECT_EQ(reason.made, "2026-01-01T00:00:00Z");
  EXPECT_EQ(reason.ToString(), "learn.epochs: 2 -> 3");
}

TEST_F(WhyTest, OfEquallyNearOnesTheLatest) {
  const Plan base = cache_.PlanWith();
  const StepInstance& learn = InstanceOf(base, "learn 4-6 fold-0");
  cache_.Put(learn, Replaced(learn.key_text, "learn.lambda: 0.1", "learn.lambda: 0.3"));  // of January
  EXPECT_EQ(Why("learn 4-6 fold-0", {"learn.lambda=0.2"}).earlier, learn.key);
}

TEST_F(WhyTest, NeverComputed) {
  cache_.Remove("learn");
  const Reason reason = Why("learn 4-6 fold-0");
  EXPECT_EQ(reason.kind, Reason::Kind::kNeverComputed);
  EXPECT_EQ(reason.ToString(), "never computed");
  EXPECT_TRUE(reason.changes.empty());
}

TEST_F(WhyTest, AnotherPartIsNoEarlierArtifact) {
  const std::vector<std::string> overrides = {"protocol.test_folds=2", "learn.lambda=0.12"};
  EXPECT_EQ(Why("learn 4-6 fold-0", overrides).kind, Reason::Kind::kChanged);
  EXPECT_EQ(Why("learn 4-6 fold-1", overrides).kind, Reason::Kind::kNeverComputed);
}

TEST_F(WhyTest, AnotherShapeOfTheGraphIsPutDownToTheProtocol) {
  EXPECT_EQ(Why("evaluate 4-6", {"protocol.test_folds=2"}).ToString(), "protocol.test_folds: 1 -> 2");
  EXPECT_EQ(Why("train 4-6 fold-0", {"protocol.dictionary=all"}).ToString(),
            "protocol.dictionary: \"training\" -> \"all\", through pool < learn");
}

TEST_F(WhyTest, RemovedIsRememberedByTheLog) {
  cache_.Log(cache_.PlanWith())->End(0, "", "");
  cache_.Remove("learn");
  const Reason reason = Why("learn 4-6 fold-0");
  EXPECT_EQ(reason.kind, Reason::Kind::kRemoved);
  EXPECT_EQ(reason.ToString(), "computed before (" + reason.made + "), but no longer in the cache");
  EXPECT_EQ(reason.made.size(), 20U);
  // And it still serves to explain its followers.
  EXPECT_EQ(Why("train 4-6 fold-0", {"learn.lambda=0.12"}).ToString(),
            "learn.lambda: 0.1 -> 0.12, through pool < learn");
}

TEST_F(WhyTest, AnInputWhoseOriginIsForgottenIsNamedByItsDigest) {
  const Plan base = cache_.PlanWith();
  const Plan plan = cache_.PlanWith({"learn.lambda=0.12"});
  cache_.Remove("learn");
  const auto digests = [](const Plan& of) { return InstanceOf(of, "learn 4-6 fold-0").key.substr(0, 8); };
  EXPECT_EQ(Why("encode 4-6 fold-0", {"learn.lambda=0.12"}).ToString(),
            "learn of 4-6: " + digests(base) + " -> " + digests(plan));
}

TEST_F(WhyTest, StepVersionsAndLibrariesAreNamed) {
  const Plan base = cache_.PlanWith();
  const StepInstance& train = InstanceOf(base, "train 4-6 fold-0");
  const std::string library = "library libsvm: ";
  const std::size_t place = train.key_text.find(library) + library.size();
  const std::string version = train.key_text.substr(place, train.key_text.find('\n', place) - place);
  cache_.Remove("train");
  const std::string now = "train " + std::to_string(TrainStep().version);
  cache_.Put(train, Replaced(train.key_text, "step: " + now, "step: train 0"));
  EXPECT_EQ(Why("train 4-6 fold-0").ToString(), "version of the step: train 0 -> " + now);
  cache_.Remove("train");
  cache_.Put(train, Replaced(train.key_text, library + version, library + "300"));
  EXPECT_EQ(Why("train 4-6 fold-0").ToString(), "library libsvm: 300 -> " + version);
}

TEST_F(WhyTest, ManyChangesAreCutShort) {
  const std::string text =
      Why("learn 4-6 fold-0", {"learn.lambda=0.2", "learn.epochs=3", "learn.seed=9", "learn.atoms=30"}).ToString();
  EXPECT_EQ(text, "learn.atoms: 24 -> 30; learn.epochs: 2 -> 3; learn.lambda: 0.1 -> 0.2; and 1 more");
}

TEST_F(WhyTest, OtherDataIsPutDownToTheOptionsOfIngest) {
  const Reason labels = Why("train 4-6 fold-0", {"ingest.permute_labels=3"});
  ASSERT_EQ(labels.changes.size(), 1U);
  EXPECT_EQ(labels.changes[0].name, "option ingest.permute_labels");
  EXPECT_EQ(labels.ToString(), "ingest.permute_labels: 0 -> 3, through ingest");
  EXPECT_EQ(Why("learn 4-6 fold-0", {"ingest.split_seed=5"}).ToString(), "ingest.split_seed: 1 -> 5, through ingest");
  EXPECT_EQ(Why("ingest 4-6", {"ingest.split_seed=5"}).ToString(), "ingest.split_seed: 1 -> 5");
}

TEST_F(WhyTest, ChangedImagesAreCounted) {
  // The same genes with one picture fewer for some: other images, and another simulate.
  const Config other = cache_.ConfigWith({"simulate.images_max=1"});
  Execute(other, {.until = "ingest"});
  const Reason reason = Why("normalise 4-6", {"simulate.images_max=1"});
  ASSERT_EQ(reason.changes.size(), 1U);
  EXPECT_THAT(reason.ToString(), testing::MatchesRegex(".*[0-9]+ images? removed, through standardise"));
}

TEST_F(WhyTest, TheLastRunOfTheSameConfigComesFirst) {
  cache_.Log(cache_.PlanWith())->End(0, "", "");
  // Another config of the same cache, whose artifacts are nearer.
  const Plan plan = cache_.PlanWith({"learn.lambda=0.12", "learn.epochs=3"});
  const StepInstance& learn = InstanceOf(plan, "learn 4-6 fold-0");
  cache_.Put(learn, Replaced(learn.key_text, "learn.seed: 1", "learn.seed: 9"));
  const Reason reason = Why("learn 4-6 fold-0", {"learn.lambda=0.12", "learn.epochs=3"});
  EXPECT_EQ(reason.ToString(), "learn.epochs: 2 -> 3; learn.lambda: 0.1 -> 0.12");
  EXPECT_TRUE(reason.of_last_run);
  // A run that did not get so far says nothing.
  cache_.Log(cache_.PlanWith({"learn.seed=4"}))->End(1, "failed", "");
  EXPECT_EQ(Why("learn 4-6 fold-0", {"learn.epochs=3"}).ToString(), "learn.epochs: 2 -> 3");
}

TEST_F(WhyTest, TheNearestOfTheConfigsRecentRunsIsComparedWith) {
  const Plan base = cache_.PlanWith();
  cache_.Log(base)->End(0, "", "");
  // Then a run with --set, as a sweep's last point is.
  const Plan swept = cache_.PlanWith({"learn.lambda=0.3", "learn.epochs=3"});
  const StepInstance& learn = InstanceOf(swept, "learn 4-6 fold-0");
  cache_.Put(learn, learn.key_text);
  cache_.Log(swept)->End(0, "", "");
  const Reason reason = Why("learn 4-6 fold-0", {"learn.atoms=48"});
  EXPECT_EQ(reason.ToString(), "learn.atoms: 24 -> 48");
  EXPECT_EQ(reason.earlier, InstanceOf(base, "learn 4-6 fold-0").key);
  EXPECT_TRUE(reason.of_own_run);
  EXPECT_FALSE(reason.of_last_run);
  const Reason other = Why("learn 4-6 fold-0", {"learn.lambda=0.3"});
  EXPECT_EQ(other.ToString(), "learn.epochs: 3 -> 2") << "of equally near ones the latest run's";
  EXPECT_TRUE(other.of_last_run);
}

TEST_F(WhyTest, TheReportNamesTheConfigsName) {
  const Plan base = cache_.PlanWith();
  const StepInstance& report = InstanceOf(base, "report");
  cache_.Remove("report");
  cache_.Put(report, Replaced(report.key_text, "library config: tiny", "library config: real"));
  EXPECT_EQ(Why("report").ToString(), "name of the config: real -> tiny");
}

TEST_F(WhyTest, WhoseArtifactItIsIsSaidOfAnotherConfig) {
  cache_.Log(cache_.PlanWith(), "quickstart")->End(0, "", "");
  const Reason reason = Why("learn 4-6 fold-0", {"learn.lambda=0.12"});
  EXPECT_FALSE(reason.of_last_run);
  EXPECT_EQ(reason.ToString(), "learn.lambda: 0.1 -> 0.12 (compared with quickstart)");
}

TEST_F(WhyTest, DataThatChangedIsNotPutDownToAnotherConfigsOptions) {
  cache_.Log(cache_.PlanWith())->End(0, "", "");
  Execute(cache_.ConfigWith({"simulate.images_max=1"}), {.until = "simulate"});
  const Plan plan = cache_.PlanWith({"simulate.images_max=1"});
  const StepInstance& ingest = InstanceOf(plan, "ingest 4-6");
  cache_.Put(ingest, Replaced(ingest.key_text, "ingest.blank_view: \"drop\"", "ingest.blank_view: \"keep\""));
  for (const std::string label : {"ingest 4-6", "learn 4-6 fold-0", "train 4-6 fold-0"}) {
    const Reason reason = Why(label, {"simulate.images_max=1"});
    EXPECT_THAT(reason.ToString(), testing::MatchesRegex(".*[0-9]+ images? removed.*")) << label;
    for (const KeyChange& change : reason.changes) EXPECT_NE(change.detail, "") << label << ": " << change.ToString();
  }
  std::vector<std::string> told;
  for (const KeyChange& change : Why("report", {"simulate.images_max=1"}).changes) told.push_back(change.ToString());
  EXPECT_THAT(told, testing::Contains(HasSubstr(" removed (4-6), through ")));
}

TEST_F(WhyTest, WithoutTheEarlierIngestOnlyTheDigestsAreKnown) {
  cache_.Remove("ingest");
  EXPECT_THAT(Why("train 4-6 fold-0", {"ingest.permute_labels=3"}).ToString(),
              testing::MatchesRegex("labels of 4-6: [0-9a-f]+ -> [0-9a-f]+"));
}

TEST_F(WhyTest, WhatARunKnowsBesides) {
  EXPECT_EQ(WhyRun("learn 4-6 fold-0", {}, {}).KindName(), "cached");
  EXPECT_EQ(WhyRun("learn 4-6 fold-0", {.force = {"learn"}}, {}).ToString(), "forced");
  EXPECT_EQ(WhyRun("learn 4-6 fold-0", {.until = "extract"}, {}).ToString(), "not asked");
  EXPECT_EQ(WhyRun("ingest 4-6", {}, {"simulate.seed=8"}).ToString(), "simulate comes first");
  cache_.Remove("learn");
  EXPECT_EQ(WhyRun("learn 4-6 fold-0", {}, {}).ToString(), "not in the cache, and not needed");
  const Plan plan = cache_.PlanWith();
  const std::string key = InstanceOf(plan, "evaluate 4-6").key;
  fs::resize_file(cache_.Store().FolderOf("4-6", "evaluate", key) / "terms.tsv", 3);
  EXPECT_EQ(WhyRun("evaluate 4-6", {}, {}).ToString(), "damaged: terms.tsv has the wrong size");
}

}  // namespace
}  // namespace flyscribe
