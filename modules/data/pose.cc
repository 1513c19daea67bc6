#include "data/pose.h"

#include "data/tables.h"

namespace flyscribe {
namespace {

const std::vector<std::string> kHeader = {
    "image_id", "width", "height", "centre_x", "centre_y", "angle", "half_length", "half_height"};

}  // namespace

std::vector<KnownPose> LoadPoses(const fs::path& path) {
  std::vector<KnownPose> poses;
  for (const auto& row : LoadTsv(path, kHeader)) {
    poses.push_back({row[0],
                     {RealField(row[3], path),
                      RealField(row[4], path),
                      RealField(row[5], path),
                      RealField(row[6], path),
                      RealField(row[7], path)}});
    if (poses.back().pose.half_length <= 0.0 || poses.back().pose.half_height <= 0.0) {
      ThrowCorrupt(path, "the pose of image " + row[0] + " has no extent");
    }
  }
  return poses;
}

}  // namespace flyscribe
