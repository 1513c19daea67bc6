#include "pipeline/paper/patches.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "core/file.h"
#include "data/image.h"
#include "data/patches.h"
#include "tests/support/expect_error.h"
#include "tests/support/temp_folder.h"

namespace flyscribe {
namespace {

using testing::HasSubstr;

Config SomeConfig() {
  Config config;
  config.extract.window_function = ExtractOptions::WindowFunction::kFlat;
  config.extract.smoothing = kPaperLikeSmoothing;
  config.simulate.genes = 1;  // does not matter
  return config;
}

PatchesSummary Simulated(const fs::path& folder, std::size_t count, int threads = 2) {
  CreateFolder(folder);
  return WriteSimulatedPatches(SomeConfig(), StageRange::FromName("4-6"), count, folder, threads, NoProgress());
}

TEST(WriteSimulatedPatches, AreAsManyAsAskedAndNormalised) {
  const TempFolder folder;
  const PatchesSummary summary = Simulated(folder / "a", 300);
  EXPECT_EQ(summary.patches, 300U);
  EXPECT_EQ(summary.images, 3U);
  const MappedPatchSet patches(folder / "a");
  ASSERT_EQ(patches.descriptors().rows(), 300U);
  ASSERT_EQ(patches.descriptors().cols(), 128U);
  for (std::size_t row = 0; row < 300; ++row) {
    double sum = 0.0;
    double squares = 0.0;
    for (const float value : patches.descriptors().Row(row)) {
      sum += static_cast<double>(value);
      squares += static_cast<double>(value) * static_cast<double>(value);
    }
    EXPECT_NEAR(sum, 0.0, 1e-4);
    EXPECT_NEAR(squares, 1.0, 1e-4);
  }
  EXPECT_EQ(patches.table().image.front(), 0);
  EXPECT_EQ(patches.table().image.back(), 2);
}

TEST(WriteSimulatedPatches, FewerAreTheFirstOfMore) {
  const TempFolder folder;
  Simulated(folder / "few", 150);
  Simulated(folder / "more", 400);
  const MappedPatchSet few(folder / "few");
  const MappedPatchSet more(folder / "more");
  const FloatView first = more.descriptors().Rows(0, 150);
  EXPECT_TRUE(std::equal(first.values().begin(), first.values().end(), few.descriptors().values().begin()));
}

TEST(WriteSimulatedPatches, SameBytesForAnyNumberOfThreads) {
  const TempFolder folder;
  Simulated(folder / "one", 300, 1);
  Simulated(folder / "three", 300, 3);
  for (const std::string file : {"descriptors.npy", "image.npy", "position.npy", "deviation.npy"}) {
    EXPECT_EQ(ReadFile(folder / "one" / file), ReadFile(folder / "three" / file)) << file;
  }
}

TEST(WriteSimulatedPatches, EmbryosWithoutPatchesAreAnError) {
  const TempFolder folder;
  Config config = SomeConfig();
  config.extract.window = 16;
  config.extract.stride = 128;
  config.normalise.min_deviation = 127.0;
  const CaughtError error = ExpectError(
      [&] { WriteSimulatedPatches(config, StageRange::FromName("4-6"), 10, folder.path(), 2, NoProgress()); });
  EXPECT_EQ(error.code, ErrorCode::kInput);
  EXPECT_THAT(error.text, HasSubstr("no window of these simulated embryos is kept"));
}

TEST(WriteEmbryoPatches, TakesEveryImageOfAFolder) {
  const TempFolder folder;
  RgbImage image(kEmbryoWidth, kEmbryoHeight);
  for (std::size_t i = 0; i < image.pixels.size(); ++i) image.pixels[i] = static_cast<std::uint8_t>(i * i % 251);
  folder.Write("images/b.bmp", EncodeBmp(image));
  folder.Write("images/deep/a.BMP", EncodeBmp(image));
  folder.Write("images/notes.txt", "none");
  const std::vector<fs::path> files = EmbryoFiles(folder / "images");
  ASSERT_EQ(files.size(), 2U);
  CreateFolder(folder / "out");
  const PatchesSummary summary = WriteEmbryoPatches(SomeConfig(), files, folder / "out", 2, NoProgress());
  EXPECT_EQ(summary.images, 2U);
  EXPECT_EQ(summary.patches, 2U * 133U);

  const std::string before = EmbryosDigest(files);
  EXPECT_EQ(before, EmbryosDigest(files));
  image.pixels[7] ^= 1;
  folder.Write("images/b.bmp", EncodeBmp(image));
  EXPECT_NE(before, EmbryosDigest(files));
}

TEST(EmbryoFiles, AnEmptyFolderIsAnError) {
  const TempFolder folder;
  const CaughtError error = ExpectError([&] { EmbryoFiles(folder.path()); });
  EXPECT_EQ(error.code, ErrorCode::kInput);
  EXPECT_THAT(error.text, HasSubstr("there are no image files in this folder"));
  const CaughtError missing = ExpectError([&] { EmbryoFiles(folder / "none"); });
  EXPECT_EQ(missing.code, ErrorCode::kInput);
  EXPECT_THAT(missing.text, HasSubstr("none: error: there is no such folder"));
  const fs::path file = folder.Write("file", "x");
  EXPECT_THAT(ExpectError([&] { EmbryoFiles(file); }).text,
              HasSubstr("file: error: this is no folder\n  hint: see rep"));
}

}  // namespace
}  // namespace flyscribe
