#include <gtest/gtest.h>

#include "core/csv.h"
#include "core/file.h"
#include "tests/pipeline/tiny_run.h"

namespace flyscribe {
namespace {

TEST(SimulateStep, LeavesBdgpShapedFiles) {
  const fs::path folder = SharedTinyRun().FolderOf("simulate");
  const Table labels = ParseTable(ReadFile(folder / "insitu_annot.csv"), ',');
  const Table images = ParseTable(ReadFile(folder / "insitu_images.csv"), ',');
  ASSERT_FALSE(labels.rows.empty());
  EXPECT_EQ(labels.rows[0].fields.size(), 5U);
  EXPECT_GE(images.rows.size(), 30U);
  EXPECT_TRUE(fs::is_directory(folder / "images"));
}

TEST(SimulateStep, DependsOnItsOptionsAndTheRanges) {
  const TempFolder folder;
  const std::string key = PlanSimulate(TinyConfig(folder.path())).key;
  EXPECT_EQ(PlanSimulate(TinyConfig(folder.path(), {"learn.atoms=9", "threads=9"})).key, key);
  EXPECT_NE(PlanSimulate(TinyConfig(folder.path(), {"simulate.seed=9"})).key, key);
  EXPECT_NE(PlanSimulate(TinyConfig(folder.path(), {"ranges=[4-6, 7-8]"})).key, key);
}

TEST(SimulateStep, OnlyPhotographsDependOnTheImageLibrary) {
  const TempFolder folder;
  EXPECT_EQ(PlanSimulate(TinyConfig(folder.path())).key_text.find("opencv"), std::string::npos);
  const StepInstance photographs = PlanSimulate(TinyConfig(folder.path(), {"simulate.photographs=true"}));
  EXPECT_NE(photographs.key_text.find("library opencv"), std::string::npos) << photographs.key_text;
}

}  // namespace
}  // namespace flyscribe
