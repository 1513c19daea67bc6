#include "imaging/image_header.h"

#include <fmt/format.h>

#include <array>
#include <optional>

#include "core/error.h"

namespace flyscribe {
namespace {

constexpr std::string_view kPngMagic = "\x89PNG\r\n\x1a\n";
constexpr std::string_view kJpegMagic = "\xff\xd8\xff";

[[noreturn]] void ThrowTruncated(const std::string& place, ImageFormat format, const std::string& detail) {
  throw Error(ErrorCode::kInput,
              FormatName(format) + " file is cut off or damaged: " + detail,
              "fetch or export the image again; it may be the rest of an interrupted download",
              {place});
}

// Numbers at an offset of the file, in either byte order. Nothing is read past the end: Fits() is asked first, and a
// number that lies outside is an Error.
class Bytes {
 public:
  Bytes(std::string_view bytes, ImageFormat format, const std::string& place)
      : bytes_(bytes), format_(format), place_(place) {}

  std::uint64_t size() const { return bytes_.size(); }
  bool Fits(std::uint64_t offset, std::uint64_t length) const {
    return offset <= bytes_.size() && length <= bytes_.size() - offset;
  }
  std::string_view Text(std::uint64_t offset, std::uint64_t length) const {
    if (!Fits(offset, length)) ThrowTruncated(place_, format_, "it ends within its header");
    return bytes_.substr(offset, length);
  }
  std::uint32_t Big(std::uint64_t offset, int length) const {
    std::uint32_t value = 0;
    for (const char c : Text(offset, static_cast<std::uint64_t>(length))) {
      value = value << 8 | static_cast<unsigned char>(c);
    }
    return value;
  }
  std::uint32_t Little(std::uint64_t offset, int length) const {
    const std::string_view text = Text(offset, static_cast<std::uint64_t>(length));
    std::uint32_t value = 0;
    for (std::size_t i = text.size(); i-- > 0;) value = value << 8 | static_cast<unsigned char>(text[i]);
    return value;
  }
  [[noreturn]] void Truncated(const std::string& detail) const { ThrowTruncated(place_, format_, detail); }
  [[noreturn]] void Unsupported(const std::string& what) const {
    throw Error(ErrorCode::kInput, what + " is not read", "save the image as an ordinary 8-bit PNG or BMP", {place_});
  }

