#include "report/report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "tests/report/html_checker.h"
#include "tests/support/expect_error.h"

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
  ExampleBag example;
  example.id = kHostile;
  example.symbol = "Ubx-α";
  example.images = {{kHostile, "png bytes"}};
  example.terms = {{.term = kHostile,
                    .fbbt_id = "",
                    .decision_value = 1.0,
                    .probability = 0.8,
                    .threshold = 0.5,
                    .call = true,
                    .top = {}}};
  example.patches = {{0, 9.0F, 9.0F}};
  example.evidence = {{kHostile, "", 1.0, 0.0, {1.0F}}};
  example.labels = {kHostile};
  range.examples = {example};
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

RunFacts SomeFacts() {
  RunFacts facts;
  facts.version = "0.1.0";
  facts.command = "flyscribe run <x>.yaml";
  facts.wall_seconds = 200.0;
  facts.cpu_seconds = 400.0;
  facts.peak_memory_bytes = 1400000000;
  facts.cache_hits = 1;
  facts.cache_misses = 2;
  facts.threads = 2;
  facts.steps = {
      {"4-6", "all", "ingest", true, 1.0}, {"4-6", "all", "learn", false, 30.0}, {"7-8", "all", "learn", false, 10.0}};
  return facts;
}

TEST(InsertRunFacts, ReplacesThePlaceAndNothingElse) {
  const std::string page = InsertRunFacts("<div>before" + RunFactsPlace().str() + "after</div>", SomeFacts());
  EXPECT_EQ(page.substr(0, 11), "<div>before");
  EXPECT_EQ(page.substr(page.size() - 11), "after</div>");
  EXPECT_EQ(page.find("not recorded"), std::string::npos);
  EXPECT_EQ(MarkupProblem(page), "");
}

TEST(InsertRunFacts, ShowsTotalsAndSteps) {
  const std::string page = InsertRunFacts(RunFactsPlace().str(), SomeFacts());
  EXPECT_NE(page.find("<b>3 min 20 s</b><span>wall time</span><small>2 threads</small>"), std::string::npos) << page;
  EXPECT_NE(page.find("<b>1.4 GB</b>"), std::string::npos);
  EXPECT_NE(page.find("<b>1 / 3</b><span>steps from the cache</span><small>2 steps computed</small>"),
            std::string::npos);
  EXPECT_NE(page.find("<code>flyscribe run &lt;x&gt;.yaml</code>"), std::string::npos);
  EXPECT_NE(page.find("<td>4-6</td><td>all</td><td>ingest</td><td>cache</td><td class=\"n\">1.0 s</td>"),
            std::string::npos);
  // One bar for both learn steps: 40 s, the longest, is 500 of 720 pixels wide; ingest is 1/40 of it, from the cache.
  EXPECT_NE(page.find("<rect class=\"fresh\" x=\"110\" y=\"34\" width=\"500\""), std::string::npos) << page;
  EXPECT_NE(page.find("<rect class=\"cached\" x=\"110\" y=\"6\" width=\"12.5\""), std::string::npos) << page;
  EXPECT_NE(page.find(">40 s</text>"), std::string::npos);
}

TEST(InsertRunFacts, WithoutStepsHasNoChart) {
  const std::string page = InsertRunFacts(RunFactsPlace().str(), RunFacts{});
  EXPECT_EQ(page.find("<svg"), std::string::npos);
  EXPECT_NE(page.find("1 thread<"), std::string::npos);
}

TEST(InsertRunFacts, DrawsTheGraphAboveTheTimes) {
  RunFacts facts = SomeFacts();
  facts.graph = {{"4-6", "all", "ingest", StepState::kHit, "1.0 s", {}},
                 {"4-6", "fold-0", "learn", StepState::kRun, "30 s", {0}}};
  const std::string page = InsertRunFacts(RunFactsPlace().str(), facts);
  EXPECT_EQ(CountOf(page, "<div class=\"steps\""), 1U);
  EXPECT_NE(page.find("title=\"learn 4-6 fold-0: run, 30 s\nfrom ingest 4-6\""), std::string::npos) << page;
  EXPECT_LT(page.find("class=\"steps\""), page.find("aria-label=\"Time per step\""));
  EXPECT_EQ(MarkupProblem(page), "");
  EXPECT_EQ(InsertRunFacts(RunFactsPlace().str(), SomeFacts()).find("class=\"steps\""), std::string::npos);
}

TEST(InsertRunFacts, RefusesAPageWithoutThePlace) {
  const std::string once = InsertRunFacts(RunFactsPlace().str(), SomeFacts());
  for (const std::string& page : {std::string(), std::string("<html></html>"), once}) {
    const CaughtError error = ExpectError([&] { InsertRunFacts(page, SomeFacts()); });
    EXPECT_EQ(error.code, ErrorCode::kInternal);
    EXPECT_NE(error.text.find("the report page has no place for the facts of the run"), std::string::npos);
    EXPECT_NE(error.text.find("hint: render the page again"), std::string::npos);
  }
}

std::vector<Bag> TenBags() {
  std::vector<Bag> bags(10);
  for (std::size_t i = 0; i < bags.size(); ++i) {
    bags[i].id = "FBgn" + std::to_string(i);
    bags[i].gene = "gene" + std::to_string(i / 2);
    bags[i].fold = static_cast<int>(i % 3);
  }
  return bags;
}

TEST(ChooseExamples, TakesOnlyTestedBagsAndNoMoreThanAsked) {
  const std::vector<Bag> bags = TenBags();
  const std::vector<std::size_t> all = ChooseExamples(bags, {1}, 100);
  EXPECT_THAT(all, testing::UnorderedElementsAre(1, 4, 7));
  const std::vector<std::size_t> two = ChooseExamples(bags, {1}, 2);
  EXPECT_THAT(two, testing::ElementsAre(all[0], all[1]));
  EXPECT_TRUE(ChooseExamples(bags, {}, 5).empty());
}

TEST(ChooseExamples, DoesNotDependOnTheOrderOfBags) {
  std::vector<Bag> bags = TenBags();
  const std::string first = bags[ChooseExamples(bags, {0, 1, 2}, 1).front()].id;
  std::reverse(bags.begin(), bags.end());
  EXPECT_EQ(bags[ChooseExamples(bags, {0, 1, 2}, 1).front()].id, first);
}

TEST(MostUsedAtoms, SortsByUse) {
  const FloatMatrix atoms(3, 2, std::vector<float>{0, 1, 10, 11, 20, 21});
  SparseCodes codes;
  codes.atoms = 3;
  codes.AppendDense(std::vector<float>{0, 0, 1});
  codes.AppendDense(std::vector<float>{0, 2, -1});
  EXPECT_EQ(MostUsedAtoms(atoms, codes, 2), FloatMatrix(2, 2, std::vector<float>{20, 21, 10, 11}));
  EXPECT_EQ(MostUsedAtoms(atoms, codes, 9).rows(), 3U);
}

TEST(CountGenes, CountsEachOnce) { EXPECT_EQ(CountGenes(TenBags()), 5U); }

}  // namespace
}  // namespace flyscribe
