// Curators' files through the real binary; what is merged how is tests/corpus/review_test.cc's.
#include "tests/integration/workspace.h"

namespace flyscribe {
namespace {

class ReviewCommandTest : public Workspace {
 protected:
  void SetUp() override {
    folder_.Write("annot.csv", "\"CG1\",\"a\",\"FBgn1\",2,\"brain\"\n\"CG1\",\"a\",\"FBgn1\",2,\"eye\"\n");
    folder_.Write("ann.tsv", kHeader + "FBgn1\t4-6\teye\tno\tann\nFBgn1\t4-6\tnose\tyes\tann\n");
    folder_.Write("bob.tsv", kHeader + "FBgn1\t4-6\teye\tyes\tbob\nFBgn1\t4-6\tbrain\t\tbob\n");
  }
  ProgramResult Import(const std::vector<std::string>& more) const {
    std::vector<std::string> arguments = {"review", "import", "--annotations", "annot.csv", "--output", "out"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return Flyscribe(arguments);
  }

  const std::string kHeader = "fbgn\tstage_range\tterm\tdecision\tcurator\n";
};

TEST_F(ReviewCommandTest, OneCurator) {
  const ProgramResult result = Import({"ann.tsv"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("2 decisions (0 rows not decided): 1 labels added, 1 removed, 2 in all"));
  EXPECT_EQ(ReadFile(folder_ / "out/annotations.csv"),
            "\"CG1\",\"a\",\"FBgn1\",2,\"brain\"\n\"CG1\",\"a\",\"FBgn1\",2,\"nose\"\n");
}

TEST_F(ReviewCommandTest, TwoCuratorsWhoDisagree) {
  const ProgramResult result = Import({"ann.tsv", "bob.tsv"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("1 labels in conflict are left as they were"));
  EXPECT_THAT(ReadFile(folder_ / "out/conflicts.tsv"), HasSubstr("bob.tsv:2"));
  EXPECT_THAT(ReadFile(folder_ / "out/annotations.csv"), HasSubstr("eye"));
}

TEST_F(ReviewCommandTest, RowsThatCannotBeReadGiveExitCode3) {
  folder_.Write("bad.tsv", kHeader + "FBgn1\t4-6\teye\tperhaps\tann\n");
  EXPECT_EQ(Import({"bad.tsv"}).exit_code, 3);
  EXPECT_THAT(ReadFile(folder_ / "out/skipped.tsv"), HasSubstr("bad.tsv:2"));
}

TEST_F(ReviewCommandTest, ADateThatIsNoneGivesExitCode3) {
  folder_.Write("bad.tsv", "fbgn\tstage_range\tterm\tdecision\tdate\nFBgn1\t4-6\teye\tno\t05/12/2026\n");
  EXPECT_EQ(Import({"bad.tsv"}).exit_code, 3);
  EXPECT_THAT(ReadFile(folder_ / "out/skipped.tsv"), HasSubstr("bad.tsv:2\tdate is not YYYY-MM-DD: 05/12/2026"));
  EXPECT_EQ(ReadFile(folder_ / "out/annotations.csv"), ReadFile(folder_ / "annot.csv"));
}

TEST_F(ReviewCommandTest, IdsOfTwoGenesGiveExitCode3) {
  folder_.Write("annot.csv", "CG90001,a,FBgn9000001,2,eye\nCG90002,b,FBgn9000002,2,eye\n");
  folder_.Write("bad.tsv", "cg\tfbgn\tstage_range\tterm\tdecision\nCG90001\tFBgn9000002\t4-6\teye\tno\n");
  EXPECT_EQ(Import({"bad.tsv"}).exit_code, 3);
  EXPECT_THAT(ReadFile(folder_ / "out/skipped.tsv"), HasSubstr("ids of two genes: CG90001 and FBgn9000002"));
}

TEST_F(ReviewCommandTest, ATableOfImagesIsNoSource) {
  folder_.Write("annot.csv", "CG1,a,a,FBgn1,RE1,img/insitu1.jpe,2,lateral\n");
  const ProgramResult result = Import({"ann.tsv"});
  EXPECT_EQ(result.exit_code, 5);
  EXPECT_THAT(result.err, HasSubstr("table has no annotations, it was read as: BDGP images"));
  EXPECT_FALSE(fs::exists(folder_ / "out/annotations.csv"));
}

TEST_F(ReviewCommandTest, NeitherSourceNorReviewIsReplaced) {
  folder_.Write("out/annotations.csv", ReadFile(folder_ / "annot.csv"));
  const ProgramResult result =
      Flyscribe({"review", "import", "ann.tsv", "--annotations", "out/annotations.csv", "--output", "out", "--force"});
  EXPECT_EQ(result.exit_code, 4);
  EXPECT_THAT(result.err, HasSubstr("the result would replace this input"));
  EXPECT_EQ(ReadFile(folder_ / "out/annotations.csv"), ReadFile(folder_ / "annot.csv"));
  EXPECT_EQ(Import({"missing.tsv", "--force"}).exit_code, 5);
}

}  // namespace
}  // namespace flyscribe
