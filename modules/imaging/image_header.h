// What an image file says about itself, read from its first bytes without decoding a pixel.
//
// The format is told by content (magic bytes), never by the file's name: BMP, PNG, JPEG, TIFF. Only the few fields that
// give width, height and completeness are read; every offset and count is checked against the real size first.
//
// Completeness: codecs repair a cut-off file by filling the rest with gray, which would pass for an embryo. So the
// container is walked first: JPEG must reach its EOI marker, PNG its IEND chunk with every checksum right, BMP must be
// as long as its header says, TIFF must hold all its strips or tiles. What this cannot see is damage inside the
// compressed data of a JPEG whose markers are whole.
//
// BigTIFF and a JPEG whose height follows later (DNL marker) are refused. Thread-safe: no state.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace flyscribe {

enum class ImageFormat { kBmp, kPng, kJpeg, kTiff };

struct ImageHeader {
  ImageFormat format = ImageFormat::kBmp;
  std::uint64_t width = 0;
  std::uint64_t height = 0;
};

// "BMP", "PNG", "JPEG", "TIFF".
std::string FormatName(ImageFormat format);

// Throws Error(kInput) for bytes that are empty, no image of the four formats, cut off within the header, or of zero
// width or height. `place` names the file in errors.
ImageHeader ReadImageHeader(std::string_view bytes, const std::string& place);

// Throws Error(kInput) if the file is cut off. REQUIRES: `header` was read from `bytes`, and width * height < 2^40.
void RequireComplete(std::string_view bytes, const ImageHeader& header, const std::string& place);

}  // namespace flyscribe
