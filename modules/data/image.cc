#include "data/image.h"

#include <algorithm>

#include "core/error.h"
#include "data/tables.h"

namespace flyscribe {
namespace {

void AppendLittleEndian(std::string& bytes, std::uint32_t value, int count) {
  for (int i = 0; i < count; ++i) bytes += static_cast<char>(value >> (8 * i) & 0xff);
}

}  // namespace

std::string EncodeBmp(const RgbImage& image) {
  constexpr std::uint32_t kHeaderSize = 14 + 40;
  const auto width = static_cast<std::uint32_t>(image.width);
  const auto height = static_cast<std::uint32_t>(image.height);
  const std::uint32_t row_size = (width * 3 + 3) / 4 * 4;  // rows are padded to four bytes
  std::string bytes = "BM";
  AppendLittleEndian(bytes, kHeaderSize + row_size * height, 4);
  AppendLittleEndian(bytes, 0, 4);
  AppendLittleEndian(bytes, kHeaderSize, 4);
  AppendLittleEndian(bytes, 40, 4);  // BITMAPINFOHEADER
  AppendLittleEndian(bytes, width, 4);
  AppendLittleEndian(bytes, height, 4);  // positive: bottom row first
  AppendLittleEndian(bytes, 1, 2);       // planes
  AppendLittleEndian(bytes, 24, 2);      // bits per pixel
  AppendLittleEndian(bytes, 0, 4);       // no compression
  AppendLittleEndian(bytes, row_size * height, 4);
  for (int i = 0; i < 4; ++i) AppendLittleEndian(bytes, 0, 4);  // resolution, palette
  for (int y = image.height - 1; y >= 0; --y) {
    for (int x = 0; x < image.width; ++x) {
      const std::uint8_t* rgb = image.At(x, y);
      for (const int channel : {2, 1, 0}) bytes += static_cast<char>(rgb[channel]);
    }
    bytes.append(row_size - width * 3, '\0');
  }
  return bytes;
}

ImageStack::ImageStack(const fs::path& folder)
    : images_(folder / "images.npy", 3), source_(ReadNpyVector<std::int32_t>(folder / "source.npy")) {
  if (images_.shape()[0] != source_.size()) {
    ThrowCorrupt(folder, "images.npy and source.npy differ in length");
  }
  if (images_.shape()[1] != kEmbryoHeight || images_.shape()[2] != kEmbryoWidth) {
    ThrowCorrupt(folder / "images.npy",
                 "the images are not " + std::to_string(kEmbryoWidth) + " x " + std::to_string(kEmbryoHeight));
  }
  if (std::ranges::any_of(source_, [](std::int32_t row) { return row < 0; })) {
    ThrowCorrupt(folder / "source.npy", "an image's row is negative");
  }
}

GrayImage ImageStack::Get(std::size_t i) const {
  GrayImage image(width(), height());
  const std::size_t size = image.pixels.size();
  const auto pixels = images_.values().subspan(i * size, size);
  image.pixels.assign(pixels.begin(), pixels.end());
  return image;
}

ImageStackWriter::ImageStackWriter(const fs::path& folder)
    : images_(folder / "images.npy", {kEmbryoHeight, kEmbryoWidth}), source_(folder / "source.npy", {}) {}

void ImageStackWriter::Append(const GrayImage& image, std::size_t source) {
  FLYSCRIBE_CHECK(image.width == kEmbryoWidth && image.height == kEmbryoHeight, "image is not standardised");
  const auto row = static_cast<std::int32_t>(source);
  images_.Append(image.pixels);
  source_.Append({&row, 1});
}

void ImageStackWriter::Finish() {
  images_.Finish();
  source_.Finish();
}

}  // namespace flyscribe
