#include <gtest/gtest.h>

#include "classify/one_vs_rest.h"
#include "data/dictionary.h"
#include "data/models.h"
#include "tests/pipeline/tiny_run.h"

namespace flyscribe {
namespace {

TEST(TrainStep, CountsOnlyTrainingBags) {
  const TinyRun& run = SharedTinyRun();
  const Collection collection = Collection::Load(run.FolderOf("ingest"), StageRange::FromName("4-6"));
  const TermModels models = TermModels::Load(run.FolderOf("train"));
  ASSERT_FALSE(models.terms.empty());
  std::size_t positives = 0;
  std::size_t training = 0;
  for (const Bag& bag : collection.bags) {
    if (bag.fold == 0) continue;
    ++training;
    positives += static_cast<std::size_t>(std::count(bag.terms.begin(), bag.terms.end(), models.terms[0].term));
  }
  EXPECT_EQ(models.terms[0].positives, positives);
  EXPECT_EQ(models.terms[0].negatives, training - positives);
}

// Of the tested bags by the final model, of the others by none that saw them.
TEST(TrainStep, ScoresOfTestedBagsAreWeightsTimesFeatures) {
  const TinyRun& run = SharedTinyRun();
  const Collection collection = Collection::Load(run.FolderOf("ingest"), StageRange::FromName("4-6"));
  const TermModels models = TermModels::Load(run.FolderOf("train"));
  const BagFeatures features = BagFeatures::Load(run.FolderOf("pool"));
  ASSERT_EQ(models.scores.rows(), features.values.rows());
  for (std::size_t bag = 0; bag < collection.bags.size(); ++bag) {
    for (std::size_t term = 0; term < models.terms.size(); ++term) {
      const double score = DecisionValue(models.weights.Row(term), features.values.Row(bag), models.terms[term].bias);
      EXPECT_EQ(models.scores(bag, term) == score, collection.bags[bag].fold == 0) << bag;
    }
  }
}

TEST(TrainStep, TermsCarryWhatTheInnerFoldsSaid) {
  const TermModels models = TermModels::Load(SharedTinyRun().FolderOf("train"));
  const std::vector<double> candidates = TrainOptions{}.Candidates();
  for (const TermModel& model : models.terms) {
    EXPECT_EQ(std::count(candidates.begin(), candidates.end(), model.c), 1) << model.term;
    EXPECT_EQ(model.c, models.terms[0].c) << "one for the range";
    EXPECT_TRUE(model.calibration.IsValid()) << model.term;
  }
  EXPECT_EQ(models.inner_folds(), 0U) << "kept for the part of all bags only";
}

}  // namespace
}  // namespace flyscribe
