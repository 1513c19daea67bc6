#include "report/assets.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/file.h"
#include "core/text.h"
#include "report/step_graph.h"
#include "report/svg.h"
#include "tests/report/html_checker.h"

namespace flyscribe {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string AssetFile(const std::string& name) {
  return ReadFile(fs::path(FLYSCRIBE_SOURCE_DIR) / "modules" / "report" / "assets" / name);
}

// Whether a rule of the sheet gives this selector a stroke of one of the series' colours.
bool HasColour(const std::string& style, const std::string& selector) {
  for (const std::string& rule : Split(style, '}')) {
    const std::size_t brace = rule.find('{');
    if (brace == std::string::npos || rule.find("stroke: var(--c", brace) == std::string::npos) continue;
    for (const std::string& name : Split(rule.substr(0, brace), ',')) {
      if (Trim(name) == selector) return true;
    }
  }
  return false;
}

// Compared without printing: the texts are long.
TEST(Assets, AreTheFilesWordForWord) {
  EXPECT_TRUE(PageStyle().str() == AssetFile("page.css"));
  EXPECT_TRUE(PageScript().str() == AssetFile("page.js"));
  EXPECT_TRUE(GalleryStyle() == AssetFile("page.css") + AssetFile("gallery.css"));
  EXPECT_TRUE(GalleryScript() == AssetFile("gallery.js"));
}

// A number or a list of them behind a name: "constexpr double kSpread = 6.0;", "const spread = 6;".
std::vector<double> NumbersAfter(const std::string& text, const std::string& name) {
  const std::size_t begin = text.find(name);
  const std::string value = text.substr(begin + name.size(), text.find(';', begin) - begin - name.size());
  std::vector<double> numbers;
  for (const std::string& part : Split(value, ',')) numbers.push_back(ParseReal(Trim(part)).value_or(-1.0));
  return numbers;
}

// modules/imaging/pictures.cc draws heat maps into files, gallery.js draws them in a browser.
TEST(GalleryScript, DrawsHeatMapsWithTheNumbersOfThePictures) {
  std::string pictures = ReadFile(fs::path(FLYSCRIBE_SOURCE_DIR) / "modules" / "imaging" / "pictures.cc");
  std::string script = GalleryScript();
  std::erase_if(pictures, [](char c) { return c == '{' || c == '}'; });
  std::erase_if(script, [](char c) { return c == '[' || c == ']'; });
  for (const auto& [in_cc, in_js] : {std::pair("kFor = ", "const warm = "),
                                     {"kAgainst = ", "const cold = "},
                                     {"kStrongest = ", "const strongest = "},
                                     {"kOpacityPower = ", "const opacityPower = "},
                                     {"kFaintest = ", "const faintest = "},
                                     {"kSpread = ", "const spread = "},
                                     {"kReach = ", "const reach = "},
                                     {"kSteps = ", "const steps = "}}) {
    EXPECT_EQ(NumbersAfter(script, in_js), NumbersAfter(pictures, in_cc)) << in_js;
    EXPECT_GE(NumbersAfter(script, in_js).at(0), 0.0) << in_js;
  }
}

TEST(PageStyle, ServesDarkPrintAndSmallScreens) {
  const std::string style = PageStyle().str();
  for (const char* part : {"prefers-color-scheme: dark", "@media print", "max-width: 900px", "max-width: 700px"}) {
    EXPECT_THAT(style, HasSubstr(part));
  }
  EXPECT_EQ(CountOf(style, "{"), CountOf(style, "}"));
  for (const char* part : {"url(", "@import", "</"}) EXPECT_THAT(style, Not(HasSubstr(part)));
}

TEST(PageStyle, DefinesEverySeriesAndEveryColourItUses) {
  const std::string style = PageStyle().str();
  for (std::size_t i = 0; i < 18; ++i) {
    EXPECT_TRUE(HasColour(style, "." + SeriesStyle(i))) << SeriesStyle(i);
  }
  for (std::size_t at = style.find("var(--"); at != std::string::npos; at = style.find("var(--", at + 1)) {
    const std::string name = style.substr(at + 4, style.find(')', at) - at - 4);
    if (name == "--columns") continue;  // no colour: set where it is used
    EXPECT_EQ(CountOf(style, name + ": #"), 2U) << name << " is not defined for both light and dark";
  }
}

TEST(PageStyle, DrawsEveryStateOfAStepInItsOwnWay) {
  const std::string style = PageStyle().str();
  for (const StateLook& look : StateLooks()) {
    EXPECT_EQ(CountOf(style, "\n.st-" + std::string(look.style) + " {"), 1U) << look.style;
  }
}

TEST(PageScript, IsSafeInsideAScriptElementAndLoadsNothing) {
  const std::string script = PageScript().str();
  for (const char* part : {"</", "<!--", "fetch", "XMLHttpRequest", "http", "import", "eval", "innerHTML"}) {
    EXPECT_THAT(script, Not(HasSubstr(part)));
  }
  EXPECT_THAT(script, HasSubstr("table.sortable"));
}

TEST(GalleryStyle, HasThePagesColoursAndBalancedBraces) {
  const std::string style = GalleryStyle();
  EXPECT_THAT(style, HasSubstr("prefers-color-scheme: dark"));
  EXPECT_THAT(style, HasSubstr(".card"));
  EXPECT_EQ(CountOf(style, "{"), CountOf(style, "}"));
  EXPECT_THAT(style, Not(HasSubstr("url(")));
}

TEST(GalleryScript, LoadsNothingButTheListOfBags) {
  const std::string script = GalleryScript();
  EXPECT_THAT(script, HasSubstr("flyscribeBags"));
  EXPECT_EQ(CountOf(script, ".src ="), 2U) << "the list, and a bag's picture";
  for (const char* word : {"fetch(", "XMLHttpRequest", "http", "eval(", "innerHTML"}) {
    EXPECT_THAT(script, Not(HasSubstr(word)));
  }
  EXPECT_EQ(CountOf(script, "{"), CountOf(script, "}"));
}

}  // namespace
}  // namespace flyscribe
