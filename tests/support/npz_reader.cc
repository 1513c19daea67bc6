#include "tests/support/npz_reader.h"

#include <zlib.h>

#include <cstdint>

namespace flyscribe {

std::vector<std::pair<std::string, std::string>> ReadNpz(const std::string& archive) {
  const auto number = [&](std::size_t at, std::size_t bytes) {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < bytes; ++i) {
      value |= std::uint64_t{static_cast<unsigned char>(archive.at(at + i))} << (8 * i);
    }
    return value;
  };
  const std::size_t end = archive.size() - 22;  // no comment follows
  EXPECT_EQ(number(end, 4), 0x06054b50U);
  EXPECT_EQ(number(end - 20, 4), 0x07064b50U);
  const std::size_t end64 = number(end - 20 + 8, 8);
  EXPECT_EQ(number(end64, 4), 0x06064b50U);
  EXPECT_EQ(number(end, 4), 0x06054b50U);
  EXPECT_EQ(number(end + 10, 2), number(end64 + 32, 8));
  std::size_t at = number(end64 + 48, 8);
  EXPECT_EQ(at + number(end64 + 40, 8), end64) << "the list ends where the end begins";
  std::vector<std::pair<std::string, std::string>> files;
  for (std::uint64_t i = 0; i < number(end64 + 32, 8); ++i) {
    EXPECT_EQ(number(at, 4), 0x02014b50U);
    EXPECT_EQ(number(at + 10, 2), 0U) << "stored";
    EXPECT_EQ(number(at + 12, 4), 0x00210000U) << "1980-01-01 00:00: no time of its own";
    const std::size_t name_bytes = number(at + 28, 2);
    const std::string name = archive.substr(at + 46, name_bytes);
    const std::size_t extra = at + 46 + name_bytes;
    EXPECT_EQ(number(extra, 4), 0x00180001U) << "24 bytes of zip64";
    const std::size_t size = number(extra + 4, 8);
    EXPECT_EQ(number(extra + 12, 8), size);
    const std::size_t local = number(extra + 20, 8);
    EXPECT_EQ(number(local, 4), 0x04034b50U);
    EXPECT_EQ(archive.substr(local + 4, 26 - 2), archive.substr(at + 6, 26 - 2)) << "both headers say the same";
    EXPECT_EQ(archive.substr(local + 30, name_bytes), name);
    EXPECT_EQ(number(local + 30 + name_bytes, 4), 0x00100001U) << "16 bytes of zip64";
    EXPECT_EQ(number(local + 30 + name_bytes + 4, 8), size);
    EXPECT_EQ(number(local + 30 + name_bytes + 12, 8), size);
    const std::string content = archive.substr(local + 30 + name_bytes + number(local + 28, 2), size);
    EXPECT_EQ(crc32(0, reinterpret_cast<const unsigned char*>(content.data()), static_cast<unsigned>(content.size())),
              number(at + 16, 4));
    EXPECT_TRUE(name.ends_with(".npy"));
    files.emplace_back(name.substr(0, name.size() - 4), content);
    at = extra + number(at + 30, 2);
  }
  EXPECT_EQ(at, end64);
  return files;
}

}  // namespace flyscribe
