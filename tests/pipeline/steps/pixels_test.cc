#include <gtest/gtest.h>

#include "data/collection.h"
#include "data/dictionary.h"
#include "data/evaluation.h"
#include "data/image.h"
#include "data/models.h"
#include "pooling/pool.h"
#include "tests/pipeline/tiny_run.h"

namespace flyscribe {
namespace {

fs::path FolderOf(const std::string& step) { return SharedBaselineRun().FolderOf(step); }
Collection LoadBags() { return Collection::Load(FolderOf("ingest"), StageRange::FromName("4-6")); }

TEST(PixelsStep, ABagHasThePixelsOfItsImages) {
  const Collection collection = LoadBags();
  std::vector<std::size_t> bag_of_image;
  for (const ImageRecord& image : collection.images) bag_of_image.push_back(image.bag);
  const BagFeatures features = BagFeatures::Load(FolderOf("pixels"));
  EXPECT_EQ(features.values.rows(), collection.bags.size());
  EXPECT_EQ(features.values.cols(), 640U);
  EXPECT_EQ(features.values,
            PoolPixels(ImageStack(FolderOf("standardise")), bag_of_image, collection.bags.size()).values);
}

TEST(PixelsStep, TheClassifiersAreTrainedOnPixels) {
  const BagFeatures features = BagFeatures::Load(FolderOf("pixels"));
  const TermModels models = TermModels::Load(FolderOf("train-pixels"));
  ASSERT_EQ(models.weights.cols(), 640U);
  ASSERT_FALSE(models.terms.empty());
  const Collection collection = LoadBags();
  for (std::size_t bag = 0; bag < features.values.rows(); ++bag) {
    if (collection.bags[bag].fold != 0) continue;  // scored by the inner folds
    double score = models.terms[0].bias;
    for (std::size_t i = 0; i < 640; ++i) {
      score += static_cast<double>(models.weights(0, i)) * static_cast<double>(features.values(bag, i));
    }
    EXPECT_NEAR(models.scores(bag, 0), score, 1e-4);
  }
}

// What makes the two comparable.
TEST(PixelsStep, IsTestedOnTheSameTermsFoldsAndBagsAsTheCodes) {
  const Evaluation codes = Evaluation::Load(FolderOf("evaluate"));
  const Evaluation pixels = Evaluation::Load(FolderOf("evaluate-pixels"));
  ASSERT_EQ(pixels.terms.size(), codes.terms.size());
  bool differs = false;
  for (std::size_t i = 0; i < codes.terms.size(); ++i) {
    EXPECT_EQ(pixels.terms[i].term, codes.terms[i].term);
    EXPECT_EQ(pixels.terms[i].positives, codes.terms[i].positives);
    EXPECT_EQ(pixels.terms[i].bags, codes.terms[i].bags);
    EXPECT_EQ(pixels.terms[i].folds, codes.terms[i].folds);
    EXPECT_EQ(pixels.terms[i].metrics.baseline, codes.terms[i].metrics.baseline);
    differs |= pixels.terms[i].metrics.auc != codes.terms[i].metrics.auc;
  }
  EXPECT_TRUE(differs) << "the scores are its own";
  ASSERT_EQ(pixels.predictions.size(), codes.predictions.size());
  for (std::size_t i = 0; i < codes.predictions.size(); ++i) {
    EXPECT_EQ(pixels.predictions[i].bag, codes.predictions[i].bag);
    EXPECT_EQ(pixels.predictions[i].term, codes.predictions[i].term);
    EXPECT_EQ(pixels.predictions[i].fold, codes.predictions[i].fold);
  }
}

TEST(PixelsStep, TermsAreRankedByTheBagsOfTheWholeRange) {
  const LabelTable labels = LabelTable::FromBags(LoadBags().bags);
  const Evaluation pixels = Evaluation::Load(FolderOf("evaluate-pixels"));
  ASSERT_GT(pixels.terms.size(), 3U);
  std::size_t at = 0;
  for (const TermEvaluation& term : pixels.terms) {
    while (at < labels.terms.size() && labels.terms[at] != term.term) ++at;
    ASSERT_LT(at, labels.terms.size()) << term.term << " is out of order";
  }
}

}  // namespace
}  // namespace flyscribe
