// Turns an image into the bytes of a PNG file: lossless, 8-bit gray or RGB.
//
// Deterministic for one version of libpng and zlib: no time, no name, no program is written. Thread-safe.
#pragma once

#include <string>

#include "data/image.h"

namespace flyscribe {

// REQUIRES: at least one pixel, and as many pixels as width and height say.
std::string EncodePng(const GrayImage& image);
std::string EncodePng(const RgbImage& image);

}  // namespace flyscribe
