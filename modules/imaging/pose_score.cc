#include "imaging/pose_score.h"

#include <cmath>
#include <map>

#include "data/image.h"

namespace flyscribe {

bool PoseError::IsWithinLimits() const {
  return centre <= kCentreLimit && angle <= kAngleLimit && std::abs(length) <= kAxisLimit &&
         std::abs(height) <= kAxisLimit;
}

PoseError ComparePoses(const EmbryoPose& found, const EmbryoPose& known) {
  const double scale = known.half_length / (0.5 * kEmbryoWidth);
  return {std::hypot(found.centre_x - known.centre_x, found.centre_y - known.centre_y) / scale,
          std::abs(std::remainder(found.angle - known.angle, 180.0)),
          found.half_length / known.half_length - 1.0,
          found.half_height / known.half_height - 1.0,
          std::abs(std::remainder(found.angle - known.angle, 360.0)) > 90.0};
}

PoseScore ScorePoses(const std::vector<ImageQuality>& found, const std::vector<KnownPose>& known) {
  std::map<std::string, const EmbryoPose*> truth;
  for (const KnownPose& pose : known) {
    truth[pose.image] = &pose.pose;
    truth["insitu" + pose.image] = &pose.pose;
  }
  PoseScore score;
  for (const ImageQuality& quality : found) {
    const auto match = truth.find(quality.image);
    if (match == truth.end()) continue;
    const PoseError error = ComparePoses(quality.pose, *match->second);
    const bool right = quality.way == ImageQuality::Way::kFound && error.IsWithinLimits();
    ++score.scored;
    score.right += right ? 1U : 0U;
    score.swapped += right && error.swapped ? 1U : 0U;
    (right ? score.right_and_doubtful : score.wrong_and_doubtful) += quality.IsDoubtful() ? 1U : 0U;
    if (!right) score.wrong.push_back(quality.image);
  }
  return score;
}

}  // namespace flyscribe
