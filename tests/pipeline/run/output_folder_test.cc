#include "pipeline/run/output_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/file.h"
#include "tests/support/expect_error.h"
#include "tests/support/temp_folder.h"

namespace flyscribe {
namespace {

using testing::HasSubstr;

class OutputFolderTest : public testing::Test {
 protected:
  OutputFolder Open() const {
    return {
        out_, {"config.yaml", "report/index.html", "run.json"}, folder_ / "c.yaml", OfFirstRelease(out_ / "run.json")};
  }
  // As version 0.1.0 left it.
  void WriteOld(const std::string& config) const {
    fs::last_write_time(folder_.Write("out/config.yaml", config), kThen);
    fs::last_write_time(folder_.Write("out/report/index.html", "page"), kThen);
    fs::last_write_time(folder_.Write("out/run.json", R"({"format": 1, "exit_code": 0, "steps": []})"), kThen);
  }
  void ExpectRefused(const std::string& name, const std::string& why) const {
    const CaughtError error = ExpectError([&] { Open(); });
    EXPECT_EQ(error.code, ErrorCode::kUsage);
    EXPECT_EQ(error.text,
              (out_ / name).string() + ": error: the result would replace this file, which " + why +
                  "\n  hint: move it away, or choose another folder for the output (`output:` in the config)");
  }

