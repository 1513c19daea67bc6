#include <gtest/gtest.h>

#include <map>
#include <set>

#include "core/file.h"
#include "data/evaluation.h"
#include "report/html.h"
#include "tests/pipeline/tiny_run.h"

namespace flyscribe {
namespace {

TEST(ReportStep, ShowsTermsBagsAndPictures) {
  const TinyRun& run = SharedTinyRun();
  const std::string page = ReadFile(run.FolderOf("report") / "report.html");
  const Evaluation evaluation = Evaluation::Load(run.FolderOf("evaluate"));
  ASSERT_FALSE(evaluation.terms.empty());
  for (const TermEvaluation& term : evaluation.terms) EXPECT_NE(page.find(term.term), std::string::npos) << term.term;
  EXPECT_NE(page.find("data:image/png;base64,"), std::string::npos);
  EXPECT_NE(page.find("learned from training genes only"), std::string::npos);
}

TEST(ReportStep, SaysWhatWasLearnedFromWhomAndWhichCodesWerePooled) {
  const std::string page = ReadFile(SharedTinyRun().FolderOf("report") / "report.html");
  EXPECT_NE(page.find("strict: nothing is learned from tested genes"), std::string::npos);
  EXPECT_NE(page.find("encoded: of all patches, with the final dictionary"), std::string::npos);
  EXPECT_NE(page.find("Probabilities and thresholds"), std::string::npos);
  EXPECT_NE(page.find("linear SVM, C chosen on inner folds from 0.01, 0.1, 1, 10, one for all terms"),
            std::string::npos);
  EXPECT_NE(page.find("above the threshold with the largest F1 on inner folds"), std::string::npos);
}

// Every decision value that an example shows is one of a test: of a model that never saw the gene.
TEST(ReportStep, ExamplesCarryScoresOfTests) {
  const TinyRun& run = SharedTinyRun();
  const std::string page = ReadFile(run.FolderOf("report") / "report.html");
  std::map<std::string, std::set<std::string>> tested;  // bag -> "probability and value" as cells
  for (const Prediction& prediction : Evaluation::Load(run.FolderOf("evaluate")).predictions) {
    tested[prediction.bag].insert("<td class=\"n\">" + Number(prediction.probability, 2) + "</td><td class=\"n\">" +
                                  Number(prediction.decision_value, 2) + "</td>");
  }
  std::size_t cards = 0;
  std::size_t rows = 0;
  for (std::size_t at = page.find("<article"); at != std::string::npos; at = page.find("<article", at + 1)) {
    const std::string card = page.substr(at, page.find("</article>", at) - at);
    const std::size_t name = card.find("</em><small>") + 12;
    const std::string bag = card.substr(name, card.find(" · ", name) - name);
    ASSERT_TRUE(tested.contains(bag)) << bag << " was trained on";
    ++cards;
    for (std::size_t cell = card.find("</span></td><td"); cell != std::string::npos;
         cell = card.find("</span></td><td", cell + 1)) {
      const std::size_t begin = cell + 12;
      const std::string cells = card.substr(begin, card.find("</tr>", begin) - begin);
      EXPECT_TRUE(tested[bag].contains(cells)) << bag << ": " << cells;
      ++rows;
    }
  }
  EXPECT_EQ(cards, 2U);
  EXPECT_GT(rows, 4U);
}

TEST(ReportStep, HoldsNoPathAndNoTime) {
  const std::string page = ReadFile(SharedTinyRun().FolderOf("report") / "report.html");
  EXPECT_EQ(page.find(SharedTinyRun().folder.path().string()), std::string::npos);
}

}  // namespace
}  // namespace flyscribe
