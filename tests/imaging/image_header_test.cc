#include "imaging/image_header.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/rng.h"
#include "tests/imaging/fixtures.h"
#include "tests/support/expect_error.h"

namespace flyscribe {
namespace {

using testing::HasSubstr;

const std::string kRows = "\x01\x02\x03\x04\x05\x06";

std::vector<std::string> OneOfEach() {
  return {MakeBmp(4, 2, {1, 2, 3, 4, 5, 6, 7, 8}),
          MakePng({.width = 3, .height = 2, .rows = kRows}),
          MakeJpeg({200}),
          MakeTiff({.width = 3, .height = 2, .rows = kRows})};
}

void Check(const std::string& bytes) { RequireComplete(bytes, ReadImageHeader(bytes, "a.bmp"), "a.bmp"); }

TEST(ImageHeader, ReadsFormatWidthAndHeight) {
  const std::vector<std::string> names = {"BMP", "PNG", "JPEG", "TIFF"};
  const std::vector<std::pair<std::uint64_t, std::uint64_t>> sizes = {{4, 2}, {3, 2}, {8, 8}, {3, 2}};
  const auto files = OneOfEach();
  for (std::size_t i = 0; i < files.size(); ++i) {
    const ImageHeader header = ReadImageHeader(files[i], "x");
    EXPECT_EQ(FormatName(header.format), names[i]);
    EXPECT_EQ(header.width, sizes[i].first) << names[i];
    EXPECT_EQ(header.height, sizes[i].second) << names[i];
    EXPECT_NO_THROW(Check(files[i])) << names[i];
  }
}

TEST(ImageHeader, ReadsATopDownBmpAndABigEndianTiff) {
  EXPECT_EQ(ReadImageHeader(MakeBmp(4, 2, {1, 2, 3, 4, 5, 6, 7, 8}, true), "x").height, 2U);
  const ImageHeader tiff = ReadImageHeader(MakeTiff({.width = 3, .height = 2, .big_endian = true, .rows = kRows}), "x");
  EXPECT_EQ(tiff.width, 3U);
  EXPECT_EQ(tiff.height, 2U);
}

TEST(ImageHeader, EveryShorteningIsRefused) {
  for (const std::string& whole : OneOfEach()) {
    for (std::size_t size = 0; size < whole.size(); ++size) {
      const CaughtError error = ExpectError([&] { Check(whole.substr(0, size)); });
      EXPECT_EQ(error.code, ErrorCode::kInput) << size;
    }
  }
}

// A directory as full as can be, and an image in a hundred thousand strips: were the directory searched for each strip,
// this would take many minutes.
TEST(ImageHeader, ATiffOfManyStripsAndFieldsIsReadOnce) {
  constexpr std::uint32_t kEntries = 65'535;
  constexpr std::uint32_t kStrips = 100'000;
  constexpr std::uint32_t kOffsets = 8 + 2 + 12 * kEntries + 4;
  constexpr std::uint32_t kSizes = kOffsets + 4 * kStrips;
  std::string bytes("II*\0", 4);
  const auto number = [&](std::uint32_t value, int length) { AppendNumber(bytes, value, length, false); };
  const auto entry = [&](std::uint32_t tag, std::uint32_t count, std::uint32_t value) {
    number(tag, 2);
    number(4, 2);
    number(count, 4);
    number(value, 4);
  };
  number(8, 4);
  number(kEntries, 2);
  for (std::uint32_t i = 4; i < kEntries; ++i) entry(1, 1, 0);
  entry(256, 1, 1);
  entry(257, 1, kStrips);
  entry(273, kStrips, kOffsets);
  entry(279, kStrips, kSizes);
  number(0, 4);
  for (std::uint32_t i = 0; i < kStrips; ++i) number(8, 4);
  for (std::uint32_t i = 0; i < kStrips; ++i) number(1, 4);
  EXPECT_EQ(ReadImageHeader(bytes, "x").height, kStrips);
  EXPECT_NO_THROW(Check(bytes));
  bytes.pop_back();
  EXPECT_THAT(ExpectError([&] { Check(bytes); }).text, HasSubstr("a field of its directory lies outside the file"));
}

TEST(ImageHeader, BytesAfterTheEndAreTolerated) {
  for (const std::string& whole : OneOfEach()) EXPECT_NO_THROW(Check(whole + "trailing"));
}

TEST(ImageHeader, SaysWhatIsMissing) {
  const auto text = [](const std::string& bytes) { return ExpectError([&] { Check(bytes); }).text; };
  const std::string jpeg = MakeJpeg({200});
  EXPECT_THAT(text(jpeg.substr(0, jpeg.size() - 2)),
              HasSubstr("a.bmp: error: JPEG file is cut off or damaged: it has no end-of-image marker"));
  const std::string png = MakePng({.width = 3, .height = 2, .rows = kRows});
  EXPECT_THAT(text(png.substr(0, png.size() - 12)), HasSubstr("PNG file is cut off or damaged: it has no IEND chunk"));
  const std::string bmp = MakeBmp(4, 2, {1, 2, 3, 4, 5, 6, 7, 8});
  EXPECT_THAT(text(bmp.substr(0, bmp.size() - 1)), HasSubstr("the header asks for 1086 bytes, there are 1085"));
  const std::string tiff = MakeTiff({.width = 3, .height = 2, .rows = kRows});
  EXPECT_THAT(text(tiff.substr(0, tiff.size() - 1)), HasSubstr("its image data lies outside the file"));
  EXPECT_THAT(text(bmp.substr(0, 20)), HasSubstr("it ends within its header\n  hint: fetch or export the image again"));
}

TEST(ImageHeader, AChangedByteInAPngIsNoticed) {
  std::string png = MakePng({.width = 3, .height = 2, .rows = kRows});
  png[png.size() - 20] = static_cast<char>(png[png.size() - 20] ^ 1);
  EXPECT_THAT(ExpectError([&] { Check(png); }).text, HasSubstr("the checksum of a chunk is wrong"));
}

TEST(ImageHeader, NotAnImage) {
  const auto text = [](std::string_view bytes) { return ExpectError([&] { ReadImageHeader(bytes, "f"); }).text; };
  EXPECT_THAT(text("<html>not found</html>"), HasSubstr("not an image (expected BMP, PNG, JPEG or TIFF)"));
  EXPECT_THAT(text("<html>"), HasSubstr("hint: the content decides, not the file's name"));
  EXPECT_THAT(text(""), HasSubstr("image file is empty"));
  EXPECT_THAT(text(std::string_view("II+\0\x08\0\0\0", 8)), HasSubstr("BigTIFF is not read"));
}

TEST(ImageHeader, NoPixels) {
  const auto text = [](const std::string& bytes) { return ExpectError([&] { ReadImageHeader(bytes, "f"); }).text; };
  EXPECT_THAT(text(MakePng({.width = 0, .height = 2})), HasSubstr("image has no pixels: its header says 0x2"));
  EXPECT_THAT(text(MakeBmp(4, 0, {})), HasSubstr("its header says 4x0"));
}

TEST(ImageHeader, DamageNeverReadsOutside) {
  // Run under a sanitizer this proves the bounds; here it proves that only Error leaves.
  Rng rng(7);
  for (const std::string& whole : OneOfEach()) {
    for (int round = 0; round < 3000; ++round) {
      std::string broken = whole;
      for (int change = 0; change < 3; ++change) broken[rng.Below(broken.size())] = static_cast<char>(rng.Below(256));
      try {
        const ImageHeader header = ReadImageHeader(broken, "x");
        if (header.width < 4096 && header.height < 4096) RequireComplete(broken, header, "x");
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::kInput);
      }
    }
  }
}

}  // namespace
}  // namespace flyscribe
