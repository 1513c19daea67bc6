#include "report/examples.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/report/html_checker.h"

namespace flyscribe {
namespace {

ExampleBag TwoImages() {
  ExampleBag bag;
  bag.id = "FBgn1";
  bag.symbol = "eve";
  bag.images = {{"insitu1", "foo"}, {"insitu2", "foobar"}};
  return bag;
}

void AddTerm(ExampleBag& bag, const std::string& name, double value, bool label) {
  bag.terms.push_back({.term = name,
                       .fbbt_id = "",
                       .decision_value = value,
                       .probability = 0.5 + value / 10.0,
                       .threshold = 0.5,
                       .call = value > 0.0,
                       .top = {}});
  bag.patches = {{0, 8.0F, 8.0F}};
  bag.evidence.push_back({name, "", value, 0.0, {0.1F}});
  if (label) bag.labels.insert(name);
}

TEST(OutcomeOf, ComparesCallAndLabel) {
  EXPECT_EQ(OutcomeOf(true, true), Outcome::kHit);
  EXPECT_EQ(OutcomeOf(true, false), Outcome::kWrongCall);
  EXPECT_EQ(OutcomeOf(false, true), Outcome::kMissed);
  EXPECT_EQ(OutcomeOf(false, false), Outcome::kRightlyNot);
}

TEST(ExampleCard, EmbedsEachPictureOnceHoweverOftenItIsShown) {
  ExampleBag bag = TwoImages();
  AddTerm(bag, "gap", 2.0, true);
  AddTerm(bag, "pair rule", 1.0, false);
  const std::string card = ExampleCard(bag, "r1-bag1").str();
  EXPECT_EQ(CountOf(card, "data:image/png;base64,Zm9v\""), 1U);
  EXPECT_EQ(CountOf(card, "data:image/png;base64,Zm9vYmFy\""), 1U);
  EXPECT_EQ(CountOf(card, "<use href=\"#r1-bag1-image0\">"), 3U);
  EXPECT_EQ(CountOf(card, "<use href=\"#r1-bag1-image1\">"), 1U);
  EXPECT_EQ(MarkupProblem(card), "");
}

TEST(ExampleCard, MarksOutcomesBySymbolAndClass) {
  ExampleBag bag = TwoImages();
  AddTerm(bag, "a", 2.0, true);
  AddTerm(bag, "b", 1.0, false);
  AddTerm(bag, "c", -0.5, true);
  AddTerm(bag, "d", -1.0, false);
  const std::string card = ExampleCard(bag, "x").str();
  EXPECT_NE(card.find("<tr class=\"hit\"><th scope=\"row\"><span class=\"mark hit\" title=\"called, and annotated\" "
                      "role=\"img\" aria-label=\"called, and annotated\">✓</span>a</th>"),
            std::string::npos)
      << card;
  EXPECT_NE(card.find("<tr class=\"wrong\">"), std::string::npos);
  EXPECT_NE(card.find("✗</span>b"), std::string::npos);
  EXPECT_NE(card.find("○</span>c"), std::string::npos);
  EXPECT_NE(card.find("·</span>d"), std::string::npos);
}

TEST(ExampleCard, DrawsProbabilitiesAndThresholds) {
  ExampleBag bag = TwoImages();
  AddTerm(bag, "a", 2.0, true);
  AddTerm(bag, "b", -1.0, false);
  const std::string card = ExampleCard(bag, "x").str();
  EXPECT_NE(card.find("title=\"called above 0.50\"><span class=\"value\" aria-hidden=\"true\"><i "
                      "style=\"width:70.0%\"></i><u style=\"left:50.0%\"></u></span></td><td class=\"n\">0.70</td>"
                      "<td class=\"n\">2.00</td>"),
            std::string::npos)
      << card;
  EXPECT_NE(card.find("width:40.0%"), std::string::npos);
  EXPECT_NE(card.find("−1.00"), std::string::npos);
}

TEST(ExampleCard, ListsEightTermsAndAllTrueOnesAndShowsFourPictures) {
  ExampleBag bag = TwoImages();
  for (int i = 0; i < 12; ++i) AddTerm(bag, "t" + std::to_string(i), 1.0 - 0.1 * i, i == 0 || i == 11);
  const std::string card = ExampleCard(bag, "x").str();
  EXPECT_EQ(CountOf(card, "<th scope=\"row\">"), 9U);
  EXPECT_NE(card.find("</span>t11</th>"), std::string::npos);
  EXPECT_EQ(card.find("</span>t8</th>"), std::string::npos);
  EXPECT_NE(card.find("and 3 terms less probable, not annotated"), std::string::npos);
  EXPECT_NE(card.find("<ul class=\"chips\"><li>t0</li><li>t11</li></ul>"), std::string::npos);
  EXPECT_EQ(CountOf(card, "aria-label=\"Evidence for "), 4U);
}

TEST(ExampleCard, IgnoresEvidenceInAnImageThatIsNotThere) {
  ExampleBag bag = TwoImages();
  AddTerm(bag, "a", 1.0, false);
  bag.patches[0].image = 2;
  const std::string card = ExampleCard(bag, "x").str();
  EXPECT_EQ(card.find("Evidence for"), std::string::npos);
  EXPECT_NE(card.find("Annotated with none of the evaluated terms."), std::string::npos);
}

TEST(ExampleCard, ShowsTheImageWithTheMostEvidenceAndOnlyItsWindows) {
  ExampleBag bag = TwoImages();
  AddTerm(bag, "a", 1.0, false);
  // The strongest window lies in the first image, the larger sum in the second.
  bag.patches = {{0, 8.0F, 8.0F}, {0, 40.0F, 8.0F}, {1, 72.0F, 8.0F}, {1, 104.0F, 8.0F}};
  bag.evidence[0].contributions = {0.5F, -0.25F, 0.25F, 0.125F};
  const std::string card = ExampleCard(bag, "x").str();
  EXPECT_EQ(CountOf(card, "aria-label=\"Evidence for a in insitu2\""), 1U);
  EXPECT_EQ(CountOf(card, "<circle "), 2U);
}

TEST(ExampleCard, EscapesNamesAndCopesWithAnEmptyBag) {
  const std::string card =
      ExampleCard(
          {.id = "<i>", .symbol = "Ubx-α<", .images = {}, .terms = {}, .patches = {}, .evidence = {}, .labels = {}},
          "x")
          .str();
  EXPECT_NE(card.find("<em>Ubx-α&lt;</em><small>&lt;i&gt; · 0 images</small>"), std::string::npos) << card;
  EXPECT_EQ(MarkupProblem(card), "");
}

TEST(ExampleKey, ExplainsEverySymbol) {
  EXPECT_EQ(CountOf(ExampleKey().str(), "<li>"), 7U);
  EXPECT_EQ(MarkupProblem(ExampleKey().str()), "");
}

TEST(DrawingOrder, AddsPatchesOfOneWindowAndSortsThem) {
  const std::vector<PatchEvidence> order = DrawingOrder(
      {{8, 8, 0.5F}, {16, 8, -0.25F}, {24, 8, 0.25F}, {8, 8, 0.25F}, {32, 8, -0.5F}, {0, 0, std::nanf("")}});
  const std::vector<PatchEvidence> expected = {{16, 8, -0.25F}, {32, 8, -0.5F}, {24, 8, 0.25F}, {8, 8, 0.75F}};
  EXPECT_EQ(order, expected);
}

TEST(EvidencePicture, ColoursAndFadesByContribution) {
  const std::string svg =
      EvidencePictureSvg({.title = "t", .href = "", .patches = {{100, 40, 1.0F}, {50, 60, -0.5F}, {20, 20, 0.5F}}})
          .str();
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
  const std::vector<PatchEvidence> patches = {
      {8, 8, 0.1F}, {40, 8, 0.4F}, {72, 8, 0.3F}, {104, 8, 0.2F}, {136, 8, -9.0F}};
  const std::string svg = EvidencePictureSvg({.title = "t", .href = "", .patches = patches}).str();
  EXPECT_EQ(CountOf(svg, "<rect "), 3U);
  EXPECT_NE(svg.find("<rect x=\"32\" y=\"0\" width=\"16\" height=\"16\""), std::string::npos) << svg;
  EXPECT_EQ(svg.find("<rect x=\"0\""), std::string::npos);
  // Against the strongest, -9, the weakest cannot be seen.
  EXPECT_EQ(CountOf(svg, "<circle "), 3U);
}

TEST(EvidencePicture, EmbedsOrRefersToThePhotograph) {
  const std::string embedded =
      EvidencePictureSvg({.title = "t", .href = "data:image/png;base64,AA==", .patches = {}}).str();
  EXPECT_NE(embedded.find("<image href=\"data:image/png;base64,AA==\" width=\"320\" height=\"128\">"),
            std::string::npos);
  const std::string reference = EvidencePictureSvg({.title = "t", .href = "#p1", .patches = {}}).str();
  EXPECT_NE(reference.find("<use href=\"#p1\">"), std::string::npos);
  EXPECT_EQ(reference.find("<image"), std::string::npos);
}

TEST(EvidencePicture, WithoutPatchesOrWithZerosDrawsNone) {
  const std::string svg = EvidencePictureSvg({.title = "<b>", .href = "", .patches = {{1, 1, 0.0F}}}).str();
  EXPECT_EQ(svg,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"embryo\" viewBox=\"0 0 320 128\" role=\"img\" "
            "aria-label=\"&lt;b&gt;\"><title>&lt;b&gt;</title></svg>");
}

}  // namespace
}  // namespace flyscribe
