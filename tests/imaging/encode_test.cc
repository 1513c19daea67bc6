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

}  // namespace
}  // namespace flyscribe
