#include <gtest/gtest.h>

#include "core/file.h"
#include "data/evaluation.h"
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

TEST(ReportStep, HoldsNoPathAndNoTime) {
  const std::string page = ReadFile(SharedTinyRun().FolderOf("report") / "report.html");
  EXPECT_EQ(page.find(SharedTinyRun().folder.path().string()), std::string::npos);
}

}  // namespace
}  // namespace flyscribe
