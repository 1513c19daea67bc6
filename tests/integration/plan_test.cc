// flyscribe plan: what a run would do, without doing anything.
#include <nlohmann/json.hpp>

#include "tests/integration/tiny_suite.h"

namespace flyscribe {
namespace {

using Json = nlohmann::ordered_json;

class PlanCommandTest : public TinySuite {};

TEST_F(PlanCommandTest, BeforeTheFirstRunEverythingIsToDoAndNothingIsWritten) {
  const TempFolder fresh;
  WriteConfig(fresh);
  const auto plan = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments = {"plan", "tiny.yaml"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return RunBinary(FLYSCRIBE_BINARY, arguments, fresh.path());
  };
  const ProgramResult result = plan({});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("  simulate           run    unknown  unknown  never computed\n"));
  EXPECT_THAT(result.out, HasSubstr("  train 4-6 fold-0   run    unknown  unknown  simulate comes first\n"));
  EXPECT_THAT(result.out, HasSubstr("\n11 of 11 steps to run; 11 without an earlier run to go by\n"));
  EXPECT_EQ(plan({"--exit-code"}).exit_code, 2);
  EXPECT_FALSE(fs::exists(fresh / "cache"));
  EXPECT_FALSE(fs::exists(fresh / "output"));
}

TEST_F(PlanCommandTest, AfterARunThereIsNothingToDo) {
  const ProgramResult result = Flyscribe({"plan", "tiny.yaml", "--exit-code"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.out, HasSubstr("\nnothing to do\n"));
  EXPECT_THAT(result.out, Not(HasSubstr(" run ")));
}

TEST_F(PlanCommandTest, AChangedOptionIsTheReasonOfEverythingThatFollows) {
  const auto before = Listing();
  const ProgramResult text = Flyscribe({"plan", "tiny.yaml", "--set", "learn.lambda=0.12", "--exit-code"});
  EXPECT_EQ(text.exit_code, 2);
  EXPECT_THAT(text.out, HasSubstr("learn.lambda: 0.1 -> 0.12\n"));
  EXPECT_THAT(text.out, HasSubstr("learn.lambda: 0.1 -> 0.12, through pool < learn\n"));
  EXPECT_THAT(text.out, HasSubstr("\n6 of 11 steps to run, about "));

  const Json json = Json::parse(Flyscribe({"plan", "tiny.yaml", "--set", "learn.lambda=0.12", "--json"}).out);
  ASSERT_TRUE(json.is_object());
  EXPECT_EQ(json["format"], 1);
  EXPECT_EQ(json["to_run"], 6);
  EXPECT_EQ(json["unknown"], 0);
  for (const Json& step : json["steps"]) {
    if (step["state"] == "hit") continue;
    EXPECT_EQ(step["state"], "run");
    EXPECT_EQ(step["reason"], "changed") << step;
    ASSERT_EQ(step["changes"].size(), 1U) << step;
    EXPECT_EQ(step["changes"][0]["name"], "option learn.lambda");
    EXPECT_EQ(step["changes"][0]["after"], "0.12");
    EXPECT_GT(step["bytes"], 100);
  }
  EXPECT_EQ(Listing(), before) << "nothing on disk has changed";
}

TEST_F(PlanCommandTest, WhatItSaysIsWhatRunDoes) {
  const Json json = Json::parse(Flyscribe({"plan", "tiny.yaml", "--set", "train.c=3", "--json"}).out);
  std::vector<std::string> planned;
  for (const Json& step : json["steps"]) {
    if (step["state"] == "run") planned.push_back(step["step"]);
  }
  EXPECT_EQ(planned, (std::vector<std::string>{"train", "evaluate", "report"}));
  const ProgramResult run = Flyscribe({"run", "tiny.yaml", "--set", "train.c=3"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("cache    8 hits, 3 misses"));
  EXPECT_EQ(Flyscribe({"plan", "tiny.yaml", "--set", "train.c=3", "--exit-code"}).exit_code, 0);
}

TEST_F(PlanCommandTest, TheSizeOfWhatIsGoneIsUnknown) {
  const fs::path learn = Folder() / "cache/4-6/learn";
  fs::rename(learn, Folder() / "aside");
  const std::vector<std::string> command = {"plan", "tiny.yaml", "--until", "learn"};
  EXPECT_THAT(Flyscribe(command).out,
              testing::ContainsRegex(
                  "  learn 4-6 fold-0 +run +[0-9.]+ m?s +unknown  computed before .*\n\n1 of [0-9]+ steps to "
                  "run, about [0-9.]+ m?s, going by earlier runs; 1 of unknown size\n"));
  std::vector<std::string> as_json = command;
  as_json.emplace_back("--json");
  const Json json = Json::parse(Flyscribe(as_json).out);
  EXPECT_EQ(json["unsized"], 1);
  EXPECT_TRUE(json["steps"].back()["bytes"].is_null());
  fs::rename(Folder() / "aside", learn);
}

TEST_F(PlanCommandTest, StepsMayBeSelected) {
  const Json until =
      Json::parse(Flyscribe({"plan", "tiny.yaml", "--until", "learn", "--set", "learn.seed=9", "--json"}).out);
  EXPECT_EQ(until["to_run"], 1);
  EXPECT_EQ(until["steps"].size(), 6U) << "what is not asked is not shown";
  const ProgramResult forced = Flyscribe({"plan", "tiny.yaml", "--force", "pool"});
  EXPECT_THAT(forced.out, testing::ContainsRegex("pool 4-6 fold-0 +run .* forced\n"));
  EXPECT_THAT(forced.out, HasSubstr("\n1 of 11 steps to run, about "));
}

TEST_F(PlanCommandTest, ErrorsSayWhatIsWrong) {
  ProgramResult result = Flyscribe({"plan", "tiny.yaml", "--until", "lern"});
  EXPECT_EQ(result.exit_code, 4);
  EXPECT_THAT(result.err, HasSubstr("error: unknown step 'lern'\n  hint: did you mean 'learn'? steps: simulate, "));
  result = Flyscribe({"plan", "tiny.yaml", "--only", "learn", "--set", "extract.stride=24"});
  EXPECT_EQ(result.exit_code, 4);
  EXPECT_THAT(result.err, HasSubstr("--only learn: error: normalise for 4-6 is not cached"));
  result = Flyscribe({"plan", "tiny.yaml", "--only", "learn", "--from", "learn"});
  EXPECT_EQ(result.exit_code, 4);
  EXPECT_THAT(result.err, HasSubstr("excludes"));
  result = Flyscribe({"plan", "nowhere.yaml"});
  EXPECT_EQ(result.exit_code, 5);
  EXPECT_THAT(result.err, HasSubstr("nowhere.yaml: error: cannot read: No such file or directory"));
  EXPECT_EQ(result.out, "");
}

}  // namespace
}  // namespace flyscribe
