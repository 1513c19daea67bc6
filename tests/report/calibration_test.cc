#include "report/calibration.h"

#include <gtest/gtest.h>

#include "tests/report/html_checker.h"

namespace flyscribe {
namespace {

Evaluation WithTerms(std::size_t count) {
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
  const std::string html = CalibrationFigure(WithTerms(12), "r1").str();
  EXPECT_EQ(MarkupProblem(html), "");
  EXPECT_EQ(CountOf(html, "<svg class=\"chart\""), 11U);
  EXPECT_EQ(CountOf(html, "class=\"chance\""), 11U) << "the diagonal";
  EXPECT_EQ(CountOf(html, "<circle class=\"dot\""), 3U + 10U * 2U);
  EXPECT_EQ(CountOf(html, "id=\"r1-reliability-of-9-0\""), 1U);
  EXPECT_EQ(CountOf(html, "id=\"r1-reliability-of-10-0\""), 0U);
  EXPECT_NE(html.find("<figcaption>term &lt;0&gt;<small>Brier 0.125</small></figcaption>"), std::string::npos);
}

TEST(CalibrationFigure, ListsCAndThresholdOfEveryTerm) {
  Evaluation evaluation = WithTerms(12);
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
