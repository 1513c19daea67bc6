#include "pipeline/config/config.h"

#include <gtest/gtest.h>

#include "tests/support/expect_error.h"
#include "tests/support/temp_folder.h"

namespace flyscribe {
namespace {

Config Read(const std::string& yaml) { return ReadConfigTree(ParseConfigText(yaml, "c.yaml", "/base"), "c"); }

TEST(ReadConfig, ReadsSectionsAndOverrides) {
  const TempFolder folder;
  const fs::path path = folder.Write("my.yaml",
                                     "ranges: [13-17, 4-6, 4-6]\noutput: out\ncache: {dir: store}\n"
                                     "simulate: {genes: 20}\nlearn:\n  atoms: 64\n");
  const Config config = ReadConfig(path, {"learn.lambda=0.2", "output=there"});
  EXPECT_EQ(config.name, "my");
  EXPECT_TRUE(config.simulated);
  EXPECT_EQ(config.simulate.genes, 20);
  EXPECT_EQ(config.learn.atoms, 64);
  EXPECT_EQ(config.learn.lambda, 0.2);
  EXPECT_EQ(config.cache.dir, (folder / "store").string());
  EXPECT_EQ(config.run.output, (fs::current_path() / "there").string());
  ASSERT_EQ(config.StageRanges().size(), 2U);
  EXPECT_EQ(config.StageRanges()[0].name(), "4-6");
  EXPECT_EQ(config.StageRanges()[1].name(), "13-16");
}

TEST(ReadConfig, SimulateSectionMayBeEmpty) { EXPECT_TRUE(Read("ranges: 4-6\nsimulate:\n").simulated); }

TEST(ReadConfig, UnknownKeyPointsAtItsPlace) {
  const CaughtError error = ExpectError([] { Read("ranges: [4-6]\nsimulate: {}\nlearn:\n  lamda: 0.1\nlern: {}\n"); });
  EXPECT_EQ(error.code, ErrorCode::kUsage);
  EXPECT_EQ(error.text,
            "c.yaml:5:1: error: lern: unknown key\n  hint: did you mean 'learn'? `flyscribe defaults` lists all keys\n"
            "c.yaml:4:3: error: learn.lamda: unknown key\n"
            "  hint: did you mean 'lambda'? `flyscribe defaults learn` lists all keys");
}

TEST(ReadConfig, ErrorsInOverridesPointAtTheArgument) {
  const TempFolder folder;
  const fs::path path = folder.Write("c.yaml", "ranges: [4-6]\nsimulate: {}\n");
  EXPECT_EQ(ExpectError([&] { ReadConfig(path, {"learn.lamda=0.1"}); }).text,
            "--set learn.lamda=0.1: error: learn.lamda: unknown key\n"
            "  hint: did you mean 'lambda'? `flyscribe defaults learn` lists all keys");
  EXPECT_EQ(ExpectError([&] { ReadConfig(path, {"learn.atoms=0"}); }).text,
            "--set learn.atoms=0: error: learn.atoms: 0 is out of range\n  hint: must be between 1 and 65536");
  EXPECT_NE(ExpectError([&] { ReadConfig(path, {"learn=3"}); }).text.find("learn: expected a section with keys"),
            std::string::npos);
}

TEST(ReadConfig, WholeConfigChecks) {
  const std::string text = ExpectError([] { Read("output: x\n"); }).text;
  EXPECT_NE(text.find("ranges: no stage range is given"), std::string::npos) << text;
  EXPECT_NE(text.find("neither 'simulate' nor 'data' is given"), std::string::npos) << text;
  EXPECT_NE(
      ExpectError([] { Read("ranges: [4-6]\nsimulate: {}\ndata: {}\n"); }).text.find("both 'simulate' and 'data'"),
      std::string::npos);
  const std::string data = ExpectError([] { Read("ranges: [4-6]\ndata: {}\n"); }).text;
  EXPECT_NE(data.find("data: neither 'images_table' nor 'images' is given"), std::string::npos) << data;
  EXPECT_NE(ExpectError([] {
              Read("ranges: [4-6]\nsimulate: {}\nprotocol: {test_folds: 9}\n");
            }).text.find("protocol.test_folds: 9 is more than ingest.folds"),
            std::string::npos);
  EXPECT_NE(ExpectError([] { Read("ranges: [5-6]\nsimulate: {}\n"); }).text.find("c.yaml:1:10: error: ranges: '5-6'"),
            std::string::npos);
  // What is given but wrong is reported once, not also as missing.
  EXPECT_EQ(ExpectError([] { Read("ranges: [5-6]\nsimulate: {}\n"); }).text.find("no stage range"), std::string::npos);
  EXPECT_NE(ExpectError([] { Read("ranges: []\nsimulate: {}\n"); }).text.find("no stage range"), std::string::npos);
  EXPECT_NE(ExpectError([] { Read("- a\n- b\n"); }).text.find("expected keys with values, found a list"),
            std::string::npos);
}

TEST(ReadConfig, WhatIsWrittenNeedsAFolder) {
  const TempFolder folder;
  const fs::path path = folder.Write("c.yaml", "ranges: [4-6]\nsimulate: {}\noutput: \"\"\ncache: {dir: ''}\n");
  const std::string hint = " names no folder\n  hint: give one, or leave the key out to keep the default";
  EXPECT_EQ(ExpectError([&] { ReadConfig(path, {}); }).text,
            path.string() + ":3:9: error: output:" + hint + "\n" + path.string() + ":4:14: error: cache.dir:" + hint);
  const fs::path unset = folder.Write("c.yaml", "ranges: [4-6]\nsimulate: {}\noutput: ${FLYSCRIBE_NOT_SET:-}\n");
  EXPECT_NE(ExpectError([&] { ReadConfig(unset, {}); }).text.find("output: names no folder"), std::string::npos);
  const fs::path plain = folder.Write("c.yaml", "ranges: [4-6]\nsimulate: {}\n");
  EXPECT_NE(ExpectError([&] { ReadConfig(plain, {"output="}); }).text.find("output: "), std::string::npos);
}

TEST(ReadConfig, WhatIsWrittenMayNotLieInsideTheImages) {
  const TempFolder folder;
  fs::create_directories(folder / "images");
  fs::create_symlink(folder / "images", folder / "link");
  const std::string data = "ranges: [4-6]\ndata: {annotations: a, images_table: b, images: [images]}\n";
  for (const char* output : {"images", "images/out", "link/out", "images/../images/x/y"}) {
    const fs::path path = folder.Write("c.yaml", data + "output: " + output + "\n");
    EXPECT_NE(ExpectError([&] { ReadConfig(path, {}); }).text.find("lies inside the image folder"), std::string::npos)
        << output;
  }
  const fs::path beside = folder.Write("c.yaml", data + "output: images-out\ncache: {dir: k}\n");
  EXPECT_NO_THROW(ReadConfig(beside, {}));
}

TEST(ReadConfig, AProfileGivesNewDefaultsAndWhatIsGivenWins) {
  const std::string head = "ranges: [4-6]\nsimulate: {}\n";
  const Config paper = Read(head + "learn: {profile: paper}\n");
  EXPECT_EQ(paper.learn.method, LearnOptions::Method::kScc);
  EXPECT_EQ(paper.learn.cd_steps, 3);
  // In whatever order the keys stand.
  const Config mixed = Read(head + "learn:\n  lambda: 0.2\n  projection: ball\n  profile: release-1.0\n");
  EXPECT_EQ(mixed.learn.lambda, 0.2);
  EXPECT_EQ(mixed.learn.projection, LearnOptions::Projection::kBall);
  EXPECT_EQ(mixed.learn.coordinate_order, LearnOptions::CoordinateOrder::kRandom);
  EXPECT_EQ(mixed.learn.patch_order, LearnOptions::PatchOrder::kFile);
  EXPECT_EQ(Read(head).learn.method, LearnOptions::Method::kSccMinibatch);
  const TempFolder folder;
  const fs::path path = folder.Write("c.yaml", head + "learn: {lambda: 0.2}\n");
  const Config overridden = ReadConfig(path, {"learn.profile=release-1.0", "learn.cd_steps=5"});
  EXPECT_EQ(overridden.learn.lambda, 0.2);
  EXPECT_EQ(overridden.learn.cd_steps, 5);
  EXPECT_EQ(overridden.learn.projection, LearnOptions::Projection::kSphere);
}

TEST(ReadConfig, AnUnknownProfileIsRefused) {
  EXPECT_EQ(ExpectError([] { Read("ranges: [4-6]\nsimulate: {}\nlearn: {profile: papier}\n"); }).text,
            "c.yaml:3:18: error: learn.profile: 'papier' is not one of the allowed values\n"
            "  hint: did you mean 'paper'? allowed: none, paper, release-1.0");
}

TEST(Config, EverySectionIsNamedOnce) {
  Config config;
  std::vector<std::string> names;
  for (const ConfigSection& section : config.Sections()) {
    EXPECT_EQ(std::count(names.begin(), names.end(), section.name), 0) << section.name;
    EXPECT_FALSE(section.doc.empty());
    names.push_back(section.name);
  }
}

TEST(ReadConfig, ProtocolsStandForTheirOptions) {
  const std::string head = "ranges: [4-6]\nsimulate: {}\n";
  const ProtocolOptions paper = Read(head + "protocol: {profile: paper}\n").protocol;
  EXPECT_EQ(paper.test_folds, 1);
  EXPECT_EQ(paper.dictionary, ProtocolOptions::DictionaryFrom::kAll);
  const ProtocolOptions strict = Read(head + "protocol: {profile: strict, test_folds: 3}\n").protocol;
  EXPECT_EQ(strict.test_folds, 3);
  EXPECT_EQ(strict.dictionary, ProtocolOptions::DictionaryFrom::kTraining);
}

TEST(ReadConfig, LearnedCodesNeedADictionaryOfAllBags) {
  const std::string head = "ranges: [4-6]\nsimulate: {}\npool: {codes: learned}\n";
  EXPECT_EQ(Read(head + "protocol: {profile: paper}\n").pool.codes, PoolOptions::Codes::kLearned);
  EXPECT_EQ(ExpectError([&] { Read(head); }).text,
            "c.yaml: error: pool.codes: learned, but the dictionary is learned from training genes only, so the tested "
            "bags have no such codes\n"
            "  hint: set `protocol: {dictionary: all}` as in the paper, or `pool: {codes: encoded}`");
}

}  // namespace
}  // namespace flyscribe
