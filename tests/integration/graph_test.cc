// flyscribe graph: the steps as a picture.
#include "tests/integration/tiny_suite.h"

namespace flyscribe {
namespace {

class GraphCommandTest : public TinySuite {};

TEST_F(GraphCommandTest, DotByDefault) {
  const auto before = Listing();
  const ProgramResult result = Flyscribe({"graph", "tiny.yaml"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, testing::StartsWith("digraph"));
  EXPECT_THAT(result.out, HasSubstr(R"("learn_4_6_fold_0" -> "encode_4_6_fold_0";)"));
  EXPECT_THAT(result.out, HasSubstr(R"(tooltip="learn 4-6 fold-0: hit")"));
  EXPECT_THAT(result.out, Not(HasSubstr("pending")));
  EXPECT_EQ(Flyscribe({"graph", "tiny.yaml", "--dot"}).out, result.out);
  EXPECT_EQ(Listing(), before) << "nothing on disk has changed";
}

TEST_F(GraphCommandTest, MermaidShowsHowStepsStand) {
  const ProgramResult result = Flyscribe({"graph", "tiny.yaml", "--mermaid", "--set", "train.c=3"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, testing::StartsWith("flowchart"));
  EXPECT_THAT(result.out, HasSubstr("pool_4_6_fold_0[\"pool fold-0<br/>hit\"]"));
  EXPECT_THAT(result.out, HasSubstr("train_4_6_fold_0[\"train fold-0<br/>pending\"]"));
  EXPECT_THAT(result.out, HasSubstr("  pool_4_6_fold_0 --> train_4_6_fold_0\n"));
}

TEST_F(GraphCommandTest, OneFormatAtATime) {
  const ProgramResult result = Flyscribe({"graph", "tiny.yaml", "--mermaid", "--dot"});
  EXPECT_EQ(result.exit_code, 4);
  EXPECT_THAT(result.err, HasSubstr("excludes"));
}

}  // namespace
}  // namespace flyscribe
