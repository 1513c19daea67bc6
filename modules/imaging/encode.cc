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

// `ending` chooses the format.
struct Format {
  std::string ending;
  std::vector<int> parameters = {};  // OpenCV's pairs of flag and value
};

std::string Encode(const cv::Mat& image, const Format& format) {
  std::vector<unsigned char> bytes;
  const std::string failed = "encoding as " + format.ending + " failed";
  try {
    FLYSCRIBE_CHECK(cv::imencode(format.ending, image, bytes, format.parameters), failed);
  } catch (const cv::Exception& exception) {
    throw Error(ErrorCode::kInternal, failed + ": " + exception.err);
  }
  return {bytes.begin(), bytes.end()};
}

std::string EncodeColour(const RgbImage& image, const Format& format) {
  SetUpOpenCv();
  RequireShape(image.width, image.height, 3, image.pixels.size());
  std::vector<std::uint8_t> blue_first = image.pixels;
  for (std::size_t i = 0; i + 2 < blue_first.size(); i += 3) std::swap(blue_first[i], blue_first[i + 2]);
  return Encode(cv::Mat(image.height, image.width, CV_8UC3, blue_first.data()), format);
}

}  // namespace

std::string EncodePng(const GrayImage& image) {
  SetUpOpenCv();
  RequireShape(image.width, image.height, 1, image.pixels.size());
  // imencode only reads, but takes no pointer to const.
  return Encode(cv::Mat(image.height, image.width, CV_8UC1, const_cast<std::uint8_t*>(image.pixels.data())), {".png"});
}

std::string EncodePng(const RgbImage& image) { return EncodeColour(image, {".png"}); }

std::string EncodeJpeg(const RgbImage& image, int quality) {
  FLYSCRIBE_CHECK(quality >= 1 && quality <= 100, "JPEG quality is out of range");
  return EncodeColour(image, {".jpg", {cv::IMWRITE_JPEG_QUALITY, quality}});
}

}  // namespace flyscribe
