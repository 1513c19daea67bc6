#include "imaging/decode.h"

#include <opencv2/core.hpp>
#include <opencv2/imgcodecs.hpp>

#include "core/error.h"
#include "core/text.h"
#include "imaging/image_header.h"
#include "imaging/opencv_setup.h"

namespace flyscribe {
namespace {

void RequireByteLimit(std::string_view bytes, const std::string& place, const DecodeLimits& limits) {
  if (bytes.size() <= limits.max_bytes) return;
  throw Error(ErrorCode::kInput,
              "image file of " + HumanBytes(bytes.size()) + " is over the limit of " + HumanBytes(limits.max_bytes),
              "is this a single photograph? crop or scale it down first",
              {place});
}

void RequirePixelLimit(const ImageHeader& header, const std::string& place, const DecodeLimits& limits) {
  if (header.width <= limits.max_pixels / header.height) return;
  throw Error(ErrorCode::kInput,
              "image of " + std::to_string(header.width) + "x" + std::to_string(header.height) +
                  " pixels is over the limit of " + FormatReal(static_cast<double>(limits.max_pixels) / 1e6) +
                  " megapixels",
              "crop or scale the photograph down first; nothing was decoded",
              {place});
}

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

unsigned OverWhite(unsigned sample, unsigned alpha) { return (sample * alpha + 255U * (255U - alpha) + 127U) / 255U; }

// Weights of 2^14 that sum to exactly one, so that gray stays what it is.
unsigned Luma(unsigned red, unsigned green, unsigned blue) {
  return (4899U * red + 9617U * green + 1868U * blue + 8192U) >> 14;
}

// One pixel of 1 (gray), 2 (gray, alpha), 3 (BGR) or 4 (BGR, alpha) samples.
template <class Sample>
std::uint8_t GrayOf(const Sample* pixel, int channels, bool use_alpha) {
  const bool colour = channels >= 3;
  const bool has_alpha = use_alpha && channels % 2 == 0;
  const unsigned alpha = has_alpha ? EightBit(pixel[channels - 1]) : 255U;
  const auto channel = [&](int i) { return has_alpha ? OverWhite(EightBit(pixel[i]), alpha) : EightBit(pixel[i]); };
  return static_cast<std::uint8_t>(colour ? Luma(channel(2), channel(1), channel(0)) : channel(0));
}

template <class Sample>
GrayImage ToGray(const cv::Mat& image, bool use_alpha) {
  GrayImage gray(image.cols, image.rows);
  for (int y = 0; y < image.rows; ++y) {
    const auto* row = image.ptr<Sample>(y);
    for (int x = 0; x < image.cols; ++x) {
      gray.At(x, y) = GrayOf(row + static_cast<std::ptrdiff_t>(x) * image.channels(), image.channels(), use_alpha);
    }
  }
  return gray;
}

}  // namespace

GrayImage DecodeGray(std::string_view bytes, const std::string& place, const DecodeLimits& limits) {
  RequireByteLimit(bytes, place, limits);
  const ImageHeader header = ReadImageHeader(bytes, place);
  RequirePixelLimit(header, place, limits);
  RequireComplete(bytes, header, place);
  const cv::Mat image = Decode(bytes, header, place);
  const bool use_alpha = header.format != ImageFormat::kBmp;
  if (image.channels() <= 4 && image.depth() == CV_8U) return ToGray<std::uint8_t>(image, use_alpha);
  if (image.channels() <= 4 && image.depth() == CV_16U) return ToGray<std::uint16_t>(image, use_alpha);
  ThrowUndecodable(header, place, ": only 8-bit and 16-bit samples are read");
}

}  // namespace flyscribe
