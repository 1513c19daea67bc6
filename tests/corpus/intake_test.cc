#include "corpus/intake.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/expect_error.h"
#include "tests/support/temp_folder.h"

namespace flyscribe {
namespace {

using testing::ElementsAre;

// A table of two ranges, with a row for every check.
class IntakeTest : public testing::Test {
 protected:
  IntakeTest() {
    for (const char* name : {"a", "b", "c", "d", "e"}) folder_.Write(std::string(name) + ".png", name);
    const fs::path table = folder_.Write("t.tsv",
                                         "file\tsymbol\tstage_range\tview\tbag_id\n"
                                         "d.png\totp\t7-8\tlateral\t\n"
                                         "c.png\totp\t4-6\tlateral\tplate 1\n"
                                         "b.png\totp\t4-6\tlateral\tplate 1\n"
                                         "a.png\tdl\t4-6\tLateral\t\n"
                                         "e.png\tdl\t4-6\tdorsal\t\n"
                                         "gone.png\tdl\t4-6\tlateral\t\n"
                                         "a.png\tdl\t4-6\tlateral\t\n"
                                         "x.png\tdl\tlate\tlateral\t\n");
    corpus_ = Corpus({{}, table, {}});
    rules_.views = {" LATERAL"};
    rules_.how_to_skip = "say so";
  }

  // Bags as "id range: images".
  std::vector<std::string> Bags(const std::string& no_use_of_first = {}, const ImportControl& control = {}) {
    Intake intake(corpus_, rules_, skipped_);
    intake.ListProblems();
    for (const CorpusImage& row : corpus_.images) intake.Take(row, &row == &corpus_.images[0] ? no_use_of_first : "");
    std::vector<std::string> texts;
    for (const IntakeBag& bag : intake.Bags(intake.Hash(control, NoProgress()))) {
      texts.push_back(bag.id + " " + bag.range.name() + ":");
      for (const IntakeImage& image : bag.images) texts.back() += " " + image.row->id;
    }
    return texts;
  }
  std::vector<std::string> Skips() const {
    std::vector<std::string> lines;
    for (const Skipped& item : skipped_) lines.push_back(item.input + " " + item.reason + (item.fault ? " !" : ""));
    return lines;
  }

  TempFolder folder_;
  Corpus corpus_;
  IntakeRules rules_;
  std::vector<Skipped> skipped_;
};

TEST_F(IntakeTest, EveryRowIsUsedOrListed) {
  EXPECT_THAT(Bags(), ElementsAre("dl 4-6: a.png", "otp 4-6: b.png c.png", "otp 7-8: d.png"));
  EXPECT_THAT(Skips(),
              ElementsAre("t.tsv:1 header line",
                          "t.tsv:9 bad stage code: 'late' !",
                          "t.tsv:6 view not wanted: dorsal",
                          "t.tsv:7 image file not found: gone.png !",
                          "t.tsv:8 duplicate row"));
}

TEST_F(IntakeTest, ATableMayNameTheBags) {
  rules_.use_bag_column = true;
  EXPECT_THAT(Bags(), ElementsAre("dl 4-6: a.png", "plate 1 4-6: b.png c.png", "otp 7-8: d.png"));
}

TEST_F(IntakeTest, TheCallerMayHaveNoUseForAnImage) {
  EXPECT_THAT(Bags("not today"), ElementsAre("dl 4-6: a.png", "otp 4-6: b.png c.png"));
  EXPECT_THAT(Skips(), testing::Contains("t.tsv:2 not today"));
}

TEST_F(IntakeTest, ProblemsOfOneRange) {
  Intake(corpus_, rules_, skipped_).ListProblems(StageRange::FromName("7-8"));
  EXPECT_THAT(Skips(), ElementsAre("t.tsv:1 header line", "t.tsv:9 bad stage code: 'late' !"))
      << "of no range, so of every one";
}

TEST_F(IntakeTest, AFileThatCannotBeHashedIsAFault) {
  const auto digest = [](const fs::path& path) {
    if (path.filename() == "b.png") throw Error(ErrorCode::kInput, "worn out");
    return path.filename().string();
  };
  for (const int threads : {1, 3}) {
    skipped_.clear();
    EXPECT_THAT(Bags({}, {.threads = threads, .digest = digest}),
                ElementsAre("dl 4-6: a.png", "otp 4-6: c.png", "otp 7-8: d.png"));
    EXPECT_EQ(Skips().back(), "t.tsv:4 image file unreadable: b.png: worn out !");
  }
}

TEST_F(IntakeTest, ABadImageMayStopIt) {
  rules_.fail_on_bad_image = true;
  EXPECT_EQ(ExpectError([&] { Bags(); }).text,
            "t.tsv:7: error: image file not found: gone.png\n  hint: add the folder it lies in to the image folders, "
            "or say so to go on without it");
}

}  // namespace
}  // namespace flyscribe
