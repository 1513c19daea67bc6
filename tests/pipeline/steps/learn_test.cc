#include <gtest/gtest.h>

#include <set>

#include "data/dictionary.h"
#include "data/patches.h"
#include "tests/pipeline/tiny_run.h"

namespace flyscribe {
namespace {

std::set<int> FoldsSeen(const RunOutcome& outcome) {
  const Collection collection = Collection::Load(outcome.FolderOf("4-6", "ingest"), StageRange::FromName("4-6"));
  const PatchTable patches = PatchTable::Load(outcome.FolderOf("4-6", "normalise"));
  std::set<int> folds;
  for (const std::int64_t row : ReadNpyVector<std::int64_t>(outcome.FolderOf("4-6", "learn") / "rows.npy")) {
    const auto image = static_cast<std::size_t>(patches.image.at(static_cast<std::size_t>(row)));
    folds.insert(collection.bags[collection.images[image].bag].fold);
  }
  return folds;
}

TEST(LearnStep, LeavesADictionaryInTheUnitBall) {
  const Dictionary dictionary = Dictionary::Load(SharedTinyRun().FolderOf("learn"));
  EXPECT_EQ(dictionary.atoms.rows(), 24U);
  EXPECT_EQ(dictionary.atoms.cols(), 128U);
  EXPECT_EQ(dictionary.summary.lambda, 0.1);
  EXPECT_EQ(dictionary.summary.objective_per_epoch.size(), 2U);
  const SparseCodes codes = SparseCodes::Load(SharedTinyRun().FolderOf("learn"), 24);
  EXPECT_EQ(codes.rows(), dictionary.summary.patches);
}

TEST(LearnStep, NeverSeesTheTestedFold) { EXPECT_EQ(FoldsSeen(SharedTinyRun().outcome), (std::set<int>{1, 2, 3, 4})); }

TEST(LearnStep, SeesAllFoldsWhereAskedTo) {
  const TempFolder folder;
  EXPECT_EQ(FoldsSeen(Execute(TinyConfig(folder.path(), {"protocol.dictionary=all"}))), (std::set<int>{0, 1, 2, 3, 4}));
}

}  // namespace
}  // namespace flyscribe
