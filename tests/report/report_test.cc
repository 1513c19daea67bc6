#include "report/report.h"

#include <gtest/gtest.h>

#include <set>

#include "tests/report/html_checker.h"

namespace flyscribe {
namespace {

constexpr const char* kHostile = "<script>alert('x')</script>\"&";

bool Contains(const std::string& page, const std::string& part) { return page.find(part) != std::string::npos; }

ReportRange FullRange(const char* name) {
  ReportRange range;
  range.range = StageRange::FromName(name);
  range.genes = 1;
  range.bags = 1200;
  range.images = 3400;
  range.doubtful = 17;
  range.patches = 1200000;
  TermEvaluation term;
  term.term = kHostile;
  term.positives = 30;
  term.bags = 600;
  term.folds = 5;
  term.metrics.auc = 0.8;
  term.roc = {{0, 0}, {0.5, 1}, {1, 1}};
  term.precision_recall = {{0, 1}, {1, 0.5}};
  range.evaluation.terms = {term};
  range.evaluation.terms[0].reliability = {{300, 0.1, 0.2}, {300, 0.6, 0.5}};
  range.evaluation.reliability = {{300, 0.1, 0.2}, {300, 0.6, 0.5}};
  range.evaluation.averages = {{{10}, AverageKind::kMacro, 1, term.metrics, {}},
                               {{10}, AverageKind::kWeighted, 1, term.metrics, {}}};
  range.evaluation.skipped = {{kHostile, kHostile}};
  range.evaluation.skipped = {{kHostile, kHostile}};
  PartLearning part{.part = kHostile, .summary = {}};
  part.summary.objective_per_epoch = {0.3, 0.2};
  range.learning = {part};
  range.atoms = FloatMatrix(70, 128, 0.1F);
  const ExampleTerm example{.term = kHostile,
                            .decision_value = 1.0,
                            .probability = 0.8,
                            .threshold = 0.5,
                            .label = true,
                            .call = true,
                            .image = 0,
                            .marks = {{9, 9, 1}}};
  range.examples = {{.id = kHostile, .symbol = "Ubx-α", .images = {{kHostile, "png bytes"}}, .terms = {example}}};
  range.skipped = {{kHostile, kHostile, true}};
  return range;
}

ReportInput FullInput() {
  ReportInput input;
  input.title = kHostile;
  input.facts = {{kHostile, kHostile}, {"Protocol", "strict"}};
  input.options_text = std::string("title: ") + kHostile + "\n  # " + RunFactsPlace().str();
  input.ranges = {FullRange("4-6"), FullRange("13-16")};
  return input;
}

TEST(RenderReport, IsWellFormed) {
  EXPECT_EQ(MarkupProblem(RenderReport(FullInput())), "");
  EXPECT_EQ(RenderReport(FullInput()).substr(0, 32), "<!DOCTYPE html>\n<html lang=\"en\">");
}

TEST(RenderReport, GivesTheSameBytesForTheSameInput) {
  EXPECT_EQ(RenderReport(FullInput()), RenderReport(FullInput()));
}

TEST(RenderReport, EscapesEverythingThatComesFromData) {
  const std::string page = RenderReport(FullInput());
  EXPECT_FALSE(Contains(page, "alert('x')"));
  EXPECT_EQ(CountOf(page, "<script>"), 1U);
  EXPECT_TRUE(Contains(page, "<title>&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&quot;&amp;</title>"));
  EXPECT_TRUE(Contains(page, "<em>Ubx-α</em>"));
}

TEST(RenderReport, LoadsNothingFromElsewhere) {
  const std::string page = RenderReport(FullInput());
  EXPECT_TRUE(Contains(page, "Content-Security-Policy\" content=\"default-src 'none'; img-src data:;"));
  EXPECT_FALSE(Contains(page, " src="));
  // Addresses appear as links a reader may follow (twice each: target and text) and as the name of SVG's namespace.
  const std::size_t links = CountOf(page, "<a href=\"https://");
  EXPECT_EQ(links, 5U);
  EXPECT_EQ(CountOf(page, "https://"), 2 * links);
  std::size_t elsewhere = 0;
  for (const std::string& target : Quoted(page, " href=\"")) {
    if (!target.starts_with("#") && !target.starts_with("data:")) ++elsewhere;
  }
  EXPECT_EQ(elsewhere, links);
  EXPECT_EQ(CountOf(page, "http://"), CountOf(page, "xmlns=\"http://www.w3.org/2000/svg\""));
}

TEST(RenderReport, HasUniqueIdsAndNoDeadReference) {
  const std::string page = RenderReport(FullInput());
  const std::vector<std::string> ids = Quoted(page, " id=\"");
  const std::set<std::string> distinct(ids.begin(), ids.end());
  EXPECT_EQ(ids.size(), distinct.size());
  const std::vector<std::string> targets = Quoted(page, " href=\"#");
  EXPECT_GT(targets.size(), 20U);
  for (const std::string& target : targets) EXPECT_TRUE(distinct.contains(target)) << target;
}

TEST(RenderReport, ShowsTheHeadlineAndTheCounts) {
  const std::string page = RenderReport(FullInput());
  EXPECT_TRUE(Contains(page, "<a href=\"#range1\">Stages 4–6</a></h2>"));
  EXPECT_TRUE(Contains(page, "1 gene · 1,200 bags · 3,400 images (17 doubtful) · 1.20\u00a0M patches"));
  EXPECT_TRUE(Contains(page, "<b>0.800</b><span>macro AUC, top\u00a01</span>"));
  EXPECT_TRUE(Contains(page, "<dt>Protocol</dt><dd>strict</dd>"));
  EXPECT_TRUE(Contains(page, "arXiv:1407.8147"));
  EXPECT_EQ(CountOf(page, "<svg class=\"glyph\""), 2 * kDrawnAtoms);
}

TEST(RenderReport, ShowsRawPixelsWhereTheyWereRun) {
  ReportInput input = FullInput();
  EXPECT_FALSE(Contains(RenderReport(input), "raw pixels"));
  input.ranges[0].pixels = input.ranges[0].evaluation;
  input.ranges[0].pixels->averages[0].metrics.auc = 0.75;
  const std::string page = RenderReport(input);
  EXPECT_EQ(MarkupProblem(page), "");
  EXPECT_EQ(CountOf(page, "<small>raw pixels 0.750 (+0.050)</small>"), 1U);
  EXPECT_EQ(CountOf(page, "Compare AUC with that on raw pixels"), 1U) << "in the range that has them";
  EXPECT_EQ(CountOf(page, ">AUC, raw pixels</th>"), 1U);
}

TEST(RenderReport, GivesSeveralRangesMenusAndOneRangeItsSections) {
  ReportInput input = FullInput();
  EXPECT_EQ(CountOf(RenderReport(input), "<li class=\"menu\">"), 2U);
  input.ranges.pop_back();
  const std::string page = RenderReport(input);
  EXPECT_FALSE(Contains(page, "<li class=\"menu\">"));
  EXPECT_TRUE(Contains(page, "<li><a href=\"#range1-scores\">Scores</a></li>"));
}

TEST(RenderReport, CopesWithNoRangesAndWithARangeOfNothing) {
  const std::string empty = RenderReport({});
  EXPECT_EQ(MarkupProblem(empty), "");
  EXPECT_TRUE(Contains(empty, "No stage range was run."));

  ReportInput input;
  input.ranges.emplace_back();
  const std::string page = RenderReport(input);
  EXPECT_EQ(MarkupProblem(page), "");
  EXPECT_TRUE(Contains(page, "No term could be evaluated."));
  EXPECT_TRUE(Contains(page, "Nothing was left out."));
  EXPECT_FALSE(Contains(page, "id=\"range1-curves\""));
  EXPECT_FALSE(Contains(page, "#range1-curves"));
}

TEST(RenderReport, HoldsOnePlaceForTheFactsOfTheRunThatDataCannotImitate) {
  const std::string page = RenderReport(FullInput());
  EXPECT_EQ(CountOf(page, RunFactsPlace().str()), 1U);
  RunFacts facts;
  facts.command = "flyscribe run";
  const std::string filled = InsertRunFacts(page, facts);
  EXPECT_EQ(MarkupProblem(filled), "");
  EXPECT_TRUE(Contains(filled, "<code>flyscribe run</code>"));
  EXPECT_LT(filled.find("<code>flyscribe run</code>"), filled.find("id=\"options\""));
}

}  // namespace
}  // namespace flyscribe
