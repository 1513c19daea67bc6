#include "pipeline/corpus/debug_images.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/file.h"
#include "data/pose.h"
#include "imaging/decode.h"
#include "imaging/pose_score.h"
#include "pipeline/corpus/simulate_data.h"
#include "tests/pipeline/tiny_run.h"

namespace flyscribe {
namespace {

// Some thirty simulated photographs, made once.
struct Photographs {
  TempFolder folder;
  std::vector<std::pair<std::string, fs::path>> files;
  std::vector<KnownPose> poses;

  Photographs() {
    const Config config =
        TinyConfig(folder.path(), {"simulate.photographs=true", "simulate.genes=20", "simulate.seed=21"});
    SimulateData(config, folder / "data", 2, NoProgress());
    poses = LoadPoses(folder / "data" / "poses.tsv");
    for (const KnownPose& pose : poses) {
      const std::string name = "insitu" + pose.image;
      const std::string directory = "img_dir_" + std::to_string(std::stoi(pose.image) / 1000);
      files.emplace_back(name, folder / "data" / "images" / directory / (name + ".jpe"));
    }
  }
};

const Photographs& SharedPhotographs() {
  static const Photographs photographs;
  return photographs;
}

TEST(StandardiseFile, FindsEmbryosOfSimulatedPhotographs) {
  const Photographs& photographs = SharedPhotographs();
  std::vector<ImageQuality> qualities;
  for (const auto& [name, file] : photographs.files) {
    const FileResult result = StandardiseFile(file, {}, false);
    ASSERT_TRUE(result.standardised.has_value()) << name << ": " << result.problem;
    EXPECT_TRUE(result.picture.empty());
    qualities.push_back(result.standardised->quality);
    qualities.back().image = name;
  }
  const PoseScore score = ScorePoses(qualities, photographs.poses);
  EXPECT_GE(score.scored, 20U);
  EXPECT_EQ(score.scored, photographs.poses.size());
  // 97 % of thousands are right; of thirty, four wrong ones would be a strange accident.
  EXPECT_LE(score.wrong.size(), 3U) << testing::PrintToString(score.wrong);
  EXPECT_EQ(score.swapped, 0U);
  EXPECT_LE(score.right_and_doubtful, score.right / 3);
}

TEST(StandardiseFile, AnUnusableFileHasAReasonAndAPicture) {
  const TempFolder folder;
  const FileResult result = StandardiseFile(folder.Write("x.jpe", "not an image"), {}, true);
  EXPECT_FALSE(result.standardised.has_value());
  EXPECT_EQ(result.problem, "not an image (expected BMP, PNG, JPEG or TIFF)");
  EXPECT_GT(DecodeGray(result.picture, "picture").width, 320);
}

TEST(StandardiseFile, AFileThatCannotBeReadIsUnusable) {
  const TempFolder folder;
  const FileResult result = StandardiseFile(folder / "gone.jpe", {}, true);
  EXPECT_FALSE(result.standardised.has_value());
  EXPECT_EQ(result.problem, "cannot read: No such file or directory");
  EXPECT_FALSE(result.picture.empty());
}

TEST(WriteDebugImages, WritesOnePictureAnImageTheSameForAnyNumberOfThreads) {
  const Photographs& photographs = SharedPhotographs();
  const std::vector<std::pair<std::string, fs::path>> some(photographs.files.begin(), photographs.files.begin() + 4);
  const TempFolder folder;
  WriteDebugImages(some, {}, folder / "one", 1, NoProgress());
  WriteDebugImages(some, {}, folder / "three", 3, NoProgress());
  for (const auto& [name, file] : some) {
    const std::string bytes = ReadFile(folder / "one" / (name + ".png"));
    EXPECT_EQ(DecodeGray(bytes, name).width, 818);
    EXPECT_EQ(bytes, ReadFile(folder / "three" / (name + ".png")));
  }
}

TEST(WriteDebugImages, NamesThatArePathsStayInTheFolder) {
  const TempFolder folder;
  const fs::path file = folder.Write("x.png", "not an image");
  WriteDebugImages(
      {{"../x", file}, {"otp/4-6/a.png", file}, {"otp/4-6-a.png", file}}, {}, folder / "out", 2, NoProgress());
  EXPECT_THAT(EntriesOf(folder / "out"),
              testing::UnorderedElementsAre(
                  folder / "out/-.-x.png", folder / "out/otp-4-6-a.png.png", folder / "out/otp-4-6-a.png-2.png"));
  EXPECT_THAT(EntriesOf(folder.path()), testing::UnorderedElementsAre(file, folder / "out")) << "nothing lies outside";
}

}  // namespace
}  // namespace flyscribe
