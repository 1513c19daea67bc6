#include "tests/support/archive_bytes.h"

#include <algorithm>
#include <cstdio>

#include "core/hash.h"

namespace flyscribe {
namespace {

constexpr std::size_t kTarBlock = 512;
constexpr std::size_t kChecksumAt = 148;
constexpr std::size_t kChecksumSize = 8;

void Put(std::string& header, std::size_t at, const std::string& value) { header.replace(at, value.size(), value); }

std::string Octal(std::size_t value, int digits) {
  std::string text(24, '\0');
  const int size = std::snprintf(text.data(), text.size(), "%0*zo", digits, value);
  return text.substr(0, static_cast<std::size_t>(size));
}

// Of the header that the text begins with.
void PutChecksum(std::string& entry) {
  Put(entry, kChecksumAt, std::string(kChecksumSize, ' '));
  std::size_t sum = 0;
  for (const char c : entry.substr(0, kTarBlock)) sum += static_cast<unsigned char>(c);
  Put(entry, kChecksumAt, Octal(sum, 6) + std::string("\0 ", 2));
}

// RFC 8878: magic, a descriptor without options, a window of 2 MiB.
const std::string kFrameStart = {'\x28', '\xb5', '\x2f', '\xfd', '\x00', '\x58'};
constexpr std::size_t kMaxBlock = std::size_t{1} << 17;
enum BlockType : std::size_t { kRaw = 0, kRepeated = 1 };

std::string BlockHeader(bool last, BlockType type, std::size_t size) {
  const std::size_t bits = (last ? 1U : 0U) | (type << 1U) | (size << 3U);
  return {static_cast<char>(bits & 0xffU), static_cast<char>(bits >> 8U & 0xffU), static_cast<char>(bits >> 16U)};
}

}  // namespace

std::string TarEntry(
    const std::string& name, const std::string& content, char type, const std::string& link, std::size_t claimed) {
  std::string header(kTarBlock, '\0');
  Put(header, 0, name.substr(0, 100));
  Put(header, 100, "0000644");
  Put(header, 108, "0000000");
  Put(header, 116, "0000000");
  Put(header, 124, Octal(claimed == std::string::npos ? content.size() : claimed, 11));
  Put(header, 136, "00000000000");
  Put(header, 156, std::string(1, type));
  Put(header, 157, link);
  Put(header, 257, std::string("ustar\00000", 8));
  PutChecksum(header);
  return header + content + std::string((kTarBlock - content.size() % kTarBlock) % kTarBlock, '\0');
}

std::string SparseTarEntry(const std::string& name, std::size_t hole, const std::string& content) {
  std::string entry = TarEntry(name, content, 'S');
  Put(entry, 257, std::string("ustar  \0", 8));
  Put(entry, 386, Octal(hole, 11));
  Put(entry, 398, Octal(content.size(), 11));
  Put(entry, 483, Octal(hole + content.size(), 11));
  PutChecksum(entry);
  return entry;
}

std::string TarEnd() { return std::string(2 * kTarBlock, '\0'); }

std::string ZstdFrame(const std::string& bytes) {
  std::string frame = kFrameStart;
  std::size_t at = 0;
  do {
    const std::size_t size = std::min(kMaxBlock, bytes.size() - at);
    frame += BlockHeader(at + size == bytes.size(), kRaw, size) + bytes.substr(at, size);
    at += size;
  } while (at < bytes.size());
  return frame;
}

std::string ZstdZeros(std::size_t count) {
  std::string frame = kFrameStart;
  for (std::size_t left = count; left > 0;) {
    const std::size_t size = std::min(kMaxBlock, left);
    left -= size;
    frame += BlockHeader(left == 0, kRepeated, size) + '\0';
  }
  return frame;
}

std::string Sealed(const std::string& bytes) {
  return bytes + std::string("\x50\x2a\x4d\x18\x40\0\0\0", 8) + Sha256OfText(bytes);
}

}  // namespace flyscribe
