// The flags themselves, as CLI11 sees them, are tested with the real binary: tests/integration/learn_test.cc.
#include "pipeline/arguments/arguments.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/expect_error.h"

namespace flyscribe {
namespace {

using testing::HasSubstr;

TEST(OptionArguments, WhatIsNotGivenHasItsDefault) {
  EXPECT_EQ(KeyText(OptionArguments().Read({}, "learn").learn), KeyText(LearnOptions()));
}

TEST(OptionArguments, FlagsAndOverridesReachTheirOptions) {
  OptionArguments arguments;
  arguments.Give("learn.atoms", "7", "--atoms 7");
  arguments.Give("encode.max_cycles", "9", "--max-cycles 9");
  EXPECT_TRUE(arguments.IsGiven("learn.atoms"));
  EXPECT_FALSE(arguments.IsGiven("learn.lambda"));
  const Config config = arguments.Read({"lambda=0.3", "learn.seed=4", "unused_atoms=replace"}, "learn");
  EXPECT_EQ(config.learn.atoms, 7);
  EXPECT_EQ(config.encode.max_cycles, 9);
  EXPECT_EQ(config.learn.lambda, 0.3);
  EXPECT_EQ(config.learn.seed, 4);
  EXPECT_EQ(config.learn.unused_atoms, LearnOptions::UnusedAtoms::kReplace);
}

TEST(OptionArguments, TheLaterOfTwoOverridesWins) {
  EXPECT_EQ(OptionArguments().Read({"atoms=3", "atoms=4"}, "learn").learn.atoms, 4);
}

TEST(OptionArguments, WhatIsGivenWinsOverAProfile) {
  OptionArguments arguments;
  arguments.Give("learn.lambda", "0.3", "--lambda 0.3");
  arguments.Give("learn.profile", "release-1.0", "--profile release-1.0");
  const LearnOptions learn = arguments.Read({"patch_order=shuffled"}, "learn").learn;
  EXPECT_EQ(learn.method, LearnOptions::Method::kScc);
  EXPECT_EQ(learn.projection, LearnOptions::Projection::kSphere);
  EXPECT_EQ(learn.lambda, 0.3);
  EXPECT_EQ(learn.patch_order, LearnOptions::PatchOrder::kShuffled);
}

TEST(OptionArguments, WhatIsImpliedLosesAgainstWhatIsGiven) {
  OptionArguments arguments;
  arguments.Imply("learn.atoms", "12", "D0.npy");
  EXPECT_EQ(arguments.Read({}, "learn").learn.atoms, 12);
  EXPECT_EQ(arguments.Read({"atoms=5"}, "learn").learn.atoms, 5);
  arguments.Give("learn.atoms", "6", "--atoms 6");
  EXPECT_EQ(arguments.Read({}, "learn").learn.atoms, 6);
}

TEST(OptionArguments, AllProblemsAreReportedEachAtItsArgument) {
  OptionArguments arguments;
  arguments.Imply("learn.atoms", "70000", "D0.npy");
  arguments.Give("learn.lambda", "much", "--lambda much");
  arguments.Give("learn.method", "", "--method ");
  const CaughtError error = ExpectError([&] { arguments.Read({"epoch=3", "seed.x=1", "learn.batch=0"}, "learn"); });
  EXPECT_EQ(error.code, ErrorCode::kUsage);
  EXPECT_EQ(error.text,
            "--method : error: learn.method: has no value\n  hint: give one, or leave the key out to keep the default\n"
            "D0.npy: error: learn.atoms: 70000 is out of range\n  hint: must be between 1 and 65536\n"
            "--lambda much: error: learn.lambda: expected a number, found 'much'\n"
            "  hint: must be between 1e-06 and 10\n"
            "--set seed.x=1: error: learn.seed: expected one value, found a map\n"
            "--set learn.batch=0: error: learn.batch: 0 is out of range\n  hint: must be between 1 and 65536\n"
            "--set epoch=3: error: learn.epoch: unknown key\n"
            "  hint: did you mean 'epochs'? `flyscribe defaults learn` lists all keys");
}

TEST(OptionArguments, BrokenAssignmentsPointAtTheArgument) {
  EXPECT_THAT(ExpectError([] { OptionArguments().Read({"lambda"}, "learn"); }).text,
              HasSubstr("--set lambda: error: expected key=value"));
  EXPECT_THAT(ExpectError([] { OptionArguments().Read({"lambda=[1"}, "learn"); }).text,
              HasSubstr("--set lambda=[1: error: not valid YAML"));
  OptionArguments arguments;
  arguments.Give("learn.lambda", "&x 3", "--lambda &x 3");
  EXPECT_THAT(ExpectError([&] { arguments.Read({}, "learn"); }).text, HasSubstr("--lambda &x 3: error: anchors"));
}

TEST(OptionArguments, OneOptionIsNotGivenInTwoWays) {
  OptionArguments arguments;
  arguments.Give("learn.atoms", "6", "--atoms 6");
  EXPECT_EQ(ExpectError([&] { arguments.Read({"atoms=6"}, "learn"); }).text,
            "--set atoms=6: error: the option is also given as --atoms 6\n  hint: keep one of the two");
}

TEST(CommonArguments, NoThreadsGivenMeansOnePerCore) {
  EXPECT_EQ(CommonArguments().Threads(), 0);
  CommonArguments three;
  three.threads = 3;
  EXPECT_EQ(three.Threads(), 3);
}

}  // namespace
}  // namespace flyscribe
