#include "pipeline/cache/checkpoint.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/file.h"
#include "pipeline/cache/manifest.h"
#include "pipeline/terminal/process.h"
#include "tests/support/expect_error.h"
#include "tests/support/temp_folder.h"

namespace flyscribe {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const std::string kIdentity = "step: learn 2\noption learn.lambda: 0.1\ninput patches: 12ab\n";

LearnState StateAfter(int epochs) {
  LearnState state;
  state.epochs_done = epochs;
  state.steps = 17;
  state.atoms = FloatMatrix(2, 3, {1, 0, 0, 0, 1, 0});
  state.curvature = {0.5, static_cast<double>(epochs)};
  state.epoch_curvature = {0.25, 1.0};
  state.codes.atoms = 2;
  state.codes.AppendDense(std::vector<float>{0.0F, 2.0F});
  state.objective_per_epoch.assign(static_cast<std::size_t>(epochs), 0.3);
  return state;
}

class CheckpointTest : public testing::Test {
 protected:
  std::vector<std::string> Names() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(path_)) names.push_back(entry.path().filename().string());
    return names;
  }

  TempFolder folder_;
  fs::path path_ = folder_ / "checkpoint";
  LearnCheckpoint checkpoint_{path_, kIdentity, 0.0};
};

TEST_F(CheckpointTest, NothingThere) {
  EXPECT_EQ(checkpoint_.NewestEpoch(), 0);
  EXPECT_FALSE(checkpoint_.Load());
  checkpoint_.Remove();
}

TEST_F(CheckpointTest, OnlyTheNewestIsKept) {
  for (int epoch = 1; epoch <= 11; ++epoch) checkpoint_.Save(StateAfter(epoch));
  EXPECT_THAT(Names(), ElementsAre("epoch-11"));
  EXPECT_EQ(checkpoint_.NewestEpoch(), 11);
  EXPECT_EQ(checkpoint_.Load(), StateAfter(11));
  checkpoint_.Remove();
  EXPECT_FALSE(fs::exists(path_));
}

TEST_F(CheckpointTest, AKillBetweenTwoStepsOfSavingLosesNothing) {
  checkpoint_.Save(StateAfter(9));
  folder_.Write("checkpoint/.unfinished/atoms.npy", "half");
  EXPECT_EQ(checkpoint_.Load(), StateAfter(9)) << "killed while writing epoch 10";
  fs::rename(path_ / "epoch-9", folder_ / "aside");
  checkpoint_.Save(StateAfter(10));
  fs::rename(folder_ / "aside", path_ / "epoch-9");
  EXPECT_EQ(checkpoint_.Load(), StateAfter(10)) << "killed before epoch 9 was removed";
  fs::rename(path_ / "epoch-9", path_ / ".discarded");
  EXPECT_EQ(checkpoint_.Load(), StateAfter(10)) << "killed while epoch 9 was being removed";
  checkpoint_.Save(StateAfter(11));
  EXPECT_EQ(checkpoint_.Load(), StateAfter(11));
  checkpoint_.Remove();
  EXPECT_FALSE(fs::exists(path_));
}

TEST_F(CheckpointTest, IsDueOnceItsTimeHasPassed) {
  EXPECT_TRUE(checkpoint_.IsDue());
  checkpoint_.Save(StateAfter(1));
  EXPECT_TRUE(checkpoint_.IsDue()) << "0 seconds are always over";
  EXPECT_FALSE(LearnCheckpoint(path_, kIdentity, 1e6).IsDue()) << "what a kill would cost counts from the start";
}

TEST_F(CheckpointTest, WhatItDidNotWriteStays) {
  folder_.Write("checkpoint/notes.txt", "mine");
  folder_.Write("checkpoint/epoch-old/x", "mine");
  EXPECT_EQ(checkpoint_.NewestEpoch(), 0);
  checkpoint_.Save(StateAfter(1));
  checkpoint_.Remove();
  EXPECT_THAT(Names(), testing::UnorderedElementsAre("notes.txt", "epoch-old"));
}

