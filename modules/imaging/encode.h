// Turns an image into the bytes of a file: PNG (lossless, 8-bit gray or RGB) or JPEG (baseline, 8-bit RGB, half the
// resolution in colour).
//
// Deterministic for one version of OpenCV and its libpng, zlib and libjpeg: no time, no name, no program is written.
// Thread-safe.
#pragma once

#include <string>

#include "data/image.h"

namespace flyscribe {

// REQUIRES: at least one pixel, and as many pixels as width and height say.
std::string EncodePng(const GrayImage& image);
std::string EncodePng(const RgbImage& image);

// quality 1 (small) to 100 (good). REQUIRES: as above, and no side longer than 65500.
std::string EncodeJpeg(const RgbImage& image, int quality);

}  // namespace flyscribe
