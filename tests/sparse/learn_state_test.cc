#include "sparse/learn_state.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "core/file.h"
#include "core/npy.h"
#include "tests/sparse/random_patches.h"
#include "tests/support/corrupt_text.h"
#include "tests/support/expect_error.h"
#include "tests/support/temp_folder.h"

namespace flyscribe {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

// Three atoms of five values, four patches; numbers that a careless format would round.
LearnState SomeState() {
  LearnState state;
  state.epochs_done = 2;
  state.steps = std::numeric_limits<std::uint64_t>::max();
  state.atoms = RandomUnitRows(3, 5, 1);
  state.atoms(1, 2) = -0.0F;
  state.atoms(2, 4) = 1e-42F;
  state.curvature = {1.0 / 3, 1e300, 0.0};
  state.epoch_curvature = {0.1, 4.9e-324, 2.0};
  state.codes.atoms = 3;
  state.codes.AppendDense(std::vector<float>{0, 1.0F / 3, 0});
  state.codes.AppendDense(std::vector<float>{0, 0, 0});
  state.codes.AppendDense(std::vector<float>{1e-30F, 0, -7});
  state.codes.AppendDense(std::vector<float>{0, 0, 0});
  state.objective_per_epoch = {0.1 + 0.2, 1.0 / 3};
  state.replaced_atoms = 5;
  return state;
}

LearnState OnlineState() {
  LearnState state = SomeState();
  state.moments = RandomUnitRows(3, 8, 2);
  return state;
}

class LearnStateTest : public ::testing::Test {
 protected:
  fs::path Folder() const { return folder_ / "checkpoint"; }
  LearnState Load() const { return LearnState::Load(Folder()); }
  void Save(const LearnState& state) {
    state.Save(Folder());
    saved_json_ = ReadFile(Folder() / "state.json");
  }
  // Changes a text of state.json as it was saved.
  void Edit(const std::string& from, const std::string& to) const {
    std::string text = saved_json_;
    const std::size_t at = text.find(from);
    ASSERT_NE(at, std::string::npos) << from << " is not in " << text;
    WriteFile(Folder() / "state.json", text.replace(at, from.size(), to));
  }
  void ExpectCorrupt(const std::string& reason) const {
    const CaughtError error = ExpectError([this] { Load(); });
    EXPECT_EQ(error.code, ErrorCode::kCorrupt);
    EXPECT_EQ(error.text,
              Folder().string() + ": error: the checkpoint is not readable: " + reason +
                  "\n  hint: delete the folder to begin anew");
  }

