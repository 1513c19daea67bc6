// Pixels: those the header announced, no more than allowed, the same ones every time; a damaged file is a refusal.
#include "imaging/image_file.h"

#include "imaging/image_header.h"
#include "tests/fuzz/promise.h"
#include "tests/fuzz/targets.h"

namespace flyscribe {

void FuzzDecode(std::string_view bytes) {
  constexpr DecodeLimits kLimits = {.max_bytes = 1 << 20, .max_pixels = 1 << 14};
  const auto image = TryRead([&] { return DecodeGray(bytes, "x.bmp", kLimits); });
  if (!image) return;
  const ImageHeader header = ReadImageHeader(bytes, "x.bmp");
  const auto width = static_cast<std::uint64_t>(image->width);
  const auto height = static_cast<std::uint64_t>(image->height);
  Promise(width == header.width && height == header.height, "the image is as large as its header says");
  Promise(width * height <= kLimits.max_pixels, "the image is within the limits");
  Promise(image->pixels.size() == width * height, "there is a value for each pixel");
  Promise(DecodeGray(bytes, "x.bmp", kLimits).pixels == image->pixels, "the same bytes give the same pixels");
}

}  // namespace flyscribe
