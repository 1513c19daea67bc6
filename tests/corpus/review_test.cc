#include "corpus/review.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/text.h"
#include "data/annotation.h"
#include "tests/support/expect_error.h"
#include "tests/support/temp_folder.h"

namespace flyscribe {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const std::string kHeader = "fbgn\tcg\tgene_symbol\tstage_range\tterm\tmodel_id\tdecision\tcurator\tdate\tnote\n";

class ReviewTest : public testing::Test {
 protected:
  // Rows of "FBgn term decision curator date"; - is no date.
  Review Rows(const std::vector<std::string>& rows, const std::string& name = "review.tsv") const {
    std::string text = kHeader;
    for (const std::string& row : rows) {
      const std::vector<std::string> word = Split(row, ' ');
      const std::string date = word[4] == "-" ? "" : word[4];
      text += word[0] + "\t\t\t4-6\t" + word[1] + "\tm1\t" + word[2] + "\t" + word[3] + "\t" + date + "\t\n";
    }
    return ReadReview(folder_.Write(name, text));
  }
  MergedReview Merge(const std::vector<Review>& reviews) const { return MergeReviews(source_, reviews); }

  TempFolder folder_;
  const fs::path source_ = folder_.Write("annot.csv",
                                         "\"CG1\",\"a\",\"FBgn1\",2,\"brain\"\n"
                                         "\"CG1\",\"a\",\"FBgn1\",2,\"eye\"\n"
                                         "\"CG1\",\"a\",\"FBgn1\",3,\"eye\"\n"
                                         "\"CG2\",\"b\",\"FBgn2\",2,\"eye\"\n");
  const std::string source_text_ =
      "\"CG1\",\"a\",\"FBgn1\",2,\"brain\"\n\"CG1\",\"a\",\"FBgn1\",2,\"eye\"\n"
      "\"CG1\",\"a\",\"FBgn1\",3,\"eye\"\n\"CG2\",\"b\",\"FBgn2\",2,\"eye\"\n";
};

TEST_F(ReviewTest, YesAddsNoRemovesUnsureLeaves) {
  const MergedReview merged =
      Merge({Rows({"FBgn2 brain yes ann -", "FBgn1 eye no ann -", "FBgn1 brain unsure ann -", "FBgn2 eye yes ann -"})});
  EXPECT_EQ(merged.annotations,
            "\"CG1\",\"a\",\"FBgn1\",2,\"brain\"\n\"CG1\",\"a\",\"FBgn1\",3,\"eye\"\n"
            "\"CG2\",\"b\",\"FBgn2\",2,\"eye\"\n\"CG2\",\"b\",\"FBgn2\",2,\"brain\"\n")
      << "of the one range only, the source's rows in their order, what is new behind them";
  EXPECT_EQ(merged.added, 1U);
  EXPECT_EQ(merged.removed, 1U);
  EXPECT_EQ(merged.labels, 4U);
  std::vector<std::string> effects;
  for (const MergedDecision& decision : merged.decisions) effects.push_back(NameOf(decision.effect));
  EXPECT_THAT(effects, ElementsAre("unchanged", "removed", "added", "confirmed"));
}

TEST_F(ReviewTest, MergingTwiceChangesNothingMore) {
  const Review review = Rows({"FBgn2 brain yes ann -", "FBgn1 eye no ann -"});
  const MergedReview once = Merge({review});
  const fs::path again = folder_.Write("again.csv", once.annotations);
  const MergedReview twice = MergeReviews(again, {review});
  EXPECT_EQ(twice.annotations, once.annotations);
  EXPECT_EQ(twice.added + twice.removed, 0U);
}

TEST_F(ReviewTest, TwoCuratorsWhoDisagreeAreAConflict) {
  const MergedReview merged = Merge({Rows({"FBgn1 eye no ann 2026-01-01"}, "ann.tsv"),
                                     Rows({"FBgn1 eye yes bob 2026-02-01", "FBgn2 eye no bob -"}, "bob.tsv")});
  EXPECT_EQ(merged.conflicts, 1U);
  EXPECT_EQ(merged.removed, 1U) << "the other decision counts";
  EXPECT_THAT(merged.annotations, HasSubstr("FBgn1\",2,\"eye\""));
  const std::vector<std::string> lines = Split(merged.ConflictsTsv(), '\n');
  ASSERT_EQ(lines.size(), 4U);
  EXPECT_EQ(lines[1], "FBgn1\tFBgn1\tCG1\ta\t4-6\teye\tno\tconflict\tann\t2026-01-01\t\tm1\tann.tsv:2");
  EXPECT_EQ(lines[2], "FBgn1\tFBgn1\tCG1\ta\t4-6\teye\tyes\tconflict\tbob\t2026-02-01\t\tm1\tbob.tsv:2");
}

TEST_F(ReviewTest, TheOrderOfTheFilesDoesNotMatter) {
  const Review ann = Rows({"FBgn1 eye no ann -", "FBgn2 brain yes ann -"}, "ann.tsv");
  const Review bob = Rows({"FBgn1 eye yes bob -", "FBgn2 nose yes bob -"}, "bob.tsv");
  EXPECT_EQ(Merge({ann, bob}).annotations, Merge({bob, ann}).annotations);
  EXPECT_EQ(Merge({ann, bob}).DecisionsTsv(), Merge({bob, ann}).DecisionsTsv());
}

TEST_F(ReviewTest, OfOneCuratorTheLatestDateCounts) {
  const MergedReview merged = Merge({Rows({"FBgn1 eye yes ann 2026-01-02", "FBgn1 eye no ann 2026-03-01"})});
  EXPECT_EQ(merged.conflicts, 0U);
  EXPECT_EQ(merged.removed, 1U);
  EXPECT_EQ(NameOf(merged.decisions[0].effect), "outdated");
  EXPECT_EQ(Merge({Rows({"FBgn1 eye yes ann -", "FBgn1 eye no ann -"})}).conflicts, 1U) << "dates that do not tell";
}

TEST_F(ReviewTest, DatesAreComparedAsDays) {
  const MergedReview merged = Merge({Rows({"FBgn1 eye no ann 2026-11-17", "FBgn1 eye yes ann 2026-9-5"})});
  EXPECT_EQ(merged.removed, 1U);
  EXPECT_EQ(merged.decisions[0].decision.date, "2026-09-05");
  EXPECT_EQ(NameOf(merged.decisions[0].effect), "outdated");
  EXPECT_EQ(Merge({Rows({"FBgn1 eye no ann 2026-09-05", "FBgn1 eye yes ann 2026-9-5"})}).conflicts, 1U) << "one day";
  EXPECT_EQ(Merge({Rows({"FBgn1 eye no ann 2026-9-5", "FBgn1 eye yes ann -"})}).removed, 1U) << "no date is before all";
}

TEST_F(ReviewTest, WhatIsNoIsoDateIsListed) {
  for (const std::string date :
       {"05/12/2026", "2026-13-45", "2026-02-29", "26-1-1", "2026-001-1", "2026-1", "2026-1-x"}) {
    const Review review = Rows({"FBgn1 eye no ann " + date});
    EXPECT_THAT(review.decisions, IsEmpty()) << date;
    ASSERT_EQ(review.problems.size(), 1U) << date;
    EXPECT_EQ(review.problems[0], (Skipped{"review.tsv:2", "date is not YYYY-MM-DD: " + date, true}));
  }
  EXPECT_THAT(Rows({"FBgn1 eye no ann 2028-02-29"}).problems, IsEmpty());
}

TEST_F(ReviewTest, RowsThatWereCutOffAreListed) {
  const Review review = ReadReview(folder_.Write("r.tsv", kHeader + "FBgn1\t\t\t4-6\teye\tm1\tno\nFBgn1\t\t\t4-6\te"));
  EXPECT_THAT(review.decisions, IsEmpty());
  EXPECT_EQ(review.undecided, 0U);
  ASSERT_EQ(review.problems.size(), 2U);
  EXPECT_EQ(review.problems[0], (Skipped{"r.tsv:2", "row has 7 fields, the header 10", true}));
  EXPECT_EQ(review.problems[1], (Skipped{"r.tsv:3", "row has 5 fields, the header 10", true}));
}

TEST_F(ReviewTest, ATermThatCouldNotBeReadBackIsNotAdded) {
  const Review review = Rows({"FBgn1 eye|nose yes ann -", "FBgn1 eye|nose no ann -"});
  ASSERT_EQ(review.problems.size(), 1U) << "`no` adds nothing";
  EXPECT_EQ(review.problems[0], (Skipped{"review.tsv:2", "'|' in a term: eye|nose", true}));
  EXPECT_EQ(Merge({review}).annotations, source_text_);
}

TEST_F(ReviewTest, AGeneThatLosesItsLastLabelIsCounted) {
  EXPECT_EQ(Merge({Rows({"FBgn2 eye no ann -"})}).emptied, 1U);
  EXPECT_EQ(Merge({Rows({"FBgn2 eye no ann -", "FBgn2 brain yes ann -"})}).emptied, 0U);
}

TEST_F(ReviewTest, GenesAreKnownByAnyOfTheirIds) {
  const Review review = ReadReview(folder_.Write("r.tsv",
                                                 "bag_id\tstage_range\tterm\tdecision\nCG1\t4-6\teye\tn\n"
                                                 "b\t4-6\teye\tREJECT\nFBgn7\t4-6\teye\ty\n"));
  EXPECT_EQ(Merge({review}).annotations,
            "\"CG1\",\"a\",\"FBgn1\",2,\"brain\"\n\"CG1\",\"a\",\"FBgn1\",3,\"eye\"\n"
            "\"\",\"\",\"FBgn7\",2,\"eye\"\n");
}

TEST_F(ReviewTest, TheFileNameOfAnImageIsNoGene) {
  const std::string header = "bag_id\tfbgn\tcg\tgene_symbol\tstage_range\tterm\tdecision\n";
  const MergedReview merged = Merge({ReadReview(folder_.Write("r.tsv",
                                                              header + "plate7-01\t\t\t\t4-6\teye\tyes\n"
                                                                       "plate7-02\t\t\tnew one\t4-6\teye\tyes\n"))});
  ASSERT_EQ(merged.problems.size(), 1U);
  EXPECT_EQ(merged.problems[0], (Skipped{"r.tsv:2", "no gene: fill in fbgn or gene_symbol (plate7-01)", true}));
  EXPECT_EQ(merged.annotations, source_text_ + "\"\",\"new one\",\"\",2,\"eye\"\n") << "a gene that was filled in";
}

TEST_F(ReviewTest, TermsAreOneWhateverTheirCaseAndBlanks) {
  const fs::path source = folder_.Write("wide.csv",
                                        "\"CG1\",\"a\",\"FBgn1\",2,\"Brain  primordium\"\n"
                                        "\"CG1\",\"a\",\"FBgn1\",2,\"Eye\"\n\"CG2\",\"b\",\"FBgn2\",2,\"nose\"\n");
  const std::string header = "fbgn\tstage_range\tterm\tdecision\n";
  const Review review = ReadReview(folder_.Write("r.tsv",
                                                 header + "FBgn1\t4-6\tbrain primordium\tno\nFBgn1\t4-6\tEYE\tyes\n"
                                                          "FBgn2\t4-6\t BRAIN   Primordium \tyes\n"
                                                          "FBgn1\t4-6\tnew  term\tyes\nFBgn2\t4-6\tNew term\tyes\n"));
  const MergedReview merged = MergeReviews(source, {review});
  EXPECT_EQ(merged.annotations,
            "\"CG1\",\"a\",\"FBgn1\",2,\"Eye\"\n\"CG2\",\"b\",\"FBgn2\",2,\"nose\"\n"
            "\"CG1\",\"a\",\"FBgn1\",2,\"New term\"\n\"CG2\",\"b\",\"FBgn2\",2,\"Brain  primordium\"\n"
            "\"CG2\",\"b\",\"FBgn2\",2,\"New term\"\n");
  EXPECT_EQ(merged.removed, 1U);
  EXPECT_EQ(merged.added, 3U);
}

TEST_F(ReviewTest, IdsOfTwoGenesOnARowAreListed) {
  const std::string header = "bag_id\tfbgn\tcg\tstage_range\tterm\tdecision\n";
  const MergedReview merged = Merge({ReadReview(folder_.Write("r.tsv",
                                                              header + "\tFBgn2\tCG1\t4-6\teye\tno\n"
                                                                       "CG2\tFBgn1\t\t4-6\teye\tno\n"
                                                                       "slide 7\tFBgn2\tCG2\t4-6\teye\tno\n"
                                                                       "b\tFBgn1\tCG1\t4-6\tbrain\tyes\n"))});
  ASSERT_EQ(merged.problems.size(), 2U);
  EXPECT_EQ(merged.problems[0], (Skipped{"r.tsv:2", "ids of two genes: CG1 and FBgn2", true}));
  EXPECT_EQ(merged.problems[1], (Skipped{"r.tsv:3", "ids of two genes: FBgn1 and CG2", true}));
  EXPECT_EQ(merged.decisions.size(), 2U) << "a bag may be called anything else";
  EXPECT_EQ(merged.removed, 1U);
  EXPECT_THAT(merged.annotations, HasSubstr("FBgn1\",2,\"eye\"")) << "the other gene's label stays";
}

TEST_F(ReviewTest, ANewIdTiesNoTwoGenesTogether) {
  const std::string header = "fbgn\tcg\tstage_range\tterm\tdecision\n";
  const MergedReview merged =
      Merge({ReadReview(folder_.Write("r.tsv", header + "FBgn9\tCG1\t4-6\teye\tno\nFBgn9\tCG2\t4-6\teye\tyes\n"))});
  EXPECT_EQ(merged.annotations, source_text_);
  ASSERT_EQ(merged.problems.size(), 2U);
  EXPECT_EQ(merged.problems[0].reason, "ids of two genes: CG1 and CG2");
}

TEST_F(ReviewTest, WithoutDecisionsTheTableIsAsItWas) {
  const Review review = ReadReview(folder_.Write("r.tsv", kHeader + "FBgn1\t\t\t4-6\teye\tm1\t\t\t\t\n"));
  EXPECT_EQ(review.undecided, 1U);
  EXPECT_EQ(Merge({review}).annotations, source_text_);
}

TEST_F(ReviewTest, WhatACuratorMistypedIsListedWithItsLine) {
  const Review review = ReadReview(folder_.Write("r.tsv",
                                                 kHeader + "FBgn1\t\t\t4-6\teye\tm1\tjes\tann\t\t\n"
                                                           "FBgn1\t\t\t4-7\teye\tm1\tyes\tann\t\t\n"
                                                           "\t\t\t4-6\teye\tm1\tyes\tann\t\t\n"));
  EXPECT_THAT(review.decisions, IsEmpty());
  ASSERT_EQ(review.problems.size(), 3U);
  EXPECT_EQ(review.problems[0], (Skipped{"r.tsv:2", "decision is neither yes, no nor unsure: jes", true}));
  EXPECT_EQ(review.problems[1].reason, "unknown stage range: 4-7");
  EXPECT_EQ(review.problems[2].reason, "no gene or no term");
}

TEST_F(ReviewTest, ASpreadsheetsCommasAndQuotesAreReadToo) {
  const Review review = ReadReview(folder_.Write("r.csv",
                                                 "fbgn,stage_range,term,decision,curator,date,note\r\n"
                                                 "FBgn1,4-6,eye,No,ann,2026-01-01,\"faint, I think\"\r\n"));
  ASSERT_EQ(review.decisions.size(), 1U);
  EXPECT_EQ(review.decisions[0].verdict, Verdict::kNo);
  EXPECT_EQ(review.decisions[0].note, "faint, I think");
}

TEST_F(ReviewTest, ATableThatIsNoReviewIsRefused) {
  const CaughtError error = ExpectError([&] { ReadReview(folder_.Write("x.tsv", "bag_id\tterm\n")); });
  EXPECT_EQ(error.code, ErrorCode::kInput);
  EXPECT_THAT(error.text, HasSubstr("no review: there is no column stage_range, decision"));
  EXPECT_EQ(ExpectError([&] { ReadReview(folder_.Write("y.tsv", "")); }).code, ErrorCode::kInput);
}

TEST_F(ReviewTest, Utf16AndSemicolonsAreNamed) {
  const CaughtError wide = ExpectError([&] {
    ReadReview(folder_.Write("x.tsv",
                             std::string("\xff\xfe"
                                         "f\0b\0",
                                         6)));
  });
  EXPECT_EQ(wide.code, ErrorCode::kInput);
  EXPECT_THAT(wide.text, HasSubstr("table is UTF-16 text"));
  const CaughtError semicolons =
      ExpectError([&] { ReadReview(folder_.Write("y.csv", "fbgn;stage_range;term;decision\nFBgn1;4-6;eye;no\n")); });
  EXPECT_EQ(semicolons.code, ErrorCode::kInput);
  EXPECT_THAT(semicolons.text, HasSubstr("no review: there is no column"));
  EXPECT_THAT(semicolons.text, HasSubstr("tabs or commas"));
}

TEST_F(ReviewTest, ASourceWithoutAnnotationsIsRefused) {
  const fs::path images = folder_.Write("images.csv", "CG1,a,a,FBgn1,RE1,img/insitu1.jpe,2,lateral\n");
  const CaughtError error = ExpectError([&] { MergeReviews(images, {Rows({"FBgn1 eye yes ann -"})}); });
  EXPECT_EQ(error.code, ErrorCode::kInput);
  EXPECT_THAT(error.text, HasSubstr("images.csv: error: table has no annotations, it was read as: BDGP images"));
  EXPECT_THAT(error.text, HasSubstr("hint: give the table of terms"));
}

TEST_F(ReviewTest, RowsOfTheSourceThatCannotBeReadAreListed) {
  const fs::path source = folder_.Write("bad.csv",
                                        "\"CG1\",\"a\",\"FBgn1\",2,\"brain\"\n\"CG1\",\"a\",\"FBgn1\",9,\"eye\"\n"
                                        "\"CG1\",\"a\",\"FBgn1\",2,\"nose\"\n");
  const MergedReview merged = MergeReviews(source, {});
  EXPECT_EQ(merged.labels, 2U);
  ASSERT_EQ(merged.problems.size(), 1U);
  EXPECT_EQ(merged.problems[0].input, "bad.csv:2");
}

}  // namespace
}  // namespace flyscribe
