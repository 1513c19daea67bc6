#include "pipeline/paper/experiment.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <set>

#include "tests/pipeline/paper/made_up.h"
#include "tests/support/expect_error.h"

namespace flyscribe {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(Study, LearnsAsThePaperDoes) {
  const PaperConfig config = StudyConfig();
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
  const PaperConfig config = StudyConfig();
  const Measurement timed = Study{config}.OnlineSingle("4-6", 500);
  EXPECT_EQ(timed.learn.batch, 1);
  EXPECT_EQ(timed.timed_visits, 10);
  EXPECT_EQ(timed.learn.epochs, 2) << "the repeats";
  const Measurement full = Study{config, false, true}.OnlineSingle("4-6", 500);
  EXPECT_EQ(full.learn.batch, 1);
  EXPECT_EQ(full.timed_visits, 0);
}

TEST(Study, OnlyImagesAreCutToALimit) {
  const PaperConfig simulated = StudyConfig(", max_patches: 70");
  EXPECT_EQ(Study{simulated}.Scc("4-6", 500).patches, 0) << "no more are simulated";
  const PaperConfig images = StudyConfig(", max_patches: 70, descriptors: images");
  EXPECT_EQ(Study{images}.Scc("4-6", 500).patches, 70);
}

TEST(Results, AreFoundByWhatWasMeasured) {
  const PaperConfig config = StudyConfig();
  const Study study{config};
  Results results;
  results.Add(study.Scc("4-6", 500), MadeUp(0.1, 1.0));
  EXPECT_EQ(results.Of(study.Scc("4-6", 500)).Objective(), 0.1);
  EXPECT_EQ(ExpectError([&] { results.Of(study.Scc("7-8", 500)); }).code, ErrorCode::kInternal);
}

TEST(Experiments, HaveThePapersNamesEachOnce) {
  std::vector<std::string> names;
  for (const Experiment& experiment : Experiments()) {
    names.push_back(experiment.name);
  }
  EXPECT_THAT(names, ElementsAre("table1", "table2", "fig3", "fig4", "minibatch", "beyond", "embryos"));
}

TEST(Experiments, ShareMeasurements) {
  const PaperConfig config = StudyConfig(", study_size: 1000, cd_range: 4-6");
  const Study study{config};
  std::set<std::string> table1;
  for (const Measurement& each : Table1Experiment().wants(study)) table1.insert(each.Identity());
  for (const Measurement& each : Table2Experiment().wants(study)) EXPECT_TRUE(table1.contains(each.Identity()));
  EXPECT_TRUE(table1.contains(study.Scc("4-6", 1000).Identity())) << "of Figure 3 with three steps, and of Figure 4";
}

TEST(Study, RunsAreRepeatedAsTheConfigSays) {
  const PaperConfig config = StudyConfig(", run_repeats: 2");
  const Study study{config};
  const std::vector<Measurement> runs = study.Runs(study.Scc("4-6", 500));
  ASSERT_EQ(runs.size(), 2U);
  EXPECT_EQ(runs[0].Identity(), study.Scc("4-6", 500).Identity()) << "shared with those who want one run";
  EXPECT_EQ(runs[1].repetition, 2);
  EXPECT_THAT(RunsNote(study), HasSubstr("medians of 2 runs"));
  const PaperConfig once = StudyConfig();
  EXPECT_THAT(RunsNote(Study{once}), HasSubstr("of one run"));
}

TEST(Repeated, TimesAreMedians) {
  const Measured slow = MadeUp(0.14, 90.0);
  const Measured fast = MadeUp(0.14, 10.0);
  const Measured usual = MadeUp(0.14, 20.0);
  const Repeated runs{{&slow, &fast, &usual}};
  EXPECT_NEAR(runs.VisitMicroseconds(), 20.0, 1e-9);
  EXPECT_NEAR(runs.Total(), usual.Total(), 1e-12);
  EXPECT_NEAR(runs.MedianOf(&Measured::CodesMicroseconds), 15.0, 1e-9);
  EXPECT_EQ(runs.Objective(), 0.14);
  EXPECT_NEAR(runs.SecondsTo(0.14).value(), usual.Total(), 1e-12);
  EXPECT_EQ(runs.SecondsTo(0.139), std::nullopt);
}

TEST(Span, IsFromTheSmallestToTheLargest) {
  Span span;
  EXPECT_TRUE(span.empty());
  for (const double value : {3.0, -1.0, 2.0}) span.Add(value);
  EXPECT_FALSE(span.empty());
  EXPECT_EQ(span.Text(Times), "-1.00 x to 3.00 x");
}

TEST(Texts, HaveThreeDigitsThatCount) {
  EXPECT_EQ(Times(123.4), "123 x");
  EXPECT_EQ(Times(12.34), "12.3 x");
  EXPECT_EQ(Times(1.234), "1.23 x");
  EXPECT_EQ(ThreeDigits(27033.4), "27033");
  EXPECT_EQ(ThreeDigits(0.1439), "0.144");
  EXPECT_EQ(ThreeDigits(0.000601), "0.000601");
  EXPECT_EQ(ThreeDigits(0.00001234), "0.0000123");
  EXPECT_EQ(ThreeDigits(0.0), "0");
  EXPECT_EQ(ThreeDigits(std::numeric_limits<double>::infinity()), "-");
  EXPECT_EQ(ExcessPercent(0.01234), "+1.23 %");
  EXPECT_EQ(ExcessPercent(-0.5), "-50.00 %");
}

TEST(Texts, SayOnHowManyPatchesAnObjectiveIs) {
  const PaperConfig some = StudyConfig(", objective_patches: 50");
  EXPECT_THAT(ObjectiveNote(Study{some}), HasSubstr("a fixed sample of at most 50 patches"));
  const PaperConfig all = StudyConfig(", objective_patches: 0");
  EXPECT_THAT(ObjectiveNote(Study{all}), HasSubstr("all patches"));
}

TEST(LeadText, SaysPlainlyWhichDataWasUsed) {
  PaperConfig config;
  config.extract.smoothing = 4.0;
  EXPECT_THAT(LeadText(config).back(),
              HasSubstr("Data: simulated. The descriptors are dense SIFT of simulated embryos"));
  EXPECT_THAT(LeadText(config).back(), HasSubstr("smoothed by 4 pixels"));
  config.reproduce.max_patches = 70;
  EXPECT_THAT(LeadText(config).back(), HasSubstr("at most 70 patches of a stage range"));
  config.reproduce.descriptors = ReproduceOptions::Descriptors::kImages;
  EXPECT_THAT(LeadText(config).back(), HasSubstr("Data: real."));
  config.simulated = true;
  EXPECT_THAT(LeadText(config).back(),
              HasSubstr("Data: simulated. Descriptors of the embryos that the config simulates"));
}

TEST(DescriptorsText, SaysOfWhat) {
  PaperConfig config;
  config.extract.smoothing = 2.8;
  config.simulate.seed = 7;
  EXPECT_THAT(DescriptorsText(config), HasSubstr("smoothing 2.8, stride"));
  EXPECT_THAT(DescriptorsText(config), HasSubstr("of simulated embryos, seed 7"));
  config.reproduce.descriptors = ReproduceOptions::Descriptors::kImages;
  EXPECT_THAT(DescriptorsText(config), HasSubstr("of real images"));
}

TEST(FairnessText, SaysHowManyRanAtATime) {
  PaperConfig config;
  EXPECT_THAT(FairnessText(config), Contains(HasSubstr("Every measurement runs alone")));
  config.reproduce.side_by_side = 2;
  EXPECT_THAT(FairnessText(config), Contains(HasSubstr("up to 2 measurements at a time, one thread each")));
}

}  // namespace
}  // namespace flyscribe
