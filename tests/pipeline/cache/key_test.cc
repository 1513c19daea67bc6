#include "pipeline/cache/key.h"

#include <gtest/gtest.h>

#include "core/hash.h"
#include "tests/support/expect_error.h"

namespace flyscribe {
namespace {

TEST(ArtifactKey, OneFactALine) {
  ArtifactKey key("learn", 3, "4-6", "fold-0");
  key.AddOptions("learn", "atoms: 500\nlambda: 0.1\n");
  key.AddInput("normalise", "abc");
  key.AddLibrary("libsvm", "3.24");
  EXPECT_EQ(key.text(),
            "flyscribe key 1\nstep: learn 3\nrange: 4-6\npart: fold-0\noption learn.atoms: 500\n"
            "option learn.lambda: 0.1\ninput normalise: abc\nlibrary libsvm: 3.24\n");
  EXPECT_EQ(key.Digest(), Sha256OfText(key.text()));
  EXPECT_EQ(key.Digest().size(), 64U);
}

TEST(ArtifactKey, AFactCannotSmuggleInAnother) {
  ArtifactKey key("learn", 1, "4-6", "all");
  EXPECT_EQ(ExpectError([&] { key.AddInput("x", "1\ninput y: 2"); }).code, ErrorCode::kInternal);
}

TEST(Keys, Have64HexadecimalDigits) {
  EXPECT_TRUE(IsKey(std::string(64, 'f')));
  EXPECT_FALSE(IsKey(std::string(63, 'f')));
  EXPECT_FALSE(IsKey(std::string(64, 'F')));
  EXPECT_FALSE(IsKey(std::string(63, 'f') + "g"));
}

TEST(KeyFacts, OnePerLine) {
  ArtifactKey key("learn", 2, "4-6", "fold-0");
  key.AddForm(3);
  key.AddOptions("learn", "lambda: 0.1\n");
  key.AddInput("4-6 train fold-0", "abc");
  const std::map<std::string, std::string> facts = KeyFacts(key.text());
  EXPECT_EQ(facts,
            (std::map<std::string, std::string>{{"step", "learn 2"},
                                                {"range", "4-6"},
                                                {"part", "fold-0"},
                                                {"form", "3"},
                                                {"option learn.lambda", "0.1"},
                                                {"input 4-6 train fold-0", "abc"}}));
}

TEST(RecipeOf, LeavesOutInputsFormAndPlace) {
  ArtifactKey key("extract", 1, "4-6", "fold-0");
  key.AddOptions("extract", "stride: 8\n");
  key.AddForm(2);
  key.AddInput("standardise", "abc");
  ArtifactKey recipe("extract", 1, "all", "all");
  recipe.AddOptions("extract", "stride: 8\n");
  EXPECT_EQ(RecipeOf(key.text()), recipe.text());
}

using Values = std::map<std::string, int>;

TEST(Differences, ChangedAddedAndRemoved) {
  const auto found = Differences(Values{{"same", 1}, {"changed", 2}, {"removed", 3}},
                                 Values{{"same", 1}, {"changed", 4}, {"added", 5}});
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found.at("changed"), (std::pair{std::optional(2), std::optional(4)}));
  EXPECT_EQ(found.at("removed"), (std::pair{std::optional(3), std::optional<int>()}));
  EXPECT_EQ(found.at("added"), (std::pair{std::optional<int>(), std::optional(5)}));
}

TEST(Differences, EqualMapsHaveNone) { EXPECT_TRUE(Differences(Values{{"a", 1}}, Values{{"a", 1}}).empty()); }

}  // namespace
}  // namespace flyscribe
