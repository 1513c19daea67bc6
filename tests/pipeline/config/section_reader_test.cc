#include "pipeline/config/section_reader.h"

#include <gtest/gtest.h>
#include <cstdlib>

namespace flyscribe {
namespace {

enum class Colour { kRed, kGreen };

struct Sample {
  bool flag = false;
  int count = 5;
  double rate = 0.5;
  std::string word = "w";
  std::vector<std::string> words = {"d"};
  std::string path = "p";
  Colour colour = Colour::kRed;

  void Fields(OptionsVisitor& visit) {
    visit.Flag({.name = "flag", .doc = "f"}, flag);
    visit.Integer({.name = "count", .doc = "c", .min = 1, .max = 10}, count);
    visit.Real({.name = "rate", .doc = "r", .min = 0}, rate);
    visit.Word({.name = "word", .doc = "w"}, word);
    visit.Words({.name = "words", .doc = "ws", .allowed = {"d", "e"}}, words);
    visit.Word({.name = "path", .doc = "p", .is_path = true}, path);
    visit.Choice({.name = "colour", .doc = "c", .allowed = {"red", "green"}}, colour);
  }
};

struct Read {
  Sample sample;
  std::vector<Diagnostic> problems;
  std::string Text() const {
    std::string text;
    for (const Diagnostic& problem : problems) text += problem.ToString() + "\n";
    return text;
  }
};

Read ReadText(const std::string& yaml) {
  Read read;
  const ConfigNode root = ParseConfigText(yaml, "c.yaml", "/base");
  SectionReader reader(
      &root,
      "s.",
      [](const std::string& name) { return name == "HOME2" ? std::optional<std::string>("rel") : std::nullopt; },
      read.problems);
  read.sample.Fields(reader);
  reader.ReportUnknownKeys();
  return read;
}

TEST(SectionReader, ReadsEveryKind) {
  const Read read =
      ReadText("flag: true\ncount: 007\nrate: 1e-3\nword: \"a b\"\nwords: [e, d]\npath: x/../y\ncolour: green\n");
  EXPECT_EQ(read.Text(), "");
  EXPECT_TRUE(read.sample.flag);
  EXPECT_EQ(read.sample.count, 7);  // decimal, not octal
  EXPECT_EQ(read.sample.rate, 1e-3);
  EXPECT_EQ(read.sample.word, "a b");
  EXPECT_EQ(read.sample.words, (std::vector<std::string>{"e", "d"}));
  EXPECT_EQ(read.sample.path, "/base/y");
  EXPECT_EQ(read.sample.colour, Colour::kGreen);
}

TEST(SectionReader, KeepsDefaultsAndTakesASingleWordAsAList) {
  const Read read = ReadText("words: e\n");
  EXPECT_EQ(read.sample.words, (std::vector<std::string>{"e"}));
  EXPECT_EQ(read.sample.count, 5);
}

TEST(SectionReader, NullSectionKeepsAllDefaults) {
  std::vector<Diagnostic> problems;
  SectionReader reader(nullptr, "s.", ProcessEnvironment, problems);
  Sample sample;
  sample.Fields(reader);
  reader.ReportUnknownKeys();
  EXPECT_EQ(sample.count, 5);
  EXPECT_TRUE(problems.empty());
}

TEST(SectionReader, AllProblemsInOneGo) {
  const Read read = ReadText("flag: yes\ncount: 11\nrate: -1\nwords: [x]\ncolour: gren\ncuont: 3\nword: [a]\n");
  EXPECT_EQ(read.Text(),
            "c.yaml:1:7: error: s.flag: expected true or false, found 'yes'\n"
            "c.yaml:2:8: error: s.count: 11 is out of range\n  hint: must be between 1 and 10\n"
            "c.yaml:3:7: error: s.rate: -1 is out of range\n  hint: must be at least 0\n"
            "c.yaml:7:7: error: s.word: expected one value, found a list\n"
            "c.yaml:4:9: error: s.words: 'x' is not one of the allowed values\n  hint: allowed: d, e\n"
            "c.yaml:5:9: error: s.colour: 'gren' is not one of the allowed values\n"
            "  hint: did you mean 'green'? allowed: red, green\n"
            "c.yaml:6:1: error: s.cuont: unknown key\n"
            "  hint: did you mean 'count'? `flyscribe defaults s` lists all keys\n");
}

TEST(SectionReader, NumbersAreStrict) {
  for (const char* text : {"count: 1.5", "count: ten", "count: 1e1", "count: 0x5", "count: 99999999999999999999"}) {
    EXPECT_NE(ReadText(text).Text().find("expected a whole number"), std::string::npos) << text;
  }
  for (const char* text : {"rate: .inf", "rate: nan", "rate: 1,5", "rate: \"\""}) {
    EXPECT_NE(ReadText(text).Text().find("expected a number"), std::string::npos) << text;
  }
  EXPECT_NE(ReadText("count: 10000000000").Text().find("out of range"), std::string::npos);
}

TEST(SectionReader, KeyWithoutValue) {
  EXPECT_EQ(ReadText("count:\n").Text(),
            "c.yaml:1:1: error: s.count: has no value\n  hint: give one, or leave the key out to keep the default\n");
}

TEST(SectionReader, Variables) {
  EXPECT_EQ(ReadText("word: ${HOME2}!").sample.word, "rel!");
  // A path from a variable was written in the shell, so it is relative to the current folder.
  EXPECT_EQ(ReadText("path: ${HOME2}/x").sample.path, (fs::current_path() / "rel/x").string());
  EXPECT_EQ(ReadText("path: ${NONE:-x}").sample.path, "/base/x");
  EXPECT_EQ(ReadText("count: 1\nword: a${NONE}").Text(),
            "c.yaml:2:7: error: s.word: the environment variable NONE is not set\n"
            "  hint: set it, or give a default: ${NAME:-default}\n");
}

TEST(DescribeRange, Forms) {
  EXPECT_EQ(DescribeRange({.name = "n", .doc = "d", .min = 1, .max = 65536}), "between 1 and 65536");
  EXPECT_EQ(DescribeRange({.name = "n", .doc = "d", .min = 0.5}), "at least 0.5");
  EXPECT_EQ(DescribeRange({.name = "n", .doc = "d", .max = 3}), "at most 3");
  EXPECT_EQ(DescribeRange({}), "");
}

std::optional<std::string> Lookup(const std::string& name) {
  if (name == "DATA") return "/d";
  return std::nullopt;
}

TEST(ExpandVariables, ReplacesAndFallsBack) {
  EXPECT_EQ(ExpandVariables("${DATA}/x", Lookup).text, "/d/x");
  EXPECT_EQ(ExpandVariables("a${DATA}b${DATA}", Lookup).text, "a/db/d");
  EXPECT_EQ(ExpandVariables("${NONE:-../x}", Lookup).text, "../x");
  EXPECT_EQ(ExpandVariables("${DATA:-../x}", Lookup).text, "/d");
  EXPECT_EQ(ExpandVariables("${NONE:-}", Lookup).text, "");
  EXPECT_EQ(ExpandVariables("costs $5 and $${DATA}", Lookup).text, "costs $5 and ${DATA}");
}

TEST(ExpandVariables, SaysWhereAPathWasWritten) {
  EXPECT_TRUE(ExpandVariables("${DATA}/x", Lookup).starts_with_variable);
  EXPECT_FALSE(ExpandVariables("x/${DATA}", Lookup).starts_with_variable);
  EXPECT_FALSE(ExpandVariables("${NONE:-x}", Lookup).starts_with_variable);
}

TEST(ExpandVariables, Problems) {
  EXPECT_EQ(ExpandVariables("${NONE}", Lookup).problem, "the environment variable NONE is not set");
  EXPECT_EQ(ExpandVariables("${DATA", Lookup).problem, "'${' is not closed");
  EXPECT_EQ(ExpandVariables("plain", Lookup).problem, "");
}

TEST(ProcessEnvironment, EmptyCountsAsUnset) {
  setenv("FLYSCRIBE_TEST_VARIABLE", "", 1);
  EXPECT_EQ(ProcessEnvironment("FLYSCRIBE_TEST_VARIABLE"), std::nullopt);
  setenv("FLYSCRIBE_TEST_VARIABLE", "x", 1);
  EXPECT_EQ(ProcessEnvironment("FLYSCRIBE_TEST_VARIABLE"), "x");
  unsetenv("FLYSCRIBE_TEST_VARIABLE");
  EXPECT_EQ(ProcessEnvironment("FLYSCRIBE_TEST_VARIABLE"), std::nullopt);
}

TEST(SectionReader, AnItemOfAListHasAPlace) {
  const Read read = ReadText("words: [d, ~]\n");
  EXPECT_EQ(read.Text(), "c.yaml:1:12: error: s.words: expected one value, found nothing\n");
  EXPECT_EQ(read.sample.words, std::vector<std::string>{"d"}) << "the default, not a shorter list";
}

TEST(SectionReader, AListWithAWrongItemIsNotEmpty) {
  const Read read = ReadText("words: [x]\n");
  EXPECT_EQ(read.problems.size(), 1U);
  EXPECT_EQ(read.sample.words, std::vector<std::string>{"d"});
}

}  // namespace
}  // namespace flyscribe
