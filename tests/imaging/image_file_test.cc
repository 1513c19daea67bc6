#include "imaging/image_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/parallel.h"
#include "core/rng.h"
#include "imaging/image_header.h"
#include "tests/imaging/fixtures.h"
#include "tests/support/expect_error.h"

namespace flyscribe {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;

std::string Text(const std::vector<int>& values) {
  std::string text;
  for (const int value : values) text += static_cast<char>(value);
  return text;
}

std::vector<std::uint8_t> Decoded(const std::string& bytes) { return DecodeGray(bytes, "x").pixels; }

TEST(DecodeGray, BmpRowsComeTopFirstEitherWay) {
  const std::vector<std::uint8_t> pixels = {1, 2, 3, 4, 50, 60, 70, 255};
  EXPECT_EQ(Decoded(MakeBmp(4, 2, pixels)), pixels);
  EXPECT_EQ(Decoded(MakeBmp(4, 2, pixels, true)), pixels);
}

TEST(DecodeGray, TwentyFourBitBmp) {
  RgbImage image(3, 1);
  const std::vector<std::uint8_t> colours = {255, 0, 0, 0, 255, 0, 0, 0, 255};
  image.pixels = colours;
  EXPECT_THAT(Decoded(EncodeBmp(image)), ElementsAre(76, 150, 29));
}

TEST(DecodeGray, UnusedAlphaOfABmpIsOpaque) { EXPECT_THAT(Decoded(MakeBmp32(2, 2, {90, 90, 90, 0})), Each(90)); }

TEST(DecodeGray, GrayPngOfOneFourEightAndSixteenBits) {
  EXPECT_THAT(Decoded(MakePng({.width = 3, .height = 1, .rows = Text({0, 128, 255})})), ElementsAre(0, 128, 255));
  EXPECT_THAT(Decoded(MakePng({.width = 4, .height = 1, .depth = 1, .rows = Text({0b10100000})})),
              ElementsAre(255, 0, 255, 0));
  EXPECT_THAT(Decoded(MakePng({.width = 2, .height = 1, .depth = 4, .rows = Text({0x0f})})), ElementsAre(0, 255));
  // 128 * 257 is exactly 128; 0x01ff = 511 is nearest to 2 * 257.
  EXPECT_THAT(
      Decoded(MakePng({.width = 4, .height = 1, .depth = 16, .rows = Text({0, 0, 128, 128, 255, 255, 1, 255})})),
      ElementsAre(0, 128, 255, 2));
}

TEST(DecodeGray, ColourPng) {
  EXPECT_THAT(Decoded(MakePng({.width = 3, .height = 1, .colour = 2, .rows = Text({255, 0, 0, 0, 255, 0, 0, 0, 255})})),
              ElementsAre(76, 150, 29));
  EXPECT_THAT(
      Decoded(MakePng({.width = 1, .height = 1, .depth = 16, .colour = 2, .rows = Text({255, 255, 0, 0, 0, 0})})),
      ElementsAre(76));
}

TEST(DecodeGray, PalettePng) {
  const std::string palette = Text({10, 10, 10, 255, 0, 0});
  EXPECT_THAT(Decoded(MakePng({.width = 2, .height = 1, .colour = 3, .rows = Text({0, 1}), .palette = palette})),
              ElementsAre(10, 76));
  EXPECT_THAT(Decoded(MakePng({.width = 2,
                               .height = 1,
                               .colour = 3,
                               .rows = Text({0, 1}),
                               .palette = palette,
                               .opacities = Text({0, 255})})),
              ElementsAre(255, 76));
}

TEST(DecodeGray, TransparencyLiesOverWhite) {
  EXPECT_THAT(Decoded(MakePng({.width = 3, .height = 1, .colour = 4, .rows = Text({0, 0, 0, 255, 100, 51})})),
              ElementsAre(255, 0, 224));  // 100 * 0.2 + 255 * 0.8
  EXPECT_THAT(Decoded(MakePng({.width = 2, .height = 1, .colour = 6, .rows = Text({0, 0, 0, 0, 255, 0, 0, 255})})),
              ElementsAre(255, 76));
  EXPECT_THAT(
      Decoded(MakePng({.width = 2, .height = 1, .depth = 16, .colour = 4, .rows = Text({0, 0, 0, 0, 0, 0, 255, 255})})),
      ElementsAre(255, 0));
}

TEST(DecodeGray, Jpeg) {
  const GrayImage gray = DecodeGray(MakeJpeg({200}), "x");
  EXPECT_EQ(gray.width, 8);
  EXPECT_EQ(gray.height, 8);
  EXPECT_THAT(gray.pixels, Each(200));
  EXPECT_THAT(Decoded(MakeJpeg({90, 128, 128})), Each(90));  // Y, no colour
}

TEST(DecodeGray, CmykJpegIsStoredInverted) {
  EXPECT_THAT(Decoded(MakeJpeg({255, 255, 255, 255})), Each(testing::Ge(253)));  // no ink
  EXPECT_THAT(Decoded(MakeJpeg({255, 255, 255, 0})), Each(testing::Le(2)));      // all black ink
  EXPECT_THAT(Decoded(MakeJpeg({255, 255, 255, 128})), Each(testing::AllOf(testing::Ge(125), testing::Le(130))));
}

TEST(DecodeGray, Tiff) {
  EXPECT_THAT(Decoded(MakeTiff({.width = 3, .height = 1, .rows = Text({0, 7, 255})})), ElementsAre(0, 7, 255));
  EXPECT_THAT(Decoded(MakeTiff({.width = 3, .height = 1, .big_endian = true, .rows = Text({0, 7, 255})})),
              ElementsAre(0, 7, 255));
  EXPECT_THAT(Decoded(MakeTiff({.width = 2, .height = 1, .samples = 3, .rows = Text({255, 0, 0, 0, 0, 255})})),
              ElementsAre(76, 29));
  EXPECT_THAT(Decoded(MakeTiff({.width = 2, .height = 1, .bits = 16, .rows = Text({128, 128, 255, 255})})),
              ElementsAre(128, 255));
}

TEST(DecodeGray, FloatingPointTiffIsRefused) {
  const std::string tiff = MakeTiff({.width = 1, .height = 1, .bits = 32, .format = 3, .rows = Text({0, 0, 0, 63})});
  const CaughtError error = ExpectError([&] { DecodeGray(tiff, "a.tif"); });
  EXPECT_EQ(error.code, ErrorCode::kInput);
  EXPECT_THAT(error.text, HasSubstr("a.tif: error: TIFF image cannot be decoded"));
  EXPECT_THAT(error.text, HasSubstr("save it as an ordinary 8-bit PNG or BMP"));
}

TEST(DecodeGray, TheNameDoesNotDecide) { EXPECT_THAT(DecodeGray(MakeJpeg({200}), "insitu1.bmp").pixels, Each(200)); }

TEST(DecodeGray, HugeImagesAreRefusedUnread) {
  std::string bmp = MakeBmp(4, 1, {1, 2, 3, 4});
  bmp.replace(18, 8, Text({0, 0, 0, 64, 0, 0, 0, 64}));  // 2^30 x 2^30
  const CaughtError error = ExpectError([&] { DecodeGray(bmp, "huge.bmp"); });
  EXPECT_EQ(error.code, ErrorCode::kInput);
  EXPECT_THAT(error.text,
              HasSubstr("huge.bmp: error: image of 1073741824x1073741824 pixels is over the limit of 64 megapixels"));
  EXPECT_THAT(error.text, HasSubstr("hint: crop or scale the photograph down first"));
}

TEST(DecodeGray, LimitsAreInclusive) {
  const std::string bmp = MakeBmp(4, 2, {1, 2, 3, 4, 5, 6, 7, 8});
  EXPECT_NO_THROW(DecodeGray(bmp, "x", {.max_bytes = bmp.size(), .max_pixels = 8}));
  EXPECT_THAT(ExpectError([&] { DecodeGray(bmp, "x", {.max_pixels = 7}); }).text, HasSubstr("image of 4x2 pixels"));
  EXPECT_THAT(ExpectError([&] { DecodeGray(bmp, "x", {.max_bytes = bmp.size() - 1}); }).text,
              HasSubstr("image file of 1.1 kB is over the limit of 1.1 kB"));
}

TEST(DecodeGray, CutOffFilesAreRefusedNotRepaired) {
  for (const std::string& whole : {MakeJpeg({200}), MakePng({.width = 1, .height = 1, .rows = "a"})}) {
    const CaughtError error = ExpectError([&] { DecodeGray(whole.substr(0, whole.size() - 3), "cut"); });
    EXPECT_EQ(error.code, ErrorCode::kInput);
    EXPECT_THAT(error.text, HasSubstr("cut off or damaged"));
  }
}

TEST(DecodeGray, APngWithTooFewRowsIsRefused) {
  std::string png = MakePng({.width = 3, .height = 1, .rows = "abc"});
  std::string header;
  AppendNumber(header, 3, 4, true);
  AppendNumber(header, 200, 4, true);
  png.replace(8, 25, PngChunk("IHDR", header + Text({8, 0, 0, 0, 0})));
  testing::internal::CaptureStderr();
  const CaughtError error = ExpectError([&] { DecodeGray(png, "short.png"); });
  testing::internal::GetCapturedStderr();
  EXPECT_EQ(error.code, ErrorCode::kInput);
  EXPECT_THAT(error.text, HasSubstr("short.png: error: PNG image cannot be decoded"));
}

TEST(DecodeGray, DamageGivesAnErrorOrAnImageAndNothingElse) {
  Rng rng(11);
  const std::vector<std::string> files = {MakeBmp(4, 2, {1, 2, 3, 4, 5, 6, 7, 8}),
                                          MakeBmp32(2, 2, {90, 90, 90, 0}),
                                          MakeJpeg({200, 100, 120}),
                                          MakeTiff({.width = 3, .height = 2, .rows = "abcdef"})};
  testing::internal::CaptureStderr();  // libjpeg and libpng remark on damage, whatever OpenCV's log level is
  for (const std::string& whole : files) {
    for (int round = 0; round < 300; ++round) {
      std::string broken = whole;
      for (int change = 0; change < 2; ++change) broken[rng.Below(broken.size())] = static_cast<char>(rng.Below(256));
      try {
        const GrayImage image = DecodeGray(broken, "x", {.max_pixels = 1'000'000});
        EXPECT_EQ(image.pixels.size(), image.Index(0, image.height));
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::kInput);
      }
    }
  }
  testing::internal::GetCapturedStderr();
}

