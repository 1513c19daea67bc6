#include "imaging/image_file.h"

#include <fmt/format.h>

#include <mutex>
#include <opencv2/core.hpp>
#include <opencv2/core/utils/logger.hpp>
#include <opencv2/imgcodecs.hpp>
#include <vector>

#include "core/error.h"
#include "core/text.h"
#include "imaging/image_header.h"

namespace flyscribe {

void SetUpOpenCv() {
  static std::once_flag once;
  std::call_once(once, [] {
    cv::setNumThreads(1);
    cv::utils::logging::setLogLevel(cv::utils::logging::LOG_LEVEL_SILENT);
  });
}

int OpenCvThreads() { return cv::getNumThreads(); }

bool OpenCvIsSilent() { return cv::utils::logging::getLogLevel() == cv::utils::logging::LOG_LEVEL_SILENT; }

std::string ImagingLibraryVersion() { return cv::getVersionString(); }

namespace {

[[noreturn]] void ThrowUndecodable(const ImageHeader& header, const std::string& place, const std::string& detail) {
  throw Error(ErrorCode::kInput,
              FormatName(header.format) + " image cannot be decoded" + detail,
              "it may be damaged or of an unusual kind; save it as an ordinary 8-bit PNG or BMP",
              {place});
}

cv::Mat Decode(std::string_view bytes, const ImageHeader& header, const std::string& place) {
  SetUpOpenCv();
  try {
    // imdecode only reads, but takes no pointer to const.
    const cv::Mat buffer(1, static_cast<int>(bytes.size()), CV_8UC1, const_cast<char*>(bytes.data()));
    cv::Mat image = cv::imdecode(buffer, cv::IMREAD_UNCHANGED);
    const bool as_announced = static_cast<std::uint64_t>(image.cols) == header.width &&
                              static_cast<std::uint64_t>(image.rows) == header.height;
    if (image.empty() || !as_announced) ThrowUndecodable(header, place, {});
    return image;
  } catch (const cv::Exception& exception) {
    ThrowUndecodable(header, place, ": " + exception.err);
  }
}

unsigned EightBit(std::uint8_t sample) { return sample; }
unsigned EightBit(std::uint16_t sample) { return (sample + 128U) / 257U; }

// Weights of 2^14 that sum to exactly one, so that gray stays what it is.
unsigned Luma(unsigned red, unsigned green, unsigned blue) {
  return (4899U * red + 9617U * green + 1868U * blue + 8192U) >> 14;
}

// A pixel has 1 (gray), 2 (gray, alpha), 3 (BGR) or 4 (BGR, alpha) samples.
template <class Sample>
GrayImage ToGray(const cv::Mat& image, bool use_alpha) {
  const int channels = image.channels();
  const bool has_alpha = use_alpha && channels % 2 == 0;
  GrayImage gray(image.cols, image.rows);
  for (int y = 0; y < image.rows; ++y) {
    for (int x = 0; x < image.cols; ++x) {
      const Sample* pixel = image.ptr<Sample>(y) + static_cast<std::ptrdiff_t>(x) * channels;
      const unsigned alpha = has_alpha ? EightBit(pixel[channels - 1]) : 255U;
      const auto over_white = [&](int i) {
        const unsigned sample = EightBit(pixel[i]);
        return has_alpha ? (sample * alpha + 255U * (255U - alpha) + 127U) / 255U : sample;
      };
      const unsigned value = channels >= 3 ? Luma(over_white(2), over_white(1), over_white(0)) : over_white(0);
      gray.At(x, y) = static_cast<std::uint8_t>(value);
    }
  }
  return gray;
}

}  // namespace

GrayImage DecodeGray(std::string_view bytes, const std::string& place, const DecodeLimits& limits) {
  if (bytes.size() > limits.max_bytes) {
    throw Error(
        ErrorCode::kInput,
        fmt::format("image file of {} is over the limit of {}", HumanBytes(bytes.size()), HumanBytes(limits.max_bytes)),
        "is this a single photograph? crop or scale it down first",
        {place});
  }
  const ImageHeader header = ReadImageHeader(bytes, place);
  if (header.width > limits.max_pixels / header.height) {
    throw Error(ErrorCode::kInput,
                fmt::format("image of {}x{} pixels is over the limit of {} megapixels",
                            header.width,
                            header.height,
                            FormatReal(static_cast<double>(limits.max_pixels) / 1e6)),
                "crop or scale the photograph down first; nothing was decoded",
                {place});
  }
  RequireComplete(bytes, header, place);
  const cv::Mat image = Decode(bytes, header, place);
  const bool use_alpha = header.format != ImageFormat::kBmp;
  if (image.channels() <= 4 && image.depth() == CV_8U) return ToGray<std::uint8_t>(image, use_alpha);
  if (image.channels() <= 4 && image.depth() == CV_16U) return ToGray<std::uint16_t>(image, use_alpha);
  ThrowUndecodable(header, place, ": only 8-bit and 16-bit samples are read");
}

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

std::string EncodeGray(const GrayImage& image, const Format& format) {
  SetUpOpenCv();
  RequireShape(image.width, image.height, 1, image.pixels.size());
  // imencode only reads, but takes no pointer to const.
  return Encode(cv::Mat(image.height, image.width, CV_8UC1, const_cast<std::uint8_t*>(image.pixels.data())), format);
}

std::string EncodeColour(const RgbImage& image, const Format& format) {
  SetUpOpenCv();
  RequireShape(image.width, image.height, 3, image.pixels.size());
  std::vector<std::uint8_t> blue_first = image.pixels;
  for (std::size_t i = 0; i + 2 < blue_first.size(); i += 3) std::swap(blue_first[i], blue_first[i + 2]);
  return Encode(cv::Mat(image.height, image.width, CV_8UC3, blue_first.data()), format);
}

Format Jpeg(int quality) {
  FLYSCRIBE_CHECK(quality >= 1 && quality <= 100, "JPEG quality is out of range");
  return {".jpg", {cv::IMWRITE_JPEG_QUALITY, quality}};
}

}  // namespace

std::string EncodePng(const GrayImage& image) { return EncodeGray(image, {".png"}); }

std::string EncodePng(const RgbImage& image) { return EncodeColour(image, {".png"}); }

std::string EncodeJpeg(const GrayImage& image, int quality) { return EncodeGray(image, Jpeg(quality)); }

std::string EncodeJpeg(const RgbImage& image, int quality) { return EncodeColour(image, Jpeg(quality)); }

}  // namespace flyscribe
