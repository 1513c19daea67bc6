#include "pipeline/annotate/bag_annotator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "core/file.h"
#include "core/hash.h"
#include "tests/pipeline/annotate/tiny_model.h"
#include "tests/support/expect_error.h"

namespace flyscribe {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

NewImage ImageAt(const fs::path& path, const std::string& id = "image") { return {id, path, Sha256OfFile(path)}; }

TEST(BagAnnotator, FeaturesAreThoseOfTheCachedPoolStep) {
  const Model model = TinyModel();
  const BagAnnotator annotator(model);
  const NewBags bags = TinyBags();
  const BagFeatures cached = BagFeatures::Load(SharedTinyRun().FolderOf("pool"));
  ASSERT_GT(bags.bags.size(), 10U);
  for (std::size_t bag = 0; bag < bags.bags.size(); ++bag) {
    const PooledBag pooled = annotator.PoolImages(bags.bags[bag]);
    const std::span<const float> expected = cached.values.Row(bag);
    const std::span<const float> found = pooled.features.values.Row(0);
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t f = 0; f < found.size(); ++f) {
      ASSERT_EQ(found[f], expected[f]) << "bag " << bag << ", feature " << f;
      ASSERT_EQ(pooled.features.argmax(0, f) < 0, cached.argmax(bag, f) < 0);
    }
  }
}

TEST(BagAnnotator, ANewGeneHasTheScoresOfTheFinalModel) {
  const Model model = TinyModel(0);
  const TermModels trained = TermModels::Load(SharedTinyRun().FolderOf("train"));
  const Collection collection = TinyCollection();
  const NewBags bags = TinyBags();
  std::size_t compared = 0;
  for (std::size_t bag = 0; bag < bags.bags.size(); ++bag) {
    if (collection.bags[bag].fold != 0) continue;  // those the run's model has not seen: train scored them with it
    const AnnotatedBag annotated = BagAnnotator(model).Annotate(bags.bags[bag]);
    ASSERT_TRUE(annotated.annotation);
    EXPECT_EQ(annotated.annotation->score_source, "new");
    for (std::size_t term = 0; term < trained.terms.size(); ++term) {
      for (const TermPrediction& said : annotated.annotation->terms) {
        if (said.term != trained.terms[term].term) continue;
        EXPECT_EQ(said.decision_value, trained.scores(bag, term)) << said.term;
        EXPECT_EQ(said.fbbt_id, "FBbt:" + std::to_string(term));
        EXPECT_EQ(said.call, said.decision_value > trained.terms[term].cut);
        EXPECT_DOUBLE_EQ(said.probability, 1.0 / (1.0 + std::exp(-(2.0 * said.decision_value + 0.25))));
        ++compared;
      }
    }
  }
  EXPECT_GT(compared, 20U);
}

TEST(BagAnnotator, AGeneThatWasTrainedOnIsScoredByTheModelThatHeldItOut) {
  const Model with = TinyModel();
  const Model without = TinyModel(0);
  const NewBags bags = TinyBags();
  for (std::size_t bag = 0; bag < 4; ++bag) {
    const BagAnnotation oof = *BagAnnotator(with).Annotate(bags.bags[bag]).annotation;
    const BagAnnotation fresh = *BagAnnotator(without).Annotate(bags.bags[bag]).annotation;
    EXPECT_EQ(oof.score_source, "oof");
    const double scale = 1.0 + 0.1 * static_cast<double>(bag % kTinyInnerFolds + 1);
    for (const TermPrediction& said : oof.terms) {
      const auto same = std::find_if(
          fresh.terms.begin(), fresh.terms.end(), [&](const TermPrediction& t) { return t.term == said.term; });
      const RangeModel& range = with.ranges[0];
      const auto model = std::find_if(range.models.terms.begin(), range.models.terms.end(), [&](const TermModel& t) {
        return t.term == said.term;
      });
      EXPECT_NEAR(said.decision_value, scale * (same->decision_value - model->bias) + model->bias - 0.25, 1e-5);
    }
  }
}

TEST(BagAnnotator, GenesAreMatchedByAnyId) {
  Model model = TinyModel(0);
  model.ranges[0].genes = {{"CG7", {{"CG7"}, {"dl", "shared"}}, 0},
                           {"FBgn1", {{"CG1", "FBgn0", "FBgn1"}, {"otp", "shared"}}, 1},
                           {"FBgn3", {{"FBgn3"}, {"otp"}}, 1}};
  const BagAnnotator annotator(model);
  const auto folds = [&](const GeneNames& names) { return annotator.InnerFoldsOf(names, TinyRange()); };
  EXPECT_THAT(folds({{"FBgn1"}, {}}), ElementsAre(1));
  EXPECT_THAT(folds({{"CG1"}, {}}), ElementsAre(1)) << "its CG id alone";
  EXPECT_THAT(folds({{"FBgn0"}, {}}), ElementsAre(1)) << "an id of an older release";
  EXPECT_THAT(folds({{"CG9", "FBgn0"}, {}}), ElementsAre(1));
  EXPECT_THAT(folds({{"CG7"}, {}}), ElementsAre(0));
  EXPECT_THAT(folds({{}, {"otp"}}), ElementsAre(1)) << "two genes of one fold";
  EXPECT_THAT(folds({{}, {"dl|x"}}), ElementsAre(0)) << "a bar in a name is not told from one between two";
  EXPECT_THAT(folds({{"CG7"}, {"otp"}}), ElementsAre(0)) << "ids before symbols";
  EXPECT_THAT(folds({{"CG9", "FBgn9"}, {"Otp"}}), IsEmpty());
  EXPECT_THAT(folds({}), IsEmpty());
  EXPECT_THAT(folds({{}, {"shared"}}), ElementsAre(0, 1));
  EXPECT_THAT(folds({{"CG1", "CG7"}, {}}), ElementsAre(0, 1)) << "new rows that tie two genes together";
}

