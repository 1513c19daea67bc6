#include "core/options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <set>
#include <string>
#include <vector>

#include "tests/support/expect_error.h"

namespace flyscribe {
namespace {

enum class Rule { kMax, kMean, kSum };

struct AllKinds {
  bool flag = true;
  int count = -3;
  std::int64_t seed = std::numeric_limits<std::int64_t>::max();
  double lambda = 0.1;
  std::string name = "scc";
  std::vector<std::string> views = {"lateral", "dorsal"};
  Rule rule = Rule::kMean;
  int threads = 8;
  std::string folder = "/data";
  std::vector<std::string> folders = {"/data/a"};

  void Fields(OptionsVisitor& visit) {
    visit.Flag({.name = "flag", .doc = ""}, flag);
    visit.Integer({.name = "count", .doc = ""}, count);
    visit.Integer({.name = "seed", .doc = ""}, seed);
    visit.Real({.name = "lambda", .doc = ""}, lambda);
    visit.Word({.name = "name", .doc = ""}, name);
    visit.Words({.name = "views", .doc = ""}, views);
    visit.Choice({.name = "rule", .doc = "", .allowed = {"max", "mean", "sum"}}, rule);
    visit.Integer({.name = "threads", .doc = "", .effect = Effect::kSpeed}, threads);
    visit.Word({.name = "folder", .doc = "", .is_path = true}, folder);
    visit.Words({.name = "folders", .doc = "", .is_path = true}, folders);
  }
};

TEST(KeyTextTest, ListsEveryKindInOrderOfDeclaration) {
  EXPECT_EQ(KeyText(AllKinds{}),
            "flag: true\ncount: -3\nseed: 9223372036854775807\nlambda: 0.1\nname: \"scc\"\n"
            "views: [\"lateral\", \"dorsal\"]\nrule: \"mean\"\n");
}

TEST(KeyTextTest, LeavesOutSpeedAndPaths) {
  AllKinds other;
  other.threads = 1;
  other.folder = "/elsewhere";
  other.folders = {};
  EXPECT_EQ(KeyText(other), KeyText(AllKinds{}));
}

TEST(KeyTextTest, ChangesWithEveryFieldThatAffectsResults) {
  std::set<std::string> texts = {KeyText(AllKinds{})};
  const auto expect_new = [&](const AllKinds& options) { EXPECT_TRUE(texts.insert(KeyText(options)).second); };
  expect_new({.flag = false});
  expect_new({.count = -2});
  expect_new({.seed = 0});
  expect_new({.lambda = 0.1 + 1e-17 * 2});
  expect_new({.name = "SCC"});
  expect_new({.views = {"dorsal", "lateral"}});
  expect_new({.rule = Rule::kSum});
}

struct OnlyWords {
  std::vector<std::string> words;
  void Fields(OptionsVisitor& visit) { visit.Words({.name = "w", .doc = ""}, words); }
};

TEST(KeyTextTest, DifferentListsNeverGiveTheSameText) {
  const std::vector<std::vector<std::string>> lists = {{},
                                                       {""},
                                                       {"", ""},
                                                       {"a", "b"},
                                                       {"a, b"},
                                                       {"a\", \"b"},
                                                       {"a\\\", \\\"b"},
                                                       {"a\nb"},
                                                       {"a\\nb"},
                                                       {"a\\\nb"},
                                                       {"a\\"},
                                                       {"a\\\\"},
                                                       {"\""},
                                                       {"\\\""},
                                                       {"]"},
                                                       {"a\"]\nw: [\"b"},
                                                       {"a\rb"},
                                                       {"a\tb"}};
  std::set<std::string> texts;
  for (const auto& words : lists) {
    const std::string text = KeyText(OnlyWords{words});
    EXPECT_TRUE(texts.insert(text).second) << text;
    EXPECT_EQ(text.find('\n'), text.size() - 1) << "one line a field: " << text;
  }
}

TEST(KeyTextTest, QuotesAreEscaped) {
  EXPECT_EQ(KeyText(OnlyWords{{"say \"x\"", "two\nlines", "back\\slash"}}),
            "w: [\"say \\\"x\\\"\", \"two\\nlines\", \"back\\\\slash\"]\n");
}

// Answers every question with a fixed value and remembers the field.
class Answering : public OptionsVisitor {
 public:
  using OptionsVisitor::Integer;
  void Flag(const Field& field, bool& /*value*/) override { seen = field; }
  void Integer(const Field& field, std::int64_t& value) override {
    seen = field;
    value = integer;
  }
  void Real(const Field& field, double& /*value*/) override { seen = field; }
  void Word(const Field& field, std::string& value) override {
    seen = field;
    old_word = value;
    value = word;
  }
  void Words(const Field& field, std::vector<std::string>& /*values*/) override { seen = field; }

