// flyscribe runs: the log of runs, and two of them compared.
#include <nlohmann/json.hpp>

#include "core/file.h"
#include "tests/integration/tiny_suite.h"

namespace flyscribe {
namespace {

using Json = nlohmann::ordered_json;

class RunsCommandTest : public TinySuite {
 protected:
  // The shared run, and one with another option.
  static void SetUpTestSuite() {
    TinySuite::SetUpTestSuite();
    ASSERT_EQ(Flyscribe({"run", "tiny.yaml", "--quiet", "--set", "train.c=30"}).exit_code, 0);
  }
  static std::vector<std::string> Ids() {
    const Json json = Json::parse(Flyscribe({"runs", "tiny.yaml", "--json"}).out);
    std::vector<std::string> ids;
    for (const Json& run : json["runs"]) ids.push_back(run["id"]);
    // Two of the same second have no order: the one that computed everything was first.
    if (json["runs"][0]["computed"] != 11) std::swap(ids[0], ids[1]);
    return ids;
  }
};

TEST_F(RunsCommandTest, AreListed) {
  const ProgramResult text = Flyscribe({"runs", "tiny.yaml"});
  EXPECT_EQ(text.exit_code, 0) << text.err;
  EXPECT_THAT(text.out, testing::ContainsRegex("tiny +done +0 +11 +4-6 0\\.[0-9]+ +flyscribe run tiny.yaml\n"));
  EXPECT_THAT(text.out, testing::ContainsRegex("tiny +done +8 +3 .* flyscribe run tiny.yaml --set 'train.c=30'\n"));
  EXPECT_EQ(Flyscribe({"runs", "--cache", "cache"}).out, text.out);
  const Json json = Json::parse(Flyscribe({"runs", "tiny.yaml", "--json"}).out);
  EXPECT_EQ(json["format"], 1);
  ASSERT_EQ(json["runs"].size(), 2U);
  for (const Json& run : json["runs"]) {
    EXPECT_EQ(run["exit_code"], 0);
    EXPECT_EQ(run["error"], "");
    EXPECT_GT(run["scores"]["4-6, all, macro auc"], 0.1);
  }
}

TEST_F(RunsCommandTest, TwoAreCompared) {
  const std::vector<std::string> ids = Ids();
  const ProgramResult text = Flyscribe({"runs", "diff", ids[0], ids[1], "--cache", "cache"});
  EXPECT_EQ(text.exit_code, 0) << text.err;
  EXPECT_THAT(text.out,
              testing::ContainsRegex("  train\\.c +1 +30\n\nother keys: evaluate 4-6, report, train 4-6 fold-0"));
  EXPECT_THAT(text.out, Not(HasSubstr("learn.lambda")));
  EXPECT_EQ(Flyscribe({"runs", "diff", ids[0], ids[1], "tiny.yaml"}).out, text.out);
  EXPECT_EQ(Flyscribe({"runs", "tiny.yaml", "diff", ids[0], ids[1]}).out, text.out);
  const Json json = Json::parse(Flyscribe({"runs", "diff", ids[0], ids[1], "tiny.yaml", "--json"}).out);
  EXPECT_EQ(json["options"], Json::parse(R"({"train.c": ["1", "30"]})"));
  EXPECT_EQ(json["scores"].size(), 2U);
}

TEST_F(RunsCommandTest, ARunIsLikeItself) {
  const std::string id = Ids()[0];
  EXPECT_EQ(Flyscribe({"runs", "diff", id, id, "tiny.yaml"}).out,
            "same options\n\nsame keys: the same artifacts\n\nsame scores\n");
}

TEST_F(RunsCommandTest, ErrorsSayWhatIsWrong) {
  const std::string id = Ids()[0];
  ProgramResult result = Flyscribe({"runs", "diff", "nothing", id, "tiny.yaml"});
  EXPECT_EQ(result.exit_code, 4);
  EXPECT_EQ(result.err, "error: no run is called 'nothing'\n  hint: `flyscribe runs` lists them\n");
  result = Flyscribe({"runs", "diff", "2", id, "tiny.yaml"});
  EXPECT_THAT(result.err, HasSubstr("error: several runs begin with '2'"));
  result = Flyscribe({"runs", "diff", id, id});
  EXPECT_EQ(result.exit_code, 4);
  EXPECT_THAT(result.err, HasSubstr("neither a config nor --cache is given"));
  result = Flyscribe({"runs", "--cache", "nowhere"});
  EXPECT_EQ(result.exit_code, 5);
  EXPECT_THAT(result.err, HasSubstr("there is no such folder"));
}

TEST_F(RunsCommandTest, ADamagedOneIsListed) {
  Folder().Write("cache/runs/20200101T000000000-dead/plan.json", "{");
  const ProgramResult list = Flyscribe({"runs", "tiny.yaml"});
  EXPECT_EQ(list.exit_code, 0);
  EXPECT_THAT(list.out, testing::ContainsRegex("  20200101T000000000-dead +unreadable +0 +0"));
  EXPECT_EQ(Json::parse(Flyscribe({"runs", "tiny.yaml", "--json"}).out)["runs"][0]["state"], "unreadable");
  const ProgramResult diff = Flyscribe({"runs", "diff", "2020", "2020", "--cache", "cache"});
  EXPECT_EQ(diff.exit_code, 5);
  EXPECT_THAT(
      diff.err,
      HasSubstr("cache/runs/20200101T000000000-dead/plan.json: error: the plan of this run cannot be read, so there "
                "is nothing to compare\n  hint: it is damaged, of a newer flyscribe, or not yours to read"));
  fs::remove_all(Folder() / "cache/runs/20200101T000000000-dead");
}

TEST_F(RunsCommandTest, BeforeTheFirstThereIsNone) {
  const TempFolder fresh;
  WriteConfig(fresh);
  const ProgramResult result = RunBinary(FLYSCRIBE_BINARY, {"runs", "tiny.yaml"}, fresh.path());
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.out, "no run is logged here\n");
}

class RunsOfTheBaselineTest : public TinySuite {
 protected:
  // Of the run that wrote the output folder last.
  static std::string LastId() { return Json::parse(ReadFile(Folder() / "output/run.json"))["id"]; }
  static std::string IdOfRun(const std::vector<std::string>& settings) {
    std::vector<std::string> arguments = {"run", "tiny.yaml", "--quiet"};
    for (const std::string& setting : settings) arguments.insert(arguments.end(), {"--set", setting});
    EXPECT_EQ(Flyscribe(arguments).exit_code, 0);
    return LastId();
  }
  static std::string Difference(const std::string& a, const std::string& b) {
    return Flyscribe({"runs", "diff", a, b, "--cache", "cache"}).out;
  }
};

TEST_F(RunsOfTheBaselineTest, AreComparedByItAsWell) {
  const std::string without = LastId();
  const std::string with = IdOfRun({"protocol.pixel_baseline=true"});
  const std::string other = IdOfRun({"protocol.pixel_baseline=true", "train.class_weight=none"});
  EXPECT_THAT(Difference(without, with),
              testing::ContainsRegex("raw pixels 4-6, top 10, macro auc +- +0\\.[0-9]+ +-\n"));
  EXPECT_THAT(Difference(with, other),
              testing::ContainsRegex("raw pixels 4-6, all, macro [a-z0-9]+ +0\\.[0-9]+ +0\\.[0-9]+ +[+-]"));
  EXPECT_THAT(Flyscribe({"runs", "tiny.yaml"}).out, Not(HasSubstr("raw pixels"))) << "the headline is the scores'";
}

}  // namespace
}  // namespace flyscribe
