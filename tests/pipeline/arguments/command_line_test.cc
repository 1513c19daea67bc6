#include "pipeline/arguments/command_line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace flyscribe {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class CommandLineTest : public testing::Test {
 protected:
  // What CLI11 says of the arguments; empty if they are fine.
  std::string Parse(std::vector<std::string> arguments) {
    std::reverse(arguments.begin(), arguments.end());  // as CLI11 wants them
    try {
      app_.parse(arguments);
      return {};
    } catch (const CLI::ParseError& error) {
      return error.what();
    }
  }

  CLI::App app_;
  CommandLine line_{app_};
};

TEST_F(CommandLineTest, ReadsValuesOfEveryKind) {
  std::string word;
  int number = 0;
  std::int64_t large = 0;
  double real = 0.0;
  bool flag = false;
  std::string given;
  line_.Value("word", word, "A word").Required();
  line_.Value("--number,-n", number, "A number");
  line_.Value("--large", large, "A large number");
  line_.Value("--real", real, "A real number");
  line_.Flag("--flag", flag, "A flag");
  line_.Value(
      "--call", [&given](const std::string& value) { given = value; }, "Calls back");
  EXPECT_EQ(Parse({"x", "-n", "3", "--large", "5000000000", "--real", "0.5", "--flag", "--call", "y"}), "");
  EXPECT_EQ(word, "x");
  EXPECT_EQ(number, 3);
  EXPECT_EQ(large, 5000000000);
  EXPECT_EQ(real, 0.5);
  EXPECT_TRUE(flag);
  EXPECT_EQ(given, "y");
  EXPECT_EQ(Parse({}), "word is required");
}

TEST_F(CommandLineTest, ListsAreSplitOrRepeated) {
  std::vector<std::string> split;
  std::vector<std::string> repeated;
  std::string rest;
  line_.Value("--split", split, "A list").SplitAt(',');
  line_.Value("--set", repeated, "A list").Repeatable();
  line_.Value("rest", rest, "What follows");
  EXPECT_EQ(Parse({"--split", "a,b", "--set", "c", "--set", "d", "e"}), "");
  EXPECT_THAT(split, ElementsAre("a", "b"));
  EXPECT_THAT(repeated, ElementsAre("c", "d"));
  EXPECT_EQ(rest, "e") << "each --set takes one value";
}

TEST_F(CommandLineTest, WhatIsNotAllowedIsRefused) {
  int number = 0;
  std::string word;
  bool first = false;
  bool second = false;
  bool third = false;
  line_.Value("--number", number, "A number").Between(1, 9);
  line_.Value("--word", word, "A word").OneOf({"keep", "drop"});
  const Argument one = line_.Flag("--first", first, "A flag");
  line_.Flag("--second", second, "A flag").Excludes(one);
  line_.Flag("--third", third, "A flag").Needs(one);
  EXPECT_THAT(Parse({"--number", "10"}), HasSubstr("--number: Value 10 not in range 1 to 9"));
  EXPECT_THAT(Parse({"--word", "hold"}), HasSubstr("hold not in {keep,drop}"));
  EXPECT_THAT(Parse({"--first", "--second"}), HasSubstr("excludes"));
  EXPECT_THAT(Parse({"--third"}), HasSubstr("--third requires --first"));
}

TEST_F(CommandLineTest, HelpShowsNamesAndDefaults) {
  std::string folder = "here";
  line_.Value("--output", folder, "Where").Named("DIR").ShowDefault();
  line_.Find("--output").Described("Folder to write to");
  const std::string help = app_.help();
  EXPECT_THAT(help, HasSubstr("--output DIR=here"));
  EXPECT_THAT(help, HasSubstr("Folder to write to"));
}

TEST_F(CommandLineTest, ASubcommandSaysThatItWasChosen) {
  bool chosen = false;
  line_.Subcommand("diff", "Compare", [&chosen] { chosen = true; });
  line_.RequireSubcommand(1, 1);
  EXPECT_THAT(Parse({}), HasSubstr("subcommand is required"));
  EXPECT_EQ(Parse({"diff"}), "");
  EXPECT_TRUE(chosen);
}

}  // namespace
}  // namespace flyscribe
