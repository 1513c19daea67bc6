#include "report/sweep_page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/text.h"
#include "tests/report/html_checker.h"

namespace flyscribe {
namespace {

using testing::HasSubstr;
using testing::Not;

// One line a row, cells between tabs; the first line is the header.
void SetTable(SweepPage& page, const std::string& text) {
  page.rows.clear();
  for (const std::string& line : Split(text, '\n')) {
    if (!line.empty()) page.rows.push_back(Split(line, '\t'));
  }
  page.header = page.rows.front();
  page.rows.erase(page.rows.begin());
}

// Two points, two ranges; the second point failed in one of them.
SweepPage SomeSweep() {
  SweepPage page;
  page.title = "tiny: sweep";
  page.command = "flyscribe run tiny.yaml --sweep learn.atoms=10,20";
  SetTable(page,
           "learn.atoms\trange\tstate\tmacro_auc_top\tmacro_f1_all\tseconds\terror\n"
           "10\t4-6\tdone\t0.7000\t0.5000\t9.00\t\n"
           "10\t13-16\tdone\t0.6000\t0.4000\t9.00\t\n"
           "20\t4-6\tdone\t0.6500\t0.5500\t1.00\t\n"
           "20\t13-16\tfailed\t\t\t0.50\terror: no <disk> & no tape\n");
  page.links = {"points/10/report/index.html", "", "points/20/report/index.html", ""};
  return page;
}

TEST(RenderSweepPage, IsAPage) {
  const std::string html = RenderSweepPage(SomeSweep());
  EXPECT_EQ(MarkupProblem(html), "");
  EXPECT_THAT(html, HasSubstr("<title>tiny: sweep</title>"));
  EXPECT_THAT(html, HasSubstr("<h1>tiny: sweep</h1>"));
  EXPECT_THAT(html, HasSubstr("<code>flyscribe run tiny.yaml --sweep learn.atoms=10,20</code>"));
  EXPECT_EQ(CountOf(html, "<tr>"), 1U + 4U);
  EXPECT_THAT(html, HasSubstr(">learn.atoms</th>"));
  EXPECT_THAT(html, HasSubstr(">macro auc top</th>")) << "words, not names of columns";
}

TEST(RenderSweepPage, TheBestOfEachRangeIsBold) {
  const std::string html = RenderSweepPage(SomeSweep());
  EXPECT_THAT(html, HasSubstr("<b>0.7000</b>"));
  EXPECT_THAT(html, HasSubstr("<b>0.5500</b>"));
  EXPECT_THAT(html, HasSubstr("<b>0.6000</b>")) << "the only one of its range";
  EXPECT_THAT(html, HasSubstr("<b>0.4000</b>"));
  EXPECT_EQ(CountOf(html, "<b>"), 4U) << "seconds and settings are no scores";
}

TEST(RenderSweepPage, TheChoiceByInnerFoldsComesBeforeThePoints) {
  SweepPage page = SomeSweep();
  EXPECT_THAT(RenderSweepPage(page), Not(HasSubstr("inner folds")));
  page.choice_folds = {{"fold", "learn.atoms", "inner_macro_auc_top"}, {{"0", "10", "0.6100"}, {"1", "20", "0.6200"}}};
  page.choice_scores = {{"range", "macro_auc_top", "low", "high"}, {{"4-6", "0.6300", "0.5500", "0.7000"}}};
  const std::string html = RenderSweepPage(page);
  EXPECT_EQ(MarkupProblem(html), "");
  EXPECT_THAT(html, HasSubstr("<h2>Chosen by inner folds</h2>"));
  EXPECT_THAT(html, HasSubstr("0.6200"));
  EXPECT_LT(html.find("0.6300"), html.find("0.6100")) << "what it scores comes first";
  EXPECT_LT(html.find("0.6100"), html.find("<b>0.7000</b>"));
}

TEST(RenderSweepPage, EqualScoresAreBothTheBest) {
  SweepPage page = SomeSweep();
  SetTable(page, "range\tmacro_auc_all\n4-6\t0.5\n4-6\t0.9\n4-6\t0.9\n");
  EXPECT_EQ(CountOf(RenderSweepPage(page), "<b>0.9</b>"), 2U);
}

TEST(RenderSweepPage, NumbersAreSetToTheRight) {
  const std::string html = RenderSweepPage(SomeSweep());
  EXPECT_THAT(html, HasSubstr("<td class=\"n\">0.6500</td>"));
  EXPECT_THAT(html, HasSubstr("<td class=\"n\"><b>0.7000</b></td>"));
  EXPECT_THAT(html, HasSubstr("<td>4-6</td>")) << "a range is no number";
}

TEST(RenderSweepPage, WhatFailedSaysWhy) {
  EXPECT_THAT(RenderSweepPage(SomeSweep()), HasSubstr("<td>error: no &lt;disk&gt; &amp; no tape</td>"));
}

TEST(RenderSweepPage, LinksToReports) {
  const std::string html = RenderSweepPage(SomeSweep());
  EXPECT_EQ(CountOf(html, "<a href=\"points/10/report/index.html\">report</a>"), 1U);
  EXPECT_EQ(CountOf(html, ">report</a>"), 2U) << "where there is one";
  EXPECT_EQ(CountOf(html, "<td>–</td>"), 2U);
}

TEST(RenderSweepPage, EscapesEverything) {
  SweepPage page;
  page.title = page.command = "<script>\"'&";
  SetTable(page, "<script>\trange\n<script>\t<script>\n");
  page.links = {"\"><script>"};
  const std::string html = RenderSweepPage(page);
  EXPECT_EQ(MarkupProblem(html), "");
  EXPECT_THAT(html, Not(HasSubstr("<script>")));
}

}  // namespace
}  // namespace flyscribe
