#include "pipeline/terminal/text_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/expect_error.h"

namespace flyscribe {
namespace {

TEST(TextTable, ColumnsAreAsWideAsTheyMustBe) {
  TextTable table({"step", ">size", "remark"});
  table.Add({"learn", "7", ""});
  table.Add({"normalise", "12345", "two words"});
  EXPECT_EQ(table.ToString(),
            "  step        size  remark\n"
            "  learn          7\n"
            "  normalise  12345  two words\n");
}

TEST(TextTable, CountsCharactersNotBytes) {
  TextTable table({"a", "b"});
  table.Add({"éé", "x"});
  table.Add({"yyy", "x"});
  EXPECT_EQ(table.ToString(), "  a    b\n  éé   x\n  yyy  x\n");
}

TEST(TextTable, WithoutRowsOnlyTheHeader) { EXPECT_EQ(TextTable({"a", ">b"}).ToString(), "  a  b\n"); }

TEST(TextTable, AHeaderWithoutNamesIsNotShown) {
  TextTable table({"", ">"});
  EXPECT_TRUE(table.empty());
  EXPECT_EQ(table.ToString(), "");
  table.Add({"a", "1"});
  table.Add({"bb", "22"});
  EXPECT_FALSE(table.empty());
  EXPECT_EQ(table.size(), 2U);
  EXPECT_EQ(table.ToString(), "  a    1\n  bb  22\n");
}

TEST(CountText, KnowsThePlural) {
  EXPECT_EQ(CountText(0, "term"), "0 terms");
  EXPECT_EQ(CountText(1, "term"), "1 term");
  EXPECT_EQ(CountText(17, "term"), "17 terms");
}

TEST(TextTable, RowsFitTheHeader) {
  TextTable table({"a", "b"});
  EXPECT_THAT(ExpectError([&] { table.Add({"x"}); }).text, testing::HasSubstr("a row has as many cells as the header"));
}

}  // namespace
}  // namespace flyscribe
