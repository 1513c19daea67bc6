// What an image file says about itself: no pixels, no image; a whole file stays whole with bytes behind it.
#include "imaging/image_header.h"

#include "tests/fuzz/promise.h"
#include "tests/fuzz/targets.h"

namespace flyscribe {
namespace {

bool IsComplete(std::string_view bytes, const ImageHeader& header) {
  const auto complete = TryRead([&] {
    RequireComplete(bytes, header, "x.bmp");
    return true;
  });
  return complete.has_value();
}

}  // namespace

void FuzzImageHeader(std::string_view bytes) {
  constexpr std::uint64_t kMostPixels = std::uint64_t{1} << 40;
  const auto header = TryRead([&] { return ReadImageHeader(bytes, "x.bmp"); });
  if (!header) return;
  Promise(!FormatName(header->format).empty(), "the format has a name");
  Promise(header->width > 0 && header->height > 0, "an image has pixels");
  Promise(header->width >> 32 == 0 && header->height >> 32 == 0, "sides are numbers of 32 bits");
  const std::string followed = std::string(bytes) + "bytes after the end";
  const ImageHeader again = ReadImageHeader(followed, "x.bmp");
  Promise(again.width == header->width && again.height == header->height, "the header is read from the start");
  if (header->width * header->height >= kMostPixels) return;
  if (IsComplete(bytes, *header)) Promise(IsComplete(followed, *header), "what follows a whole image does not matter");
}

}  // namespace flyscribe
