#include "report/left_out.h"

#include <gtest/gtest.h>

#include "tests/report/html_checker.h"

namespace flyscribe {
namespace {

TEST(LeftOutInputs, ListsTwoHundredFaultsFirst) {
  std::vector<Skipped> skipped(205, {"row", "filtered", false});
  skipped.push_back({"<broken>.bmp", "unreadable: a < b", true});
  const std::string html = LeftOutInputs(skipped).str();
  EXPECT_EQ(MarkupProblem(html), "");
  EXPECT_NE(html.find("<tbody><tr><td>&lt;broken&gt;.bmp</td><td>unreadable: a &lt; b</td><td>fault</td></tr>"),
            std::string::npos)
      << html;
  EXPECT_EQ(CountOf(html, "<td>row</td>"), kListedInputs - 1);
  EXPECT_NE(html.find("and 6 more"), std::string::npos);
  EXPECT_NE(html.find("<td>filtered</td><td>filter</td><td class=\"n\">205</td>"), std::string::npos);
}

TEST(LeftOutInputs, SaysSoWhenThereAreNone) {
  EXPECT_EQ(LeftOutInputs({}).str(), "<p class=\"note\">Nothing was left out.</p>");
  EXPECT_EQ(LeftOutInputs(std::vector<Skipped>(200, {"a", "b", true})).str().find("more"), std::string::npos);
}

}  // namespace
}  // namespace flyscribe
