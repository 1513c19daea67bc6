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
  OutputFolder Open(bool unlisted = false) const {
    return {out_, {"config.yaml", "report/index.html", "run.json"}, folder_ / "c.yaml", unlisted};
  }
  void ExpectRefused(const std::string& name, const std::string& why, bool unlisted = false) const {
    const CaughtError error = ExpectError([&] { Open(unlisted); });
    EXPECT_EQ(error.code, ErrorCode::kUsage);
    EXPECT_EQ(error.text,
              (out_ / name).string() + ": error: the result would replace this file, which " + why +
                  "\n  hint: move it away, or choose another folder for the output (`output:` in the config)");
  }

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
  ExpectRefused("config.yaml", "was changed after flyscribe wrote it", true);
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
  const fs::path summary = folder_.Write("out/run.json", R"({"format": 1, "exit_code": 0, "steps": []})");
  folder_.Write("out/config.yaml", "of 0.1.0");
  EXPECT_TRUE(IsOfFirstRelease(summary));
  Open(true).Write("config.yaml", "of today");
  EXPECT_FALSE(IsOfFirstRelease(summary)) << "it is listed now";
  WriteFile(out_ / "config.yaml", "mine");
  ExpectRefused("config.yaml", "was changed after flyscribe wrote it");
}

TEST_F(OutputFolderTest, TheConfigIsNeverTakenOver) {
  folder_.Write("out/config.yaml", "mine");
  folder_.Write("out/run.json", "of 0.1.0");
  const CaughtError error = ExpectError([&] { OutputFolder(out_, {"config.yaml"}, out_ / "." / "config.yaml", true); });
  EXPECT_EQ(error.code, ErrorCode::kUsage);
  EXPECT_EQ(ReadFile(out_ / "config.yaml"), "mine");
}

TEST_F(OutputFolderTest, SomebodyElsesSummaryVouchesForNothing) {
  for (const char* text : {"", "[]", "{}", R"({"exit_code": 0})", R"({"steps": []})"}) {
    EXPECT_FALSE(IsOfFirstRelease(folder_.Write("out/run.json", text))) << text;
  }
  EXPECT_TRUE(IsOfFirstRelease(folder_.Write("out/reproduction.json", R"({"exit_code": 0, "checks": []})")));
  EXPECT_FALSE(IsOfFirstRelease(out_ / "missing.json"));
}

}  // namespace
}  // namespace flyscribe
