#include "report/svg.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "tests/report/html_checker.h"
#include "tests/support/expect_error.h"

namespace flyscribe {
namespace {

bool Contains(const Html& html, const std::string& part) { return html.str().find(part) != std::string::npos; }

// A plot area of 100 x 100 pixels with its lower left corner at (60, 110).
LineChart SmallChart() {
  LineChart chart;
  chart.id = "c";
  chart.title = "T";
  chart.description = "D";
  chart.x = UnitAxis("across");
  chart.y = UnitAxis("up");
  chart.width = 100 + PlotMargins::kLeft + PlotMargins::kRight;
  chart.height = 100 + PlotMargins::kTop + PlotMargins::kBottom;
  return chart;
}

TEST(Coordinate, HasAtMostOneDigit) {
  EXPECT_EQ(Coordinate(12.0), "12");
  EXPECT_EQ(Coordinate(12.54), "12.5");
  EXPECT_EQ(Coordinate(-0.01), "0");
}

TEST(NiceAxis, EndsOnTicksOfOneTwoOrFive) {
  const Axis axis = NiceAxis("y", 0.1371, 0.1593);
  EXPECT_DOUBLE_EQ(axis.min, 0.135);
  EXPECT_DOUBLE_EQ(axis.max, 0.16);
  ASSERT_EQ(axis.ticks.size(), 6U);
  EXPECT_NEAR(axis.ticks[1], 0.14, 1e-12);
  EXPECT_EQ(axis.digits, 3);

  const Axis epochs = NiceAxis("x", 1.0, 10.0, 10);
  EXPECT_EQ(epochs.ticks, (std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}));
  EXPECT_EQ(epochs.digits, 0);
}

TEST(NiceAxis, CopesWithAConstantAndWithNonsense) {
  const Axis constant = NiceAxis("y", 0.2, 0.2);
  EXPECT_LE(constant.min, 0.2);
  EXPECT_GT(constant.max, 0.2);
  EXPECT_LE(constant.ticks.size(), 12U);
  const Axis zero = NiceAxis("y", 0.0, 0.0);
  EXPECT_GT(zero.max, zero.min);
  const Axis nonsense = NiceAxis("y", std::nan(""), 1.0);
  EXPECT_EQ(nonsense.max, 1.0);
}

TEST(LineChart, DrawsAKnownSeriesAtKnownCoordinates) {
  LineChart chart = SmallChart();
  chart.series = {{"term", "s0", {{0.0, 0.0}, {0.0, 0.5}, {0.25, 1.0}, {1.0, 1.0}}}};
  const Html svg = LineChartSvg(chart);
  EXPECT_TRUE(Contains(svg, "d=\"M60 110L60 60L85 10L160 10\"")) << svg.str();
  EXPECT_TRUE(Contains(svg, "<g class=\"series s0\" data-series=\"s0\"><title>term</title><path id=\"c-0\""));
  EXPECT_TRUE(Contains(svg, "href=\"#c-0\""));
  EXPECT_EQ(MarkupProblem(svg.str()), "");
}

TEST(LineChart, KeepsValuesOutsideAtTheEdgeAndLeavesOutWhatIsNoNumber) {
  LineChart chart = SmallChart();
  chart.series = {{"term", "s0", {{-1.0, 2.0}, {0.5, std::nan("")}, {0.5, 0.5}}}};
  EXPECT_TRUE(Contains(LineChartSvg(chart), "d=\"M60 10L110 60\""));
}

TEST(LineChart, ThinsPointsOfTheSamePixelButKeepsTheLast) {
  LineChart chart = SmallChart();
  Series series{"dense", "s0", {}};
  for (int i = 0; i <= 100000; ++i) series.points.push_back({i / 100000.0, i / 100000.0});
  chart.series = {series};
  const std::string svg = LineChartSvg(chart).str();
  EXPECT_LT(svg.size(), 10000U);
  EXPECT_NE(svg.find("L160 10\""), std::string::npos);
}

TEST(LineChart, HasTicksLabelsAndWordsForScreenReaders) {
  const Html svg = LineChartSvg(SmallChart());
  EXPECT_TRUE(Contains(svg, "<title>T</title><desc>D</desc>"));
  EXPECT_TRUE(Contains(svg, "role=\"img\" aria-label=\"T\""));
  EXPECT_EQ(CountOf(svg.str(), "class=\"grid\""), 12U);
  EXPECT_TRUE(Contains(svg, "<line class=\"grid\" x1=\"80\" y1=\"10\" x2=\"80\" y2=\"110\">"));
  EXPECT_TRUE(Contains(svg, "<text x=\"80\" y=\"126\" text-anchor=\"middle\">0.2</text>"));
  EXPECT_TRUE(Contains(svg, ">across</text>"));
  EXPECT_TRUE(Contains(svg, ">up</text>"));
  EXPECT_FALSE(Contains(svg, "class=\"chance\""));
}

TEST(LineChart, DrawsTheLineOfChance) {
  LineChart chart = SmallChart();
  chart.diagonal = true;
  EXPECT_TRUE(Contains(LineChartSvg(chart), "<line class=\"chance\" x1=\"60\" y1=\"110\" x2=\"160\" y2=\"10\">"));
}

TEST(SeriesStyle, ComesRoundAfterEighteen) {
  EXPECT_EQ(SeriesStyle(0), "s0");
  EXPECT_EQ(SeriesStyle(17), "s17");
  EXPECT_EQ(SeriesStyle(18), "s0");
}

TEST(BarChart, StacksPartsToScale) {
  const BarChart chart{.title = "T",
                       .description = "D",
                       .part_styles = {"fresh", "cached"},
                       .bars = {{"learn", {30.0, 10.0}, "40 s"}, {"<b>", {0.0, 20.0}, "20 s"}},
                       .width = 320};
  const Html svg = BarChartSvg(chart);
  // 320 less both margins of 110 leaves 100 pixels for the longest bar.
  EXPECT_TRUE(Contains(svg, "<rect class=\"fresh\" x=\"110\" y=\"6\" width=\"75\" height=\"16\">")) << svg.str();
  EXPECT_TRUE(Contains(svg, "<rect class=\"cached\" x=\"185\" y=\"6\" width=\"25\" height=\"16\">"));
  EXPECT_TRUE(Contains(svg, "<rect class=\"cached\" x=\"110\" y=\"34\" width=\"50\" height=\"16\">"));
  EXPECT_TRUE(Contains(svg, ">&lt;b&gt;</text>"));
  EXPECT_TRUE(Contains(svg, ">40 s</text>"));
  EXPECT_EQ(MarkupProblem(svg.str()), "");
}

TEST(BarChart, CopesWithNothingAndWithZeros) {
  EXPECT_EQ(MarkupProblem(BarChartSvg({}).str()), "");
  const BarChart zeros{.title = "T", .description = "", .part_styles = {"fresh"}, .bars = {{"a", {0.0}, "0 s"}}};
  EXPECT_TRUE(Contains(BarChartSvg(zeros), "width=\"0\""));
}

TEST(Legend, PairsSwatchesWithNames) {
  const Html legend = Legend({{"s3", "gap & pair rule", "AUC 0.9"}, {"mean", "mean", ""}});
  EXPECT_EQ(CountOf(legend.str(), "<li "), 2U);
  EXPECT_TRUE(Contains(legend, "<li data-series=\"s3\">"));
  EXPECT_TRUE(Contains(legend, "<span>gap &amp; pair rule</span><small>AUC 0.9</small>"));
  EXPECT_EQ(CountOf(legend.str(), "<small>"), 1U);
}

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
