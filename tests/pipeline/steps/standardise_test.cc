#include <gtest/gtest.h>

#include <fstream>

#include "core/file.h"
#include "data/image.h"
#include "imaging/decode.h"
#include "tests/pipeline/tiny_run.h"
#include "tests/support/expect_error.h"

namespace flyscribe {
namespace {

TEST(StandardiseStep, KeepsEveryGoodImageInOrder) {
  const TinyRun& run = SharedTinyRun();
  const Collection collection = Collection::Load(run.FolderOf("ingest"), StageRange::FromName("4-6"));
  const ImageStack stack(run.FolderOf("standardise"));
  ASSERT_EQ(stack.size(), collection.images.size());
  EXPECT_EQ(stack.width(), 320);
  EXPECT_EQ(stack.height(), 128);
  for (const std::size_t i : {std::size_t{0}, stack.size() - 1}) {
    EXPECT_EQ(stack.source(i), i);
    const fs::path file = run.FolderOf("simulate") / "images" / collection.images[i].file;
    EXPECT_EQ(stack.Get(i), DecodeGray(ReadFile(file), file.string()));  // already standardised: unchanged
  }
  EXPECT_TRUE(LoadSkipped(run.FolderOf("standardise")).empty());
}

// A copy of the simulated data as real data, with one file spoiled.
class SpoiledImage : public testing::Test {
 protected:
  SpoiledImage() {
    const fs::path source = SharedTinyRun().FolderOf("simulate");
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(source / "images")) {
      if (!fs::is_regular_file(entry.path())) continue;
      const fs::path target = folder_ / "data" / fs::relative(entry.path(), source);
      fs::create_directories(target.parent_path());
      fs::copy_file(entry.path(), target);
    }
    const Collection collection = Collection::Load(SharedTinyRun().FolderOf("ingest"), StageRange::FromName("4-6"));
    spoiled_ = collection.images[3].file;
    WriteFile(folder_ / "data" / "images" / spoiled_, "not an image");
    fs::copy_file(source / "insitu_annot.csv", folder_ / "data" / "a.csv");
    fs::copy_file(source / "insitu_images.csv", folder_ / "data" / "i.csv");
  }
  Config RealConfig(const std::string& on_bad_image) const {
    return ReadConfigTree(
        ParseConfigText("ranges: [4-6]\noutput: o\ncache: {dir: c}\n"
                        "data: {annotations: data/a.csv, images_table: data/i.csv, images: [data/images]}\n"
                        "extract: {stride: 32}\nlearn: {atoms: 16, epochs: 1}\ntrain: {min_positives: 5}\n"
                        "ingest: {on_bad_image: " +
                            on_bad_image + "}\n",
                        "real.yaml",
                        folder_.path()),
        "real");
  }
  TempFolder folder_;
  std::string spoiled_;
};

TEST_F(SpoiledImage, IsSkippedAndListed) {
  const RunOutcome outcome = Execute(RealConfig("skip"));
  const std::vector<Skipped> skipped = LoadSkipped(outcome.FolderOf("4-6", "standardise"));
  ASSERT_EQ(skipped.size(), 1U);
  EXPECT_EQ(skipped[0].input, fs::path(spoiled_).stem().string());
  EXPECT_TRUE(skipped[0].fault);
  EXPECT_NE(skipped[0].reason.find("not an image"), std::string::npos) << skipped[0].reason;
  const ImageStack stack(outcome.FolderOf("4-6", "standardise"));
  EXPECT_EQ(stack.source(2), 2U);
  EXPECT_EQ(stack.source(3), 4U);  // the third is missing, the others keep their rows
}

TEST_F(SpoiledImage, StopsTheRunWhereAsked) {
  const CaughtError error = ExpectError([&] { Execute(RealConfig("fail")); });
  EXPECT_EQ(error.code, ErrorCode::kInput);
  EXPECT_NE(error.text.find(spoiled_), std::string::npos) << error.text;
  EXPECT_NE(error.text.find("while running standardise for 4-6"), std::string::npos) << error.text;
}

}  // namespace
}  // namespace flyscribe
