// Images in memory: 8-bit gray or RGB, row-major, top row first; and a stack of standardised gray ones on disk.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/fs.h"
#include "core/npy.h"

namespace flyscribe {

// The size of a standardised embryo, in pixels: FlyExpress' convention.
inline constexpr int kEmbryoWidth = 320;
inline constexpr int kEmbryoHeight = 128;

struct GrayImage {
  int width = 0;
  int height = 0;
  std::vector<std::uint8_t> pixels;  // width * height

  GrayImage() = default;
  GrayImage(int w, int h, std::uint8_t value = 0)
      : width(w), height(h), pixels(static_cast<std::size_t>(w) * static_cast<std::size_t>(h), value) {}
  std::size_t Index(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x);
  }
  std::uint8_t& At(int x, int y) { return pixels[Index(x, y)]; }
  std::uint8_t At(int x, int y) const { return pixels[Index(x, y)]; }
  friend bool operator==(const GrayImage&, const GrayImage&) = default;
};

struct RgbImage {
  int width = 0;
  int height = 0;
  std::vector<std::uint8_t> pixels;  // width * height * 3, red first

  RgbImage() = default;
  RgbImage(int w, int h, std::uint8_t value = 0)
      : width(w), height(h), pixels(static_cast<std::size_t>(w) * static_cast<std::size_t>(h) * 3, value) {}
  std::uint8_t* At(int x, int y) {
    return &pixels[3 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x))];
  }
  const std::uint8_t* At(int x, int y) const {
    return &pixels[3 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x))];
  }
};

// The bytes of a 24-bit uncompressed BMP file.
std::string EncodeBmp(const RgbImage& image);

// The standardised images of one stage range: what `standardise` leaves.
//   images.npy  uint8 [n, height, width]
//   source.npy  int32 [n]: the row of the collection's image table each one came from
// An image that could not be used has no entry. Read through a mapping: any number costs no memory.
class ImageStack {
 public:
  explicit ImageStack(const fs::path& folder);

  std::size_t size() const { return source_.size(); }
  int width() const { return static_cast<int>(images_.shape()[2]); }
  int height() const { return static_cast<int>(images_.shape()[1]); }
  // Row of the collection's image table.
  std::size_t source(std::size_t i) const { return static_cast<std::size_t>(source_[i]); }
  GrayImage Get(std::size_t i) const;

 private:
  MappedNpy<std::uint8_t> images_;
  std::vector<std::int32_t> source_;
};

// Writes a stack image by image: memory does not grow with their number.
class ImageStackWriter {
 public:
  explicit ImageStackWriter(const fs::path& folder);
  // REQUIRES: the image has the embryo's standard size.
  void Append(const GrayImage& image, std::size_t source);
  // REQUIRES: called once, and last.
  void Finish();
  std::size_t size() const { return images_.rows(); }

 private:
  NpyRowWriter<std::uint8_t> images_;
  NpyRowWriter<std::int32_t> source_;
};

}  // namespace flyscribe
