#include "data/gene_names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace flyscribe {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(GeneNames, AreJoinedByBars) {
  EXPECT_EQ(JoinNames({"CG1", "FBgn1"}), "CG1|FBgn1");
  EXPECT_EQ(JoinNames({}), "");
  EXPECT_THAT(SplitNames("CG1|FBgn1"), ElementsAre("CG1", "FBgn1"));
  EXPECT_THAT(SplitNames(""), IsEmpty());
  EXPECT_THAT(SplitNames(JoinNames({"a|b", "c"})), ElementsAre("a", "b", "c"));
}

}  // namespace
}  // namespace flyscribe
