#include "pipeline/inspect/inspect_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/file.h"
#include "pipeline/inspect/inspect.h"
#include "pipeline/inspect/inspect_render.h"
#include "pipeline/terminal/process.h"
#include "tests/pipeline/some_model.h"
#include "tests/support/expect_error.h"
#include "tests/support/temp_folder.h"

namespace flyscribe {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::Pair;

class InspectModelTest : public testing::Test {
 protected:
  InspectModelTest() { SaveModel(SomeModel(), bundle_); }
  Inspection Look() const { return Inspect(bundle_, NoProgress()); }

  TempFolder folder_;
  fs::path bundle_ = folder_ / "model.tar.zst";
};

TEST_F(InspectModelTest, TellsAllThatIsInABundle) {
  const ModelFacts facts = InspectModel(bundle_);
  EXPECT_EQ(facts.id, SomeModel().id);
  EXPECT_EQ(facts.format, 2);
  EXPECT_EQ(facts.program, Version());
  EXPECT_EQ(facts.bytes, fs::file_size(bundle_));
  EXPECT_THAT(facts.problems, IsEmpty());
  EXPECT_THAT(facts.options, Contains(Pair("pool.regions", "[1x1, 2x2]")));
  EXPECT_THAT(facts.options, Contains(Pair("simd", "auto")));
  EXPECT_THAT(facts.provenance, Contains(Pair("config", "some")));
  ASSERT_EQ(facts.ranges.size(), 2U);
  EXPECT_EQ(facts.ranges[0].features, 15U);
  EXPECT_EQ(facts.ranges[0].terms[0].fbbt_id, "FBbt:00005379");
  EXPECT_DOUBLE_EQ(facts.ranges[0].terms[0].threshold, 1.0 / (1.0 + std::exp(-(1.5 * 0.25 - 0.5))));
}

TEST_F(InspectModelTest, InWords) {
  EXPECT_TRUE(Look().Sound());
  const std::string text = InspectionText(Look());
  for (const std::string line : {"model.tar.zst: model\n",
                                 "  format  2\n",
                                 "  state   whole, and of use to this program: all of it was verified\n",
                                 "\n4-6: 2 terms, 2 genes, 3 atoms, 15 features, 2 inner folds\n",
                                 "  term       FBbt id        positives    C     cut  threshold\n",
                                 "  gut        FBbt:00005379          5   10   0.250      0.469\n",
                                 "  brain  skipped: only one positive bag\n",
                                 "\nPreprocessing\n",
                                 "\nOptions\n",
                                 "  pool.regions",
                                 "\nProvenance\n",
                                 "  options   2 lines, which --json shows\n"}) {
    EXPECT_THAT(text, HasSubstr(line));
  }
  EXPECT_THAT(text, HasSubstr("  id      " + SomeModel().id + "\n"));
  EXPECT_THAT(text, Not(HasSubstr("Problems")));
}

TEST_F(InspectModelTest, AsJson) {
  const auto json = nlohmann::json::parse(InspectionJson(Look()));
  EXPECT_EQ(json.at("sound"), true);
  const auto& model = json.at("model");
  EXPECT_EQ(model.at("id"), SomeModel().id);
  EXPECT_EQ(model.at("intact"), true);
  EXPECT_EQ(model.at("ranges")[1].at("range"), "13-16");
  EXPECT_EQ(model.at("ranges")[1].at("terms")[1].at("c"), 0.1);
  EXPECT_EQ(model.at("ranges")[1].at("skipped")[0].at("term"), "brain");
}

// The seal does not fit, but all that can be read is shown.
TEST_F(InspectModelTest, DamageIsToldBesideTheRest) {
  std::string bytes = ReadFile(bundle_);
  bytes.back() = bytes.back() == '0' ? '1' : '0';
  WriteFile(bundle_, bytes);
  EXPECT_FALSE(Look().Sound());
  const std::string text = InspectionText(Look());
  EXPECT_THAT(text, HasSubstr("  state   refused: 1 problem, listed below\n"));
  EXPECT_THAT(text, HasSubstr("\nProblems\n  the archive is damaged: its bytes do not fit its seal\n"));
  EXPECT_THAT(text, HasSubstr("  id      " + SomeModel().id + "\n"));
  EXPECT_THAT(text, HasSubstr("FBbt:00005379"));
  EXPECT_EQ(nlohmann::json::parse(InspectionJson(Look())).at("model").at("intact"), false);
}

TEST_F(InspectModelTest, ACutOneIsAProblemNotAnException) {
  WriteFile(bundle_, ReadFile(bundle_).substr(0, 300));
  EXPECT_FALSE(Look().Sound());
  EXPECT_THAT(InspectionText(Look()), HasSubstr("the archive is cut off"));
  WriteFile(bundle_, "text");
  EXPECT_EQ(ExpectError([&] { Look(); }).code, ErrorCode::kInput);
}

TEST_F(InspectModelTest, ToldByContentOrName) {
  EXPECT_TRUE(IsModelFile(bundle_));
  EXPECT_TRUE(IsModelFile(folder_.Write("a.TAR.ZST", "no")));
  EXPECT_TRUE(IsModelFile(folder_.Write("a.bin", ReadFile(bundle_))));
  EXPECT_FALSE(IsModelFile(folder_.Write("a.txt", "no")));
}

}  // namespace
}  // namespace flyscribe
