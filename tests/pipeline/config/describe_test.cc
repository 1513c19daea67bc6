#include "pipeline/config/describe.h"

#include <gtest/gtest.h>

#include "core/file.h"
#include "tests/support/expect_error.h"

namespace flyscribe {
namespace {

std::string Defaults(const std::string& section) {
  Config config;
  return DefaultsYaml(config.Sections(), section);
}

Config Read(const std::string& yaml) { return ReadConfigTree(ParseConfigText(yaml, "c.yaml", "/base"), "c"); }

TEST(EffectiveYaml, ReadsBackAsTheSameRun) {
  const Config config = Read(
      "ranges: [4-6]\nsimulate: {genes: 30}\nlearn: {lambda: 0.12}\nreport: {title: \"a \\\"b\\\": c\"}\n"
      "train: {exclude_terms: [\"faint ubiquitous\", \"x, y\", \"$${HOME} $$5\"]}\n");
  const std::string text = EffectiveYaml(config, false);
  EXPECT_EQ(EffectiveYaml(Read(text), false), text);
  EXPECT_NE(text.find("  lambda: 0.12\n"), std::string::npos);
  EXPECT_NE(text.find("  exclude_terms: [\"faint ubiquitous\", \"x, y\", \"$${HOME} $$5\"]\n"), std::string::npos)
      << text;
  EXPECT_EQ(text.find("data:"), std::string::npos);
}

TEST(OptionsOfYaml, NamesEveryOption) {
  const std::vector<std::pair<std::string, std::string>> expected = {
      {"threads", "7"}, {"learn.lambda", "0.12"}, {"learn.profile", "\"a: b\""}, {"output", "x"}};
  EXPECT_EQ(OptionsOfYaml("threads: 7\nlearn:\n  lambda: 0.12\n  profile: \"a: b\"\nno option\n\noutput: x\n"),
            expected);
  EXPECT_TRUE(OptionsOfYaml("").empty());
}

TEST(EffectiveYaml, PortableTextHasNoPathsAndNoSpeed) {
  const std::string text = EffectiveYaml(Read("ranges: [4-6]\nsimulate: {}\noutput: /secret\nthreads: 7\n"), true);
  EXPECT_EQ(text.find("secret"), std::string::npos);
  EXPECT_EQ(text.find("threads"), std::string::npos);
}

TEST(EffectiveYaml, AProfileReadsBackWithWhatWasGivenBesideIt) {
  const Config config = Read("ranges: [4-6]\nsimulate: {}\nlearn: {profile: release-1.0, lambda: 0.2, cd_steps: 7}\n");
  for (const bool portable : {false, true}) {
    const Config again = Read(EffectiveYaml(config, portable));
    EXPECT_EQ(KeyText(again.learn), KeyText(config.learn));
    EXPECT_EQ(EffectiveYaml(again, true), EffectiveYaml(config, true));
  }
  EXPECT_NE(EffectiveYaml(config, false).find("  profile: release-1.0\n"), std::string::npos);
}

TEST(SectionsYaml, OnlyThoseNamedAndOnlyWhatAffectsResults) {
  Config config;
  config.pool.regions = {"1x1", "4x2"};
  const std::string text = SectionsYaml(config, {"pool", "encode", "cache", ""});
  EXPECT_NE(text.find("encode:\n  kkt_tolerance: 1e-04\n"), std::string::npos) << text;
  EXPECT_NE(text.find("  regions: [1x1, 4x2]\n"), std::string::npos);
  EXPECT_EQ(text.find("cache"), std::string::npos) << "no option of it affects results";
  EXPECT_EQ(text.find("threads"), std::string::npos);
  EXPECT_LT(text.find("encode:"), text.find("pool:")) << "in the order of the config";
}

TEST(DefaultsYaml, IsItselfAValidConfig) {
  const std::string learn = Defaults("learn");
  EXPECT_NE(learn.find("learn:\n"), std::string::npos);
  EXPECT_NE(learn.find("  lambda: 0.1\n"), std::string::npos) << learn;
  EXPECT_NO_THROW(Read("ranges: [4-6]\nsimulate:\n" + learn));
  EXPECT_NE(Defaults("").find("pool:\n"), std::string::npos);
}

TEST(DefaultsYaml, UnknownSection) {
  const CaughtError error = ExpectError([] { Defaults("lern"); });
  EXPECT_EQ(error.code, ErrorCode::kUsage);
  EXPECT_NE(error.text.find("unknown section 'lern'\n  hint: did you mean 'learn'?"), std::string::npos) << error.text;
}

TEST(ConfigurationPage, HasEverySectionOnce) {
  Config config;
  const std::string page = ConfigurationPage(config.Sections());
  EXPECT_NE(page.find("## `learn`"), std::string::npos);
  EXPECT_EQ(page.find("## `learn`"), page.rfind("## `learn`"));
}

TEST(ReadConfigTree, LeavesTheSectionOfAnotherCommandUnread) {
  EXPECT_NO_THROW(Read("ranges: [4-6]\nsimulate: {}\nreproduce: {anything: 1}\n"));
}

TEST(ListOptions, NamesEveryOptionWithItsValue) {
  LearnOptions learn;
  learn.atoms = 3;
  learn.nonnegative = true;
  const std::vector<OptionValue> options = ListOptions([&](OptionsVisitor& visit) { learn.Fields(visit); });
  const auto find = [&](const std::string& name) {
    for (const OptionValue& option : options) {
      if (option.field.name == name) return option;
    }
    ADD_FAILURE() << name;
    return OptionValue();
  };
  EXPECT_EQ(find("atoms").value, "3");
  EXPECT_FALSE(find("atoms").is_word);
  EXPECT_EQ(find("lambda").value, "0.1");
  EXPECT_EQ(find("method").value, "scc-minibatch");
  EXPECT_TRUE(find("method").is_word);
  EXPECT_EQ(find("nonnegative").value, "true");
  EXPECT_TRUE(find("nonnegative").is_flag);
}

}  // namespace
}  // namespace flyscribe