  TempFolder folder_;
  std::string saved_json_;
};

TEST_F(LearnStateTest, ComesBackBitForBit) {
  for (const LearnState& state : {SomeState(), OnlineState()}) {
    Save(state);
    const LearnState loaded = Load();
    EXPECT_EQ(loaded, state);
    EXPECT_TRUE(std::signbit(loaded.atoms(1, 2)));
    const fs::path again = folder_ / "again";
    loaded.Save(again);
    for (const std::string name :
         {"atoms.npy", "curvature.npy", "codes.indptr.npy", "codes.indices.npy", "codes.data.npy", "state.json"}) {
      EXPECT_EQ(ReadFile(again / name), ReadFile(Folder() / name)) << name;
    }
  }
}

TEST_F(LearnStateTest, ALaterStateReplacesAnEarlierOne) {
  Save(OnlineState());
  EXPECT_TRUE(fs::exists(Folder() / "moments.npy"));
  LearnState later = SomeState();  // without moments
  later.epochs_done = 3;
  later.objective_per_epoch.push_back(0.25);
  later.atoms = RandomUnitRows(3, 7, 3);
  Save(later);
  EXPECT_FALSE(fs::exists(Folder() / "moments.npy"));
  EXPECT_EQ(Load(), later);
}

TEST_F(LearnStateTest, TheFilesAreReadable) {
  Save(OnlineState());
  EXPECT_EQ(ReadFile(Folder() / "state.json"),
            "{\n  \"epochs_done\": 2,\n"
            "  \"steps\": 18446744073709551615,\n"
            "  \"objective_per_epoch\": [\n    0.30000000000000004,\n    0.3333333333333333\n  ],\n"
            "  \"replaced_atoms\": 5\n}\n");
  EXPECT_EQ(ReadNpyMatrix<double>(Folder() / "curvature.npy"),
            Matrix<double>(2, 3, {1.0 / 3, 1e300, 0.0, 0.1, 4.9e-324, 2.0}));
  EXPECT_EQ(ReadNpyMatrix<float>(Folder() / "moments.npy").cols(), 8U);
}

TEST_F(LearnStateTest, MissingFiles) {
  EXPECT_EQ(ExpectError([this] { Load(); }).code, ErrorCode::kInput);
  Save(SomeState());
  for (const std::string name :
       {"atoms.npy", "curvature.npy", "codes.indptr.npy", "codes.indices.npy", "codes.data.npy", "state.json"}) {
    fs::rename(Folder() / name, Folder() / "elsewhere");
    const CaughtError error = ExpectError([this] { Load(); });
    EXPECT_EQ(error.code, ErrorCode::kInput) << name;
    EXPECT_THAT(error.text, StartsWith((Folder() / name).string() + ": error: ")) << name;
    fs::rename(Folder() / "elsewhere", Folder() / name);
  }
  EXPECT_EQ(Load(), SomeState());
}

TEST_F(LearnStateTest, TruncatedFiles) {
  Save(OnlineState());
  for (const std::string name : {"atoms.npy",
                                 "curvature.npy",
                                 "moments.npy",
                                 "codes.indptr.npy",
                                 "codes.indices.npy",
                                 "codes.data.npy",
                                 "state.json"}) {
    const std::string whole = ReadFile(Folder() / name);
    for (const std::size_t kept : {std::size_t{0}, whole.size() - 3}) {
      fs::resize_file(Folder() / name, kept);
      const CaughtError error = ExpectError([this] { Load(); });
      EXPECT_EQ(error.code, ErrorCode::kCorrupt) << name << ", " << kept << " bytes";
      EXPECT_THAT(error.text, StartsWith(Folder().string())) << name;
      WriteFile(Folder() / name, whole);
    }
  }
}

TEST_F(LearnStateTest, ArraysThatDoNotBelongTogether) {
  const auto expect = [this](const LearnState& changed) {
    Save(changed);
    ExpectCorrupt("the arrays differ in length");
  };
  LearnState state = SomeState();
  state.atoms = RandomUnitRows(2, 5, 1);
  expect(state);
  state = SomeState();
  state.curvature.push_back(1.0);
  state.epoch_curvature.push_back(1.0);
  expect(state);
  state = SomeState();
  state.moments = FloatMatrix(3, 7);
  expect(state);
  state.moments = FloatMatrix(2, 8);
  expect(state);
  Save(SomeState());
  WriteNpy<double>(Folder() / "curvature.npy", Matrix<double>(1, 3));
  ExpectCorrupt("the arrays differ in length");
}

TEST_F(LearnStateTest, CodesOfAnotherDictionary) {
  LearnState state = SomeState();
  state.codes.atoms = 4;
  state.codes.AppendDense(std::vector<float>{0, 0, 0, 1});
  Save(state);
  const CaughtError error = ExpectError([this] { Load(); });
  EXPECT_EQ(error.code, ErrorCode::kCorrupt);
  EXPECT_EQ(error.text, CorruptText(Folder(), "the codes are not a valid matrix"));
}

TEST_F(LearnStateTest, CountsThatContradictEachOther) {
  Save(SomeState());
  for (const std::string epochs : {"0", "1", "3"}) {
    Edit("\"epochs_done\": 2", "\"epochs_done\": " + epochs);
    ExpectCorrupt("state.json contradicts itself");
  }
  Edit("0.3333333333333333", "0.3333333333333333, 0.25");
  ExpectCorrupt("state.json contradicts itself");
}

TEST_F(LearnStateTest, CountsThatAreNone) {
  Save(SomeState());
  for (const std::string bad : {"-1", "1.5", "\"2\"", "null"}) {
    Edit("\"epochs_done\": 2", "\"epochs_done\": " + bad);
    ExpectCorrupt("epochs_done is not a count");
    Edit("18446744073709551615", bad);
    ExpectCorrupt("steps is not a count");
    Edit("\"replaced_atoms\": 5", "\"replaced_atoms\": " + bad);
    ExpectCorrupt("replaced_atoms is not a count");
  }
}

TEST_F(LearnStateTest, TextThatIsNoState) {
  Save(SomeState());
  const auto complaint = [this] {
    const CaughtError error = ExpectError([this] { Load(); });
    EXPECT_EQ(error.code, ErrorCode::kCorrupt);
    EXPECT_THAT(error.text, StartsWith(Folder().string() + ": error: the checkpoint is not readable: "));
    return error.text;
  };
  const auto complaint_about = [&](const std::string& text) {
    WriteFile(Folder() / "state.json", text);
    return complaint();
  };
  EXPECT_THAT(complaint_about(""), HasSubstr("parse error"));
  EXPECT_THAT(complaint_about("[]"), HasSubstr("cannot use at() with array"));
  EXPECT_THAT(complaint_about("{}"), HasSubstr("key 'epochs_done' not found"));
  Edit("\"steps\"", "\"stairs\"");
  EXPECT_THAT(complaint(), HasSubstr("key 'steps' not found"));
  Edit("0.3333333333333333", "null");
  EXPECT_THAT(complaint(), HasSubstr("type must be number"));
}

}  // namespace
}  // namespace flyscribe
