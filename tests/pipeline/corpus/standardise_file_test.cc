#include "pipeline/corpus/standardise_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/file.h"
#include "core/hash.h"
#include "data/image.h"
#include "data/quality.h"
#include "imaging/find_embryo.h"
#include "imaging/image_file.h"
#include "imaging/pose_score.h"
#include "pipeline/corpus/corpus_source.h"
#include "tests/pipeline/tiny_run.h"
#include "tests/support/expect_error.h"
#include "tests/support/temp_folder.h"

namespace flyscribe {
namespace {

using testing::HasSubstr;

std::string Reason(const std::variant<Standardised, Error>& said) {
  return std::holds_alternative<Error>(said) ? std::get<Error>(said).diagnostics().front().message : "";
}

class StandardiseFileTest : public testing::Test {
 protected:
  std::variant<Standardised, Error> Read(const std::string& digest, std::uint64_t limit) const {
    return StandardiseFile(file_, digest, StandardiseOptions(), nullptr, limit);
  }
  const std::string bytes_ = EncodeBmp(RgbImage(kEmbryoWidth, kEmbryoHeight, 200));
  const std::string digest_ = Sha256OfText(bytes_);
  TempFolder folder_;
  fs::path file_ = folder_.Write("a.bmp", bytes_);
};

TEST_F(StandardiseFileTest, AnImage) {
  EXPECT_EQ(Reason(Read(digest_, bytes_.size())), "");
  EXPECT_EQ(std::get<Standardised>(Read(digest_, bytes_.size())).image.pixels.size(),
            static_cast<std::size_t>(kEmbryoWidth * kEmbryoHeight));
}

TEST_F(StandardiseFileTest, WhatCannotBeUsedIsAnAnswer) {
  EXPECT_EQ(Reason(Read(digest_, 50000)), "image file is over the limit of 50.0 kB");
  folder_.Write("a.bmp", "no picture");
  EXPECT_NE(Reason(Read(Sha256OfText("no picture"), 1000)), "");
}

TEST_F(StandardiseFileTest, AFileThatChangedOrIsGoneIsNone) {
  const std::string other = Sha256OfText("as it was");
  EXPECT_THAT(ExpectError([&] { Read(other, bytes_.size()); }).text, HasSubstr("the file changed during the run"));
  EXPECT_THAT(ExpectError([&] { Read(other, 100); }).text, HasSubstr("the file changed during the run"))
      << "also if it has grown over the limit";
  fs::remove(file_);
  EXPECT_EQ(ExpectError([&] { Read(digest_, 100); }).code, ErrorCode::kInput);
}

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
    const auto said = StandardiseFile(file, {}, {});
    ASSERT_EQ(Reason(said), "") << name;
    qualities.push_back(std::get<Standardised>(said).quality);
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
  PhotoTrace trace;
  const auto said = StandardiseFile(folder.Write("x.jpe", "not an image"), {}, {}, &trace);
  EXPECT_EQ(Reason(said), "not an image (expected BMP, PNG, JPEG or TIFF)");
  EXPECT_GT(DecodeGray(TracePicture(trace, said), "picture").width, 320);
}

TEST(StandardiseFile, AFileThatWasNotHashedAndCannotBeReadIsUnusable) {
  const TempFolder folder;
  PhotoTrace trace;
  const auto said = StandardiseFile(folder / "gone.jpe", {}, {}, &trace);
  EXPECT_EQ(Reason(said), "cannot read: No such file or directory");
  EXPECT_FALSE(TracePicture(trace, said).empty());
}

TEST(WhyDropped, OnlyDoubtfulEmbryosAndOnlyIfAsked) {
  StandardiseOptions options;
  ImageQuality quality;
  quality.doubts = {"touches the edge", "faint"};
  EXPECT_EQ(WhyDropped(quality, options), "");
  options.doubtful = StandardiseOptions::Doubtful::kDrop;
  EXPECT_EQ(WhyDropped(quality, options), "doubtful embryo: touches the edge; faint");
  EXPECT_EQ(WhyDropped(ImageQuality(), options), "");
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
