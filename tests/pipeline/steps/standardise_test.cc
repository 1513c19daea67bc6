#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "core/file.h"
#include "data/image.h"
#include "data/quality.h"
#include "imaging/image_file.h"
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
  const std::vector<ImageQuality> qualities = LoadQuality(run.FolderOf("standardise"));
  ASSERT_EQ(qualities.size(), collection.images.size());
  EXPECT_EQ(qualities[0].image, collection.images[0].id);
  EXPECT_EQ(qualities[0].way, ImageQuality::Way::kPassed);
}

TEST(StandardiseStep, CutsEmbryosOutOfPhotographsAndListsDoubts) {
  const TempFolder folder;
  const std::vector<std::string> photographs = {
      "simulate.photographs=true", "simulate.genes=10", "simulate.max_turn=180", "simulate.neighbours=6"};
  const Config config = TinyConfig(folder.path(), photographs);
  const RunRequest until = {.until = "standardise"};
  const fs::path kept = Execute(config, until).FolderOf("4-6", "standardise");
  const std::vector<ImageQuality> qualities = LoadQuality(kept);
  const auto doubtful = static_cast<std::size_t>(
      std::count_if(qualities.begin(), qualities.end(), [](const ImageQuality& q) { return q.IsDoubtful(); }));
  ASSERT_GT(doubtful, 0U);
  EXPECT_EQ(ImageStack(kept).size(), qualities.size());
  EXPECT_TRUE(LoadSkipped(kept).empty());

  Config strict = config;
  strict.standardise.doubtful = StandardiseOptions::Doubtful::kDrop;
  const fs::path dropped = Execute(strict, until).FolderOf("4-6", "standardise");
  EXPECT_EQ(LoadQuality(dropped), qualities);
  EXPECT_EQ(ImageStack(dropped).size(), qualities.size() - doubtful);
  const std::vector<Skipped> skipped = LoadSkipped(dropped);
  ASSERT_EQ(skipped.size(), doubtful);
  EXPECT_FALSE(skipped[0].fault);  // a choice of the config
  EXPECT_TRUE(skipped[0].reason.starts_with("doubtful embryo: ")) << skipped[0].reason;
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
