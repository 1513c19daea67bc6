#include "pipeline/sweep/sweep_choice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "core/file.h"
#include "core/text.h"
#include "data/models.h"
#include "tests/pipeline/tiny_run.h"

namespace flyscribe {
namespace {

using testing::ElementsAre;
using Names = std::vector<std::string>;

// Two points of one sweep over the bags of the shared baseline run, two folds tested, with scores made up: on the bags
// trained on, a point's scores follow the labels by `trained[point][fold]`, on those tested by `tested[point][fold]`.
class SweepChoiceTest : public testing::Test {
 protected:
  SweepChoiceTest() : points_(SweepGrid({"learn.atoms=24,32"})) {
    ingest_ = Add(IngestStep(), -1, run_.FolderOf("ingest"));
    bags_ = Collection::Load(run_.FolderOf("ingest"), StageRange::FromName("4-6")).bags;
    for (int point = 0; point < 2; ++point) {
      plan_.points.push_back({{}, std::make_shared<const Config>(run_.config), nullptr, {ingest_}, nullptr});
    }
  }

  std::size_t Add(const Step& step, int fold, const fs::path& folder) {
    StepInstance instance;
    instance.step = &step;
    instance.range = "4-6";
    instance.part.fold = fold;
    plan_.instances.push_back(instance);
    outcome_.steps.emplace_back();
    outcome_.steps.back().folder = folder;
    return plan_.instances.size() - 1;
  }

  // Models of one fold whose scores are +-1 by the label, times a sign, with a little that tells bags apart.
  void AddModels(std::size_t point, int fold, double trained, double tested) {
    TermModels models;
    for (const StepOutcome& step : run_.outcome.steps) {
      if (step.step == "train" && step.part == "fold-" + std::to_string(fold)) models = TermModels::Load(step.folder);
    }
    for (std::size_t bag = 0; bag < bags_.size(); ++bag) {
      for (std::size_t term = 0; term < models.terms.size(); ++term) {
        const Names& terms = bags_[bag].terms;
        const bool label = std::count(terms.begin(), terms.end(), models.terms[term].term) > 0;
        const double sign = bags_[bag].fold == fold ? tested : trained;
        models.scores(bag, term) = sign * (label ? 1.0 : -1.0) + 1e-3 * static_cast<double>(bag);
      }
    }
    const fs::path folder = folder_ / ("train-" + std::to_string(point) + "-" + std::to_string(fold));
    fs::create_directories(folder);
    models.Save(folder);
    plan_.points[point].instances.push_back(Add(TrainStep(), fold, folder));
  }

  std::optional<SweepChoice> Choose() const { return ChooseByInnerFolds(points_, plan_, outcome_); }

  const TinyRun& run_ = SharedBaselineRun();
  std::vector<SweepPoint> points_;
  std::vector<Bag> bags_;
  TempFolder folder_;
  Plan plan_;
  RunOutcome outcome_;
  std::size_t ingest_ = 0;
};

TEST_F(SweepChoiceTest, EachFoldIsChosenByItsTrainingBagsAndScoredOnTheOthers) {
  // The first point is right on the training bags of fold 0 and wrong on those it is tested on; the second point would
  // have been right on them. In fold 1 it is the second point that the training bags speak for.
  AddModels(0, 0, 1.0, -1.0);
  AddModels(0, 1, -1.0, -1.0);
  AddModels(1, 0, -1.0, 1.0);
  AddModels(1, 1, 1.0, 1.0);
  const std::optional<SweepChoice> choice = Choose();
  ASSERT_TRUE(choice);
  EXPECT_THAT(choice->folds.header, ElementsAre("fold", "learn.atoms", "inner_macro_auc_top"));
  EXPECT_THAT(choice->folds.rows, ElementsAre(ElementsAre("0", "24", "1.0000"), ElementsAre("1", "32", "1.0000")));
  ASSERT_EQ(choice->scores.rows.size(), 1U) << "one range: no mean";
  const Names& score = choice->scores.rows.front();
  EXPECT_EQ(score[0], "4-6");
  // Wrong throughout in fold 0, right in fold 1: terms tested in both folds have 0.5, those in one of them 0 or 1.
  EXPECT_GT(*ParseReal(score[1]), 0.2);
  EXPECT_LT(*ParseReal(score[1]), 0.8);
  EXPECT_LE(*ParseReal(score[2]), *ParseReal(score[1]));
  EXPECT_GE(*ParseReal(score[3]), *ParseReal(score[1]));
}

TEST_F(SweepChoiceTest, OfEqualPointsTheFirstIsChosen) {
  for (const std::size_t point : {0U, 1U}) {
    for (const int fold : {0, 1}) AddModels(point, fold, 1.0, 1.0);
  }
  const std::optional<SweepChoice> choice = Choose();
  ASSERT_TRUE(choice);
  for (const Names& row : choice->folds.rows) EXPECT_EQ(row[1], "24");
  EXPECT_EQ(choice->scores.rows.front()[1], "1.0000");
}

TEST_F(SweepChoiceTest, ThereIsNoneWithoutTwoPointsThatAreDone) {
  AddModels(0, 0, 1.0, 1.0);
  EXPECT_FALSE(Choose()) << "the second point has no models";
  AddModels(1, 0, 1.0, 1.0);
  EXPECT_TRUE(Choose());
  plan_.points[1].error = std::make_exception_ptr(Error(ErrorCode::kInput, "the tables are empty"));
  EXPECT_FALSE(Choose());
}

TEST_F(SweepChoiceTest, ThereIsNoneBetweenPointsOfOtherBagsOrFolds) {
  AddModels(0, 0, 1.0, 1.0);
  AddModels(1, 1, 1.0, 1.0);
  EXPECT_FALSE(Choose()) << "other folds are tested";
  AddModels(1, 0, 1.0, 1.0);
  AddModels(0, 1, 1.0, 1.0);
  EXPECT_TRUE(Choose());
  plan_.points[1].instances.front() = Add(IngestStep(), -1, folder_.path());
  EXPECT_FALSE(Choose()) << "other bags";
}

}  // namespace
}  // namespace flyscribe
