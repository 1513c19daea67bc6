// How well found poses agree with known ones.
//
// Errors are measured at the scale of the standardised embryo: photograph pixels divided by half_length / 160 of the
// known pose. The angle is compared up to half turns; embryos found end for end are counted apart, because which end is
// anterior is told by other means. Pure functions.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "data/quality.h"

namespace flyscribe {

// What counts as found.
inline constexpr double kCentreLimit = 4.0;  // pixels of the 320x128 frame
inline constexpr double kAngleLimit = 3.0;   // degrees
inline constexpr double kAxisLimit = 0.05;   // of the known half axis

struct PoseError {
  double centre = 0.0;
  double angle = 0.0;   // 0 to 90 degrees
  double length = 0.0;  // found / known - 1
  double height = 0.0;
  bool swapped = false;  // anterior and posterior end

  bool IsWithinLimits() const;
};

PoseError ComparePoses(const EmbryoPose& found, const EmbryoPose& known);

struct PoseScore {
  std::size_t scored = 0;  // images with a known pose
  std::size_t right = 0;   // within all limits
  std::size_t swapped = 0;
  std::size_t wrong_and_doubtful = 0;
  std::size_t right_and_doubtful = 0;
  std::vector<std::string> wrong;  // ids
};

// Images are matched by id: the known N is found as N or insituN. Images without a known pose are passed over; known
// ones that are not among the found do not count.
PoseScore ScorePoses(const std::vector<ImageQuality>& found, const std::vector<KnownPose>& known);

}  // namespace flyscribe
