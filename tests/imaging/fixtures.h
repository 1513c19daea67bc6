// Tiny image files written byte by byte, so that the tests know every pixel and can break every field.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace flyscribe {

inline void AppendNumber(std::string& bytes, std::uint32_t value, int length, bool big_endian) {
  for (int i = 0; i < length; ++i) {
    const int shift = 8 * (big_endian ? length - 1 - i : i);
    bytes += static_cast<char>(value >> shift & 0xff);
  }
}

// An 8-bit BMP with a gray palette, bottom row first unless `top_down`. REQUIRES: width is a multiple of four.
inline std::string MakeBmp(int width, int height, const std::vector<std::uint8_t>& pixels, bool top_down = false) {
  const auto w = static_cast<std::uint32_t>(width);
  const auto h = static_cast<std::uint32_t>(height);
  std::string bytes = "BM";
  for (const std::uint32_t field : {54 + 1024 + w * h, 0U, 54U + 1024U, 40U, w, top_down ? 0U - h : h}) {
    AppendNumber(bytes, field, 4, false);
  }
  AppendNumber(bytes, 1, 2, false);
  AppendNumber(bytes, 8, 2, false);
  for (const std::uint32_t field : {0U, w * h, 0U, 0U, 256U, 0U}) AppendNumber(bytes, field, 4, false);
  for (std::uint32_t gray = 0; gray < 256; ++gray) AppendNumber(bytes, gray * 0x010101U, 4, false);
  for (int y = 0; y < height; ++y) {
    const int row = top_down ? y : height - 1 - y;
    for (int x = 0; x < width; ++x) bytes += static_cast<char>(pixels[static_cast<std::size_t>(row * width + x)]);
  }
  return bytes;
}

// A 32-bit BMP with bit fields: every pixel the same, blue, green, red, alpha.
inline std::string MakeBmp32(int width, int height, const std::array<std::uint8_t, 4>& pixel) {
  const auto w = static_cast<std::uint32_t>(width);
  const auto h = static_cast<std::uint32_t>(height);
  std::string bytes = "BM";
  for (const std::uint32_t field : {14 + 56 + 4 * w * h, 0U, 14U + 56U, 56U, w, h})
    AppendNumber(bytes, field, 4, false);
  AppendNumber(bytes, 1, 2, false);
  AppendNumber(bytes, 32, 2, false);
  for (const std::uint32_t field : {3U, 4 * w * h, 0U, 0U, 0U, 0U}) AppendNumber(bytes, field, 4, false);
  for (const std::uint32_t mask : {0xff0000U, 0xff00U, 0xffU, 0xff000000U}) AppendNumber(bytes, mask, 4, false);
  for (std::uint32_t i = 0; i < w * h; ++i) bytes.append(pixel.begin(), pixel.end());
  return bytes;
}

inline std::uint32_t Crc32(std::string_view text) {
  std::uint32_t crc = 0xffffffffU;
  for (const char c : text) {
    crc ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit) crc = (crc & 1) != 0 ? 0xedb88320U ^ (crc >> 1) : crc >> 1;
  }
  return crc ^ 0xffffffffU;
}

inline std::string PngChunk(const std::string& type, const std::string& content) {
  std::string chunk;
  AppendNumber(chunk, static_cast<std::uint32_t>(content.size()), 4, true);
  chunk += type + content;
  AppendNumber(chunk, Crc32(type + content), 4, true);
  return chunk;
}

struct PngParts {
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  int depth = 8;
  int colour = 0;              // 0 gray, 2 RGB, 3 palette, 4 gray and alpha, 6 RGB and alpha
  std::string rows = {};       // packed samples of all rows, without filter bytes
  std::string palette = {};    // PLTE
  std::string opacities = {};  // tRNS
};

inline std::string MakePng(const PngParts& parts) {
  std::string raw;
  const std::size_t row_size = parts.height == 0 ? 0 : parts.rows.size() / parts.height;
  for (std::size_t y = 0; y < parts.height; ++y) raw += '\0' + parts.rows.substr(y * row_size, row_size);
  std::uint32_t a = 1;
  std::uint32_t b = 0;
  for (const char c : raw) {
    a = (a + static_cast<unsigned char>(c)) % 65521;
    b = (b + a) % 65521;
  }
  std::string stream = "\x78\x01\x01";  // zlib, one stored block
  AppendNumber(stream, static_cast<std::uint32_t>(raw.size()), 2, false);
  AppendNumber(stream, static_cast<std::uint32_t>(~raw.size()), 2, false);
  stream += raw;
  AppendNumber(stream, b << 16 | a, 4, true);
  std::string header;
  AppendNumber(header, parts.width, 4, true);
  AppendNumber(header, parts.height, 4, true);
  header += {static_cast<char>(parts.depth), static_cast<char>(parts.colour), 0, 0, 0};
  std::string png = "\x89PNG\r\n\x1a\n" + PngChunk("IHDR", header);
  if (!parts.palette.empty()) png += PngChunk("PLTE", parts.palette);
  if (!parts.opacities.empty()) png += PngChunk("tRNS", parts.opacities);
  return png + PngChunk("IDAT", stream) + PngChunk("IEND", "");
}

