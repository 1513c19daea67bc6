#include "report/page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/report/html_checker.h"

namespace flyscribe {
namespace {

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
