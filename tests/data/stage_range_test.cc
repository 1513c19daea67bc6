#include "data/stage_range.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/expect_error.h"

namespace flyscribe {
namespace {

using ::testing::ElementsAre;

TEST(StageRangeTest, NamesAndCodes) {
  const std::vector<std::string> names = {"1-3", "4-6", "7-8", "9-10", "11-12", "13-16"};
  ASSERT_EQ(StageRange::All().size(), 6U);
  for (int code = 1; code <= 6; ++code) {
    const std::string& name = names[static_cast<std::size_t>(code - 1)];
    EXPECT_EQ(StageRange::FromName(name).code(), code);
    EXPECT_EQ(StageRange::FromCode(code).name(), name);
    EXPECT_EQ(StageRange::All()[static_cast<std::size_t>(code - 1)], StageRange::FromCode(code));
  }
  EXPECT_EQ(StageRange().name(), "1-3");
}

TEST(StageRangeTest, ThePapersNameIsRead) {
  EXPECT_EQ(StageRange::FromName("13-17"), StageRange::FromCode(6));
  EXPECT_EQ(StageRange::FromName("13-17").name(), "13-16");
}

TEST(StageRangeTest, NamesAreAllThatFromNameReads) {
  EXPECT_THAT(StageRange::Names(), ElementsAre("1-3", "4-6", "7-8", "9-10", "11-12", "13-16", "13-17"));
  for (const std::string& name : StageRange::Names()) EXPECT_NO_THROW(StageRange::FromName(name));
}

TEST(StageRangeTest, RangesAreOrderedByTime) {
  EXPECT_LT(StageRange::FromName("9-10"), StageRange::FromName("11-12"));
  EXPECT_EQ(StageRange::FromName("4-6"), StageRange::FromCode(2));
}

TEST(StageRangeTest, ClassesOfDevelopment) {
  EXPECT_THAT(StageRange::FromName("1-3").fbdv_ids(), ElementsAre("FBdv:00005290"));
  EXPECT_THAT(StageRange::FromName("4-6").fbdv_ids(), ElementsAre("FBdv:00005304", "FBdv:00005318"));
  EXPECT_EQ(StageRange::FromName("7-8").fbdv(), "FBdv:00005319|FBdv:00005322");
  EXPECT_EQ(StageRange::FromName("9-10").fbdv(), "FBdv:00014201");
  EXPECT_EQ(StageRange::FromName("11-12").fbdv(), "FBdv:00004450");
  EXPECT_EQ(StageRange::FromName("13-17").fbdv(), "FBdv:00005331|FBdv:00005334");
}

TEST(StageRangeTest, UnknownNames) {
  const CaughtError error = ExpectError([] { StageRange::FromName("4-7"); });
  EXPECT_EQ(error.code, ErrorCode::kUsage);
  EXPECT_EQ(error.text,
            "error: unknown stage range '4-7'\n  hint: the ranges are 1-3, 4-6, 7-8, 9-10, 11-12, 13-16 (13-17 is read "
            "as 13-16)");
  for (const std::string name : {"", " 4-6", "4-6 ", "6", "stage4-6", "1-30"}) {
    EXPECT_EQ(ExpectError([&] { StageRange::FromName(name); }).code, ErrorCode::kUsage) << "'" << name << "'";
  }
}

TEST(StageRangeTest, CodesOutsideAreBugs) {
  for (const int code : {0, 7, -1}) {
    EXPECT_FALSE(StageRange::FindCode(code));
    EXPECT_EQ(ExpectError([&] { StageRange::FromCode(code); }).code, ErrorCode::kInternal);
  }
}

// Nothing but the rows decides how many ranges there are, what they are called and how they are ordered.
TEST(StageRangeTest, AnotherTable) {
  const StageRangeTable table = {
      {.order = 1, .code = 20, .name = "pupa", .other_names = {"p", "P1-15"}, .fbdv_ids = {"FBdv:00005349"}},
      {.order = 2, .code = 10, .name = "adult", .other_names = {"imago"}, .fbdv_ids = {"FBdv:00005369", "FBdv:1"}}};
  EXPECT_THAT(StageRange::Names(table), ElementsAre("pupa", "adult", "p", "P1-15", "imago"));
  ASSERT_EQ(StageRange::All(table).size(), 2U);
  const StageRange pupa = StageRange::FromName("P1-15", table);
  const StageRange adult = StageRange::FromCode(10, table);
  EXPECT_EQ(pupa, StageRange::All(table)[0]);
  EXPECT_EQ(pupa.name(), "pupa");
  EXPECT_EQ(pupa.code(), 20);
  EXPECT_EQ(adult.name(), "adult");
  EXPECT_EQ(adult.fbdv(), "FBdv:00005369|FBdv:1");
  EXPECT_LT(pupa, adult);
  EXPECT_FALSE(StageRange::Find("4-6", table));
  EXPECT_FALSE(StageRange::FindCode(1, table));
  EXPECT_EQ(ExpectError([&] { StageRange::FromName("4-6", table); }).text,
            "error: unknown stage range '4-6'\n  hint: the ranges are pupa, adult (p is read as pupa, P1-15 is read as "
            "pupa, imago is read as adult)");
}

}  // namespace
}  // namespace flyscribe
