#include "report/gallery.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/html.h"
#include "tests/report/html_checker.h"

namespace flyscribe {
namespace {

using testing::HasSubstr;
using testing::Not;

const std::string kHostile = "</script><b onclick=\"x\">&'";

BagAnnotation SomeBag(const std::string& name = "otp") {
  BagAnnotation bag{"FBgn1", "FBgn1", "CG1", name, StageRange::FromName("4-6"), "oof", {"insitu1", name}, {}};
  for (int i = 0; i < 30; ++i) {
    const double probability = 1.0 - i / 30.0;
    bag.terms.push_back({"term " + std::to_string(i) + (i == 0 ? name : ""),
                         "FBbt:" + std::to_string(i),
                         probability - 0.5,
                         probability,
                         0.9,
                         i < 3,
                         TopPatch{1, 8.0F, 8.0F}});
  }
  return bag;
}

GalleryBag Shown(const BagAnnotation& bag) {
  GalleryBag shown{&bag, {{"page-1.jpg", bag.images[0]}, {"page-2.jpg", bag.images[1]}}, {}, "evidence/page.json"};
  for (std::size_t i = 0; i < bag.terms.size(); ++i) {
    shown.terms.push_back({"4-6_t" + std::to_string(i), i < 3 ? "evidence/page/" + std::to_string(i) + ".png" : ""});
  }
  return shown;
}

TEST(RenderBagPage, ShowsEmbryosTermsAndWhere) {
  const BagAnnotation bag = SomeBag();
  const std::string page = RenderBagPage(Shown(bag));
  EXPECT_EQ(MarkupProblem(page), "");
  EXPECT_THAT(page, HasSubstr("src=\"../images/page-2.jpg\""));
  EXPECT_THAT(page, HasSubstr("src=\"../../evidence/page/2.png\""));
  EXPECT_THAT(page, HasSubstr("href=\"../terms/4-6_t29.html\""));
  EXPECT_THAT(page, HasSubstr("scored by the model that held it out"));
  EXPECT_THAT(page, HasSubstr("<i style=\"width:100.0%\"></i><u style=\"left:90.0%\"></u>"));
  EXPECT_EQ(CountOf(page, "class=\"called\""), 3U);
  EXPECT_EQ(CountOf(page, "<details><summary>where"), 3U);
  EXPECT_EQ(CountOf(page, "<img "), CountOf(page, "loading=\"lazy\""));
  EXPECT_THAT(page, HasSubstr("and 15 terms less probable"));
}

TEST(RenderBagPage, SaysIfNoGeneWasGiven) {
  BagAnnotation bag = SomeBag();
  bag.score_source = "new";
  EXPECT_THAT(RenderBagPage(Shown(bag)), HasSubstr("new: a gene the model has not seen"));
  bag.fbgn = bag.cg = bag.symbol = "";
  EXPECT_THAT(RenderBagPage(Shown(bag)),
              HasSubstr("new: no gene was given, so it is taken for one the model has not seen"));
}

TEST(RenderBagPage, CallsAreNotFoldedAway) {
  BagAnnotation bag = SomeBag();
  bag.terms[28].call = true;
  EXPECT_THAT(RenderBagPage(Shown(bag)), HasSubstr("and 1 term less probable"));
}

TEST(RenderBagPage, HostileNamesStayText) {
  const BagAnnotation bag = SomeBag(kHostile);
  const std::string page = RenderBagPage(Shown(bag));
  EXPECT_EQ(MarkupProblem(page), "");
  EXPECT_THAT(page, Not(HasSubstr("<b onclick")));
}

TEST(MakeCard, NamesTheCallsAndWhatIsSearched) {
  const GalleryCard card = MakeCard(SomeBag(), "page", "page-1.jpg");
  EXPECT_EQ(card.calls, "term 0otp, term 1, term 2");
  EXPECT_EQ(card.words, "fbgn1 otp fbgn1 cg1 4-6 term 0otp, term 1, term 2");
  BagAnnotation many = SomeBag();
  for (TermPrediction& term : many.terms) term.call = true;
  EXPECT_THAT(MakeCard(many, "p", "i").calls, testing::EndsWith("term 11 and 18 more"));
}

TEST(RenderListPage, LinksItsBagsAndItsNeighbours) {
  const std::vector<GalleryCard> cards(3, MakeCard(SomeBag(), "page", "page-1.jpg"));
  const std::string page = RenderListPage(cards, 2, 5);
  EXPECT_EQ(MarkupProblem(page), "");
  EXPECT_EQ(CountOf(page, "href=\"../bags/page.html\""), 3U);
  EXPECT_THAT(page, HasSubstr("href=\"5.html\""));
  EXPECT_THAT(page, HasSubstr("<b>2</b>"));
}

TEST(RenderListPage, APagerOfManyPagesStaysShort) {
  const std::string page = RenderListPage({}, 500, 2100);
  EXPECT_LT(CountOf(page, "<a href"), 80U);
  for (const char* link : {"\"1.html\"", "\"499.html\"", "\"501.html\"", "\"2100.html\""})
    EXPECT_THAT(page, HasSubstr(link));
}

TEST(RenderTermPage, TopBorderlineBottom) {
  TermGallery gallery{"brain", "FBbt:1", "4-6", "4-6_brain", 0.4, 100, 7, {}, {}, {}};
  gallery.top = {{"a", "otp", "a-1.jpg", 0.99, 2.0, true}};
  gallery.borderline = {{"b", kHostile, "b-1.jpg", 0.41, 0.0, true}};
  gallery.bottom = {{"c", "x", "c-1.jpg", 0.01, -2.0, false}};
  const std::string page = RenderTermPage(gallery);
  EXPECT_EQ(MarkupProblem(page), "");
  for (const char* words :
       {">Top<", ">Borderline<", ">Bottom<", "7 of 100 bags", "../bags/b.html", "../images/c-1.jpg"}) {
    EXPECT_THAT(page, HasSubstr(words));
  }
}

TEST(RenderGalleryIndex, EverythingIsReachable) {
  const TermGallery brain{"brain", "", "4-6", "4-6_brain", 0.4, 9, 1, {}, {}, {}};
  const TermGallery eye{"eye", "", "7-8", "7-8_eye", 0.4, 9, 2, {}, {}, {}};
  GalleryIndex index;
  index.facts = {{"model_id", "abc"}};
  index.tiles = {{"9", "bags"}};
  index.terms = {&brain, &eye};
  index.first = {MakeCard(SomeBag(kHostile), "page", "page-1.jpg")};
  index.pages = 3;
  index.search_files = 2;
  index.skipped = {{"image file not found", 4}};
  const std::string page = RenderGalleryIndex(index);
  EXPECT_EQ(MarkupProblem(page), "");
  for (const char* part : {"href=\"gallery/terms/4-6_brain.html\"",
                           "Stages 7–8",
                           "href=\"gallery/pages/3.html\"",
                           "href=\"gallery/bags/page.html\"",
                           "src=\"gallery/images/page-1.jpg\"",
                           "data-files=\"2\"",
                           "href=\"gallery/style.css\"",
                           "src=\"gallery/gallery.js\"",
                           "image file not found"}) {
    EXPECT_THAT(page, HasSubstr(part));
  }
  EXPECT_THAT(page, Not(HasSubstr("http://")));
  EXPECT_THAT(page, Not(HasSubstr("https://")));
}

TEST(SearchFile, IsOneCallWithQuotedFields) {
  BagAnnotation bag = SomeBag(kHostile);
  bag.id = "a\\b\n\"c\"";
  const std::string text = SearchFile({MakeCard(bag, "page", "page-1.jpg")});
  EXPECT_THAT(text, testing::StartsWith("flyscribeBags([\n[\"page\",\"a\\\\b\\u000a\\\"c\\\"\","));
  EXPECT_THAT(text, testing::EndsWith("\"],\n]);\n"));
  EXPECT_THAT(text, Not(HasSubstr("</script>")));
  EXPECT_EQ(SearchFileName(7), "0007.js");
  EXPECT_EQ(SearchFileName(12345), "12345.js");
}

}  // namespace
}  // namespace flyscribe
