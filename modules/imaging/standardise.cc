#include "imaging/standardise.h"

#include <algorithm>
#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>
#include <optional>

#include "core/error.h"
#include "imaging/cut_out.h"
#include "imaging/find_embryo.h"
#include "imaging/opencv_setup.h"

namespace flyscribe {
namespace {

constexpr int kEnlargement = 4;

bool HasSize(const GrayImage& image, int width, int height) { return image.width == width && image.height == height; }

GrayImage Enlarge(const GrayImage& image) {
  SetUpOpenCv();
  GrayImage enlarged(kEmbryoWidth, kEmbryoHeight);
  try {
    // resize only reads its source, but takes no pointer to const.
    const cv::Mat source(image.height, image.width, CV_8UC1, const_cast<std::uint8_t*>(image.pixels.data()));
    cv::Mat target(kEmbryoHeight, kEmbryoWidth, CV_8UC1, enlarged.pixels.data());
    cv::resize(source, target, target.size(), 0.0, 0.0, cv::INTER_CUBIC);
  } catch (const cv::Exception& exception) {
    throw Error(ErrorCode::kInternal, "enlarging an image failed: " + exception.err);
  }
  return enlarged;
}

std::string SizeText(const GrayImage& image) {
  return std::to_string(image.width) + "x" + std::to_string(image.height);
}

Standardised EnlargeIfAllowed(const GrayImage& image, const StandardiseOptions& options, const std::string& place) {
  if (options.small_images == StandardiseOptions::SmallImages::kRefuse) {
    throw Error(ErrorCode::kInput,
                "image is 80x32; embryos of this size are refused by small_images",
                "set `small_images: enlarge`, or use the 320x128 version of the image",
                {place});
  }
  ImageQuality quality;
  quality.way = ImageQuality::Way::kEnlarged;
  return {Enlarge(image), quality};
}

void RequirePhotograph(const GrayImage& image, const std::string& place) {
  const int shorter = std::min(image.width, image.height);
  const int longer = std::max(image.width, image.height);
  if (shorter < kSmallestPhotograph) {
    throw Error(ErrorCode::kInput,
                "image is too small: " + SizeText(image) + " is neither a standardised embryo (320x128, 80x32) nor a " +
                    "photograph (64x64 or more)",
                "use the image in its original size",
                {place});
  }
  // An embryo must keep pixels across, so a strip is worked on at a length that has no bound.
  if (longer > std::int64_t{kLongestPhotograph} * shorter) {
    throw Error(ErrorCode::kInput,
                "image is no photograph of an embryo: " + SizeText(image) + " is more than " +
                    std::to_string(kLongestPhotograph) + " times as long as wide",
                "cut out the part that shows the embryo",
                {place});
  }
}

Standardised FromPhotograph(const GrayImage& image,
                            const StandardiseOptions& options,
                            const std::string& place,
                            PhotoTrace* trace) {
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

}  // namespace

Standardised Standardise(const GrayImage& image,
                         const StandardiseOptions& options,
                         const std::string& place,
                         PhotoTrace* trace) {
  FLYSCRIBE_CHECK(image.pixels.size() == image.Index(0, image.height), "an image's size and pixels differ");
  if (HasSize(image, kEmbryoWidth, kEmbryoHeight)) return {image, {}};
  const bool small = HasSize(image, kEmbryoWidth / kEnlargement, kEmbryoHeight / kEnlargement);
  if (small) return EnlargeIfAllowed(image, options, place);
  return FromPhotograph(image, options, place, trace);
}

}  // namespace flyscribe
