#include <gtest/gtest.h>

#include "data/features.h"
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

TEST(TrainStep, ScoresAreWeightsTimesFeatures) {
  const TermModels models = TermModels::Load(SharedTinyRun().FolderOf("train"));
  const BagFeatures features = BagFeatures::Load(SharedTinyRun().FolderOf("pool"));
  ASSERT_EQ(models.scores.rows(), features.values.rows());
  for (std::size_t term = 0; term < models.terms.size(); ++term) {
    double score = models.terms[term].bias;
    for (std::size_t f = 0; f < features.values.cols(); ++f) {
      score += double{models.weights(term, f)} * double{features.values(0, f)};
    }
    EXPECT_NEAR(models.scores(0, term), score, 1e-6);
  }
}

}  // namespace
}  // namespace flyscribe
