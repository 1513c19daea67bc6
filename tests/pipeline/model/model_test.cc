#include "pipeline/model/model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "pipeline/config/describe.h"
#include "tests/pipeline/some_model.h"
#include "tests/support/expect_error.h"

namespace flyscribe {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Key;
using testing::MatchesRegex;
using testing::Not;
using testing::Pair;
using testing::StartsWith;

using Change = std::function<void(Model& model)>;

TEST(ModelTest, FindsARange) {
  const Model model = SomeModel();
  EXPECT_EQ(model.Find(StageRange::FromName("13-17")), &model.ranges[1]);
  EXPECT_EQ(model.Find(StageRange::FromName("1-3")), nullptr);
}

TEST(ModelTest, TheIdIsThatOfAllThatDecidesPredictions) {
  const std::string id = SomeModel().id;
  EXPECT_THAT(id, MatchesRegex("[0-9a-f]{16}"));
  const std::vector<Change> changes = {
      [](Model& model) { model.options.standardise.doubtful = StandardiseOptions::Doubtful::kDrop; },
      [](Model& model) { model.options.extract.stride += 1; },
      [](Model& model) { model.options.ingest.views = {"dorsal"}; },
      [](Model& model) { model.options.encode.max_cycles += 1; },
      [](Model& model) { model.options.pool.signs = PoolSigns::kSigned; },
      [](Model& model) { model.ranges.pop_back(); },
      [](Model& model) { model.ranges[0].range = StageRange::FromName("1-3"); },
      [](Model& model) { model.ranges[0].dictionary.atoms(2, 5) = 1e-6F; },
      [](Model& model) { model.ranges[0].dictionary.summary.lambda = 0.1500001; },
      [](Model& model) { model.ranges[0].dictionary.summary.nonnegative = true; },
      [](Model& model) { model.ranges[1].models.weights(1, 14) += 0.5F; },
      [](Model& model) { model.ranges[1].models.terms[0].term = "gut."; },
      [](Model& model) { model.ranges[1].models.terms[0].bias = 0.0; },
      [](Model& model) { model.ranges[1].models.terms[0].cut = 0.0; },
      [](Model& model) { model.ranges[1].models.terms[0].calibration.slope = 2.0; },
      [](Model& model) { model.ranges[1].models.terms[1].calibration.knots.pop_back(); },
      [](Model& model) { model.ranges[1].models.inner_bias(1, 1) = 0.0; },
      [](Model& model) { model.ranges[1].models.inner_weights(1, 1) = 0.0F; },
      [](Model& model) { model.ranges[1].fbbt_ids[1] = "FBbt:00000001"; },
      [](Model& model) { model.ranges[1].genes[0].inner_fold = 0; },
      [](Model& model) { model.ranges[1].genes[0].names.ids.push_back("FBgn7"); },
      [](Model& model) { model.ranges[1].genes[0].names.symbols = {"seven"}; },
      [](Model& model) { model.ranges[1].genes.pop_back(); }};
  for (std::size_t i = 0; i < changes.size(); ++i) {
    Model model = SomeModel();
    changes[i](model);
    EXPECT_NE(ModelId(model), id) << "change " << i;
  }
}

TEST(ModelTest, TheIdIsThatOfNothingElse) {
  Model model = SomeModel();
  model.provenance.clear();
  model.options.run.simd = "plain";
  model.options.run.threads = 7;
  model.options.learn.epochs += 1;
  model.ranges[0].models.terms[0].support_vectors += 1;
  model.ranges[0].dictionary.summary.patches += 1;
  EXPECT_EQ(ModelId(model), model.id);
}

TEST(ModelTest, VersionsOfTheWayFromImageToFeatures) {
  const auto versions = PreprocessingVersions();
  for (const char* name : {"step standardise", "step extract", "step normalise", "step encode", "step pool"}) {
    EXPECT_THAT(versions, Contains(Pair(name, MatchesRegex("[0-9]+"))));
  }
  EXPECT_THAT(versions, Contains(Key("library opencv")));
  EXPECT_THAT(versions, Contains(Key("library vlfeat")));
}

TEST(ModelTest, PartsMustFit) {
  EXPECT_NO_THROW(RequireFitting(SomeModel()));
  const std::vector<std::pair<Change, std::string>> changes = {
      {[](Model& model) { model.ranges.clear(); }, "the model is of no stage range"},
      {[](Model& model) { std::swap(model.ranges[0], model.ranges[1]); },
       "the model of 4-6 does not fit together: the ranges are not in their order"},
      {[](Model& model) { model.ranges[0].dictionary.atoms = FloatMatrix(3, 64); },
       "the model of 4-6 does not fit together: the dictionary has 3 atoms of 64 numbers, not of 128"},
      {[](Model& model) { model.ranges[0].dictionary.atoms(0, 1) = 0.5F; }, "an atom is longer than 1 or not finite"},
      {[](Model& model) { model.ranges[0].dictionary.atoms(0, 0) = std::numeric_limits<float>::quiet_NaN(); },
       "an atom is longer than 1 or not finite"},
      {[](Model& model) { model.ranges[0].dictionary.summary.lambda = 0.0; }, "lambda is not positive"},
      {[](Model& model) { model.ranges[1].models.terms[1].term = "gut"; },
       "the model of 13-16 does not fit together: a term has no name, or one of another"},
      {[](Model& model) { model.ranges[1].fbbt_ids.pop_back(); }, "not every term has its place for an FBbt id"},
      {[](Model& model) { model.options.pool.regions = {"1x1"}; },
       "the weights are of 15 features, but the options give 3"},
      {[](Model& model) { model.options.pool.signs = PoolSigns::kApart; },
       "the weights are of 15 features, but the options give 30"},
      {[](Model& model) { std::swap(model.ranges[0].genes[0], model.ranges[0].genes[1]); }, "the genes are not sorted"},
      {[](Model& model) { model.ranges[0].genes[1] = model.ranges[0].genes[0]; }, "the genes are not sorted"},
      {[](Model& model) { model.ranges[0].genes[0].inner_fold = 2; },
       "a gene is of an inner fold that there is none of"},
      {[](Model& model) { model.ranges[0].genes[0].inner_fold = -1; },
       "a gene is of an inner fold that there is none of"}};
  for (const auto& [change, text] : changes) {
    Model model = SomeModel();
    change(model);
    const CaughtError error = ExpectError([&] { RequireFitting(model); });
    EXPECT_EQ(error.code, ErrorCode::kCorrupt);
    EXPECT_THAT(error.text, HasSubstr(text));
  }
}

TEST(ModelTest, ARangeWithoutTermsFits) {
  Model model = SomeModel();
  RangeModel& range = model.ranges[0];
  range.models = TermModels();
  range.fbbt_ids.clear();
  for (TrainedGene& gene : range.genes) gene.inner_fold = -1;
  EXPECT_NO_THROW(RequireFitting(model));
}

Config Options(const std::string& text) { return ReadModelOptions(text, "options.yaml"); }

TEST(ModelOptionsTest, OnlyWhatDecidesWhichImagesAndTheirFeatures) {
  Config config;
  config.run.threads = 3;
  config.cache.dir = "somewhere";
  config.report.title = "mine";
  config.pool.regions = {"1x1", "4x2"};
  config.learn.atoms = 77;
  config.ingest.views = {"dorsal"};
  config.ingest.folds = 7;
  const Config options = ModelOptions(config);
  EXPECT_EQ(options.pool.regions, config.pool.regions);
  EXPECT_EQ(options.learn.atoms, 77);
  EXPECT_EQ(options.run.threads, 0);
  EXPECT_EQ(options.ingest.views, config.ingest.views);
  EXPECT_EQ(options.ingest.folds, IngestOptions().folds);
  EXPECT_EQ(options.report.title, ReportOptions().title);
  EXPECT_EQ(options.cache.dir, CacheOptions().dir);
}

TEST(ModelOptionsTest, RoundTrip) {
  Config config;
  config.pool.regions = {"1x1", "4x2"};
  config.pool.signs = PoolSigns::kApart;
  config.ingest.views = {"dorsal", "$old view"};
  config.extract.stride = 20;
  config.learn.lambda = 0.1234567890123;
  config.encode.kkt_tolerance = 1e-5;
  config.standardise.doubtful = StandardiseOptions::Doubtful::kDrop;
  const std::string text = ModelOptionsYaml(ModelOptions(config));
  EXPECT_THAT(text, StartsWith("views: [dorsal, \"$$old view\"]\nstandardise:\n"));
  EXPECT_THAT(text, HasSubstr("  regions: [1x1, 4x2]\n"));
  EXPECT_THAT(text, Not(HasSubstr("threads")));
  EXPECT_EQ(ModelOptionsYaml(Options(text)), text);
  EXPECT_EQ(EffectiveYaml(Options(text), false), EffectiveYaml(ModelOptions(config), false));
}

TEST(ModelOptionsTest, WhatIsNotGivenHasItsDefault) {
  EXPECT_EQ(ModelOptionsYaml(Options("pool: {regions: [1x1]}\n")), ModelOptionsYaml(Config()));
}

TEST(ModelOptionsTest, NoViewsMeanAll) {
  Config config;
  config.ingest.views = {};
  EXPECT_TRUE(Options(ModelOptionsYaml(config)).ingest.views.empty());
}

TEST(ModelOptionsTest, TheInstructionSetOfAnEarlierVersionMeansNothing) {
  EXPECT_EQ(Options("simd: SVE17\n").run.simd, "auto");
  EXPECT_EQ(ModelOptionsYaml(Options("simd: plain\npool: {regions: [1x1]}\n")), ModelOptionsYaml(Config()));
}

TEST(ModelOptionsTest, AllProblemsAtOnce) {
  const CaughtError error = ExpectError([] {
    Options(
        "threads: 4\nviews: {a: b}\npool: {regions: [9], sings: apart}\nextract: 5\n"
        "learn: {atoms: many}\nencode: {max_cycles: 0}\n");
  });
  EXPECT_EQ(error.code, ErrorCode::kUsage);
  for (const char* text : {"options.yaml:1:1: error: unknown key 'threads'",
                           "options.yaml:2:8: error: views: ",
                           "pool.sings",
                           "9",
                           "options.yaml:4:10: error: extract: expected keys, found '5'",
                           "learn.atoms",
                           "encode.max_cycles"}) {
    EXPECT_THAT(error.text, HasSubstr(text));
  }
  EXPECT_THAT(ExpectError([] { Options("- a\n"); }).text, HasSubstr("expected keys with values, found a list"));
}

TEST(ModelOptionsTest, TheEnvironmentHasNoMeaning) {
  EXPECT_THAT(ExpectError([] { Options("pool: {regions: [\"${HOME}\"]}\n"); }).text, HasSubstr("HOME"));
}

}  // namespace
}  // namespace flyscribe
