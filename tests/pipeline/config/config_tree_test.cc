#include "pipeline/config/config_tree.h"

#include <gtest/gtest.h>

#include "tests/support/expect_error.h"
#include "tests/support/temp_folder.h"

namespace flyscribe {
namespace {

ConfigNode Parse(const std::string& text) { return ParseConfigText(text, "c.yaml", "/base"); }

TEST(ConfigTree, KeepsPlacesFromOne) {
  const ConfigNode root = Parse("learn:\n  atoms: 500\n  list: [a, \"b\"]\n");
  const ConfigNode* atoms = root.Find("learn")->Find("atoms");
  EXPECT_EQ(atoms->text, "500");
  EXPECT_EQ(atoms->place.ToString(), "c.yaml:2:10");
  EXPECT_EQ(atoms->key_place.ToString(), "c.yaml:2:3");
  EXPECT_EQ(atoms->base, "/base");
  const ConfigNode* list = root.Find("learn")->Find("list");
  ASSERT_EQ(list->items.size(), 2U);
  EXPECT_FALSE(list->items[0].quoted);
  EXPECT_TRUE(list->items[1].quoted);
  EXPECT_EQ(root.Find("other"), nullptr);
}

TEST(ConfigTree, NullAndTheWordNull) {
  const ConfigNode root = Parse("a:\nb: ~\nc: null\nd: \"null\"\n");
  EXPECT_EQ(root.Find("a")->kind, ConfigNode::Kind::kNull);
  EXPECT_EQ(root.Find("b")->kind, ConfigNode::Kind::kNull);
  EXPECT_EQ(root.Find("c")->kind, ConfigNode::Kind::kNull);
  EXPECT_EQ(root.Find("d")->kind, ConfigNode::Kind::kScalar);
}

TEST(ConfigTree, AllDuplicateKeysAtOnce) {
  const CaughtError error = ExpectError([] { Parse("a: 1\nb: 2\na: 3\nb: 4\n"); });
  EXPECT_EQ(error.code, ErrorCode::kUsage);
  EXPECT_EQ(error.text,
            "c.yaml:3:1: error: 'a' is given twice\n  hint: the first is on line 1; keep one of them\n"
            "c.yaml:4:1: error: 'b' is given twice\n  hint: the first is on line 2; keep one of them");
}

TEST(ConfigTree, SyntaxErrorHasAPlace) {
  const CaughtError error = ExpectError([] { Parse("a: [1, 2\nb: 3\n"); });
  EXPECT_EQ(error.code, ErrorCode::kUsage);
  EXPECT_NE(error.text.find("not valid YAML"), std::string::npos) << error.text;
  EXPECT_EQ(error.text.rfind("c.yaml:", 0), 0U) << error.text;
}

TEST(ConfigTree, RefusesAnchorsBeforeTheyCanMultiply) {
  const CaughtError error = ExpectError([] { Parse("a: &x [1, 1]\nb: [*x, *x]\n"); });
  EXPECT_NE(error.text.find("c.yaml:1:4: error: anchors (&) and aliases (*) are not supported"), std::string::npos)
      << error.text;
}

TEST(ConfigTree, RefusesDeepNesting) {
  const CaughtError error = ExpectError([] { Parse("a: " + std::string(100, '[') + std::string(100, ']')); });
  EXPECT_NE(error.text.find("nested too deeply"), std::string::npos) << error.text;
  // Far beyond what the parser itself can take.
  const CaughtError far = ExpectError([] { Parse("a: " + std::string(100000, '[')); });
  EXPECT_EQ(far.code, ErrorCode::kUsage);
}

TEST(ConfigTree, EmptyAndSeveralDocuments) {
  for (const char* text : {"", "\n\n", "# only a comment\n"}) {
    EXPECT_NE(ExpectError([&] { Parse(text); }).text.find("the config is empty"), std::string::npos) << text;
  }
  EXPECT_NE(ExpectError([] { Parse("a: 1\n---\nb: 2\n"); }).text.find("more than one YAML document"),
            std::string::npos);
}

TEST(ConfigTree, RefusesAnEscapedNul) {
  EXPECT_NE(ExpectError([] { Parse("a: \"b\\0c\"\n"); }).text.find("c.yaml:1:4: error: a value holds a NUL"),
            std::string::npos);
}

TEST(ConfigTree, KeyMustBeAWord) {
  EXPECT_NE(ExpectError([] { Parse("? [a, b]\n: 1\n"); }).text.find("a key must be a word"), std::string::npos);
}

TEST(ReadConfigFile, RefusesWhatIsNotText) {
  const TempFolder folder;
  const fs::path latin1 = folder.Write("latin1.yaml", "title: caf\xe9\n");
  EXPECT_NE(ExpectError([&] { ReadConfigFile(latin1); }).text.find("latin1.yaml: error: the config is not UTF-8 text"),
            std::string::npos);
  const fs::path binary = folder.Write("binary.yaml", std::string("a: 1\0", 5));
  EXPECT_NE(ExpectError([&] { ReadConfigFile(binary); }).text.find("not UTF-8 text"), std::string::npos);
  const fs::path huge = folder.Write("huge.yaml", std::string((1 << 20) + 1, '#'));
  EXPECT_NE(ExpectError([&] { ReadConfigFile(huge); }).text.find("larger than the limit"), std::string::npos);
  const CaughtError directory = ExpectError([&] { ReadConfigFile(folder.path()); });
  EXPECT_EQ(directory.code, ErrorCode::kInput);
  EXPECT_NE(directory.text.find("a file is expected here, not a folder"), std::string::npos) << directory.text;
}

TEST(ReadConfigFile, PathsAreRelativeToTheFile) {
  const TempFolder folder;
  const ConfigNode root = ReadConfigFile(folder.Write("sub/c.yaml", "output: x\n"));
  EXPECT_EQ(root.Find("output")->base, folder / "sub");
}

TEST(ApplyOverride, SetsAddsAndReplaces) {
  ConfigNode root = Parse("learn: {atoms: 500}\noutput: x\n");
  ApplyOverride(root, "learn.atoms=64");
  ApplyOverride(root, "learn.lambda=0.2");
  ApplyOverride(root, "pool.regions=[1x1, 4x2]");
  ApplyOverride(root, "output=y=z");
  EXPECT_EQ(root.Find("learn")->Find("atoms")->text, "64");
  EXPECT_EQ(root.Find("learn")->Find("lambda")->text, "0.2");
  EXPECT_EQ(root.Find("pool")->Find("regions")->items.size(), 2U);
  EXPECT_EQ(root.Find("output")->text, "y=z");
  EXPECT_EQ(root.Find("output")->base, fs::current_path());
  EXPECT_EQ(root.Find("learn")->Find("atoms")->place.ToString(), "--set learn.atoms=64");
}

TEST(ApplyOverride, NeedsAnEqualsSign) {
  ConfigNode root = Parse("a: 1\n");
  for (const char* argument : {"learn.atoms", "=3", ""}) {
    EXPECT_NE(ExpectError([&] { ApplyOverride(root, argument); }).text.find("expected key=value"), std::string::npos);
  }
}

}  // namespace
}  // namespace flyscribe
