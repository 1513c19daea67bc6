#include "pipeline/model/model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <limits>

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
  EXPECT_THAT(versions, Not(Contains(Key("library simd")))) << "another instruction set is fine";
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

}  // namespace
}  // namespace flyscribe
