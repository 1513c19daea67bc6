#include "pipeline/run/lock_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "core/text.h"
#include "tests/pipeline/cache_copy.h"
#include "tests/support/expect_error.h"

namespace flyscribe {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(LockText, IsSortedAndReadsBack) {
  const LockFacts facts = {{"options", {{"learn.lambda", "0.1"}, {"learn.atoms", "24"}}},
                           {"inputs", {{"images", "ab"}}}};
  const std::string text = LockText("4-6", facts);
  EXPECT_EQ(text,
            "# flyscribe lock 1: written by `flyscribe run`, checked by `flyscribe run --locked`\nrange: 4-6\n"
            "inputs:\n  images: ab\noptions:\n  learn.atoms: 24\n  learn.lambda: 0.1\n");
  EXPECT_EQ(ParseLock(text, "lock"), facts);
}

TEST(ParseLock, RefusesWhatItDidNotWrite) {
  CaughtError error = ExpectError([] { ParseLock("range: 4-6\n", "lock/4-6.yaml"); });
  EXPECT_EQ(error.code, ErrorCode::kCorrupt);
  EXPECT_EQ(error.text,
            "lock/4-6.yaml: error: this is no lock file of a known format\n  hint: delete it and run without --locked");
  error = ExpectError([] { ParseLock(LockText("4-6", {{"keys", {{"learn", "1"}}}}) + "<<<<<<< HEAD\n", "l"); });
  EXPECT_EQ(error.code, ErrorCode::kCorrupt);
  EXPECT_EQ(error.text, "l:5:1: error: expected '  name: value'\n  hint: was the file edited?");
}

class LockFileTest : public testing::Test {
 protected:
  LockFileTest() { WriteLockFiles(plan_, plan_.points[0], outcome_); }

  fs::path File() const { return LockFileOf(cache_.folder() / "output", "4-6"); }
  LockFacts Facts() const { return ParseLock(ReadFile(File()), "lock"); }
  void RequirePlan(const std::vector<std::string>& overrides) const {
    const Plan plan = cache_.PlanWith(overrides);
    RequirePlanAsLocked(plan, plan.points[0]);
  }
  StepOutcome& OutcomeOfStep(const std::string& step) {
    return *std::find_if(
        outcome_.steps.begin(), outcome_.steps.end(), [&](const StepOutcome& each) { return each.step == step; });
  }

