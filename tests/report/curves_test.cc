#include "report/curves.h"

#include <gtest/gtest.h>

#include "tests/report/html_checker.h"

namespace flyscribe {
namespace {

using Curve = std::vector<CurvePoint>;

TEST(MeanRoc, AveragesLinearlyAndTakesTheUpperEndOfSteps) {
  const Curve step = {{0, 0}, {0, 0.5}, {0.5, 0.5}, {0.5, 1}, {1, 1}};
  const Curve diagonal = {{0, 0}, {1, 1}};
  const Curve mean = MeanRoc({step, diagonal, {}});
  ASSERT_EQ(mean.size(), 102U);
  EXPECT_EQ(mean[0], (CurvePoint{0.0, 0.0}));
  EXPECT_EQ(mean[1], (CurvePoint{0.0, 0.25}));
  EXPECT_DOUBLE_EQ(mean[21].x, 0.2);
  EXPECT_DOUBLE_EQ(mean[21].y, (0.5 + 0.2) / 2);
  EXPECT_DOUBLE_EQ(mean[51].y, (1.0 + 0.5) / 2);
  EXPECT_EQ(mean[101], (CurvePoint{1.0, 1.0}));
}

TEST(MeanPrecisionRecall, TakesTheFirstPointThatReachesTheRecall) {
  const Curve curve = {{0, 1}, {0.5, 0.8}, {0.5, 0.4}, {1, 0.6}, {1, 0.3}};
  const Curve mean = MeanPrecisionRecall({curve});
  ASSERT_EQ(mean.size(), 101U);
  EXPECT_DOUBLE_EQ(mean[0].y, 1.0);
  EXPECT_DOUBLE_EQ(mean[1].y, 0.8);
  EXPECT_DOUBLE_EQ(mean[50].y, 0.8);
  EXPECT_DOUBLE_EQ(mean[51].y, 0.6);
  EXPECT_DOUBLE_EQ(mean[100].y, 0.6);
  // A curve that ends early keeps its last precision.
  EXPECT_DOUBLE_EQ(MeanPrecisionRecall({{{0.0, 1.0}, {0.2, 0.5}}})[80].y, 0.5);
}

TEST(MeanCurves, OfNothingAreEmpty) {
  EXPECT_TRUE(MeanRoc({}).empty());
  EXPECT_TRUE(MeanRoc({{}, {}}).empty());
  EXPECT_TRUE(MeanPrecisionRecall({{}}).empty());
}

Evaluation WithTerms(std::size_t count) {
  Evaluation evaluation;
  for (std::size_t i = 0; i < count; ++i) {
    TermEvaluation term;
    term.term = "term <" + std::to_string(i) + ">";
    term.metrics.auc = 0.75;
    term.roc = {{0, 0}, {0, 1}, {1, 1}};
    term.precision_recall = {{0, 1}, {1, 1}};
    evaluation.terms.push_back(term);
  }
  return evaluation;
}

TEST(EvaluationCurves, DrawsTenTermsAndTheirMean) {
  const std::string html = EvaluationCurves(WithTerms(12), "r1").str();
  EXPECT_EQ(MarkupProblem(html), "");
  EXPECT_EQ(CountOf(html, "<g class=\"series "), 22U);
  EXPECT_EQ(CountOf(html, "<g class=\"series mean\""), 2U);
  EXPECT_EQ(CountOf(html, "<li "), 11U);
  EXPECT_NE(html.find("<title>term &lt;0&gt;: AUC 0.750</title>"), std::string::npos);
  EXPECT_NE(html.find("id=\"r1-roc-10\""), std::string::npos);
  EXPECT_NE(html.find("id=\"r1-pr-10\""), std::string::npos);
  EXPECT_EQ(CountOf(html, "class=\"chance\""), 1U);
}

TEST(EvaluationCurves, AreLeftOutWithoutCurves) {
  Evaluation evaluation = WithTerms(1);
  evaluation.terms[0].roc.clear();
  evaluation.terms[0].precision_recall.clear();
  EXPECT_TRUE(EvaluationCurves(evaluation, "r1").empty());
  EXPECT_TRUE(EvaluationCurves({}, "r1").empty());
}

PartLearning Part(const std::string& name, std::vector<double> objective) {
  PartLearning part{.part = name, .summary = {}};
  part.summary.lambda = 0.13;
  part.summary.patches = 12345;
  part.summary.objective_per_epoch = std::move(objective);
  part.summary.nonzeros_per_code = 12.34;
  part.summary.unused_atoms = 2;
  return part;
}

TEST(LearningCurves, DrawsALineAPartAndListsTheFacts) {
  const std::string html = LearningCurves({Part("all", {0.3, 0.2, 0.1}), Part("fold 1", {0.3, 0.2})}, "r1").str();
  EXPECT_EQ(MarkupProblem(html), "");
  EXPECT_EQ(CountOf(html, "<g class=\"series "), 2U);
  // 560 x 300: epochs 1..3 at 60, 304, 548; objective 0.1..0.3 at 256..10.
  EXPECT_NE(html.find("d=\"M60 10L304 133L548 256\""), std::string::npos) << html;
  EXPECT_NE(
      html.find("<th scope=\"row\">all</th><td class=\"n\">12,345</td><td class=\"n\">0.13</td><td class=\"n\">3</td>"
                "<td class=\"n\">0.1000</td><td class=\"n\">12.3</td><td class=\"n\">2</td>"),
      std::string::npos)
      << html;
}

TEST(LearningCurves, SaysWhatHasSettled) {
  PartLearning settled = Part("all", {0.3, 0.2, 0.1});
  settled.summary.settled = true;
  const std::string html = LearningCurves({settled, Part("fold 1", {0.3, 0.2})}, "r1").str();
  EXPECT_EQ(CountOf(html, "<td class=\"n\">3, settled</td>"), 1U) << html;
  EXPECT_EQ(CountOf(html, "<td class=\"n\">2</td>"), 1U + 2U) << "two epochs, and twice two unused atoms";
}

TEST(LearningCurves, CopesWithNoneOneAndNoEpochs) {
  EXPECT_TRUE(LearningCurves({}, "r").empty());
  EXPECT_EQ(MarkupProblem(LearningCurves({Part("all", {0.5})}, "r").str()), "");
  EXPECT_EQ(MarkupProblem(LearningCurves({Part("all", {})}, "r").str()), "");
}

Evaluation Calibrated(std::size_t count) {
  Evaluation evaluation;
  evaluation.reliability = {{50, 0.1, 0.0}, {50, 0.5, 0.25}, {50, 0.9, 1.0}};
  for (std::size_t i = 0; i < count; ++i) {
    TermEvaluation term;
    term.term = "term <" + std::to_string(i) + ">";
    term.metrics.brier = 0.125;
    term.metrics.precision = 0.75;
    term.reliability = {{25, 0.25, 0.5}, {25, 0.75, 0.5}};
    term.models = {{0, 0.1, 0.5}, {1, 10.0, 0.25}};
    evaluation.terms.push_back(term);
  }
  return evaluation;
}

TEST(CalibrationFigure, DrawsAllPredictionsAndTenTerms) {
  const std::string html = CalibrationFigure(Calibrated(12), "r1").str();
  EXPECT_EQ(MarkupProblem(html), "");
  EXPECT_EQ(CountOf(html, "<svg class=\"chart\""), 11U);
  EXPECT_EQ(CountOf(html, "class=\"chance\""), 11U) << "the diagonal";
  EXPECT_EQ(CountOf(html, "<circle class=\"dot\""), 3U + 10U * 2U);
  EXPECT_EQ(CountOf(html, "id=\"r1-reliability-of-9-0\""), 1U);
  EXPECT_EQ(CountOf(html, "id=\"r1-reliability-of-10-0\""), 0U);
  EXPECT_NE(html.find("<figcaption>term &lt;0&gt;<small>Brier 0.125</small></figcaption>"), std::string::npos);
}

TEST(CalibrationFigure, ListsCAndThresholdOfEveryTerm) {
  Evaluation evaluation = Calibrated(12);
  evaluation.terms[1].models = {{0, 1.0, 0.5}, {1, 1.0, 0.5}};
  evaluation.terms[2].models.clear();
  const std::string html = CalibrationFigure(evaluation, "r1").str();
  EXPECT_EQ(CountOf(html, "<th scope=\"row\">"), 12U);
  EXPECT_NE(html.find("term &lt;0&gt;</th><td class=\"n\">0.1–10</td><td class=\"n\">0.25–0.50</td><td "
                      "class=\"n\">0.750</td><td class=\"n\">0.125</td>"),
            std::string::npos)
      << html;
  EXPECT_NE(html.find("term &lt;1&gt;</th><td class=\"n\">1</td><td class=\"n\">0.50</td>"), std::string::npos);
  EXPECT_NE(html.find("term &lt;2&gt;</th><td class=\"n\">–</td><td class=\"n\">–</td>"), std::string::npos);
}

TEST(CalibrationFigure, IsLeftOutWithoutPredictions) { EXPECT_TRUE(CalibrationFigure({}, "r1").empty()); }

}  // namespace
}  // namespace flyscribe
