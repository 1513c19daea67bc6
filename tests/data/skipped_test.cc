#include "data/skipped.h"

#include <gtest/gtest.h>

#include <vector>

#include "core/file.h"
#include "tests/support/corrupt_text.h"
#include "tests/support/expect_error.h"
#include "tests/support/temp_folder.h"

namespace flyscribe {
namespace {

TEST(SkippedTest, RoundTripsByteForByte) {
  const TempFolder folder;
  const std::vector<Skipped> skipped = {{"images/a.bmp", "unreadable: truncated", true},
                                        {"images.csv:14", "view is not lateral", false}};
  SaveSkipped(folder.path(), skipped);
  const std::string bytes = ReadFile(folder / "skipped.tsv");
  EXPECT_EQ(bytes,
            "input\treason\tkind\nimages/a.bmp\tunreadable: truncated\tfault\nimages.csv:14\tview is not "
            "lateral\tfilter\n");
  EXPECT_EQ(LoadSkipped(folder.path()), skipped);
  SaveSkipped(folder.path(), LoadSkipped(folder.path()));
  EXPECT_EQ(ReadFile(folder / "skipped.tsv"), bytes);
}

TEST(SkippedTest, NothingSkippedIsATableToo) {
  const TempFolder folder;
  SaveSkipped(folder.path(), {});
  EXPECT_EQ(ReadFile(folder / "skipped.tsv"), "input\treason\tkind\n");
  EXPECT_TRUE(LoadSkipped(folder.path()).empty());
}

TEST(Faults, RoundTrip) {
  const TempFolder folder;
  const std::vector<RangeFault> faults = {{"4-6", {"images.csv:3", "image file not found: insitu3", true}},
                                          {"7-8", {"FBgn1", "bag has no usable patch", true}}};
  SaveFaults(folder.path(), faults);
  EXPECT_EQ(ReadFile(folder / "faults.tsv"),
            "range\tinput\treason\n4-6\timages.csv:3\timage file not found: insitu3\n"
            "7-8\tFBgn1\tbag has no usable patch\n");
  EXPECT_EQ(LoadFaults(folder.path()), faults);
}

TEST(CountReasons, CountsPhrasesFaultsFirstThenByFrequency) {
  const std::vector<ReasonCount> reasons = CountReasons({{"a", "view is not lateral: dorsal", false},
                                                         {"b", "view is not lateral: ventral", false},
                                                         {"c", "unreadable: not an image", true},
                                                         {"d", "file not found: d.bmp", true},
                                                         {"e", "file not found", true},
                                                         {"f", "bad row", true}});
  const std::vector<ReasonCount> expected = {
      {"file not found", true, 2}, {"bad row", true, 1}, {"unreadable", true, 1}, {"view is not lateral", false, 2}};
  EXPECT_EQ(reasons, expected);
}

TEST(ReasonsInWords, SaysHowManyOfEach) {
  EXPECT_EQ(ReasonsInWords({{"a", "view not wanted: dorsal", false},
                            {"b", "view not wanted", false},
                            {"c", "image file not found: c.bmp", true}}),
            "image file not found (1), view not wanted (2)");
  EXPECT_EQ(ReasonsInWords({}), "nothing");
}

TEST(SkippedTest, AnUnknownKindIsCorrupt) {
  const TempFolder folder;
  const fs::path path = folder.Write("skipped.tsv", "input\treason\tkind\na\tb\tFault\n");
  const CaughtError error = ExpectError([&] { LoadSkipped(folder.path()); });
  EXPECT_EQ(error.code, ErrorCode::kCorrupt);
  EXPECT_EQ(error.text, CorruptText(path, "unknown kind 'Fault'"));
}

}  // namespace
}  // namespace flyscribe