  Field seen;
  std::int64_t integer = 0;
  std::string word;
  std::string old_word;
};

TEST(ChoiceTest, ReadsAndWritesNames) {
  Answering visitor;
  OptionsVisitor& visit = visitor;
  const Field field{.name = "rule", .doc = "", .allowed = {"max", "mean", "sum"}};
  Rule rule = Rule::kMean;
  visitor.word = "sum";
  visit.Choice(field, rule);
  EXPECT_EQ(visitor.old_word, "mean");
  EXPECT_EQ(rule, Rule::kSum);
  visitor.word = "max";
  visit.Choice(field, rule);
  EXPECT_EQ(rule, Rule::kMax);
  visitor.word = "median";
  visit.Choice(field, rule);
  EXPECT_EQ(rule, Rule::kMax) << "an unknown name is for the reader to refuse; the value stays";
}

TEST(ChoiceTest, AnEnumeratorWithoutANameIsABug) {
  Answering visitor;
  OptionsVisitor& visit = visitor;
  Rule rule = Rule::kSum;
  const CaughtError error = ExpectError([&] { visit.Choice({.name = "rule", .doc = "", .allowed = {"max"}}, rule); });
  EXPECT_EQ(error.code, ErrorCode::kInternal);
  EXPECT_THAT(error.text, ::testing::HasSubstr("option 'rule' has no name for its value"));
}

// A field that gives those after it new defaults when options are read.
struct WithProfile {
  bool large = false;
  int atoms = 100;
  int epochs = 1;

  void Fields(OptionsVisitor& visit) {
    visit.Flag({.name = "large", .doc = "", .effect = Effect::kSpeed}, large);
    if (visit.Reads() && large) atoms = epochs = 1000;
    visit.Integer({.name = "atoms", .doc = ""}, atoms);
    visit.Integer({.name = "epochs", .doc = ""}, epochs);
  }
};

// Sets the flag, and the integer of one name.
class Reading : public Answering {
 public:
  using OptionsVisitor::Integer;
  bool Reads() const override { return true; }
  void Flag(const Field& /*field*/, bool& value) override { value = true; }
  void Integer(const Field& field, std::int64_t& value) override {
    if (field.name == "epochs") value = 7;
  }
};

TEST(ReadsTest, AProfileGivesNewDefaultsToThoseWhoRead) {
  WithProfile options;
  Reading reader;
  options.Fields(reader);
  EXPECT_EQ(options.atoms, 1000);
  EXPECT_EQ(options.epochs, 7) << "what is given wins";
}

TEST(ReadsTest, ThoseWhoLookSeeTheValuesAsTheyAre) {
  EXPECT_FALSE(Answering{}.Reads());
  EXPECT_FALSE(KeyTextWriter{}.Reads());
  EXPECT_EQ(KeyText(WithProfile{true, 5, 6}), "atoms: 5\nepochs: 6\n");
}

TEST(IntegerTest, AnIntIsBoundedByItsType) {
  Answering visitor;
  OptionsVisitor& visit = visitor;
  visitor.integer = 12;
  int value = 5;
  visit.Integer({.name = "n", .doc = "", .min = 1}, value);
  EXPECT_EQ(value, 12);
  EXPECT_EQ(visitor.seen.min, 1.0);
  EXPECT_EQ(visitor.seen.max, 2147483647.0);
  visit.Integer({.name = "n", .doc = "", .max = 10}, value);
  EXPECT_EQ(visitor.seen.min, -2147483648.0);
  EXPECT_EQ(visitor.seen.max, 10.0);
}

}  // namespace
}  // namespace flyscribe