  static constexpr std::time_t kThen = 1'700'000'000;
  const std::string old_config_ = ReadFile(FLYSCRIBE_SOURCE_DIR "/tests/data/0.1.0/output/config.yaml");
  TempFolder folder_;
  fs::path out_ = folder_ / "out";
};

TEST_F(OutputFolderTest, WhatItWroteIsReplacedAgainAndAgain) {
  for (const std::string text : {"one", "two", "two", "one"}) {
    OutputFolder output = Open();
    output.Write("report/index.html", text);
    output.Write("run.json", text);
    EXPECT_EQ(ReadFile(out_ / "report" / "index.html"), text);
  }
  OutputFolder output = Open();
  output.Remove("run.json");
  output.Remove("report/index.html");
  EXPECT_FALSE(fs::exists(out_ / "report")) << "an empty folder goes with its last file";
  EXPECT_TRUE(fs::exists(out_));
}

TEST_F(OutputFolderTest, WhatOthersWroteIsRefused) {
  folder_.Write("out/config.yaml", "mine");
  folder_.Write("out/notes.txt", "not in the way");
  ExpectRefused("config.yaml", "flyscribe did not write");
  EXPECT_EQ(ReadFile(out_ / "config.yaml"), "mine");
  EXPECT_EQ(EntriesOf(out_).size(), 2U) << "nothing is left in a folder that is refused";
  fs::remove(out_ / "config.yaml");
  fs::create_symlink("nowhere", out_ / "config.yaml");
  ExpectRefused("config.yaml", "flyscribe did not write");
  fs::remove(out_ / "config.yaml");
  fs::create_directory(out_ / "run.json");
  ExpectRefused("run.json", "flyscribe did not write");
}

TEST_F(OutputFolderTest, AllThatIsInTheWayIsNamed) {
  folder_.Write("out/config.yaml", "mine");
  folder_.Write("out/run.json", "mine");
  const std::string text = ExpectError([&] { Open(); }).text;
  EXPECT_THAT(text, HasSubstr("config.yaml: error: "));
  EXPECT_THAT(text, HasSubstr("run.json: error: "));
}

TEST_F(OutputFolderTest, WhatWasChangedIsRefused) {
  Open().Write("config.yaml", "ours");
  WriteFile(out_ / "config.yaml", "ours, with a remark of mine");
  ExpectRefused("config.yaml", "was changed after flyscribe wrote it");
  EXPECT_EQ(ReadFile(out_ / "config.yaml"), "ours, with a remark of mine");
}

TEST_F(OutputFolderTest, WhatIsPutThereMeanwhileIsNotReplaced) {
  OutputFolder output = Open();
  folder_.Write("out/run.json", "mine");
  const CaughtError error = ExpectError([&] { output.Write("run.json", "ours"); });
  EXPECT_EQ(error.code, ErrorCode::kUsage);
  EXPECT_THAT(error.text, HasSubstr("run.json: error: the result would replace this file, which was put here or "));
  output.Remove("run.json");
  EXPECT_EQ(ReadFile(out_ / "run.json"), "mine");
}

TEST_F(OutputFolderTest, WhatAnotherProcessWroteMeanwhileIsReplaced) {
  OutputFolder first = Open();
  OutputFolder second = Open();
  first.Write("run.json", "of the first");
  second.Write("run.json", "of the second");
  EXPECT_EQ(ReadFile(out_ / "run.json"), "of the second");
  first.Remove("run.json");
  EXPECT_FALSE(fs::exists(out_ / "run.json"));
}

TEST_F(OutputFolderTest, OneWritesAtATime) {
  const fs::path file = out_ / ".flyscribe.lock";
  {
    const FileLock lock = LockOutput(out_);
    EXPECT_FALSE(FileLock::TryAcquire(file, "me too"));
    EXPECT_THAT(LockHolder(file).value_or(""), HasSubstr("(writing results)"));
  }
  EXPECT_TRUE(fs::is_empty(out_));
}

TEST_F(OutputFolderTest, AKillLeavesNothingThatIsNotKnown) {
  Open().Write("run.json", "one");
  // Listed, but not yet in place; and a line that was cut off.
  const fs::path list = out_ / ".flyscribe-files";
  AppendToFile(list, ReadFile(list).substr(0, 70));
  Open().Write("run.json", "two");
  EXPECT_EQ(ReadFile(out_ / "run.json"), "two");
  Open().Write("run.json", "one");
}

TEST_F(OutputFolderTest, AListThatIsNotOursIsRefused) {
  folder_.Write("out/.flyscribe-files", "mine");
  const CaughtError error = ExpectError([&] { Open(); });
  EXPECT_EQ(error.code, ErrorCode::kUsage);
  EXPECT_THAT(error.text, HasSubstr(".flyscribe-files: error: this is no list of flyscribe's files"));
}

// Version 0.1.0 kept no list.
TEST_F(OutputFolderTest, AFolderOfTheFirstReleaseIsTakenOver) {
  WriteOld(old_config_);
  EXPECT_EQ(OfFirstRelease(out_ / "run.json"), out_ / "run.json");
  Open().Write("config.yaml", "of today");
  EXPECT_TRUE(OfFirstRelease(out_ / "run.json").empty()) << "it is listed now";
  Open().Write("report/index.html", "of today");
  WriteFile(out_ / "config.yaml", "mine");
  ExpectRefused("config.yaml", "was changed after flyscribe wrote it");
}

TEST_F(OutputFolderTest, WhatIsNewerThanTheFirstReleasesSummaryIsNotTakenOver) {
  WriteOld(old_config_);
  fs::last_write_time(folder_.Write("out/report/index.html", "with a remark of mine"), kThen + 1);
  ExpectRefused("report/index.html", "flyscribe did not write");
  EXPECT_EQ(ReadFile(out_ / "report" / "index.html"), "with a remark of mine");
}

TEST_F(OutputFolderTest, WhereAListIsNothingIsTakenOver) {
  WriteOld(old_config_);
  OutputFolder(folder_ / "made", {}, folder_ / "c.yaml", {}).Write("other", "x");
  const std::string list = ReadFile(folder_ / "made" / ".flyscribe-files");
  const fs::path only_title = folder_.Write("out/.flyscribe-files", list.substr(0, list.find('\n') + 1));
  const std::string text = ExpectError([&] { Open(); }).text;
  for (const char* name : {"config.yaml", "report/index.html", "run.json"}) {
    EXPECT_THAT(text, HasSubstr((out_ / name).string() + ": error: the result would replace this file"));
  }
  EXPECT_EQ(ReadFile(only_title), list.substr(0, list.find('\n') + 1));
}

TEST_F(OutputFolderTest, AConfigOfTheUsersIsNeverTakenOver) {
  for (const std::string& mine :
       {std::string("ranges: [4-6]\noutput: out\n"), "# mine\n" + old_config_, std::string()}) {
    WriteOld(mine);
    ExpectRefused("config.yaml", "flyscribe did not write");
    EXPECT_EQ(ReadFile(out_ / "config.yaml"), mine);
  }
  WriteOld(old_config_);  // also not one that looks the same, if it is what is run
  const CaughtError error =
      ExpectError([&] { OutputFolder(out_, {"config.yaml"}, out_ / "." / "config.yaml", out_ / "run.json"); });
  EXPECT_EQ(error.code, ErrorCode::kUsage);
}

TEST_F(OutputFolderTest, SomebodyElsesSummaryVouchesForNothing) {
  for (const char* text : {"", "[]", "{}", R"({"exit_code": 0})", R"({"steps": []})"}) {
    EXPECT_TRUE(OfFirstRelease(folder_.Write("out/run.json", text)).empty()) << text;
  }
  EXPECT_FALSE(OfFirstRelease(folder_.Write("out/reproduction.json", R"({"exit_code": 0, "checks": []})")).empty());
  EXPECT_TRUE(OfFirstRelease(out_ / "missing.json").empty());
}

}  // namespace
}  // namespace flyscribe