// An uncompressed TIFF of one strip.
struct TiffParts {
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  std::uint32_t bits = 8;
  std::uint32_t samples = 1;  // 1 gray, 3 RGB
  std::uint32_t format = 1;   // 1 unsigned, 3 floating point
  bool big_endian = false;
  std::string rows = {};
};

inline std::string MakeTiff(const TiffParts& parts) {
  constexpr std::uint32_t kEntries = 10;
  constexpr std::uint32_t kBits = 8 + 2 + 12 * kEntries + 4;  // where three bit depths lie
  constexpr std::uint32_t kData = kBits + 6;
  std::string bytes = parts.big_endian ? std::string("MM\0*", 4) : std::string("II*\0", 4);
  const auto number = [&](std::uint32_t value, int length) { AppendNumber(bytes, value, length, parts.big_endian); };
  const auto entry = [&](std::uint32_t tag, std::uint32_t type, std::uint32_t count, std::uint32_t value) {
    number(tag, 2);
    number(type, 2);
    number(count, 4);
    if (type == 3 && count == 1) {
      number(value, 2);
      number(0, 2);
    } else {
      number(value, 4);
    }
  };
  number(8, 4);
  number(kEntries, 2);
  entry(256, 4, 1, parts.width);
  entry(257, 4, 1, parts.height);
  entry(258, 3, parts.samples == 1 ? 1 : 3, parts.samples == 1 ? parts.bits : kBits);
  entry(259, 3, 1, 1);
  entry(262, 3, 1, parts.samples == 1 ? 1 : 2);
  entry(273, 4, 1, kData);
  entry(277, 3, 1, parts.samples);
  entry(278, 4, 1, parts.height);
  entry(279, 4, 1, static_cast<std::uint32_t>(parts.rows.size()));
  entry(339, 3, 1, parts.format);
  number(0, 4);
  for (int i = 0; i < 3; ++i) number(parts.bits, 2);
  return bytes + parts.rows;
}

// Bits, most significant first, with JPEG's zero byte after each 0xff.
class JpegBits {
 public:
  void Put(unsigned value, int length) {
    for (int i = length - 1; i >= 0; --i) {
      byte_ = byte_ << 1 | (value >> i & 1);
      if (++used_ == 8) Flush();
    }
  }
  std::string Finish() {
    while (used_ != 0) Put(1, 1);
    return bytes_;
  }

 private:
  void Flush() {
    bytes_ += static_cast<char>(byte_);
    if (byte_ == 0xff) bytes_ += '\0';
    byte_ = 0;
    used_ = 0;
  }
  std::string bytes_;
  unsigned byte_ = 0;
  int used_ = 0;
};

inline std::string JpegSegmentText(int marker, const std::string& content) {
  std::string segment = "\xff" + std::string(1, static_cast<char>(marker));
  AppendNumber(segment, static_cast<std::uint32_t>(content.size()) + 2, 2, true);
  return segment + content;
}

// A baseline JPEG of 8x8 pixels, each component one constant value: only the DC coefficient of one block is coded.
// Four components carry Adobe's marker: CMYK, stored inverted.
inline std::string MakeJpeg(const std::vector<std::uint8_t>& values) {
  const int count = static_cast<int>(values.size());
  std::string jpeg = "\xff\xd8";
  if (count == 4) jpeg += JpegSegmentText(0xee, std::string("Adobe\0\x64\0\0\0\0\0", 12));
  jpeg += JpegSegmentText(0xdb, '\0' + std::string(64, '\x08'));  // all steps 8: the DC level is the value - 128
  std::string frame = {8, 0, 8, 0, 8, static_cast<char>(count)};
  std::string scan = {static_cast<char>(count)};
  for (int i = 1; i <= count; ++i) {
    frame += {static_cast<char>(i), 0x11, 0};
    scan += {static_cast<char>(i), 0};
  }
  std::string dc(17, '\0');  // nine codes of four bits, for the magnitudes 0 to 8
  dc[4] = 9;
  for (char symbol = 0; symbol <= 8; ++symbol) dc += symbol;
  std::string ac(17, '\0');  // one code of one bit: end of block
  ac[0] = 0x10;
  ac[1] = 1;
  ac += '\0';
  jpeg += JpegSegmentText(0xc4, dc) + JpegSegmentText(0xc4, ac);  // may come before the frame
  jpeg += JpegSegmentText(0xc0, frame);
  jpeg += JpegSegmentText(0xda, scan + std::string("\0\x3f\0", 3));
  JpegBits bits;
  for (const std::uint8_t value : values) {
    const int level = value - 128;
    int size = 0;
    while ((level < 0 ? -level : level) >> size != 0) ++size;
    bits.Put(static_cast<unsigned>(size), 4);
    bits.Put(static_cast<unsigned>(level < 0 ? level + (1 << size) - 1 : level), size);
    bits.Put(0, 1);
  }
  return jpeg + bits.Finish() + "\xff\xd9";
}

}  // namespace flyscribe
