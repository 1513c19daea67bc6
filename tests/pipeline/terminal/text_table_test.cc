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

TEST(TextTable, RowsFitTheHeader) {
  TextTable table({"a", "b"});
  EXPECT_THAT(ExpectError([&] { table.Add({"x"}); }).text, testing::HasSubstr("a row has as many cells as the header"));
}

}  // namespace
}  // namespace flyscribe
