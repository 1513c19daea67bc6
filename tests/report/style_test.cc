#include "report/style.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/text.h"
#include "report/state_look.h"
#include "report/svg.h"
#include "tests/report/html_checker.h"

namespace flyscribe {
namespace {

// Whether a rule of the sheet gives this selector a stroke of one of the series' colours.
bool HasColour(const std::string& style, const std::string& selector) {
  for (const std::string& rule : Split(style, '}')) {
    const std::size_t brace = rule.find('{');
    if (brace == std::string::npos || rule.find("{stroke:var(--c") == std::string::npos) continue;
    const std::string selectors(Trim(rule.substr(0, brace)));
    const std::vector<std::string> names = Split(selectors, ',');
    if (std::find(names.begin(), names.end(), selector) != names.end()) return true;
  }
  return false;
}

TEST(PageStyle, ServesDarkPrintAndSmallScreens) {
  const std::string style = PageStyle().str();
  for (const char* part : {"prefers-color-scheme:dark", "@media print", "max-width:900px", "max-width:700px"}) {
    EXPECT_NE(style.find(part), std::string::npos) << part;
  }
  EXPECT_EQ(CountOf(style, "{"), CountOf(style, "}"));
  EXPECT_EQ(style.find("url("), std::string::npos);
  EXPECT_EQ(style.find("@import"), std::string::npos);
}

TEST(PageStyle, DefinesEverySeriesAndEveryColourItUses) {
  const std::string style = PageStyle().str();
  for (std::size_t i = 0; i < 18; ++i) {
    EXPECT_TRUE(HasColour(style, "." + SeriesStyle(i))) << SeriesStyle(i);
  }
  for (std::size_t at = style.find("var(--"); at != std::string::npos; at = style.find("var(--", at + 1)) {
    const std::string name = style.substr(at + 4, style.find(')', at) - at - 4);
    EXPECT_EQ(CountOf(style, name + ":#"), 2U) << name << " is not defined for both light and dark";
  }
}

TEST(PageStyle, DrawsEveryStateOfAStepInItsOwnWay) {
  const std::string style = PageStyle().str();
  for (const StateLook& look : StateLooks()) {
    EXPECT_EQ(CountOf(style, "\n.st-" + std::string(look.style) + "{"), 1U) << look.name;
  }
}

TEST(PageScript, IsSafeInsideAScriptElementAndLoadsNothing) {
  const std::string script = PageScript().str();
  for (const char* part : {"</", "<!--", "fetch", "XMLHttpRequest", "http", "import", "eval", "innerHTML"}) {
    EXPECT_EQ(script.find(part), std::string::npos) << part;
  }
  EXPECT_NE(script.find("table.sortable"), std::string::npos);
}

}  // namespace
}  // namespace flyscribe