TEST(DecodeGray, SameBytesOnAnyThread) {
  GrayImage image(64, 48);
  Rng rng(3);
  for (std::uint8_t& pixel : image.pixels) pixel = static_cast<std::uint8_t>(rng.Below(256));
  const std::string png = EncodePng(image);
  std::vector<GrayImage> decoded(12);
  ParallelFor(3, decoded.size(), [&](std::size_t i) { decoded[i] = DecodeGray(png, "x"); });
  for (const GrayImage& each : decoded) EXPECT_EQ(each, image);
}

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

TEST(EncodeJpeg, GrayComesBackNearlyAndIsSmaller) {
  GrayImage gray(64, 48);
  for (std::size_t i = 0; i < gray.pixels.size(); ++i) gray.pixels[i] = static_cast<std::uint8_t>(60 + i / 24);
  const std::string jpeg = EncodeJpeg(gray, 88);
  const GrayImage decoded = DecodeGray(jpeg, "x");
  ASSERT_EQ(decoded.pixels.size(), gray.pixels.size());
  for (std::size_t i = 0; i < gray.pixels.size(); ++i) ASSERT_NEAR(decoded.pixels[i], gray.pixels[i], 4) << i;
  RgbImage colour(64, 48);
  for (std::size_t i = 0; i < colour.pixels.size(); ++i) colour.pixels[i] = gray.pixels[i / 3];
  EXPECT_LT(jpeg.size(), EncodeJpeg(colour, 88).size());
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

TEST(SetUpOpenCv, OneThreadAndNoLog) {
  SetUpOpenCv();
  SetUpOpenCv();
  EXPECT_EQ(OpenCvThreads(), 1);
  EXPECT_TRUE(OpenCvIsSilent());
}

}  // namespace
}  // namespace flyscribe