  CacheCopy cache_;
  Plan plan_ = cache_.PlanWith();
  RunOutcome outcome_ = Execute(cache_.ConfigWith());
};

TEST_F(LockFileTest, HoldsAllThatDecidesAndAllThatCameOut) {
  const LockFacts facts = Facts();
  EXPECT_EQ(facts.at("options").at("learn.atoms"), "24");
  EXPECT_EQ(facts.at("options").count("threads"), 0U);
  EXPECT_EQ(facts.at("versions").at("step learn"), std::to_string(LearnStep().version));
  EXPECT_EQ(facts.at("versions").count("libsvm"), 1U);
  EXPECT_EQ(facts.at("inputs").at("labels").size(), 64U);
  EXPECT_EQ(facts.at("keys").at("learn fold-0"), InstanceOf(plan_, "learn 4-6 fold-0").key);
  EXPECT_EQ(facts.at("results").size(), 10U) << "all but report, which is of no range";
  // As sha256sum would have it.
  const fs::path ingest = outcome_.FolderOf("4-6", "ingest");
  std::string lines;
  for (const char* name : {"bags.tsv", "images.tsv", "labels.tsv", "skipped.tsv", "terms.tsv"}) {
    lines += Sha256OfFile(ingest / name) + "  " + name + "\n";
  }
  EXPECT_EQ(facts.at("results").at("ingest"), Sha256OfText(lines));
}

TEST_F(LockFileTest, TheSamePlanPassesAndSoDoSpeedOptions) {
  EXPECT_NO_THROW(RequirePlan({}));
  EXPECT_NO_THROW(RequirePlan({"threads=1"}));
  EXPECT_NO_THROW(RequireResultsAsLocked(plan_.points[0], outcome_));
}

TEST_F(LockFileTest, EveryDifferenceIsNamedAndNoKeyThatFollowsFromIt) {
  const CaughtError error = ExpectError([&] { RequirePlan({"learn.lambda=0.12", "train.c=3"}); });
  EXPECT_EQ(error.code, ErrorCode::kUsage);
  EXPECT_THAT(error.text, HasSubstr(File().string() + ": error: options: learn.lambda: locked 0.1, now 0.12"));
  EXPECT_THAT(error.text, HasSubstr("options: train.c: locked 1, now 3"));
  EXPECT_THAT(error.text, HasSubstr("hint: run without --locked to accept the change"));
  EXPECT_THAT(error.text, Not(HasSubstr("keys:")));
}

TEST_F(LockFileTest, OtherInputsAndVersionsAreNamed) {
  EXPECT_THAT(ExpectError([&] { RequirePlan({"ingest.permute_labels=3"}); }).text,
              HasSubstr("inputs: labels: locked "));
  const std::string version = std::to_string(TrainStep().version);
  WriteFileAtomically(File(), Replaced(ReadFile(File()), "step train: " + version, "step train: 0"));
  EXPECT_THAT(ExpectError([&] { RequirePlan({}); }).text, HasSubstr("versions: step train: locked 0, now " + version));
}

TEST_F(LockFileTest, AKeyCountsWhereNothingElseDiffers) {
  const std::string key = InstanceOf(plan_, "pool 4-6 fold-0").key;
  WriteFileAtomically(File(), Replaced(ReadFile(File()), "pool fold-0: " + key, "pool fold-0: 12ab"));
  EXPECT_THAT(ExpectError([&] { RequirePlan({}); }).text, HasSubstr("keys: pool fold-0: locked 12ab, now " + key));
}

TEST_F(LockFileTest, AMissingFileIsNamed) {
  fs::remove(File());
  const CaughtError error = ExpectError([&] { RequirePlan({}); });
  EXPECT_EQ(error.code, ErrorCode::kUsage);
  EXPECT_EQ(error.text,
            File().string() + ": error: there is no lock file\n  hint: run once without --locked; it writes the file");
}

TEST_F(LockFileTest, OtherResultsAreCorrupt) {
  const std::string digest = Facts().at("results").at("train fold-0");
  WriteFileAtomically(File(), Replaced(ReadFile(File()), digest, std::string(64, '0')));
  const CaughtError error = ExpectError([&] { RequireResultsAsLocked(plan_.points[0], outcome_); });
  EXPECT_EQ(error.code, ErrorCode::kCorrupt);
  EXPECT_THAT(error.text, HasSubstr("results: train fold-0: locked " + std::string(64, '0') + ", now " + digest));
  EXPECT_THAT(error.text, HasSubstr("`flyscribe cache verify` looks for damage"));
}

TEST_F(LockFileTest, ResultsOfStepsThatWereNotNeededStay) {
  const LockFacts before = Facts();
  OutcomeOfStep("normalise").folder.clear();
  WriteLockFiles(plan_, plan_.points[0], outcome_);
  EXPECT_EQ(Facts(), before);
  EXPECT_NO_THROW(RequireResultsAsLocked(plan_.points[0], outcome_)) << "what is not there is not compared";
  // Not under another key.
  const Plan other = cache_.PlanWith({"normalise.min_deviation=3"});
  WriteLockFiles(other, other.points[0], outcome_);
  EXPECT_EQ(Facts().at("results").count("normalise"), 0U);
}

TEST_F(LockFileTest, ALockFileThatCannotBeReadIsReplaced) {
  const LockFacts before = Facts();
  const std::string text = ReadFile(File());
  WriteFileAtomically(File(), text.substr(0, text.find('\n') + 1) + "garbage");
  WriteLockFiles(plan_, plan_.points[0], outcome_);
  EXPECT_EQ(Facts(), before);
}

TEST_F(LockFileTest, AFileOfSomebodyElseIsNot) {
  WriteFileAtomically(File(), "mine");
  for (const bool at_start : {true, false}) {
    const CaughtError error = ExpectError([&] {
      if (at_start) {
        RequireOwnLockFiles(*plan_.points[0].config);
      } else {
        WriteLockFiles(plan_, plan_.points[0], outcome_);
      }
    });
    EXPECT_EQ(error.code, ErrorCode::kUsage);
    EXPECT_EQ(error.text,
              File().string() +
                  ": error: the run would replace this file, which is no lock file of flyscribe\n"
                  "  hint: move it away, or choose another `output`");
  }
  EXPECT_EQ(ReadFile(File()), "mine");
}

}  // namespace
}  // namespace flyscribe