TEST_F(CheckpointTest, AnotherProblemIsRefusedAndTheDifferenceNamed) {
  checkpoint_.Save(StateAfter(2));
  const LearnCheckpoint other(path_, "step: learn 2\noption learn.lambda: 0.2\ninput patches: 12ab\n", 0.0);
  const CaughtError error = ExpectError([&] { other.Load(); });
  EXPECT_EQ(error.code, ErrorCode::kUsage);
  EXPECT_EQ(error.text,
            path_.string() +
                ": error: the checkpoint was left by other options or another input: then 'option learn.lambda: 0.1', "
                "now 'option learn.lambda: 0.2'\n"
                "  hint: give the same ones to go on, choose another --output, or give --force to begin anew");
  EXPECT_EQ(checkpoint_.Load(), StateAfter(2)) << "it is still there for its own problem";
}

TEST_F(CheckpointTest, DamageIsNamed) {
  const auto damage = [&](const std::string& file, const std::string& content) {
    checkpoint_.Remove();
    checkpoint_.Save(StateAfter(2));
    WriteFile(path_ / "epoch-2" / file, content);
    return ExpectError([&] { checkpoint_.Load(); });
  };
  for (const CaughtError& error : {damage("state.json", "{"),
                                   damage("key.txt", "another problem"),
                                   damage("manifest.json", "{}"),
                                   damage("atoms.npy", "x"),
                                   damage("codes.data.npy", "")}) {
    EXPECT_EQ(error.code, ErrorCode::kCorrupt);
    EXPECT_THAT(error.text, HasSubstr((path_ / "epoch-2").string() + ": error: the checkpoint is damaged: "));
    EXPECT_THAT(error.text, HasSubstr("hint: --force begins anew"));
  }
  fs::remove(path_ / "epoch-2" / "state.json");
  EXPECT_EQ(ExpectError([&] { checkpoint_.Load(); }).code, ErrorCode::kCorrupt);
}

TEST_F(CheckpointTest, AFailedSaveKeepsTheOneBefore) {
  checkpoint_.Save(StateAfter(2));
  folder_.Write("checkpoint/epoch-3", "a file in the way");
  EXPECT_EQ(ExpectError([&] { checkpoint_.Save(StateAfter(3)); }).code, ErrorCode::kDisk);
  fs::remove(path_ / "epoch-3");
  EXPECT_THAT(Names(), ElementsAre("epoch-2"));
  EXPECT_EQ(checkpoint_.Load(), StateAfter(2));
}

TEST_F(CheckpointTest, NoByteCanChangeUnnoticed) {
  checkpoint_.Save(StateAfter(2));
  for (const auto& entry : fs::directory_iterator(path_ / "epoch-2")) {
    const std::string content = ReadFile(entry.path());
    for (std::size_t i = 0; i < content.size(); i += 7) {
      std::string changed = content;
      changed[i] ^= 1;
      WriteFile(entry.path(), changed, Durability::kUnsynced);
      const CaughtError error = ExpectError([&] { checkpoint_.Load(); });
      EXPECT_EQ(error.code, ErrorCode::kCorrupt) << entry.path() << " byte " << i;
      EXPECT_THAT(error.text, HasSubstr("error: the checkpoint is damaged: "));
    }
    WriteFile(entry.path(), content, Durability::kUnsynced);
  }
  EXPECT_EQ(checkpoint_.Load(), StateAfter(2)) << "all is as it was";
}

TEST_F(CheckpointTest, SaysWhatItIs) {
  checkpoint_.Save(StateAfter(3));
  const ArtifactManifest manifest = ReadManifest(path_ / "epoch-3");
  EXPECT_EQ(manifest.step, kCheckpointStep);
  EXPECT_EQ(manifest.part, "epoch 3");
  EXPECT_EQ(manifest.program, Version());
  EXPECT_THAT(manifest.made, testing::MatchesRegex("20.*Z"));
  EXPECT_EQ(ReadFile(path_ / "epoch-3" / kKeyName), kIdentity);
}

}  // namespace
}  // namespace flyscribe