 private:
  std::string_view bytes_;
  ImageFormat format_;
  const std::string& place_;
};

// --- BMP: https://learn.microsoft.com/en-us/windows/win32/gdi/bitmap-storage

constexpr std::uint32_t kBmpCoreHeader = 12;  // OS/2: 16-bit sizes, always uncompressed
constexpr std::uint32_t kBmpUncompressed = 0;
constexpr std::uint32_t kBmpBitfields = 3;

void ReadBmpSize(const Bytes& bytes, ImageHeader& header) {
  if (bytes.Little(14, 4) == kBmpCoreHeader) {
    header.width = bytes.Little(18, 2);
    header.height = bytes.Little(20, 2);
    return;
  }
  header.width = bytes.Little(18, 4);
  const auto height = static_cast<std::int32_t>(bytes.Little(22, 4));  // negative: top row first
  header.height = static_cast<std::uint64_t>(height < 0 ? -std::int64_t{height} : std::int64_t{height});
}

void RequireCompleteBmp(const Bytes& bytes, const ImageHeader& header) {
  const bool core = bytes.Little(14, 4) == kBmpCoreHeader;
  const std::uint64_t bits = bytes.Little(core ? 24 : 28, 2);
  const std::uint32_t compression = core ? kBmpUncompressed : bytes.Little(30, 4);
  const std::uint64_t offset = bytes.Little(10, 4);
  const bool raw = compression == kBmpUncompressed || compression == kBmpBitfields;
  const std::uint64_t row = (header.width * bits + 31) / 32 * 4;  // rows are padded to four bytes
  const std::uint64_t needed = raw ? row * header.height : 1;
  if (!bytes.Fits(offset, needed)) {
    bytes.Truncated(fmt::format("the header asks for {} bytes, there are {}", offset + needed, bytes.size()));
  }
}

// --- PNG: https://www.w3.org/TR/png/#5Chunk-layout

std::uint32_t PngChecksum(std::string_view text) {
  static const auto table = [] {
    std::array<std::uint32_t, 256> entries{};
    for (std::uint32_t n = 0; n < 256; ++n) {
      std::uint32_t c = n;
      for (int bit = 0; bit < 8; ++bit) c = (c & 1) != 0 ? 0xedb88320U ^ (c >> 1) : c >> 1;
      entries[n] = c;
    }
    return entries;
  }();
  std::uint32_t sum = 0xffffffffU;
  for (const char c : text) sum = table[(sum ^ static_cast<unsigned char>(c)) & 0xff] ^ (sum >> 8);
  return sum ^ 0xffffffffU;
}

void ReadPngSize(const Bytes& bytes, ImageHeader& header) {
  if (bytes.Text(12, 4) != "IHDR") bytes.Truncated("it does not begin with an IHDR chunk");
  header.width = bytes.Big(16, 4);
  header.height = bytes.Big(20, 4);
}

void RequireCompletePng(const Bytes& bytes, const ImageHeader& /*header*/) {
  std::uint64_t at = kPngMagic.size();
  while (bytes.Fits(at, 12)) {
    const std::uint64_t length = bytes.Big(at, 4);
    if (!bytes.Fits(at + 8, length + 4)) break;
    const std::string_view type = bytes.Text(at + 4, 4);
    if (PngChecksum(bytes.Text(at + 4, length + 4)) != bytes.Big(at + 8 + length, 4)) {
      bytes.Truncated("the checksum of a chunk is wrong");
    }
    if (type == "IEND") return;
    at += 12 + length;
  }
  bytes.Truncated("it has no IEND chunk");
}

// --- JPEG: ITU-T T.81, annex B

// A marker segment: its second byte, and where its parameters begin and end.
struct JpegSegment {
  unsigned marker = 0;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

constexpr unsigned kEndOfImage = 0xd9;
constexpr unsigned kStartOfScan = 0xda;

bool IsStartOfFrame(unsigned marker) {
  return marker >= 0xc0 && marker <= 0xcf && marker != 0xc4 && marker != 0xc8 && marker != 0xcc;
}

// The next marker at or after `at`, or none before the file's end. Passes over entropy-coded data, in which 0xff is
// followed by 0x00 (a stuffed byte) or a restart marker, and over fill bytes (0xff before a marker).
std::optional<JpegSegment> NextSegment(const Bytes& bytes, std::uint64_t at) {
  for (; bytes.Fits(at, 2); ++at) {
    if (bytes.Big(at, 1) != 0xff) continue;
    const unsigned marker = bytes.Big(at + 1, 1);
    const bool restart = marker >= 0xd0 && marker <= 0xd7;
    if (marker == 0x00 || marker == 0xff || restart) continue;
    const bool stands_alone = marker == 0x01 || (marker >= 0xd0 && marker <= kEndOfImage);
    if (stands_alone) return JpegSegment{marker, at + 2, at + 2};
    if (!bytes.Fits(at + 2, 2)) return std::nullopt;
    const std::uint64_t length = bytes.Big(at + 2, 2);
    if (length < 2 || !bytes.Fits(at + 2, length)) return std::nullopt;
    return JpegSegment{marker, at + 4, at + 2 + length};
  }
  return std::nullopt;
}

void ReadJpegSize(const Bytes& bytes, ImageHeader& header) {
  for (auto segment = NextSegment(bytes, 2); segment; segment = NextSegment(bytes, segment->end)) {
    if (segment->marker == kStartOfScan || segment->marker == kEndOfImage) break;
    if (!IsStartOfFrame(segment->marker)) continue;
    header.height = bytes.Big(segment->begin + 1, 2);
    header.width = bytes.Big(segment->begin + 3, 2);
    return;
  }
  bytes.Truncated("it names no width and height");
}

void RequireCompleteJpeg(const Bytes& bytes, const ImageHeader& /*header*/) {
  bool has_scan = false;
  for (auto segment = NextSegment(bytes, 2); segment; segment = NextSegment(bytes, segment->end)) {
    has_scan = has_scan || segment->marker == kStartOfScan;
    if (segment->marker != kEndOfImage) continue;
    if (!has_scan) bytes.Truncated("it has no image data");
    return;
  }
  bytes.Truncated("it has no end-of-image marker");
}

// --- TIFF 6.0, first image of the file

constexpr unsigned kTiffWidth = 256;
constexpr unsigned kTiffHeight = 257;
constexpr unsigned kTiffStripOffsets = 273;
constexpr unsigned kTiffStripSizes = 279;
constexpr unsigned kTiffTileOffsets = 324;
constexpr unsigned kTiffTileSizes = 325;

// A field of the directory: where its values lie. They may lie outside the file.
struct TiffField {
  std::uint64_t count = 0;  // 0: the tag is absent
  std::uint64_t begin = 0;
  int width = 0;  // bytes of a value; 0: of a type not expected here
};

// The first directory: entries of 12 bytes (tag, type, count, value or the offset of the values).
class TiffDirectory {
 public:
  explicit TiffDirectory(const Bytes& bytes) : bytes_(bytes), big_endian_(bytes.Text(0, 2) == "MM") {
    if (Number(2, 2) == 43) bytes.Unsupported("BigTIFF");
    begin_ = std::uint64_t{Number(4, 4)} + 2;
    count_ = Number(begin_ - 2, 2);
    if (!bytes.Fits(begin_, 12 * count_)) bytes.Truncated("its directory lies outside the file");
  }

