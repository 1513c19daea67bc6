#include "data/image.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/file.h"
#include "core/rng.h"
#include "tests/support/corrupt_text.h"
#include "tests/support/expect_error.h"
#include "tests/support/temp_folder.h"

namespace flyscribe {
namespace {

std::string ToHex(const std::string& bytes) {
  constexpr const char* kDigits = "0123456789abcdef";
  std::string hex;
  for (const char c : bytes) {
    hex += kDigits[static_cast<unsigned char>(c) >> 4];
    hex += kDigits[static_cast<unsigned char>(c) & 15];
  }
  return hex;
}

TEST(GrayImageTest, IsRowMajor) {
  GrayImage image(3, 2, 9);
  image.At(2, 1) = 5;
  image.At(0, 1) = 4;
  EXPECT_THAT(image.pixels, ::testing::ElementsAre(9, 9, 9, 4, 9, 5));
  EXPECT_EQ(image.Index(1, 1), 4U);
}

TEST(RgbImageTest, IsRowMajorRedFirst) {
  RgbImage image(2, 2);
  image.At(1, 0)[0] = 1;
  image.At(0, 1)[2] = 2;
  EXPECT_THAT(image.pixels, ::testing::ElementsAre(0, 0, 0, 1, 0, 0, 0, 0, 2, 0, 0, 0));
}

TEST(EncodeBmpTest, ExactBytesOfATwoByTwoPicture) {
  RgbImage image(2, 2);
  image.pixels = {0x11, 0x12, 0x13, 0x21, 0x22, 0x23, 0x31, 0x32, 0x33, 0x41, 0x42, 0x43};
  EXPECT_EQ(ToHex(EncodeBmp(image)),
            "424d"
            "46000000"          // 70 bytes in all
            "00000000"          //
            "36000000"          // pixels begin at byte 54
            "28000000"          // length of this header
            "0200000002000000"  // width, height
            "01001800"          // one plane of 24 bits
            "00000000"          // no compression
            "10000000"          // 16 bytes of pixels
            "00000000000000000000000000000000"
            "3332314342410000"    // bottom row, blue first, padded to 8 bytes
            "1312112322210000");  // top row
}

TEST(EncodeBmpTest, RowsAreFilledUpToFourBytes) {
  EXPECT_EQ(EncodeBmp(RgbImage(1, 1)).size(), 54U + 4U);
  EXPECT_EQ(EncodeBmp(RgbImage(3, 1)).size(), 54U + 12U);
  EXPECT_EQ(EncodeBmp(RgbImage(4, 3)).size(), 54U + 36U) << "no padding needed";
  EXPECT_EQ(EncodeBmp(RgbImage(5, 2)).size(), 54U + 32U);
  EXPECT_EQ(EncodeBmp(RgbImage(0, 0)).size(), 54U);
}

GrayImage NoiseImage(std::uint64_t stream) {
  GrayImage image(kEmbryoWidth, kEmbryoHeight);
  Rng rng(1, stream);
  for (std::uint8_t& pixel : image.pixels) pixel = static_cast<std::uint8_t>(rng.Below(256));
  return image;
}

void SaveStack(const fs::path& folder, const std::vector<GrayImage>& images, const std::vector<std::size_t>& source) {
  ImageStackWriter writer(folder);
  for (std::size_t i = 0; i < images.size(); ++i) writer.Append(images[i], source[i]);
  EXPECT_EQ(writer.size(), images.size());
  writer.Finish();
}

class ImageStackTest : public ::testing::Test {
 protected:
  void WriteStack(const Shape& shape, const std::vector<std::int32_t>& source) const {
    std::size_t count = 1;
    for (const std::size_t length : shape) count *= length;
    WriteNpy<std::uint8_t>(folder_ / "images.npy", std::vector<std::uint8_t>(count), shape);
    WriteNpy<std::int32_t>(folder_ / "source.npy", source, {source.size()});
  }
  std::string Complaint() const {
    const CaughtError error = ExpectError([&] { ImageStack{folder_.path()}; });
    EXPECT_EQ(error.code, ErrorCode::kCorrupt);
    return error.text;
  }

  TempFolder folder_;
};

TEST_F(ImageStackTest, RoundTripsByteForByte) {
  const std::vector<GrayImage> images = {NoiseImage(0), NoiseImage(1), NoiseImage(2)};
  SaveStack(folder_.path(), images, {4, 0, 7});
  const ImageStack stack(folder_.path());
  ASSERT_EQ(stack.size(), 3U);
  EXPECT_EQ(stack.width(), 320);
  EXPECT_EQ(stack.height(), 128);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(stack.Get(i), images[i]);
  EXPECT_EQ(stack.source(0), 4U);
  EXPECT_EQ(stack.source(1), 0U);
  EXPECT_EQ(stack.source(2), 7U);
  const std::string bytes = ReadFile(folder_ / "images.npy");
  EXPECT_EQ(bytes.size(), 128U + 3U * 320U * 128U);
  EXPECT_THAT(bytes.substr(0, 80), ::testing::HasSubstr("'|u1', 'fortran_order': False, 'shape': (3, 128, 320)"));
  const TempFolder again;
  SaveStack(again.path(), {stack.Get(0), stack.Get(1), stack.Get(2)}, {4, 0, 7});
  EXPECT_EQ(ReadFile(again / "images.npy"), bytes);
  EXPECT_EQ(ReadFile(again / "source.npy"), ReadFile(folder_ / "source.npy"));
}

TEST_F(ImageStackTest, AnEmptyStack) {
  SaveStack(folder_.path(), {}, {});
  EXPECT_EQ(ImageStack(folder_.path()).size(), 0U);
}

TEST_F(ImageStackTest, OnlyStandardisedImagesAreSaved) {
  EXPECT_EQ(ExpectError([&] { SaveStack(folder_.path(), {GrayImage(128, 320)}, {0}); }).code, ErrorCode::kInternal);
}

TEST_F(ImageStackTest, LengthsMustAgree) {
  WriteStack({2, 128, 320}, {0});
  EXPECT_EQ(Complaint(), CorruptText(folder_.path(), "images.npy and source.npy differ in length"));
}

TEST_F(ImageStackTest, SizesMustBeStandard) {
  for (const Shape& shape : {Shape{1, 320, 128}, Shape{1, 0, 320}, Shape{1, 1, 1}}) {
    WriteStack(shape, {0});
    EXPECT_EQ(Complaint(), CorruptText(folder_ / "images.npy", "the images are not 320 x 128"));
  }
}

TEST_F(ImageStackTest, RowsMustNotBeNegative) {
  WriteStack({2, 128, 320}, {0, -1});
  EXPECT_EQ(Complaint(), CorruptText(folder_ / "source.npy", "an image's row is negative"));
}

}  // namespace
}  // namespace flyscribe
