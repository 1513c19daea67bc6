#include "report/evidence.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/report/html_checker.h"

namespace flyscribe {
namespace {

TEST(DrawingOrder, AddsMarksOfOneWindowAndSortsThem) {
  const std::vector<EvidenceMark> order =
      DrawingOrder({{8, 8, 0.5}, {16, 8, -0.25}, {24, 8, 0.25}, {8, 8, 0.25}, {32, 8, -0.5}, {0, 0, std::nan("")}});
  const std::vector<EvidenceMark> expected = {{16, 8, -0.25}, {32, 8, -0.5}, {24, 8, 0.25}, {8, 8, 0.75}};
  EXPECT_EQ(order, expected);
}

TEST(EvidencePicture, ColoursAndFadesByContribution) {
  const std::string svg =
      EvidencePictureSvg({.title = "t", .href = "", .marks = {{100, 40, 1.0}, {50, 60, -0.5}, {20, 20, 0.5}}}).str();
  EXPECT_NE(svg.find("<g fill=\"#0072b2\" style=\"filter:blur(2.5px)\"><circle cx=\"50\" cy=\"60\" r=\"9\" "
                     "fill-opacity=\"0.23\"><title>−0.500 at 50, 60</title></circle></g>"),
            std::string::npos)
      << svg;
  EXPECT_NE(
      svg.find("<circle cx=\"20\" cy=\"20\" r=\"9\" fill-opacity=\"0.35\"><title>+0.500 at 20, 20</title></circle>"
               "<circle cx=\"100\" cy=\"40\" r=\"9\" fill-opacity=\"0.70\">"),
      std::string::npos)
      << svg;
  EXPECT_EQ(MarkupProblem(svg), "");
}

TEST(EvidencePicture, OutlinesTheThreeStrongestWindowsForTheTerm) {
  const std::vector<EvidenceMark> marks = {{8, 8, 0.1}, {40, 8, 0.4}, {72, 8, 0.3}, {104, 8, 0.2}, {136, 8, -9.0}};
  const std::string svg = EvidencePictureSvg({.title = "t", .href = "", .marks = marks}).str();
  EXPECT_EQ(CountOf(svg, "<rect "), 3U);
  EXPECT_NE(svg.find("<rect x=\"32\" y=\"0\" width=\"16\" height=\"16\""), std::string::npos) << svg;
  EXPECT_EQ(svg.find("<rect x=\"0\""), std::string::npos);
  // Against the strongest mark, -9, the weakest cannot be seen.
  EXPECT_EQ(CountOf(svg, "<circle "), 3U);
}

TEST(EvidencePicture, EmbedsOrRefersToThePhotograph) {
  const std::string embedded =
      EvidencePictureSvg({.title = "t", .href = "data:image/png;base64,AA==", .marks = {}}).str();
  EXPECT_NE(embedded.find("<image href=\"data:image/png;base64,AA==\" width=\"320\" height=\"128\">"),
            std::string::npos);
  const std::string reference = EvidencePictureSvg({.title = "t", .href = "#p1", .marks = {}}).str();
  EXPECT_NE(reference.find("<use href=\"#p1\">"), std::string::npos);
  EXPECT_EQ(reference.find("<image"), std::string::npos);
}

TEST(EvidencePicture, WithoutMarksOrWithZerosDrawsNone) {
  const std::string svg = EvidencePictureSvg({.title = "<b>", .href = "", .marks = {{1, 1, 0.0}}}).str();
  EXPECT_EQ(svg,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"embryo\" viewBox=\"0 0 320 128\" role=\"img\" "
            "aria-label=\"&lt;b&gt;\"><title>&lt;b&gt;</title></svg>");
}

}  // namespace
}  // namespace flyscribe
