// Image files: their bytes turned into 8-bit gray, and images turned into the bytes of a file.
//
// Read: BMP, PNG, JPEG, TIFF, told by content. Gray of a colour pixel is Y = 0.299 R + 0.587 G + 0.114 B (ITU-R BT.601,
// in integers); 16-bit samples v become round(v / 257); a pixel of opacity a over white is c a + 255 (1 - a), before Y
// is taken. The alpha of a BMP is ignored: most writers leave it zero and mean opaque. CMYK JPEG is read with Adobe's
// convention (stored inverted).
//
// Does not: turn by EXIF orientation, apply colour profiles, stretch contrast (a 12-bit picture in a 16-bit TIFF stays
// dark), read a second page, read floating-point TIFF.
//
// Written: PNG (lossless, 8-bit gray or RGB) or JPEG (baseline, 8-bit gray, or RGB with half the resolution in colour).
// The bytes are the same every time for one version of OpenCV and its libpng, zlib and libjpeg: no time, no name, no
// program is written.
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

// REQUIRES: at least one pixel, and as many pixels as width and height say.
std::string EncodePng(const GrayImage& image);
std::string EncodePng(const RgbImage& image);

// quality 1 (small) to 100 (good). REQUIRES: as above, and no side longer than 65500.
std::string EncodeJpeg(const GrayImage& image, int quality);
std::string EncodeJpeg(const RgbImage& image, int quality);

// OpenCV's process-wide settings, made once: one thread (flyscribe has its own pool) and no log of its own. Every
// function of this module that calls OpenCV calls it first; later calls cost nothing.
void SetUpOpenCv();

// What is in force.
int OpenCvThreads();
bool OpenCvIsSilent();

// Such as "4.6.0": decoding and interpolation may differ between versions.
std::string ImagingLibraryVersion();

}  // namespace flyscribe
