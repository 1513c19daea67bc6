#include "core/npz.h"

#include <zlib.h>

#include <type_traits>
#include <utility>

namespace flyscribe {
namespace {

constexpr std::uint32_t kLocalHeader = 0x04034b50;
constexpr std::uint32_t kListedHeader = 0x02014b50;
constexpr std::uint32_t kEnd64 = 0x06064b50;
constexpr std::uint32_t kEnd64Place = 0x07064b50;
constexpr std::uint32_t kEnd = 0x06054b50;
constexpr std::uint16_t kVersion = 45;  // 4.5, the first with zip64
constexpr std::uint16_t kZip64Field = 1;
constexpr std::uint16_t kFirstDay = (1U << 5) | 1U;  // 1980-01-01, the earliest that zip knows
constexpr std::uint32_t kIn64Bits = 0xffffffff;      // "the number stands in the 64-bit field"

// Numbers as zip has them: little-endian, one after the other.
class Bytes {
 public:
  template <class... Numbers>
  explicit Bytes(Numbers... numbers) {
    (Add(numbers), ...);
  }
  const std::string& text() const { return text_; }

 private:
  template <class Number>
  void Add(Number number) {
    static_assert(std::is_unsigned_v<Number>, "zip has unsigned numbers of a known width");
    for (std::size_t i = 0; i < sizeof(Number); ++i) text_ += static_cast<char>(std::uint64_t{number} >> (8 * i));
  }
  std::string text_;
};

constexpr std::uint16_t kNone16 = 0;
constexpr std::uint32_t kNone32 = 0;
constexpr std::uint32_t kOne32 = 1;

// What both headers of a file have in common: from the version needed to the lengths of name and 64-bit numbers.
std::string CommonFields(std::uint32_t checksum, std::size_t name_bytes, std::uint16_t numbers) {
  const auto extra = static_cast<std::uint16_t>(4 + 8 * numbers);
  return Bytes(kVersion, kNone16, kNone16, kNone16, kFirstDay).text() +
         Bytes(checksum, kIn64Bits, kIn64Bits, static_cast<std::uint16_t>(name_bytes), extra).text();
}

std::string Field64(std::uint16_t numbers) {
  return Bytes(kZip64Field, static_cast<std::uint16_t>(8 * numbers)).text();
}

}  // namespace

void NpzWriter::Write(const std::string& name, const std::string& header, std::string_view data) {
  Entry entry = {name + ".npy", 0, header.size() + data.size(), written_};
  const auto bytes = [](std::string_view text) { return reinterpret_cast<const unsigned char*>(text.data()); };
  auto checksum = crc32_z(0, bytes(header), header.size());
  if (!data.empty()) checksum = crc32_z(checksum, bytes(data), data.size());  // where there is none, zlib begins anew
  entry.checksum = static_cast<std::uint32_t>(checksum);
  Append(Bytes(kLocalHeader).text() + CommonFields(entry.checksum, entry.name.size(), 2) + entry.name + Field64(2) +
         Bytes(entry.size, entry.size).text());
  Append(header);
  Append(data);
  entries_.push_back(std::move(entry));
}

void NpzWriter::Finish() {
  const std::uint64_t begin = written_;
  for (const Entry& entry : entries_) {
    Append(Bytes(kListedHeader, kVersion).text() + CommonFields(entry.checksum, entry.name.size(), 3) +
           Bytes(kNone16, kNone16, kNone16, kNone32, kIn64Bits).text() + entry.name + Field64(3) +
           Bytes(entry.size, entry.size, entry.offset).text());
  }
  const std::uint64_t end = written_;
  const std::uint64_t count = entries_.size();
  const auto few = static_cast<std::uint16_t>(count);
  constexpr std::uint64_t kRestOfEnd64 = 44;
  Append(Bytes(kEnd64, kRestOfEnd64, kVersion, kVersion, kNone32, kNone32, count, count, end - begin, begin).text() +
         Bytes(kEnd64Place, kNone32, end, kOne32).text() +
         Bytes(kEnd, kNone16, kNone16, few, few, kIn64Bits, kIn64Bits, kNone16).text());
  file_.Finish();
}

void NpzWriter::Append(std::string_view bytes) {
  file_.Append(bytes);
  written_ += bytes.size();
}

}  // namespace flyscribe
