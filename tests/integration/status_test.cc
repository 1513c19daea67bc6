// flyscribe status: how steps stand, with and without a run that goes on.
#include <nlohmann/json.hpp>

#include "core/file.h"
#include "tests/integration/tiny_suite.h"

namespace flyscribe {
namespace {

using Json = nlohmann::ordered_json;

class StatusCommandTest : public TinySuite {};

TEST_F(StatusCommandTest, OfAConfig) {
  const ProgramResult done = Flyscribe({"status", "tiny.yaml", "--exit-code"});
  EXPECT_EQ(done.exit_code, 0) << done.err;
  EXPECT_THAT(done.out, HasSubstr("  learn 4-6 fold-0   hit\n"));
  EXPECT_THAT(done.out, HasSubstr("\nnothing to do\n"));
  const ProgramResult changed = Flyscribe({"status", "tiny.yaml", "--set", "train.c=3", "--exit-code"});
  EXPECT_EQ(changed.exit_code, 2);
  EXPECT_THAT(changed.out, HasSubstr("  train 4-6 fold-0   pending\n"));
  EXPECT_THAT(changed.out, HasSubstr("\n3 of 11 steps to do; `flyscribe plan` says why\n"));
  EXPECT_EQ(Flyscribe({"status", "tiny.yaml", "--set", "train.c=3"}).exit_code, 0) << "only if asked";
}

TEST_F(StatusCommandTest, OfAConfigAsJson) {
  const Json json = Json::parse(Flyscribe({"status", "tiny.yaml", "--set", "train.c=3", "--json"}).out);
  EXPECT_EQ(json["format"], 1);
  EXPECT_EQ(json["runs"], Json::array());
  ASSERT_EQ(json["steps"].size(), 11U);
  EXPECT_EQ(json["steps"][7]["state"], "hit");
  EXPECT_EQ(json["steps"][8]["step"], "train");
  EXPECT_EQ(json["steps"][8]["part"], "fold-0");
  EXPECT_EQ(json["steps"][8]["state"], "pending");
}

TEST_F(StatusCommandTest, OfACache) {
  const auto before = Listing();
  const ProgramResult result = Flyscribe({"status", "--cache", "cache", "--exit-code"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.out, HasSubstr("no run goes on here; the last one:\n"));
  EXPECT_THAT(result.out, HasSubstr("  done  process "));
  EXPECT_THAT(result.out, HasSubstr("  flyscribe run tiny.yaml\n"));
  EXPECT_THAT(result.out, HasSubstr("  evaluate 4-6       run    macro AUC: 0."));
  const Json json = Json::parse(Flyscribe({"status", "--cache", "cache", "--json"}).out);
  EXPECT_EQ(json["live"], false);
  ASSERT_EQ(json["runs"].size(), 1U);
  EXPECT_EQ(json["runs"][0]["steps"].size(), 11U);
  EXPECT_EQ(Listing(), before) << "nothing on disk has changed";
  fs::create_directories(Folder() / "empty");
  EXPECT_EQ(Flyscribe({"status", "--cache", "empty"}).out, "no run goes on here\n");
  fs::remove(Folder() / "empty");
}

TEST_F(StatusCommandTest, WhileARunGoesOn) {
  const std::string options = " tiny.yaml --set learn.epochs=10000 --set learn.atoms=500 --set learn.seed=5";
  const std::string program = FLYSCRIBE_BINARY;
  RunBinary("/bin/sh",
            {"-c",
             program + " run" + options + " --quiet & pid=$!; " + "while kill -0 $pid && ! " + program +
                 " status --cache cache | grep -q 'learn.*running'; do :; done; " + program +
                 " status --cache cache > of_cache; " + program + " status" + options +
                 " --exit-code > of_config; echo $? > code; " + program + " runs --cache cache > runs; " +
                 "kill -INT $pid; wait $pid"},
            Folder().path());
  EXPECT_THAT(ReadFile(Folder() / "of_cache"), testing::ContainsRegex("  running  process [0-9]+ on "));
  EXPECT_THAT(ReadFile(Folder() / "of_cache"), testing::ContainsRegex("  train 4-6 fold-0 +pending\n"));
  EXPECT_THAT(ReadFile(Folder() / "of_config"), testing::ContainsRegex("  learn 4-6 fold-0 +running"));
  EXPECT_THAT(ReadFile(Folder() / "of_config"), HasSubstr("\n6 of 11 steps to do"));
  EXPECT_EQ(ReadFile(Folder() / "code"), "2\n");
  EXPECT_THAT(ReadFile(Folder() / "runs"), testing::ContainsRegex("tiny +running"));
  EXPECT_THAT(Flyscribe({"runs", "--cache", "cache"}).out, HasSubstr("ended with 130"));
  const std::string after = Flyscribe({"status", "--cache", "cache"}).out;
  EXPECT_THAT(after, HasSubstr("no run goes on here"));
  EXPECT_THAT(after, testing::ContainsRegex("  train 4-6 fold-0 +not run\n"));
  EXPECT_THAT(after, Not(testing::ContainsRegex("running|pending")));
}

TEST_F(StatusCommandTest, ErrorsSayWhatIsWrong) {
  ProgramResult result = Flyscribe({"status"});
  EXPECT_EQ(result.exit_code, 4);
  EXPECT_EQ(result.err,
            "error: neither a config nor --cache is given\n"
            "  hint: give the config whose cache is meant, or --cache DIR\n");
  result = Flyscribe({"status", "tiny.yaml", "--cache", "cache"});
  EXPECT_EQ(result.exit_code, 4);
  EXPECT_THAT(result.err, HasSubstr("error: both a config and --cache are given"));
  result = Flyscribe({"status", "--cache", "nowhere"});
  EXPECT_EQ(result.exit_code, 5);
  EXPECT_THAT(result.err, HasSubstr("nowhere: error: there is no such folder"));
}

}  // namespace
}  // namespace flyscribe
