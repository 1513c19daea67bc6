#include "core/error.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include <string>

#include "tests/support/expect_error.h"

namespace flyscribe {
namespace {

TEST(PlaceTest, ShowsWhatIsKnown) {
  EXPECT_EQ((Place{"a.yaml", 14, 3}.ToString()), "a.yaml:14:3");
  EXPECT_EQ((Place{"a.yaml", 14, 0}.ToString()), "a.yaml:14");
  EXPECT_EQ((Place{"a.yaml", 0, 0}.ToString()), "a.yaml");
  EXPECT_EQ((Place{"a.yaml", 0, 7}.ToString()), "a.yaml") << "a column without a line says nothing";
  EXPECT_EQ(Place{}.ToString(), "");
}

TEST(ErrorTest, RendersPlaceMessageAndHint) {
  const Error error(ErrorCode::kUsage, "learn.lamda: unknown key", "did you mean 'lambda'?", {"4-6.yaml", 14, 3});
  EXPECT_STREQ(error.what(), "4-6.yaml:14:3: error: learn.lamda: unknown key\n  hint: did you mean 'lambda'?");
  EXPECT_EQ(error.code(), ErrorCode::kUsage);
}

TEST(ErrorTest, LeavesOutWhatIsEmpty) {
  EXPECT_STREQ(Error(ErrorCode::kInput, "no images").what(), "error: no images");
  EXPECT_STREQ(Error(ErrorCode::kInput, "no images", "look again").what(), "error: no images\n  hint: look again");
}

TEST(ErrorTest, RendersSeveralDiagnosticsThenTheContext) {
  Error error(ErrorCode::kUsage, {{"first", "mend it", {"a", 1, 2}}, {"second", "", {"a", 2, 0}}, {"third", "", {}}});
  error.AddContext("running learn for 4-6");
  error.AddContext("running configs/4-6.yaml");
  EXPECT_STREQ(error.what(),
               "a:1:2: error: first\n  hint: mend it\na:2: error: second\nerror: third"
               "\n  while running learn for 4-6\n  while running configs/4-6.yaml");
  EXPECT_EQ(error.diagnostics().size(), 3U);
}

TEST(ErrorTest, ACopyKeepsItsText) {
  std::exception_ptr stored;
  {
    Error error(ErrorCode::kDisk, "full");
    error.AddContext("writing");
    stored = std::make_exception_ptr(error);
  }
  const CaughtError caught = ExpectError([&] { std::rethrow_exception(stored); });
  EXPECT_EQ(caught.code, ErrorCode::kDisk);
  EXPECT_EQ(caught.text, "error: full\n  while writing");
}

TEST(ErrorTest, ExitCodesNeverChange) {
  EXPECT_EQ(static_cast<int>(ErrorCode::kInternal), 1);
  EXPECT_EQ(static_cast<int>(ErrorCode::kUsage), 4);
  EXPECT_EQ(static_cast<int>(ErrorCode::kInput), 5);
  EXPECT_EQ(static_cast<int>(ErrorCode::kCorrupt), 6);
  EXPECT_EQ(static_cast<int>(ErrorCode::kLockTimeout), 7);
  EXPECT_EQ(static_cast<int>(ErrorCode::kDisk), 8);
  EXPECT_EQ(static_cast<int>(ErrorCode::kScore), 9);
  EXPECT_EQ(static_cast<int>(ErrorCode::kInterrupted), 130);
}

TEST(CheckTest, NamesConditionFileAndLine) {
  const int line = __LINE__ + 1;
  const CaughtError error = ExpectError([] { FLYSCRIBE_CHECK(1 + 1 == 3, "sums are broken"); });
  EXPECT_EQ(error.code, ErrorCode::kInternal);
  EXPECT_EQ(error.text,
            "error_test.cc:" + std::to_string(line) +
                ": error: sums are broken (broken invariant: 1 + 1 == 3)\n  hint: this is a bug in flyscribe; please "
                "report it with the command and the config that led here");
}

TEST(CheckTest, EvaluatesTheConditionOnceAndPasses) {
  int calls = 0;
  FLYSCRIBE_CHECK(++calls > 0, "never seen");
  EXPECT_EQ(calls, 1);
}

TEST(TextOfTest, SaysWhatWasThrown) {
  const auto text = [](const auto& thrown) { return TextOf(std::make_exception_ptr(thrown)); };
  Error error(ErrorCode::kInput, "no file", "look again");
  error.AddContext("running learn");
  EXPECT_EQ(text(error), "error: no file\n  hint: look again\n  while running learn");
  EXPECT_EQ(text(std::runtime_error("odd")), "odd");
  EXPECT_EQ(text(7), "unknown error");
}

}  // namespace
}  // namespace flyscribe
