#include "data/pose.h"

#include <gtest/gtest.h>

#include "tests/support/expect_error.h"
#include "tests/support/temp_folder.h"

namespace flyscribe {
namespace {

const std::string kHeader = "image_id\twidth\theight\tcentre_x\tcentre_y\tangle\thalf_length\thalf_height\n";

TEST(Poses, AreRead) {
  const TempFolder folder;
  const fs::path path = folder.Write("poses.tsv", kHeader + "900005\t1066\t471\t512.5\t216.75\t-15.897\t330\t124.5\n");
  const std::vector<KnownPose> poses = LoadPoses(path);
  ASSERT_EQ(poses.size(), 1U);
  EXPECT_EQ(poses[0].image, "900005");
  EXPECT_EQ(poses[0].pose, (EmbryoPose{512.5, 216.75, -15.897, 330.0, 124.5}));
}

TEST(Poses, APoseWithoutExtentIsCorrupt) {
  const TempFolder folder;
  const fs::path path = folder.Write("poses.tsv", kHeader + "1\t10\t10\t5\t5\t0\t0\t2\n");
  const CaughtError error = ExpectError([&] { LoadPoses(path); });
  EXPECT_EQ(error.code, ErrorCode::kCorrupt);
  EXPECT_NE(error.text.find("the pose of image 1 has no extent"), std::string::npos) << error.text;
}

}  // namespace
}  // namespace flyscribe
