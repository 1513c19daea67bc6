#include "imaging/encode.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/rng.h"
#include "imaging/decode.h"
#include "imaging/image_header.h"
#include "tests/support/expect_error.h"

namespace flyscribe {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(EncodePng, GrayComesBackExactly) {
  GrayImage image(37, 5);
  Rng rng(1);
  for (std::uint8_t& pixel : image.pixels) pixel = static_cast<std::uint8_t>(rng.Below(256));
  const std::string png = EncodePng(image);
  EXPECT_EQ(DecodeGray(png, "x"), image);
  EXPECT_EQ(EncodePng(image), png);
}

TEST(EncodePng, ColourKeepsItsOrder) {
  RgbImage image(3, 1);
  image.pixels = {255, 0, 0, 0, 255, 0, 0, 0, 255};
  const std::string png = EncodePng(image);
  EXPECT_EQ(png.substr(24, 2), std::string("\x08\x02"));  // eight bits, RGB
  EXPECT_THAT(DecodeGray(png, "x").pixels, ElementsAre(76, 150, 29));
  EXPECT_EQ(EncodePng(image), png);
}

TEST(EncodePng, IsAWholePng) {
  const std::string png = EncodePng(GrayImage(1, 1, 9));
  const ImageHeader header = ReadImageHeader(png, "x");
  EXPECT_EQ(header.format, ImageFormat::kPng);
  EXPECT_NO_THROW(RequireComplete(png, header, "x"));
}

TEST(EncodePng, AnEmptyOrMisshapenImageIsABug) {
  EXPECT_EQ(ExpectError([] { EncodePng(GrayImage()); }).code, ErrorCode::kInternal);
  GrayImage image(4, 4);
  image.pixels.resize(3);
  EXPECT_THAT(ExpectError([&] { EncodePng(image); }).text, HasSubstr("an image's size and pixels differ"));
}

RgbImage SmoothColours(int width, int height) {
  RgbImage image(width, height);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      std::uint8_t* pixel = image.At(x, y);
      pixel[0] = static_cast<std::uint8_t>(200 - x);
      pixel[1] = static_cast<std::uint8_t>(100 + y);
      pixel[2] = 60;
    }
  }
  return image;
}

TEST(EncodeJpeg, ComesBackNearly) {
  const RgbImage image = SmoothColours(97, 53);
  const std::string jpeg = EncodeJpeg(image, 88);
  const GrayImage decoded = DecodeGray(jpeg, "x");
  const GrayImage exact = DecodeGray(EncodePng(image), "x");
  ASSERT_EQ(decoded.width, 97);
  ASSERT_EQ(decoded.height, 53);
  for (std::size_t i = 0; i < exact.pixels.size(); ++i) ASSERT_NEAR(decoded.pixels[i], exact.pixels[i], 4) << i;
}

TEST(EncodeJpeg, IsAWholeJpegAndTheSameEveryTime) {
  const RgbImage image = SmoothColours(40, 30);
  const std::string jpeg = EncodeJpeg(image, 88);
  const ImageHeader header = ReadImageHeader(jpeg, "x");
  EXPECT_EQ(header.format, ImageFormat::kJpeg);
  EXPECT_NO_THROW(RequireComplete(jpeg, header, "x"));
  EXPECT_EQ(EncodeJpeg(image, 88), jpeg);
}

TEST(EncodeJpeg, QualityCostsBytes) {
  RgbImage image(64, 64);
  Rng rng(1);
  for (std::uint8_t& pixel : image.pixels) pixel = static_cast<std::uint8_t>(rng.Below(256));
  EXPECT_LT(EncodeJpeg(image, 1).size(), EncodeJpeg(image, 50).size());
  EXPECT_LT(EncodeJpeg(image, 50).size(), EncodeJpeg(image, 100).size());
}

TEST(EncodeJpeg, ABadQualityOrShapeIsABug) {
  for (const int quality : {0, 101}) {
    EXPECT_THAT(ExpectError([&] { EncodeJpeg(RgbImage(2, 2), quality); }).text,
                HasSubstr("JPEG quality is out of range"));
  }
  EXPECT_THAT(ExpectError([] { EncodeJpeg(RgbImage(), 88); }).text, HasSubstr("an image to encode has no pixels"));
  const CaughtError error = ExpectError([] { EncodeJpeg(RgbImage(70000, 1), 88); });
  EXPECT_EQ(error.code, ErrorCode::kInternal);
  EXPECT_THAT(error.text, HasSubstr("encoding as .jpg failed"));
}

}  // namespace
}  // namespace flyscribe
