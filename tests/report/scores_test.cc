#include "report/scores.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/report/html_checker.h"

namespace flyscribe {
namespace {

bool Contains(const Html& html, const std::string& part) { return html.str().find(part) != std::string::npos; }

Evaluation SmallEvaluation() {
  Evaluation evaluation;
  const Metrics good{.accuracy = 0.9,
                     .baseline = 0.8,
                     .auc = 0.95,
                     .sensitivity = 0.7,
                     .specificity = 0.96,
                     .f1 = 0.75,
                     .average_precision = 0.85};
  Metrics poor = good;
  poor.accuracy = 0.75;
  poor.auc = 0.25;
  evaluation.terms = {{"<script>x</script>", 40, 200, 5, good, {}, {}}, {"pôle cell", 9, 200, 3, poor, {}, {}}};
  evaluation.averages = {{"top 10", "macro", 2, good}, {"top 10", "weighted", 2, poor}, {"all", "macro", 2, good}};
  return evaluation;
}

TEST(HeadlineTiles, ShowAccuracyBesideItsBaseline) {
  const Html tiles = HeadlineTiles(SmallEvaluation());
  EXPECT_TRUE(Contains(tiles, "<b>0.950</b><span>macro AUC, top\u00a02</span>")) << tiles.str();
  EXPECT_TRUE(Contains(tiles, "<b>0.250</b><span>weighted AUC, top\u00a02</span>"));
  EXPECT_TRUE(Contains(tiles,
                       "<b>0.900</b><span>macro accuracy, top\u00a02</span>"
                       "<small>majority baseline 0.800 (+0.100)</small>"));
  EXPECT_TRUE(HeadlineTiles({}).empty());
}

TEST(ScoreTable, HasARowATermAndTheAverages) {
  const Html table = ScoreTable(SmallEvaluation());
  EXPECT_EQ(MarkupProblem(table.str()), "");
  EXPECT_EQ(CountOf(table.str(), "<tr>"), 6U);
  EXPECT_EQ(CountOf(table.str(), "scope=\"row\""), 5U);
  EXPECT_EQ(CountOf(table.str(), "<th scope=\"col\""), 11U);
  EXPECT_TRUE(
      Contains(table, "<tfoot><tr><th class=\"name\" scope=\"row\" title=\"top 10 terms, macro\">top 10, macro"));
  EXPECT_TRUE(Contains(table, "title=\"top 10 terms, weighted by positive bags\""));
}

TEST(ScoreTable, EscapesTermsInTextAndInAttributes) {
  const Html table = ScoreTable(SmallEvaluation());
  EXPECT_FALSE(Contains(table, "<script>"));
  EXPECT_TRUE(Contains(table, "data-v=\"&lt;script&gt;x&lt;/script&gt;\">&lt;script&gt;x&lt;/script&gt;</th>"));
  EXPECT_TRUE(Contains(table, ">pôle cell</th>"));
}

TEST(ScoreTable, DrawsAucAndMarksGainAndFewPositives) {
  const Html table = ScoreTable(SmallEvaluation());
  EXPECT_TRUE(
      Contains(table, "data-v=\"0.950000\"><span class=\"bar\" aria-hidden=\"true\"><i style=\"width:95.0%\">"));
  EXPECT_TRUE(Contains(table, "<td class=\"n up\" data-v=\"0.100000\">+0.100</td>"));
  EXPECT_TRUE(Contains(table, "<td class=\"n down\" data-v=\"-0.050000\">−0.050</td>"));
  EXPECT_TRUE(Contains(table, "data-v=\"9\">9<small> of 200</small><span class=\"few\""));
  EXPECT_EQ(CountOf(table.str(), "class=\"few\""), 1U);
}

TEST(ScoreTable, ShowsWhatIsNoNumberAsADashThatSortsLast) {
  Evaluation evaluation = SmallEvaluation();
  evaluation.terms[0].metrics.auc = std::nan("");
  EXPECT_TRUE(Contains(ScoreTable(evaluation),
                       "data-v=\"\"><span class=\"bar\" aria-hidden=\"true\"><i "
                       "style=\"width:0.0%\"></i></span>–</td>"));
}

TEST(ScoreTable, SaysSoWhenNothingWasEvaluated) {
  EXPECT_EQ(ScoreTable({}).str(), "<p class=\"note\">No term could be evaluated.</p>");
}

TEST(SkippedTerms, ListsThemWithReasons) {
  const Html skipped = SkippedTerms({{"gap", "not trained: 3 positive bags"}, {"germ line", "no negative bag"}});
  EXPECT_TRUE(Contains(skipped, "<summary>2 terms left out of the table, and why</summary>"));
  EXPECT_TRUE(Contains(skipped, "<td>gap</td><td>not trained: 3 positive bags</td>"));
  EXPECT_TRUE(Contains(skipped, "<td>germ line</td><td>no negative bag</td>"));
  EXPECT_TRUE(SkippedTerms({}).empty());
}

}  // namespace
}  // namespace flyscribe
