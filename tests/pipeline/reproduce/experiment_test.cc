#include "pipeline/reproduce/experiment.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "tests/pipeline/reproduce/made_up.h"
#include "tests/support/expect_error.h"

namespace flyscribe {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(Study, LearnsAsThePaperDoes) {
  const Config config = StudyConfig();
  const Study study{config};
  const Measurement scc = study.Scc("4-6", 500);
  EXPECT_EQ(scc.learn.method, Method::kScc);
  EXPECT_EQ(scc.learn.CdSteps(), 3);
  EXPECT_EQ(scc.learn.epochs, 2);
  EXPECT_EQ(scc.learn.lambda, 0.1);
  EXPECT_EQ(scc.threads, 1);
  EXPECT_EQ(study.Online("4-6", 500).learn.batch, 512);
  EXPECT_EQ(study.Online("4-6", 500).learn.solver, LearnOptions::Solver::kLars);
  EXPECT_EQ(study.Minibatch("4-6", 500).learn.method, Method::kSccMinibatch);
  EXPECT_THAT(study.Ranges(), ElementsAre("4-6", "7-8"));
}

TEST(Study, OnlineAtBatchOneIsTimedUnlessFull) {
  const Config config = StudyConfig();
  const Measurement timed = Study{config}.OnlineSingle("4-6", 500);
  EXPECT_EQ(timed.learn.batch, 1);
  EXPECT_EQ(timed.timed_visits, 10);
  EXPECT_EQ(timed.learn.epochs, 2) << "the repeats";
  const Measurement full = Study{config, false, true}.OnlineSingle("4-6", 500);
  EXPECT_EQ(full.learn.batch, 1);
  EXPECT_EQ(full.timed_visits, 0);
}

TEST(Study, OnlyImagesAreCutToALimit) {
  const Config simulated = StudyConfig(", max_patches: 70");
  EXPECT_EQ(Study{simulated}.Scc("4-6", 500).patches, 0) << "no more are simulated";
  const Config images = StudyConfig(", max_patches: 70, descriptors: images");
  EXPECT_EQ(Study{images}.Scc("4-6", 500).patches, 70);
}

TEST(Results, AreFoundByWhatWasMeasured) {
  const Config config = StudyConfig();
  const Study study{config};
  Results results;
  results.Add(study.Scc("4-6", 500), MadeUp(0.1, 1.0));
  EXPECT_TRUE(results.Has(study.Scc("4-6", 500)));
  EXPECT_EQ(results.Of(study.Scc("4-6", 500)).Objective(), 0.1);
  EXPECT_FALSE(results.Has(study.Scc("7-8", 500)));
  EXPECT_EQ(ExpectError([&] { results.Of(study.Scc("7-8", 500)); }).code, ErrorCode::kInternal);
}

TEST(Experiments, HaveThePapersNamesEachOnce) {
  std::vector<std::string> names;
  std::vector<std::string> parts;
  for (const Experiment& experiment : Experiments()) {
    names.push_back(experiment.name);
    parts.push_back(experiment.part);
  }
  EXPECT_THAT(names, ElementsAre("table1", "table2", "fig3", "fig4", "minibatch", "beyond", "embryos"));
  EXPECT_THAT(parts, ElementsAre("Table 1", "Table 2", "Figure 3", "Figure 4", "Mini-batch", "Beyond", "Embryos"));
}

TEST(Experiments, ShareMeasurements) {
  const Config config = StudyConfig(", study_size: 1000, cd_range: 4-6");
  const Study study{config};
  std::set<std::string> table1;
  for (const Measurement& each : Table1Experiment().wants(study)) table1.insert(each.Identity());
  for (const Measurement& each : Table2Experiment().wants(study)) EXPECT_TRUE(table1.contains(each.Identity()));
  EXPECT_TRUE(table1.contains(study.Scc("4-6", 1000).Identity())) << "of Figure 3 with three steps, and of Figure 4";
}

TEST(Texts, HaveThreeDigitsThatCount) {
  EXPECT_EQ(Times(123.4), "123 x");
  EXPECT_EQ(Times(12.34), "12.3 x");
  EXPECT_EQ(Times(1.234), "1.23 x");
  EXPECT_EQ(Microseconds(0.1234), "0.123");
  EXPECT_EQ(Percent(0.01234), "+1.23 %");
  EXPECT_EQ(Percent(-0.5), "-50.00 %");
  EXPECT_EQ(HoursText(0.00001234), "0.000012");
  EXPECT_EQ(HoursText(0.1439), "0.144");
}

TEST(Texts, SayOnHowManyPatchesAnObjectiveIs) {
  Measured measured = MadeUp(0.1, 1.0);
  EXPECT_THAT(ObjectiveNote(measured), HasSubstr("a fixed sample of 50 patches"));
  measured.objective_patches = 100;
  EXPECT_THAT(ObjectiveNote(measured), HasSubstr("all 100 patches"));
}

}  // namespace
}  // namespace flyscribe
