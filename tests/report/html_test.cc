#include "report/html.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/report/html_checker.h"

namespace flyscribe {
namespace {

TEST(MarkupChecker, FindsWhatIsWrong) {
  EXPECT_EQ(MarkupProblem("<p class=\"a > b\">x</p>"), "");
  EXPECT_EQ(MarkupProblem("<p><b>x</p></b>"), "</p> closes b");
  EXPECT_EQ(MarkupProblem("<p>x"), "<p> is never closed");
  EXPECT_EQ(MarkupProblem("</p>"), "</p> closes ?");
  EXPECT_EQ(MarkupProblem("<p <b>"), "malformed tag: <p <b>");
  EXPECT_EQ(MarkupProblem("<script>if(a<b){}</script>"), "");
}

TEST(EscapeHtml, EscapesTheFiveSignificantCharacters) {
  EXPECT_EQ(EscapeHtml("<script>alert(\"x\" & 'y')</script>"),
            "&lt;script&gt;alert(&quot;x&quot; &amp; &#39;y&#39;)&lt;/script&gt;");
  EXPECT_EQ(EscapeHtml("&amp;"), "&amp;amp;");
  EXPECT_EQ(EscapeHtml(""), "");
}

TEST(EscapeHtml, KeepsUtf8AndReadsOtherBytesAsLatin1) {
  EXPECT_EQ(EscapeHtml("Ubx-α, Krüppel, 胚"), "Ubx-α, Krüppel, 胚");
  EXPECT_EQ(EscapeHtml("Kr\xfcppel"), "Krüppel");
}

TEST(EscapeHtml, ReplacesControlCharactersButNotSpace) {
  EXPECT_EQ(EscapeHtml(std::string_view("a\0b", 3)),
            "a\xef\xbf\xbd"
            "b");
  EXPECT_EQ(EscapeHtml("\x1b\x7f"), "\xef\xbf\xbd\xef\xbf\xbd");
  EXPECT_EQ(EscapeHtml("a\tb\r\nc"), "a\tb\r\nc");
}

TEST(Element, ClosesItselfAndEscapesAttributes) {
  EXPECT_EQ(Element("p", Text("a<b")).str(), "<p>a&lt;b</p>");
  EXPECT_EQ(Element("i", {{"class", "x"}}).str(), "<i class=\"x\"></i>");
  EXPECT_EQ(Element("a", {{"href", "\"><script>"}, {"id", "1"}}, Text("t")).str(),
            "<a href=\"&quot;&gt;&lt;script&gt;\" id=\"1\">t</a>");
}

TEST(PngDataUri, NamesTheTypeOrIsEmpty) {
  EXPECT_EQ(PngDataUri("\x89PNG"), "data:image/png;base64,iVBORw==");
  EXPECT_EQ(PngDataUri(""), "");
}

TEST(Number, IsForPeople) {
  EXPECT_EQ(Number(0.8434, 3), "0.843");
  EXPECT_EQ(Number(-1.25, 2), "−1.25");
  EXPECT_EQ(Number(-0.0001, 2), "0.00");
  EXPECT_EQ(Number(std::nan(""), 3), "–");
  EXPECT_EQ(Number(std::numeric_limits<double>::infinity(), 3), "–");
}

TEST(Count, GroupsThousands) {
  EXPECT_EQ(Count(0), "0");
  EXPECT_EQ(Count(999), "999");
  EXPECT_EQ(Count(1000), "1,000");
  EXPECT_EQ(Count(1234567), "1,234,567");
  EXPECT_EQ(ShortCount(999999), "999,999");
  EXPECT_EQ(ShortCount(1234567), "1.23\u00a0M");
  EXPECT_EQ(Counted(1, "bag", "bags"), "1 bag");
  EXPECT_EQ(Counted(0, "bag", "bags"), "0 bags");
}

TEST(StagesTitle, HasAnEnDash) {
  EXPECT_EQ(StagesTitle("13-16"), "Stages 13–16");
  EXPECT_EQ(StagesTitle("late"), "Stages late");
}

TEST(Pieces, AreWellFormedAndAccessible) {
  const Html table = TableElement("Cap", {"A", "B"}, Element("tr", Cell("x") + NumberCell("1")));
  EXPECT_EQ(MarkupProblem(table.str()), "");
  EXPECT_NE(table.str().find("<caption>Cap</caption>"), std::string::npos);
  EXPECT_EQ(CountOf(table.str(), "<th scope=\"col\">"), 2U);
  EXPECT_EQ(CountOf(table.str(), "<td class=\"n\">1</td>"), 1U);
  EXPECT_EQ(Folded("More", Text("x")).str(), "<details><summary>More</summary>x</details>");
  EXPECT_EQ(Tile("1", "gene").str(), "<div class=\"tile\"><b>1</b><span>gene</span></div>");
  EXPECT_EQ(Tile("1", "gene", "<").str(), "<div class=\"tile\"><b>1</b><span>gene</span><small>&lt;</small></div>");
}

using testing::HasSubstr;

TEST(RenderPage, IsAWholeDocument) {
  const std::string page = RenderPage("Title", Element("body", Text("content")));
  EXPECT_EQ(MarkupProblem(page), "");
  EXPECT_THAT(page, testing::StartsWith("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"));
  EXPECT_THAT(page, HasSubstr("<title>Title</title>"));
  EXPECT_THAT(page, testing::EndsWith("</head><body>content</body></html>\n"));
  EXPECT_EQ(CountOf(page, "<style>"), 1U);
}

TEST(RenderPage, LoadsNothing) {
  const std::string page = RenderPage("Title", Element("body", Html()));
  EXPECT_THAT(page,
              HasSubstr("http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; style-src "
                        "'unsafe-inline'; script-src 'unsafe-inline'\""));
  EXPECT_EQ(page.find("http://"), std::string::npos);
  EXPECT_EQ(page.find("https://"), std::string::npos);
}

TEST(RenderPage, EscapesTheTitle) {
  const std::string page = RenderPage("</title><script>&", Element("body", Html()));
  EXPECT_THAT(page, HasSubstr("<title>&lt;/title&gt;&lt;script&gt;&amp;</title>"));
  EXPECT_EQ(MarkupProblem(page), "");
}

TEST(RenderFolderPage, LoadsWhatLiesBesideItAndNothingElse) {
  const std::string page = RenderFolderPage("T", Element("body", Html()), "../");
  EXPECT_EQ(MarkupProblem(page), "");
  EXPECT_THAT(page, HasSubstr("default-src 'none'; img-src 'self' file: data:;"));
  EXPECT_THAT(page, HasSubstr("href=\"../style.css\""));
  EXPECT_THAT(page, HasSubstr("src=\"../gallery.js\""));
  EXPECT_EQ(page.find("<style>"), std::string::npos) << "shared by thousands of pages";
}

}  // namespace
}  // namespace flyscribe
