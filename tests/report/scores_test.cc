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
                     .average_precision = 0.85,
                     .balanced_accuracy = 0.83,
                     .precision = 0.8,
                     .f1_of_means = 0.77,
                     .brier = 0.11};
  Metrics poor = good;
  poor.accuracy = 0.75;
  poor.auc = 0.25;
  Metrics low = good;
  Metrics high = good;
  low.auc = 0.9;
  high.auc = 0.975;
  const MetricsInterval interval{low, high};
  evaluation.terms = {{"<script>x</script>", 40, 200, 5, good, {}, {}, interval, {}, {}},
                      {"pôle cell", 9, 200, 3, poor, {}, {}, {}, {}, {}}};
  evaluation.averages = {{{10}, AverageKind::kMacro, 2, good, interval},
                         {{10}, AverageKind::kWeighted, 2, poor, {}},
                         {{}, AverageKind::kMacro, 2, good, {}},
                         {{}, AverageKind::kMicro, 2, good, {}}};
  return evaluation;
}

TEST(HeadlineTiles, ShowAccuracyBesideItsBaseline) {
  const Html tiles = HeadlineTiles(SmallEvaluation());
  EXPECT_TRUE(Contains(tiles, "<b>0.950</b><span>macro AUC, top\u00a02</span><small>95\u00a0%: 0.900–0.975</small>"))
      << tiles.str();
  EXPECT_TRUE(Contains(tiles, "<b>0.250</b><span>weighted AUC, top\u00a02</span></div>"));
  EXPECT_TRUE(Contains(tiles,
                       "<b>0.900</b><span>macro accuracy, top\u00a02</span>"
                       "<small>majority baseline 0.800 (+0.100)</small>"));
  EXPECT_TRUE(HeadlineTiles({}).empty());
}

// The same terms with other scores, but for the last.
Evaluation PixelEvaluation() {
  Evaluation pixels = SmallEvaluation();
  pixels.terms[0].metrics.auc = 0.875;
  pixels.terms.pop_back();
  pixels.averages[0].metrics.auc = 0.8;
  pixels.averages[1].metrics.auc = 0.375;
  return pixels;
}

TEST(HeadlineTiles, ShowAucBesideThatOfRawPixels) {
  const Evaluation pixels = PixelEvaluation();
  const Html tiles = HeadlineTiles(SmallEvaluation(), &pixels);
  EXPECT_TRUE(
      Contains(tiles, "macro AUC, top\u00a02</span><small>95\u00a0%: 0.900–0.975 · raw pixels 0.800 (+0.150)</small>"))
      << tiles.str();
  EXPECT_TRUE(Contains(tiles, "weighted AUC, top\u00a02</span><small>raw pixels 0.375 (−0.125)</small>"));
  EXPECT_FALSE(Contains(HeadlineTiles(SmallEvaluation()), "raw pixels"));
}

TEST(ScoreTable, HasAColumnForRawPixelsWhereTheyWereRun) {
  const Evaluation pixels = PixelEvaluation();
  const Html table = ScoreTable(SmallEvaluation(), &pixels);
  EXPECT_EQ(MarkupProblem(table.str()), "");
  EXPECT_EQ(CountOf(table.str(), "<th scope=\"col\""), 15U);
  EXPECT_LT(table.str().find(">95 % interval</th>"), table.str().find(">AUC, raw pixels</th>"));
  EXPECT_TRUE(Contains(table, "0.900–0.975</td><td class=\"n baseline\" data-v=\"0.875000\">0.875</td>"))
      << table.str();
  EXPECT_TRUE(Contains(table, "–</td><td class=\"n baseline\" data-v=\"\">–</td>")) << "of the last term";
  EXPECT_TRUE(Contains(table, "0.900–0.975</td><td class=\"n baseline\" data-v=\"0.800000\">0.800</td>"));
  EXPECT_FALSE(Contains(ScoreTable(SmallEvaluation()), "raw pixels"));
}

TEST(ScoreTable, HasARowATermAndTheAverages) {
  const Html table = ScoreTable(SmallEvaluation());
  EXPECT_EQ(MarkupProblem(table.str()), "");
  EXPECT_EQ(CountOf(table.str(), "<tr>"), 7U);
  EXPECT_EQ(CountOf(table.str(), "scope=\"row\""), 6U);
  EXPECT_EQ(CountOf(table.str(), "<th scope=\"col\""), 14U);
  EXPECT_TRUE(
      Contains(table, "<tfoot><tr><th class=\"name\" scope=\"row\" title=\"top 10 terms, macro\">top 10, macro"));
  EXPECT_TRUE(Contains(table, "title=\"top 10 terms, weighted by positive bags\""));
  EXPECT_TRUE(Contains(table, "title=\"all terms, all pairs of bag and term as one list\""));
  EXPECT_TRUE(Contains(table, ">0.750</td><td class=\"n\" data-v=\"0.770000\">0.770</td>")) << "both kinds of F1";
}

TEST(ScoreTable, EscapesTermsInTextAndInAttributes) {
  const Html table = ScoreTable(SmallEvaluation());
  EXPECT_FALSE(Contains(table, "<script>"));
  EXPECT_TRUE(Contains(table, "data-v=\"&lt;script&gt;x&lt;/script&gt;\">&lt;script&gt;x&lt;/script&gt;</th>"));
  EXPECT_TRUE(Contains(table, ">pôle cell</th>"));
}

TEST(ScoreTable, DrawsAucAndIntervalAndMarksGainAndFewPositives) {
  const Html table = ScoreTable(SmallEvaluation());
  EXPECT_TRUE(Contains(table,
                       "data-v=\"0.950000\"><span class=\"bar\" aria-hidden=\"true\"><i style=\"width:95.0%\"></i>"
                       "<u style=\"left:90.0%;width:7.5%\"></u></span>0.950</td>"
                       "<td class=\"n baseline\" data-v=\"0.900000\">0.900–0.975</td>"));
  EXPECT_TRUE(Contains(table, "<td class=\"n up\" data-v=\"0.900000\">0.900</td>")) << "above its baseline";
  EXPECT_TRUE(Contains(table, "<td class=\"n down\" data-v=\"0.750000\">0.750</td>"));
  EXPECT_TRUE(Contains(table,
                       "data-v=\"9\" title=\"in 3 folds with positive and negative bags\">9<small> of 200</small>"
                       "<span class=\"few\""));
  EXPECT_EQ(CountOf(table.str(), "class=\"few\""), 1U);
}

TEST(ScoreTable, ShowsWhatIsNoNumberAsADashThatSortsLast) {
  Evaluation evaluation = SmallEvaluation();
  evaluation.terms[0].metrics.auc = std::nan("");
  evaluation.terms[0].interval.reset();
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