TEST(BagAnnotator, NothingIsSaidOfAGeneThatMayBeOneOfSeveralFolds) {
  Model model = TinyModel(0);
  model.ranges[0].genes = {{"CG7", {{"CG7"}, {"shared"}}, 0}, {"FBgn1", {{"FBgn1"}, {"shared"}}, 1}};
  NewBag bag = TinyBags().bags[0];
  bag.names = {{}, {"shared"}};
  const AnnotatedBag annotated = BagAnnotator(model).Annotate(bag);
  EXPECT_FALSE(annotated.annotation);
  EXPECT_THAT(annotated.skipped,
              ElementsAre(Skipped{
                  bag.id + " 4-6", "gene may be one of several that were trained on in different folds", true}));
}

TEST(BagAnnotator, NothingIsSaidOfATrainedGeneWithoutAModelThatHeldItOut) {
  Model model = TinyModel();
  model.ranges[0].models.inner_weights = {};
  model.ranges[0].models.inner_bias = {};
  const AnnotatedBag annotated = BagAnnotator(model).Annotate(TinyBags().bags[0]);
  EXPECT_FALSE(annotated.annotation);
  ASSERT_EQ(annotated.skipped.size(), 1U);
  EXPECT_THAT(annotated.skipped[0].reason, HasSubstr("gene was trained on"));
}

TEST(BagAnnotator, EvidenceSumsToTheDecisionValue) {
  const Model model = TinyModel(5);
  const BagAnnotator annotator(model, {.evidence = EvidenceOf::kAll});
  const NewBags bags = TinyBags();
  for (std::size_t bag = 0; bag < 10; ++bag) {
    const AnnotatedBag annotated = annotator.Annotate(bags.bags[bag]);
    ASSERT_TRUE(annotated.annotation);
    ASSERT_EQ(annotated.evidence.terms.size(), annotated.annotation->terms.size());
    for (std::size_t rank = 0; rank < annotated.evidence.terms.size(); ++rank) {
      const TermEvidence& evidence = annotated.evidence.terms[rank];
      const TermPrediction& said = annotated.annotation->terms[rank];
      EXPECT_EQ(evidence.term, said.term);
      EXPECT_NEAR(SumOf(evidence), said.decision_value, 1e-5);
      ASSERT_TRUE(said.top);
      EXPECT_EQ(annotated.evidence.patches[*StrongestPatch(evidence)].image, said.top->image);
    }
  }
}

TEST(BagAnnotator, EvidenceOfCallsAndTheThreeMostProbable) {
  const Model model = TinyModel(0);
  const NewBag bag = TinyBags().bags[0];
  const AnnotatedBag annotated = BagAnnotator(model).Annotate(bag);
  std::vector<std::string> expected;
  for (std::size_t rank = 0; rank < annotated.annotation->terms.size(); ++rank) {
    const TermPrediction& said = annotated.annotation->terms[rank];
    if (rank < 3 || said.call) expected.push_back(said.term);
  }
  std::vector<std::string> found;
  for (const TermEvidence& evidence : annotated.evidence.terms) found.push_back(evidence.term);
  EXPECT_EQ(found, expected);
  EXPECT_TRUE(BagAnnotator(model, {.evidence = EvidenceOf::kNone}).Annotate(bag).evidence.terms.empty());
}

TEST(BagAnnotator, BadImagesAreLeftOutAndListed) {
  const Model model = TinyModel(0);
  const TempFolder folder;
  NewBag bag = TinyBags().bags[0];
  const BagAnnotation clean = *BagAnnotator(model).Annotate(bag).annotation;
  bag.images.push_back(ImageAt(folder.Write("bad.bmp", "not an image"), "bad"));
  const AnnotatedBag annotated = BagAnnotator(model).Annotate(bag);
  EXPECT_EQ(*annotated.annotation, clean) << "the others count as if it were not there";
  ASSERT_EQ(annotated.skipped.size(), 1U);
  EXPECT_EQ(annotated.skipped[0].input, "bad");
  EXPECT_THAT(annotated.skipped[0].reason, HasSubstr("image unusable: "));
  EXPECT_TRUE(annotated.skipped[0].fault);
  const BagAnnotator strict(model, {.fail_on_bad_image = true});
  EXPECT_EQ(ExpectError([&] { strict.Annotate(bag); }).code, ErrorCode::kInput);
}

TEST(BagAnnotator, ABagWithoutAPatchIsLeftOut) {
  const Model model = TinyModel(0);
  const TempFolder folder;
  const fs::path flat = folder.Write("flat.bmp", EncodeBmp(RgbImage(kEmbryoWidth, kEmbryoHeight, 255)));
  const NewBag bag = {"flat", {}, {}, TinyRange(), "flat", {ImageAt(flat)}};
  const AnnotatedBag annotated = BagAnnotator(model).Annotate(bag);
  EXPECT_FALSE(annotated.annotation);
  ASSERT_EQ(annotated.skipped.size(), 1U);
  EXPECT_EQ(annotated.skipped[0], (Skipped{"flat 4-6", "bag has no usable patch", true}));
}

TEST(BagAnnotator, AFileThatChangedStopsTheRun) {
  const Model model = TinyModel(0);
  NewBag bag = TinyBags().bags[0];
  bag.images[0].digest = std::string(64, '0');
  const CaughtError error = ExpectError([&] { BagAnnotator(model).Annotate(bag); });
  EXPECT_EQ(error.code, ErrorCode::kInput);
  EXPECT_THAT(error.text, HasSubstr("the file changed during the run"));
}

}  // namespace
}  // namespace flyscribe
