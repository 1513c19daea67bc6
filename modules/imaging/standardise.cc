#include "imaging/standardise.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>
#include <optional>
#include <vector>

#include "core/error.h"
#include "imaging/blur.h"
#include "imaging/find_embryo.h"
#include "imaging/image_file.h"

namespace flyscribe {
namespace {

// Of the frame; pixel centres at whole numbers.
constexpr double kTargetX = 163.5;
constexpr double kTargetY = 62.5;
constexpr double kTargetHalfLength = 160.0;
constexpr double kTargetHalfHeight = 62.5;
constexpr double kWhite = 230.0;
constexpr int kMaskScale = 4;         // the mask is drawn larger, then averaged
constexpr double kBorderWidth = 0.6;  // deviation of the mask's softening, pixels

// Frame coordinates -> photograph coordinates.
cv::Matx23d FromFrame(const EmbryoPose& pose) {
  const double angle = pose.angle * std::numbers::pi / 180.0;
  const double along = pose.half_length / kTargetHalfLength;
  const double across = pose.half_height / kTargetHalfHeight;
  const double c = std::cos(angle);
  const double s = std::sin(angle);
  return {along * c,
          -across * s,
          pose.centre_x - along * c * kTargetX + across * s * kTargetY,
          along * s,
          across * c,
          pose.centre_y - along * s * kTargetX - across * c * kTargetY};
}

cv::Point2d Apply(const cv::Matx23d& map, double x, double y) {
  return {map(0, 0) * x + map(0, 1) * y + map(0, 2), map(1, 0) * x + map(1, 1) * y + map(1, 2)};
}

// The photograph over its background, in gray levels of the result.
cv::Mat EvenedPart(const GrayImage& photograph, const cv::Rect& part, const Background& background) {
  cv::Mat evened(part.height, part.width, CV_32F);
  for (int row = 0; row < part.height; ++row) {
    const double y = EdgeToEdge(part.y + row, photograph.height);
    auto* out = evened.ptr<float>(row);
    for (int col = 0; col < part.width; ++col) {
      const double x = EdgeToEdge(part.x + col, photograph.width);
      const double light = std::max(background.At(x, y), 16.0);
      out[col] = static_cast<float>(kWhite * photograph.At(part.x + col, part.y + row) / light);
    }
  }
  return evened;
}

// The embryo in the frame, whatever surrounds it included.
cv::Mat Warp(const GrayImage& photograph, const FoundEmbryo& embryo, const cv::Matx23d& from_frame) {
  std::vector<cv::Point2f> corners;  // of the frame, with a margin
  for (const double x : {-4.0, kEmbryoWidth + 3.0}) {
    for (const double y : {-4.0, kEmbryoHeight + 3.0}) corners.emplace_back(Apply(from_frame, x, y));
  }
  const cv::Rect part = cv::boundingRect(corners) & cv::Rect(0, 0, photograph.width, photograph.height);
  FLYSCRIBE_CHECK(part.area() > 0, "an embryo lies outside its photograph");
  cv::Mat source = EvenedPart(photograph, part, embryo.background);
  const double finer = std::min(embryo.quality.pose.half_length / kTargetHalfLength,
                                embryo.quality.pose.half_height / kTargetHalfHeight);
  double scale_x = 1.0;
  double scale_y = 1.0;
  if (finer > 1.0) {
    const cv::Size size(std::max(1, cvRound(part.width / finer)), std::max(1, cvRound(part.height / finer)));
    cv::resize(source, source, size, 0.0, 0.0, cv::INTER_AREA);
    scale_x = static_cast<double>(part.width) / size.width;
    scale_y = static_cast<double>(part.height) / size.height;
  }
  cv::Matx23d map = from_frame;  // to the reduced part: x' = (x - part.x + 1/2) / scale - 1/2
  map(0, 2) += 0.5 - part.x;
  map(1, 2) += 0.5 - part.y;
  for (int i = 0; i < 3; ++i) {
    map(0, i) /= scale_x;
    map(1, i) /= scale_y;
  }
  map(0, 2) -= 0.5;
  map(1, 2) -= 0.5;
  cv::Mat warped;
  cv::warpAffine(
      source, warped, map, {kEmbryoWidth, kEmbryoHeight}, cv::INTER_CUBIC | cv::WARP_INVERSE_MAP, cv::BORDER_REPLICATE);
  return warped;
}

// 1 inside the outline, 0 outside.
FloatMatrix Mask(const FoundEmbryo& embryo, const cv::Matx23d& from_frame) {
  cv::Matx23d to_frame;
  cv::invertAffineTransform(from_frame, to_frame);
  std::vector<cv::Point> polygon;  // of the enlarged mask, in 1/16 pixels
  for (const OutlinePoint& p : embryo.outline) {
    const cv::Point2d q = Apply(to_frame, p.x, p.y);
    polygon.emplace_back(cvRound(16.0 * ((q.x + 0.5) * kMaskScale - 0.5)),
                         cvRound(16.0 * ((q.y + 0.5) * kMaskScale - 0.5)));
  }
  cv::Mat large = cv::Mat::zeros(kEmbryoHeight * kMaskScale, kEmbryoWidth * kMaskScale, CV_8U);
  cv::fillPoly(large, std::vector<std::vector<cv::Point>>{polygon}, cv::Scalar(255), cv::LINE_8, 4);
  cv::Mat mask;
  cv::resize(large, mask, {kEmbryoWidth, kEmbryoHeight}, 0.0, 0.0, cv::INTER_AREA);
  mask.convertTo(mask, CV_32F, 1.0 / 255.0);
  return GaussianBlur({mask.ptr<float>(), kEmbryoHeight, kEmbryoWidth}, kBorderWidth, BlurBorder::kRepeated);
}

}  // namespace

GrayImage CutOut(const GrayImage& photograph, const FoundEmbryo& embryo) {
  SetUpOpenCv();
  GrayImage result(kEmbryoWidth, kEmbryoHeight);
  try {
    const cv::Matx23d from_frame = FromFrame(embryo.quality.pose);
    const cv::Mat warped = Warp(photograph, embryo, from_frame);
    const FloatMatrix mask = Mask(embryo, from_frame);
    for (std::size_t i = 0; i < result.pixels.size(); ++i) {
      const float covered = mask.values()[i];
      const float gray = std::clamp(warped.ptr<float>()[i], 0.0F, 255.0F);
      result.pixels[i] = static_cast<std::uint8_t>(std::lround(255.0F + covered * (gray - 255.0F)));
    }
  } catch (const cv::Exception& exception) {
    throw Error(ErrorCode::kInternal, "cutting out an embryo failed: " + exception.err);
  }
  return result;
}

namespace {

constexpr int kEnlargement = 4;

Standardised Enlarge(const GrayImage& image, const StandardiseOptions& options, const std::string& place) {
  if (options.small_images == StandardiseOptions::SmallImages::kRefuse) {
    throw Error(ErrorCode::kInput,
                "image is 80x32; embryos of this size are refused by small_images",
                "set `small_images: enlarge`, or use the 320x128 version of the image",
                {place});
  }
  SetUpOpenCv();
  Standardised enlarged{GrayImage(kEmbryoWidth, kEmbryoHeight), {}};
  enlarged.quality.way = ImageQuality::Way::kEnlarged;
  try {
    // resize only reads its source, but takes no pointer to const.
    const cv::Mat source(image.height, image.width, CV_8UC1, const_cast<std::uint8_t*>(image.pixels.data()));
    cv::Mat target(kEmbryoHeight, kEmbryoWidth, CV_8UC1, enlarged.image.pixels.data());
    cv::resize(source, target, target.size(), 0.0, 0.0, cv::INTER_CUBIC);
  } catch (const cv::Exception& exception) {
    throw Error(ErrorCode::kInternal, "enlarging an image failed: " + exception.err);
  }
  return enlarged;
}

void RequirePhotograph(const GrayImage& image, const std::string& place) {
  const int shorter = std::min(image.width, image.height);
  const int longer = std::max(image.width, image.height);
  if (shorter < kSmallestPhotograph) {
    throw Error(ErrorCode::kInput,
                fmt::format("image is too small: {}x{} is neither a standardised embryo (320x128, 80x32) nor a "
                            "photograph (64x64 or more)",
                            image.width,
                            image.height),
                "use the image in its original size",
                {place});
  }
  // An embryo must keep pixels across, so a strip is worked on at a length that has no bound.
  if (longer > std::int64_t{kLongestPhotograph} * shorter) {
    throw Error(ErrorCode::kInput,
                fmt::format("image is no photograph of an embryo: {}x{} is more than {} times as long as wide",
                            image.width,
                            image.height,
                            kLongestPhotograph),
                "cut out the part that shows the embryo",
                {place});
  }
}

}  // namespace

Standardised Standardise(const GrayImage& image,
                         const StandardiseOptions& options,
                         const std::string& place,
                         PhotoTrace* trace) {
  FLYSCRIBE_CHECK(image.pixels.size() == image.Index(0, image.height), "an image's size and pixels differ");
  if (image.width == kEmbryoWidth && image.height == kEmbryoHeight) return {image, {}};
  const bool small = image.width == kEmbryoWidth / kEnlargement && image.height == kEmbryoHeight / kEnlargement;
  if (small) return Enlarge(image, options, place);
  RequirePhotograph(image, place);
  std::optional<FoundEmbryo> found = FindEmbryo(image, trace);
  if (!found) {
    throw Error(
        ErrorCode::kInput,
        "no embryo found in the photograph",
        "look at it: `flyscribe standardise --debug-images` shows every decision; an embryo should stand out from "
        "its background and cover at least a fiftieth of the picture",
        {place});
  }
  if (found->quality.confidence >= options.min_confidence) found->quality.doubts.clear();
  return {CutOut(image, *found), found->quality};
}

}  // namespace flyscribe
