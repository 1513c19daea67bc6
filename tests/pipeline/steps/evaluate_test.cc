#include <gtest/gtest.h>

#include <set>

#include "data/evaluation.h"
#include "tests/pipeline/tiny_run.h"

namespace flyscribe {
namespace {

std::set<std::string> TestedGenes(const RunOutcome& outcome) {
  std::set<std::string> bags;
  for (const Prediction& prediction : Evaluation::Load(outcome.FolderOf("4-6", "evaluate")).predictions) {
    bags.insert(prediction.bag);
  }
  return bags;
}

std::set<std::string> BagsOfFolds(const RunOutcome& outcome, const std::set<int>& folds) {
  std::set<std::string> bags;
  for (const Bag& bag : Collection::Load(outcome.FolderOf("4-6", "ingest"), StageRange::FromName("4-6")).bags) {
    if (folds.count(bag.fold) > 0) bags.insert(bag.id);
  }
  return bags;
}

TEST(EvaluateStep, TestsTheHeldOutBagsAndNoOthers) {
  const RunOutcome& outcome = SharedTinyRun().outcome;
  EXPECT_EQ(TestedGenes(outcome), BagsOfFolds(outcome, {0}));
}

TEST(EvaluateStep, JoinsAllTestedFolds) {
  const TempFolder folder;
  const RunOutcome outcome = Execute(TinyConfig(folder.path(), {"protocol.test_folds=3", "protocol.dictionary=all"}));
  EXPECT_EQ(TestedGenes(outcome), BagsOfFolds(outcome, {0, 1, 2}));
}

}  // namespace
}  // namespace flyscribe
