#include "report/gallery_style.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/report/html_checker.h"

namespace flyscribe {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(GalleryStyle, HasThePagesColoursAndBalancedBraces) {
  const std::string style = GalleryStyle();
  EXPECT_THAT(style, HasSubstr("prefers-color-scheme:dark"));
  EXPECT_THAT(style, HasSubstr(".card"));
  EXPECT_EQ(CountOf(style, "{"), CountOf(style, "}"));
  EXPECT_THAT(style, Not(HasSubstr("url(")));
}

TEST(GalleryScript, LoadsNothingButTheListOfBags) {
  const std::string script = GalleryScript();
  EXPECT_THAT(script, HasSubstr("flyscribeBags"));
  EXPECT_EQ(CountOf(script, ".src="), 2U) << "the list, and a bag's picture";
  for (const char* word : {"fetch(", "XMLHttpRequest", "http", "eval(", "innerHTML"}) {
    EXPECT_THAT(script, Not(HasSubstr(word)));
  }
  EXPECT_EQ(CountOf(script, "{"), CountOf(script, "}"));
}

}  // namespace
}  // namespace flyscribe
