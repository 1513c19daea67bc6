#include "data/quality.h"

#include <gtest/gtest.h>

#include "core/file.h"
#include "tests/support/expect_error.h"
#include "tests/support/temp_folder.h"

namespace flyscribe {
namespace {

ImageQuality FoundOne() {
  ImageQuality quality;
  quality.image = "insitu7";
  quality.way = ImageQuality::Way::kFound;
  quality.confidence = 0.25;
  quality.area = 0.1875;
  quality.aspect = 2.5;
  quality.border = 0.125;
  quality.pose = {400.25, 200.5, -12.75, 300.0, 120.0};
  quality.doubts = {"touches the border", "outline unclear"};
  return quality;
}

const std::string kHeader =
    "image\tway\tconfidence\tarea\taspect\tborder\tcentre_x\tcentre_y\tangle\thalf_length\thalf_height\tdoubts\n";

TEST(Quality, RoundTripsByteForByte) {
  const TempFolder folder;
  ImageQuality passed;
  passed.image = "insitu1";
  ImageQuality enlarged;
  enlarged.image = "insitu2";
  enlarged.way = ImageQuality::Way::kEnlarged;
  const std::vector<ImageQuality> all = {passed, enlarged, FoundOne()};
  SaveQuality(folder.path(), all);
  EXPECT_EQ(ReadFile(folder / "quality.tsv"),
            kHeader +
                "insitu1\tpassed\t1.000\t0.0000\t0.000\t0.000\t0.00\t0.00\t0.00\t0.00\t0.00\t\n"
                "insitu2\tenlarged\t1.000\t0.0000\t0.000\t0.000\t0.00\t0.00\t0.00\t0.00\t0.00\t\n"
                "insitu7\tfound\t0.250\t0.1875\t2.500\t0.125\t400.25\t200.50\t-12.75\t300.00\t120.00\t"
                "touches the border; outline unclear\n");
  EXPECT_EQ(LoadQuality(folder.path()), all);
}

TEST(Quality, ARowAloneRoundTrips) {
  EXPECT_EQ(ParseQualityRow(QualityRow(FoundOne()), "x"), FoundOne());
  EXPECT_FALSE(ImageQuality{}.IsDoubtful());
  EXPECT_TRUE(FoundOne().IsDoubtful());
}

TEST(Quality, DamageIsNamed) {
  const CaughtError fields = ExpectError([] { ParseQualityRow("a\tfound", "item"); });
  EXPECT_EQ(fields.code, ErrorCode::kCorrupt);
  EXPECT_NE(fields.text.find("another number of fields"), std::string::npos) << fields.text;
  const TempFolder folder;
  folder.Write("quality.tsv", kHeader + "a\tlost\t1\t0\t0\t0\t0\t0\t0\t0\t0\t\n");
  const CaughtError way = ExpectError([&] { LoadQuality(folder.path()); });
  EXPECT_EQ(way.code, ErrorCode::kCorrupt);
  EXPECT_NE(way.text.find("unknown way 'lost'"), std::string::npos) << way.text;
}

const std::string kPosesHeader = "image_id\twidth\theight\tcentre_x\tcentre_y\tangle\thalf_length\thalf_height\n";

TEST(Poses, AreRead) {
  const TempFolder folder;
  const fs::path path =
      folder.Write("poses.tsv", kPosesHeader + "900005\t1066\t471\t512.5\t216.75\t-15.897\t330\t124.5\n");
  const std::vector<KnownPose> poses = LoadPoses(path);
  ASSERT_EQ(poses.size(), 1U);
  EXPECT_EQ(poses[0].image, "900005");
  EXPECT_EQ(poses[0].pose, (EmbryoPose{512.5, 216.75, -15.897, 330.0, 124.5}));
}

TEST(Poses, APoseWithoutExtentIsCorrupt) {
  const TempFolder folder;
  const fs::path path = folder.Write("poses.tsv", kPosesHeader + "1\t10\t10\t5\t5\t0\t0\t2\n");
  const CaughtError error = ExpectError([&] { LoadPoses(path); });
  EXPECT_EQ(error.code, ErrorCode::kCorrupt);
  EXPECT_NE(error.text.find("the pose of image 1 has no extent"), std::string::npos) << error.text;
}

}  // namespace
}  // namespace flyscribe
