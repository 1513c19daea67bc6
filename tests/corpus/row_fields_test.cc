#include "corpus/row_fields.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace flyscribe {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Header, ColumnsByNameInAnyCaseAndOrder) {
  const Header header({"Stage", "gene", "gene"});
  EXPECT_TRUE(header.Has("stage"));
  EXPECT_FALSE(header.Has("view"));
  EXPECT_EQ(header.Get({"4", "otp", "other"}, "gene"), "otp");
  EXPECT_EQ(header.Get({"4"}, "gene"), "");
  EXPECT_EQ(header.Get({"4", "otp"}, "view"), "");
}

TEST(CleanField, TrimsAndEmpties) {
  EXPECT_EQ(CleanField("  otp "), "otp");
  EXPECT_EQ(CleanField("\\N"), "");
  EXPECT_EQ(CleanField("NULL"), "");
  EXPECT_EQ(CleanField("a\tb\r\nc"), "a b  c");
}

TEST(ParseStageCode, CodesAndNames) {
  EXPECT_EQ(ParseStageCode("1"), 1);
  EXPECT_EQ(ParseStageCode("6"), 6);
  EXPECT_EQ(ParseStageCode("4-6"), 2);
  EXPECT_EQ(ParseStageCode("13-16"), 6);
  EXPECT_EQ(ParseStageCode("13-17"), 6);
  EXPECT_EQ(ParseStageCode("stage9-10"), 4);
  EXPECT_EQ(ParseStageCode("Stage 11-12"), 5);
  for (const char* wrong : {"", "0", "7", "-1", "4-7", "stage", "stage4", "1.0", "99999999999999999999"}) {
    EXPECT_EQ(ParseStageCode(wrong), std::nullopt) << wrong;
  }
}

TEST(ReadStage, RefusesWithTheText) {
  RowContent content;
  EXPECT_TRUE(ReadStage("4-6", content));
  EXPECT_EQ(content.stage, 2);
  EXPECT_FALSE(ReadStage("late", content));
  ASSERT_EQ(content.refusals.size(), 1U);
  EXPECT_EQ(content.refusals[0].reason, "bad stage code: 'late'");
}

TEST(ParseWordList, TuplesListsAndPlainText) {
  EXPECT_THAT(*ParseWordList("('45376_s.bmp',)"), ElementsAre("45376_s.bmp"));
  EXPECT_THAT(*ParseWordList(" ('a', \"b's\" , 'c\\'d') "), ElementsAre("a", "b's", "c'd"));
  EXPECT_THAT(*ParseWordList("['a','b']"), ElementsAre("a", "b"));
  EXPECT_THAT(*ParseWordList("()"), IsEmpty());
  EXPECT_THAT(*ParseWordList("[]"), IsEmpty());
  EXPECT_THAT(*ParseWordList(" "), IsEmpty());
  EXPECT_THAT(*ParseWordList("brain"), ElementsAre("brain"));
  EXPECT_THAT(*ParseWordList("(dorsal) ectoderm"), ElementsAre("(dorsal) ectoderm"));
}

TEST(ParseWordList, BrokenTuplesAreNone) {
  for (const char* broken : {"('a'", "('a' 'b')", "('a,)", "('a', b)", "['a'", "['a')", "[a]", "('"}) {
    EXPECT_EQ(ParseWordList(broken), std::nullopt) << broken;
  }
}

}  // namespace
}  // namespace flyscribe
