#include "report/reproduction.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/report/html_checker.h"
#include "tests/support/expect_error.h"

namespace flyscribe {
namespace {

using testing::HasSubstr;
using testing::Not;

Reproduction SomeReproduction() {
  Reproduction page;
  page.title = "The paper <again>";
  page.lead = {"Data: simulated & plain."};
  page.facts = {{"command", "flyscribe reproduce a_b.yaml"}, {"processor", "some"}};
  page.fairness = {"Same start."};
  ReproductionPart part{.name = "Table 1", .title = "objective"};
  part.text = {"What was done."};
  part.tables = {
      {"Objective, m = 500", {"Stages", "published", "measured"}, {{"4-6", "0.1384", "0.1390 *"}}, "* a | note"}};
  part.checks = {{"falls", ReproductionCheck::State::kHeld, "0.14 > 0.13"},
                 {"at most 2 %", ReproductionCheck::State::kFailed, "+3 % <here>"}};
  part.differs = {"More than published."};
  part.incomparable = {"Another machine."};
  part.charts = {{.id = "c",
                  .title = "Objective per epoch",
                  .description = "Lines.",
                  .x = UnitAxis("Epoch"),
                  .y = UnitAxis("Objective"),
                  .series = {{"scc", SeriesStyle(0), {{0.0, 0.5}, {1.0, 0.2}}}}}};
  GroupedBars bars{.title = "OL (m = 500)",
                   .description = "Bars.",
                   .y = UnitAxis(""),
                   .groups = {"4-6", "7-8"},
                   .members = {"accuracy", "AUC"},
                   .bars = {{{0.5}, {0.9, 0.8, 0.95}}, {{0.4}, {0.3}}}};
  part.bars = {bars};
  page.parts = {part, {.name = "Mini-batch", .title = "the race"}};
  return page;
}

TEST(RenderReproductionHtml, IsAPageWithEverything) {
  const std::string html = RenderReproductionHtml(SomeReproduction());
  EXPECT_EQ(MarkupProblem(html), "");
  EXPECT_THAT(html, HasSubstr("<title>The paper &lt;again&gt;</title>"));
  EXPECT_THAT(html, HasSubstr("Data: simulated &amp; plain."));
  EXPECT_THAT(html, HasSubstr("id=\"table-1\""));
  EXPECT_THAT(html, HasSubstr("href=\"#mini-batch\""));
  EXPECT_THAT(html, HasSubstr("Table 1: objective"));
  EXPECT_THAT(html, HasSubstr("<td class=\"n\">0.1390 *</td>"));
  EXPECT_THAT(html, HasSubstr("1 of 2 checks held; 1 failed."));
  EXPECT_EQ(CountOf(html, "+3 % &lt;here&gt;"), 2U) << "in the list of all, and in its part";
  EXPECT_THAT(html, HasSubstr("Same start."));
  EXPECT_THAT(html, HasSubstr("Does not agree"));
  EXPECT_THAT(html, Not(HasSubstr("<h3>Agrees</h3>"))) << "nothing does";
  EXPECT_THAT(html, HasSubstr("Another machine."));
  EXPECT_EQ(CountOf(html, "<svg class=\"chart\""), 2U);
}

TEST(RenderReproductionMarkdown, HasTheSameTablesAndChecks) {
  const std::string text = RenderReproductionMarkdown(SomeReproduction());
  EXPECT_THAT(text, HasSubstr("# The paper \\<again\\>\n"));
  EXPECT_THAT(text, HasSubstr("| command | flyscribe reproduce a\\_b.yaml |\n"));
  EXPECT_THAT(text, HasSubstr("## Table 1: objective\n"));
  EXPECT_THAT(text, HasSubstr("| Stages | published | measured |\n|---|---:|---:|\n| 4-6 | 0.1384 | 0.1390 \\* |\n"));
  EXPECT_THAT(text, HasSubstr("\\* a \\| note"));
  EXPECT_THAT(text, HasSubstr("- **held**: Table 1: falls: 0.14 \\> 0.13\n"));
  EXPECT_THAT(text, HasSubstr("- **failed**: at most 2 %: +3 % \\<here\\>\n"));
  EXPECT_THAT(text, HasSubstr("- Objective per epoch: Lines."));
  EXPECT_THAT(text, HasSubstr("Cannot be compared:\n\n- Another machine.\n"));
}

TEST(Reproduction, CountsFailedChecksOfAllParts) {
  Reproduction page = SomeReproduction();
  EXPECT_EQ(page.Failed(), 1U);
  ASSERT_EQ(page.Checks().size(), 2U);
  EXPECT_EQ(page.Checks()[0].claim, "Table 1: falls");
  page.parts[1].checks = {{"sooner", ReproductionCheck::State::kFailed, ""}};
  EXPECT_EQ(page.Failed(), 2U);
}

TEST(RenderReproductionHtml, ARaggedTableIsABug) {
  Reproduction page = SomeReproduction();
  page.parts[0].tables[0].rows[0].pop_back();
  EXPECT_EQ(ExpectError([&] { RenderReproductionHtml(page); }).code, ErrorCode::kInternal);
}

TEST(GroupedBarsSvg, DrawsNothingWhereThereIsNoValue) {
  GroupedBars bars = SomeReproduction().parts[0].bars[0];
  bars.bars[1][1].value = std::nullopt;
  const std::string svg = GroupedBarsSvg(bars).str();
  EXPECT_EQ(CountOf(svg, "<path "), 3U + 1U);
  EXPECT_THAT(svg, Not(HasSubstr("7-8, AUC")));
}

TEST(GroupedBarsSvg, DrawsABarAMemberAndIntervalsWhereThereAreSome) {
  const std::string svg = GroupedBarsSvg(SomeReproduction().parts[0].bars[0]).str();
  EXPECT_EQ(MarkupProblem(svg), "");
  EXPECT_EQ(CountOf(svg, "<path "), 4U + 1U) << "four bars, one interval";
  EXPECT_EQ(CountOf(svg, "class=\"frame\""), 1U + 1U) << "one interval, and the axis";
  EXPECT_THAT(svg, HasSubstr("<title>7-8, AUC: 0.300</title>"));
}

}  // namespace
}  // namespace flyscribe
