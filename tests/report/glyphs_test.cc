#include "report/glyphs.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "tests/report/html_checker.h"
#include "tests/support/expect_error.h"

namespace flyscribe {
namespace {

std::vector<float> OneHot(std::size_t index, float value) {
  std::vector<float> descriptor(kSiftLength, 0.0F);
  descriptor[index] = value;
  return descriptor;
}

TEST(SiftGlyph, PutsEveryNumberInItsCellAndDirection) {
  // The naive reading of VLFeat's layout: t + 8 (x + 4 y), angle 2 pi t / 8 with y down.
  const char* const directions[] = {"50 0", "35 35", "0 50", "-35 35", "-50 0", "-35 -35", "0 -50", "35 -35"};
  for (std::size_t y = 0; y < 4; ++y) {
    for (std::size_t x = 0; x < 4; ++x) {
      for (std::size_t t = 0; t < 8; ++t) {
        const GlyphPaths paths = SiftGlyphPaths(OneHot(t + 8 * (x + 4 * y), 0.3F));
        EXPECT_EQ(paths.positive,
                  "M" + std::to_string(100 * x + 50) + " " + std::to_string(100 * y + 50) + "l" + directions[t]);
        EXPECT_EQ(paths.negative, "");
      }
    }
  }
}

TEST(SiftGlyph, DrawsValuesBelowZeroInTheSecondTone) {
  std::vector<float> descriptor = OneHot(0, 1.0F);
  descriptor[4] = -0.5F;
  const GlyphPaths paths = SiftGlyphPaths(descriptor);
  EXPECT_EQ(paths.positive, "M50 50l50 0");
  EXPECT_EQ(paths.negative, "M50 50l-25 0");
}

TEST(SiftGlyph, LeavesOutRaysTooShortToSee) {
  std::vector<float> descriptor = OneHot(0, 1.0F);
  descriptor[1] = 0.049F;
  descriptor[2] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(SiftGlyphPaths(descriptor).positive, "M50 50l50 0");
}

TEST(SiftGlyph, OfZerosIsEmptyButWellFormed) {
  const std::vector<float> zeros(kSiftLength, 0.0F);
  EXPECT_EQ(SiftGlyphPaths(zeros).positive, "");
  EXPECT_EQ(MarkupProblem(SiftGlyph(zeros, 7).str()), "");
  EXPECT_NE(SiftGlyph(zeros, 7).str().find("<title>atom 7</title>"), std::string::npos);
}

TEST(SiftGlyph, NeedsASiftVector) {
  const CaughtError error = ExpectError([] { SiftGlyphPaths(std::vector<float>(64, 1.0F)); });
  EXPECT_EQ(error.code, ErrorCode::kInternal);
  EXPECT_NE(error.text.find("a SIFT glyph needs 128 numbers"), std::string::npos) << error.text;
}

TEST(GlyphSheet, DrawsOneGlyphAnAtomUpToTheLimit) {
  const FloatMatrix atoms(10, kSiftLength, 0.1F);
  EXPECT_EQ(CountOf(GlyphSheet(atoms, 64).str(), "<svg class=\"glyph\""), 10U);
  EXPECT_EQ(CountOf(GlyphSheet(atoms, 3).str(), "<svg class=\"glyph\""), 3U);
}

TEST(GlyphSheet, IsEmptyForWhatIsNoSift) {
  EXPECT_TRUE(GlyphSheet(FloatMatrix(), 64).empty());
  EXPECT_TRUE(GlyphSheet(FloatMatrix(5, 64, 1.0F), 64).empty());
}

}  // namespace
}  // namespace flyscribe
