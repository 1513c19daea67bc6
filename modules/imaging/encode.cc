#include "imaging/encode.h"

#include <opencv2/core.hpp>
#include <opencv2/imgcodecs.hpp>
#include <vector>

#include "core/error.h"
#include "imaging/opencv_setup.h"

namespace flyscribe {
namespace {

void RequireShape(int width, int height, std::size_t channels, std::size_t samples) {
  FLYSCRIBE_CHECK(width > 0 && height > 0, "an image to encode has no pixels");
  FLYSCRIBE_CHECK(static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * channels == samples,
                  "an image's size and pixels differ");
}

// Rows of `samples` are packed, blue first if there is colour.
std::string Encode(int width, int height, int type, const std::uint8_t* samples) {
  SetUpOpenCv();
  std::vector<unsigned char> bytes;
  try {
    // imencode only reads, but takes no pointer to const.
    const cv::Mat image(height, width, type, const_cast<std::uint8_t*>(samples));
    FLYSCRIBE_CHECK(cv::imencode(".png", image, bytes), "PNG encoding failed");
  } catch (const cv::Exception& exception) {
    throw Error(ErrorCode::kInternal, "PNG encoding failed: " + exception.err);
  }
  return {bytes.begin(), bytes.end()};
}

}  // namespace

std::string EncodePng(const GrayImage& image) {
  RequireShape(image.width, image.height, 1, image.pixels.size());
  return Encode(image.width, image.height, CV_8UC1, image.pixels.data());
}

std::string EncodePng(const RgbImage& image) {
  RequireShape(image.width, image.height, 3, image.pixels.size());
  std::vector<std::uint8_t> blue_first = image.pixels;
  for (std::size_t i = 0; i + 2 < blue_first.size(); i += 3) std::swap(blue_first[i], blue_first[i + 2]);
  return Encode(image.width, image.height, CV_8UC3, blue_first.data());
}

}  // namespace flyscribe
