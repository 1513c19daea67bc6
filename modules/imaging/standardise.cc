#include "imaging/standardise.h"

#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>

#include "core/error.h"
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

}  // namespace

GrayImage Standardise(const GrayImage& image, const StandardiseOptions& options, const std::string& place) {
  FLYSCRIBE_CHECK(image.pixels.size() == image.Index(0, image.height), "an image's size and pixels differ");
  if (HasSize(image, kEmbryoWidth, kEmbryoHeight)) return image;
  const bool small = HasSize(image, kEmbryoWidth / kEnlargement, kEmbryoHeight / kEnlargement);
  if (small && options.small_images == StandardiseOptions::SmallImages::kEnlarge) return Enlarge(image);
  if (small) {
    throw Error(ErrorCode::kInput,
                "image is 80x32; embryos of this size are refused by small_images",
                "set `small_images: enlarge`, or use the 320x128 version of the image",
                {place});
  }
  throw Error(ErrorCode::kInput,
              "image is " + std::to_string(image.width) + "x" + std::to_string(image.height) +
                  "; only 320x128 and 80x32 are standardised embryos",
              "use FlyExpress' standardised images: registered, anterior left, one embryo each",
              {place});
}

}  // namespace flyscribe
