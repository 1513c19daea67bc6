// Where an embryo lies in a photograph, and what `standardise` says about each image: how surely it was found, and what
// speaks against it.
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

struct ImageQuality {
  enum class Way { kPassed, kEnlarged, kFound };

  std::string image;        // its id
  Way way = Way::kPassed;   // passed: already 320x128; enlarged: was 80x32; found: cut out of a photograph
  double confidence = 1.0;  // 0 to 1
  // The rest is of found ones only.
  double area = 0.0;    // share of the photograph that the embryo covers
  double aspect = 0.0;  // half_length / half_height
  double border = 0.0;  // share of the outline that lies on the photograph's border
  EmbryoPose pose;
  std::vector<std::string> doubts;  // fixed phrases; none: nothing speaks against it

  bool IsDoubtful() const { return !doubts.empty(); }
  friend bool operator==(const ImageQuality&, const ImageQuality&) = default;
};

// One row: a line of the table without its end, for whoever keeps images one by one.
std::string QualityRow(const ImageQuality& quality);
// Throws Error(kCorrupt) for a line that is none; `path` is named in it.
ImageQuality ParseQualityRow(const std::string& line, const fs::path& path);

// quality.tsv: image, way, confidence, area, aspect, border, centre_x, centre_y, angle, half_length, half_height,
// doubts (joined by "; ").
void SaveQuality(const fs::path& folder, const std::vector<ImageQuality>& qualities);
std::vector<ImageQuality> LoadQuality(const fs::path& folder);

// A pose that is known, such as the simulator's, to score finders by.
struct KnownPose {
  std::string image;  // its id, N of insituN
  EmbryoPose pose;
};

// poses.tsv: image_id, width, height, centre_x, centre_y, angle, half_length, half_height. Error(kCorrupt) if it is
// none.
std::vector<KnownPose> LoadPoses(const fs::path& path);

}  // namespace flyscribe