  // Searches all entries: whoever asks for many values of a field finds it once.
  TiffField Find(unsigned tag) const {
    for (std::uint64_t entry = begin_; entry < begin_ + 12 * count_; entry += 12) {
      if (Number(entry, 2) != tag) continue;
      const std::uint32_t type = Number(entry + 2, 2);
      const int width = type == 1 ? 1 : type == 3 ? 2 : type == 4 ? 4 : 0;
      const std::uint64_t count = Number(entry + 4, 4);
      const bool inside = count * static_cast<std::uint64_t>(width) <= 4;
      return {count, inside ? entry + 8 : Number(entry + 8, 4), width};
    }
    return {};
  }

  // REQUIRES: index < field.count.
  std::uint64_t Value(const TiffField& field, std::uint64_t index) const {
    if (field.width == 0) bytes_.Truncated("a field of its directory has an unexpected type");
    const auto width = static_cast<std::uint64_t>(field.width);
    if (!bytes_.Fits(field.begin, (index + 1) * width)) {
      bytes_.Truncated("a field of its directory lies outside the file");
    }
    return Number(field.begin + index * width, field.width);
  }

 private:
  std::uint32_t Number(std::uint64_t offset, int length) const {
    return big_endian_ ? bytes_.Big(offset, length) : bytes_.Little(offset, length);
  }

  const Bytes& bytes_;
  bool big_endian_;
  std::uint64_t begin_ = 0;
  std::uint64_t count_ = 0;
};

void ReadTiffSize(const Bytes& bytes, ImageHeader& header) {
  const TiffDirectory directory(bytes);
  const TiffField width = directory.Find(kTiffWidth);
  const TiffField height = directory.Find(kTiffHeight);
  if (width.count != 1 || height.count != 1) bytes.Truncated("it names no width and height");
  header.width = directory.Value(width, 0);
  header.height = directory.Value(height, 0);
}

void RequireCompleteTiff(const Bytes& bytes, const ImageHeader& /*header*/) {
  const TiffDirectory directory(bytes);
  const bool tiled = directory.Find(kTiffTileOffsets).count > 0;
  const TiffField offsets = directory.Find(tiled ? kTiffTileOffsets : kTiffStripOffsets);
  const TiffField sizes = directory.Find(tiled ? kTiffTileSizes : kTiffStripSizes);
  const std::uint64_t parts = offsets.count;
  if (parts == 0 || parts != sizes.count) bytes.Truncated("it has no image data");
  // The offsets of all parts must fit in the file themselves, which bounds the loop by the file's size.
  directory.Value(offsets, parts - 1);
  directory.Value(sizes, parts - 1);
  for (std::uint64_t part = 0; part < parts; ++part) {
    const std::uint64_t size = directory.Value(sizes, part);
    if (size == 0 || !bytes.Fits(directory.Value(offsets, part), size)) {
      bytes.Truncated("its image data lies outside the file");
    }
  }
}

struct ContainerFormat {
  const char* name = "";
  void (*read_size)(const Bytes& bytes, ImageHeader& header) = nullptr;
  void (*require_complete)(const Bytes& bytes, const ImageHeader& header) = nullptr;
};

const ContainerFormat& Container(ImageFormat format) {
  static constexpr std::array<ContainerFormat, 4> kContainers = {{{"BMP", ReadBmpSize, RequireCompleteBmp},
                                                                  {"PNG", ReadPngSize, RequireCompletePng},
                                                                  {"JPEG", ReadJpegSize, RequireCompleteJpeg},
                                                                  {"TIFF", ReadTiffSize, RequireCompleteTiff}}};
  return kContainers[static_cast<std::size_t>(format)];
}

ImageFormat TellFormat(std::string_view bytes, const std::string& place) {
  const std::string_view start = bytes.substr(0, 4);
  if (bytes.starts_with("BM")) return ImageFormat::kBmp;
  if (bytes.starts_with(kPngMagic)) return ImageFormat::kPng;
  if (bytes.starts_with(kJpegMagic)) return ImageFormat::kJpeg;
  if (start == std::string_view("II*\0", 4) || start == std::string_view("MM\0*", 4)) return ImageFormat::kTiff;
  if (start == std::string_view("II+\0", 4) || start == std::string_view("MM\0+", 4)) return ImageFormat::kTiff;
  throw Error(ErrorCode::kInput,
              bytes.empty() ? "image file is empty" : "not an image (expected BMP, PNG, JPEG or TIFF)",
              bytes.empty() ? "fetch or export the image again" : "the content decides, not the file's name",
              {place});
}

}  // namespace

std::string FormatName(ImageFormat format) { return Container(format).name; }

ImageHeader ReadImageHeader(std::string_view bytes, const std::string& place) {
  ImageHeader header;
  header.format = TellFormat(bytes, place);
  Container(header.format).read_size(Bytes(bytes, header.format, place), header);
  if (header.width == 0 || header.height == 0) {
    throw Error(ErrorCode::kInput,
                fmt::format("image has no pixels: its header says {}x{}", header.width, header.height),
                "fetch or export the image again",
                {place});
  }
  return header;
}

void RequireComplete(std::string_view bytes, const ImageHeader& header, const std::string& place) {
  Container(header.format).require_complete(Bytes(bytes, header.format, place), header);
}

}  // namespace flyscribe
