// Turns the bytes of an image file into 8-bit gray.
//
// Formats: BMP, PNG, JPEG, TIFF, told by content. Gray of a colour pixel is Y = 0.299 R + 0.587 G + 0.114 B (ITU-R
// BT.601, in integers); 16-bit samples v become round(v / 257); a pixel of opacity a over white is c a + 255 (1 - a),
// before Y is taken. The alpha of a BMP is ignored: most writers leave it zero and mean opaque. CMYK JPEG is
// read with Adobe's convention (stored inverted).
//
// Does not: turn by EXIF orientation, apply colour profiles, stretch contrast (a 12-bit picture in a 16-bit TIFF stays
// dark), read a second page, read floating-point TIFF.
//
// Safety: size limits are checked on the header before anything is decoded; cut-off files are refused (image_header.h).
// Thread-safe and deterministic.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "data/image.h"

namespace flyscribe {

struct DecodeLimits {
  std::uint64_t max_bytes = std::uint64_t{1} << 30;  // of the file; at most 2^31 - 1
  std::uint64_t max_pixels = 64'000'000;             // width * height; at most 2^40
};

// `place` names the file in errors. Throws Error(kInput) for everything that is not a whole image within the limits.
GrayImage DecodeGray(std::string_view bytes, const std::string& place, const DecodeLimits& limits = {});

}  // namespace flyscribe
