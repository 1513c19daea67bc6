#include "sparse/learn_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

namespace flyscribe {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

using Given = std::map<std::string, std::string>;

// Sets the fields it was given, as the reader of a configuration does, and notes all names.
class GivenValues : public OptionsVisitor {
 public:
  explicit GivenValues(Given given) : given_(std::move(given)) {}

  using OptionsVisitor::Integer;
  bool Reads() const override { return true; }
  void Flag(const Field& field, bool& value) override {
    if (Has(field)) value = given_[field.name] == "true";
  }
  void Integer(const Field& field, std::int64_t& value) override {
    if (Has(field)) value = std::stoll(given_[field.name]);
  }
  void Real(const Field& field, double& value) override {
    if (Has(field)) value = std::stod(given_[field.name]);
  }
  void Word(const Field& field, std::string& value) override {
    if (Has(field)) value = given_[field.name];
  }
  void Words(const Field& field, std::vector<std::string>& /*values*/) override { Has(field); }

  const std::vector<std::string>& names() const { return names_; }

 private:
  bool Has(const Field& field) {
    names_.push_back(field.name);
    return given_.count(field.name) > 0;
  }

  Given given_;
  std::vector<std::string> names_;
};

LearnOptions Read(const Given& given) {
  LearnOptions options;
  GivenValues reader(given);
  options.Fields(reader);
  return options;
}

const std::string kDefaultKey =
    "method: \"scc-minibatch\"\natoms: 500\nlambda: 0.1\nepochs: 10\ntolerance: 0\nseed: 1\nbatch: 512\ncd_steps: 0\n"
    "nonnegative: false\npatch_order: \"shuffled\"\ncoordinate_order: \"cyclic\"\ncurvature: \"accumulate\"\n"
    "projection: \"ball\"\nnonnegative_atoms: false\nrate: \"adaptive\"\nrate_a: 1\nrate_b: 1\nforgetting: "
    "0.02\nmemory: 0.2\n"
    "unused_atoms: \"keep\"\nsolver: \"lars\"\n";

const std::string kPaperKey =
    "method: \"scc\"\natoms: 500\nlambda: 0.1\nepochs: 10\ntolerance: 0\nseed: 1\nbatch: 512\ncd_steps: 3\n"
    "nonnegative: false\npatch_order: \"shuffled\"\ncoordinate_order: \"cyclic\"\ncurvature: \"accumulate\"\n"
    "projection: \"ball\"\nnonnegative_atoms: false\nrate: \"adaptive\"\nrate_a: 1\nrate_b: 1\nforgetting: "
    "0.02\nmemory: 0.2\n"
    "unused_atoms: \"keep\"\nsolver: \"lars\"\n";

const std::string kReleaseKey =
    "method: \"scc\"\natoms: 500\nlambda: 0.13\nepochs: 10\ntolerance: 0\nseed: 1\nbatch: 512\ncd_steps: 3\n"
    "nonnegative: false\npatch_order: \"file\"\ncoordinate_order: \"random\"\ncurvature: \"previous-epoch\"\n"
    "projection: \"sphere\"\nnonnegative_atoms: false\nrate: \"adaptive\"\nrate_a: 1\nrate_b: 1\nforgetting: "
    "0.02\nmemory: 0.2\n"
    "unused_atoms: \"keep\"\nsolver: \"lars\"\n";

TEST(LearnOptionsTest, Defaults) {
  EXPECT_EQ(KeyText(LearnOptions{}), kDefaultKey);
  EXPECT_EQ(KeyText(Read({})), kDefaultKey);
  EXPECT_EQ(KeyText(Read({{"profile", "none"}})), kDefaultKey);
}

TEST(LearnOptionsTest, ProfilesGiveNewDefaults) {
  EXPECT_EQ(KeyText(Read({{"profile", "paper"}})), kPaperKey);
  EXPECT_EQ(KeyText(Read({{"profile", "release-1.0"}})), kReleaseKey);
}

TEST(LearnOptionsTest, WhatIsGivenBesideAProfileWins) {
  const LearnOptions options = Read({{"profile", "release-1.0"},
                                     {"method", "scc-minibatch"},
                                     {"lambda", "0.2"},
                                     {"cd_steps", "0"},
                                     {"patch_order", "shuffled"},
                                     {"projection", "ball"}});
  EXPECT_EQ(options.profile, LearnOptions::Profile::kRelease10);
  EXPECT_EQ(options.method, LearnOptions::Method::kSccMinibatch);
  EXPECT_EQ(options.lambda, 0.2);
  EXPECT_EQ(options.cd_steps, 0);
  EXPECT_EQ(options.patch_order, LearnOptions::PatchOrder::kShuffled);
  EXPECT_EQ(options.projection, LearnOptions::Projection::kBall);
  EXPECT_EQ(options.coordinate_order, LearnOptions::CoordinateOrder::kRandom);
  EXPECT_EQ(options.curvature, LearnOptions::Curvature::kPreviousEpoch);
}

TEST(LearnOptionsTest, TheProfileComesFirstAndIsNoPartOfTheKey) {
  GivenValues reader(Given{});
  LearnOptions options;
  options.Fields(reader);
  EXPECT_EQ(reader.names().front(), "profile");
  EXPECT_THAT(KeyText(Read({{"profile", "paper"}})), Not(HasSubstr("profile")));
  // The same values have the same key, by whatever way they came.
  LearnOptions by_hand;
  by_hand.method = LearnOptions::Method::kScc;
  by_hand.cd_steps = 3;
  EXPECT_EQ(KeyText(by_hand), kPaperKey);
}

TEST(LearnOptionsTest, LookingDoesNotApplyTheProfile) {
  LearnOptions options = Read({{"profile", "release-1.0"}, {"lambda", "0.2"}, {"epochs", "3"}});
  EXPECT_THAT(KeyText(options), HasSubstr("lambda: 0.2\nepochs: 3\n"));
  KeyTextWriter writer;
  options.Fields(writer);
  EXPECT_EQ(options.lambda, 0.2);
  options = {};
  options.profile = LearnOptions::Profile::kPaper;
  EXPECT_EQ(KeyText(options), kDefaultKey) << "a profile that was not applied is only a word";
}

TEST(LearnOptionsTest, ApplySetsThePointsOfTheProfileAndNoOther) {
  LearnOptions options;
  options.atoms = 7;
  options.epochs = 8;
  options.seed = 9;
  options.batch = 10;
  options.nonnegative = true;
  options.rate = LearnOptions::Rate::kNatural;
  options.unused_atoms = LearnOptions::UnusedAtoms::kReplace;
  LearnOptions paper = options;
  paper.Apply(LearnOptions::Profile::kNone);
  EXPECT_EQ(KeyText(paper), KeyText(options));
  paper.Apply(LearnOptions::Profile::kRelease10);
  paper.Apply(LearnOptions::Profile::kPaper);
  EXPECT_EQ(paper.profile, LearnOptions::Profile::kPaper);
  EXPECT_EQ(paper.atoms, 7);
  EXPECT_EQ(paper.epochs, 8);
  EXPECT_EQ(paper.seed, 9);
  EXPECT_EQ(paper.batch, 10);
  EXPECT_TRUE(paper.nonnegative);
  EXPECT_EQ(paper.unused_atoms, LearnOptions::UnusedAtoms::kReplace);
  EXPECT_EQ(paper.rate, LearnOptions::Rate::kAdaptive);
  EXPECT_EQ(paper.lambda, 0.10);
  EXPECT_EQ(paper.patch_order, LearnOptions::PatchOrder::kShuffled);
  EXPECT_EQ(paper.coordinate_order, LearnOptions::CoordinateOrder::kCyclic);
  EXPECT_EQ(paper.curvature, LearnOptions::Curvature::kAccumulate);
  EXPECT_EQ(paper.projection, LearnOptions::Projection::kBall);
}

TEST(LearnOptionsTest, StepsOfCoordinateDescent) {
  LearnOptions options;
  EXPECT_EQ(options.CdSteps(), 10);
  options.method = LearnOptions::Method::kScc;
  EXPECT_EQ(options.CdSteps(), 3);
  for (const auto method : {LearnOptions::Method::kScc, LearnOptions::Method::kSccMinibatch}) {
    options.method = method;
    options.cd_steps = 7;
    EXPECT_EQ(options.CdSteps(), 7);
  }
}

TEST(LearnOptionsTest, EveryMemberButTheProfileIsInTheKey) {
  const std::string key = KeyText(LearnOptions{});
  GivenValues reader(Given{});
  LearnOptions options;
  options.Fields(reader);
  EXPECT_EQ(reader.names().size(), 22U);
  for (std::size_t i = 1; i < reader.names().size(); ++i) {
    EXPECT_THAT("\n" + key, HasSubstr("\n" + reader.names()[i] + ": "));
  }
}

}  // namespace
}  // namespace flyscribe
