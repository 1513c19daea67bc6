#include "report/gallery.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/text.h"
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
                         PatchPlace{1, 8.0F, 8.0F}});
  }
  return bag;
}

// Two windows in the first image, three in the second; the first three terms have evidence.
const std::vector<PatchPlace> kPatches = {
    {0, 8.0F, 8.0F}, {0, 24.0F, 8.5F}, {1, 8.0F, 8.0F}, {1, 16.0F, 8.0F}, {1, 24.0F, 8.0F}};
const std::vector<TermEvidence> kEvidence = {{"a", "", 0.0, 0.0, {0.1F, 0.2F, -0.1F, 0.4F, 0.0F}},
                                             {"b", "", 0.0, 0.0, {0.1F, 0.2F, 0.0F, 0.0F, 0.0F}},
                                             {"c", "", 0.0, 0.0, {-3.0F, -2.0F, -1.0F, -2.0F, -4.0F}}};

GalleryBag Shown(const BagAnnotation& bag) {
  GalleryBag shown{
      &bag, {{"page-1.jpg", bag.images[0]}, {"page-2.jpg", bag.images[1]}}, {}, kPatches, "evidence/page.json"};
  for (std::size_t i = 0; i < bag.terms.size(); ++i) {
    GalleryTerm row{.page = "4-6_t" + std::to_string(i), .evidence = nullptr, .scale = {}, .png = {}};
    if (i < kEvidence.size()) {
      row.evidence = &kEvidence[i];
      row.scale = "0.4" + std::to_string(i);
    }
    shown.terms.push_back(row);
  }
  return shown;
}

TEST(RenderBagPage, ShowsEmbryosTermsAndWhere) {
  const BagAnnotation bag = SomeBag();
  const std::string page = RenderBagPage(Shown(bag));
  EXPECT_EQ(MarkupProblem(page), "");
  EXPECT_THAT(page, HasSubstr("src=\"../images/page-2.jpg\""));
  EXPECT_THAT(page, HasSubstr("href=\"../terms/4-6_t14.html\""));
  EXPECT_THAT(page, HasSubstr("href=\"../../evidence/page.json\""));
  EXPECT_THAT(page, HasSubstr("scored by the model that held it out"));
  EXPECT_THAT(page, HasSubstr("<i class=\"prob yes\" style=\"--p:100.0%;--t:90.0%\"></i>"));
  EXPECT_EQ(CountOf(page, "<tr class=\"called\">"), 3U);
  EXPECT_EQ(CountOf(page, "<details><summary>where"), 3U);
  EXPECT_EQ(CountOf(page, "<img "), CountOf(page, "loading=\"lazy\""));
}

// What gallery.js draws from: 127 is the largest contribution of the image with the strongest window.
TEST(RenderBagPage, EmbedsWhatHeatMapsAreDrawnFrom) {
  const BagAnnotation bag = SomeBag();
  GalleryBag shown = Shown(bag);
  shown.terms[1].png = "evidence/page/2-b.png";
  const std::string page = RenderBagPage(shown);
  EXPECT_THAT(page, HasSubstr("<figure data-windows=\"8 8 0 1,24 8.5 0 1\">"));
  EXPECT_THAT(page, HasSubstr("<figure data-windows=\"8 8 8 3\">"));
  const std::string in_second = Base64({"\xe0\x7f\x00", 3});  // -0.1, 0.4, 0: -32, 127, 0
  EXPECT_THAT(page,
              HasSubstr("<figure class=\"heat\" data-image=\"1\" data-scale=\"0.40\" data-shares=\"" + in_second +
                        "\"><figcaption>in otp, most by the window at 16, 8: +0.4</figcaption></figure>"));
  const std::string in_first = Base64({"\x40\x7f", 2});  // 0.1, 0.2
  EXPECT_THAT(page, HasSubstr("data-image=\"0\" data-scale=\"0.41\" data-shares=\"" + in_first + "\""));
  EXPECT_THAT(page, HasSubstr("; <a href=\"../../evidence/page/2-b.png\">PNG</a>"));
  EXPECT_EQ(CountOf(page, ">PNG<"), 1U) << "of the others none was written";
}

TEST(RenderBagPage, SaysWhatIsMissingWithoutScripts) {
  const BagAnnotation bag = SomeBag();
  GalleryBag shown = Shown(bag);
  EXPECT_THAT(RenderBagPage(shown), HasSubstr("<noscript><p class=\"note\">Scripts are off in this browser"));
  shown.evidence.clear();
  for (GalleryTerm& term : shown.terms) term.evidence = nullptr;
  const std::string page = RenderBagPage(shown);
  EXPECT_THAT(page, Not(HasSubstr("noscript"))) << "there is no map to miss";
  EXPECT_THAT(page, Not(HasSubstr("speak for")));
}

TEST(RenderBagPage, FoldsTheImprobableAway) {
  BagAnnotation bag = SomeBag();
  const std::string page = RenderBagPage(Shown(bag));
  EXPECT_THAT(page, HasSubstr("<summary>and 15 terms, less probable and not called</summary><p>term 15 0.50, term 16"));
  bag.terms[28].call = true;
  const std::string called = RenderBagPage(Shown(bag));
  EXPECT_THAT(called, HasSubstr("and 14 terms, less")) << "calls are never folded away";
  EXPECT_THAT(called, HasSubstr("href=\"../terms/4-6_t28.html\""));
  GalleryBag all = Shown(bag);
  all.terms[29].evidence = &kEvidence[0];
  const std::string rows = RenderBagPage(all);
  EXPECT_EQ(CountOf(rows, "<table"), 2U) << "one of them has a map";
  EXPECT_THAT(rows, HasSubstr("href=\"../terms/4-6_t20.html\""));
}

TEST(RenderBagPage, SaysIfNoGeneWasGiven) {
  BagAnnotation bag = SomeBag();
  bag.score_source = "new";
  EXPECT_THAT(RenderBagPage(Shown(bag)), HasSubstr("new: a gene the model has not seen"));
  bag.fbgn = bag.cg = bag.symbol = "";
  EXPECT_THAT(RenderBagPage(Shown(bag)),
              HasSubstr("new: no gene was given, so it is taken for one the model has not seen"));
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
