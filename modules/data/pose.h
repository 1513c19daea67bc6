// Where an embryo lies in a photograph, and a table of known poses: what the simulator knows, to score finders by.
#pragma once

#include <string>
#include <vector>

#include "core/fs.h"

namespace flyscribe {

// The ellipse with the first and second moments of the embryo's mask, in pixels. Pixel centres are at whole numbers, y
// runs down. A full ellipse of half axes a, b has half_length = a and half_height = b.
struct EmbryoPose {
  double centre_x = 0.0;
  double centre_y = 0.0;
  double angle = 0.0;  // degrees, of the anterior -> posterior axis: 0 is anterior left, positive clockwise to the eye
  double half_length = 0.0;
  double half_height = 0.0;

  friend bool operator==(const EmbryoPose&, const EmbryoPose&) = default;
};

struct KnownPose {
  std::string image;  // its id, N of insituN
  EmbryoPose pose;
};

// poses.tsv: image_id, width, height, centre_x, centre_y, angle, half_length, half_height. Error(kCorrupt) if it is
// none.
std::vector<KnownPose> LoadPoses(const fs::path& path);

}  // namespace flyscribe
