#include "pipeline/annotate/result_writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/hash.h"
#include "core/text.h"
#include "data/tables.h"
#include "tests/support/temp_folder.h"

namespace flyscribe {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// Two terms; a bag's probabilities are i / 100 and a half.
class ResultWriterTest : public testing::Test {
 protected:
  ResultWriterTest() {
    RangeModel range;
    range.range = range_;
    range.models.terms.resize(2);
    range.models.terms[0].term = "brain";
    range.models.terms[1].term = "eye";
    for (TermModel& term : range.models.terms) term.calibration = {1.0, 0.0, {}};
    range.fbbt_ids = {"FBbt:1", ""};
    model_.id = "abc";
    model_.ranges.push_back(std::move(range));
  }

  AnnotationCounts Write(std::size_t bags) const {
    ResultWriter writer(folder_.path(), folder_ / "scratch", model_, bags);
    for (std::size_t i = 0; i < bags; ++i) {
      const std::string id = "FBgn" + std::to_string(i);
      const double probability = static_cast<double>(i) / 100.0;
      const NewBag bag = {id, {"", "", id}, {{id}, {}}, range_, id + "_4-6", {{"image", "x", "y"}}};
      BagAnnotation said = {id, id, "CG" + std::to_string(i), "", range_, i == 0 ? "oof" : "new", {"image"}, {}};
      said.terms = {{"brain", "FBbt:1", probability - 0.5, probability, 0.5, probability > 0.5, PatchPlace{}},
                    {"eye", "", 0.01, 0.501, 0.5, true, PatchPlace{}}};
      RankTerms(said.terms);
      writer.Add(bag, said);
    }
    return writer.Finish(
        {{"a", "image file not found: a", true}, {"b", "image file not found: b", true}, {"c", "x", false}},
        {{"model_id", "abc"}},
        "digest");
  }

  const StageRange range_ = StageRange::FromName("4-6");
  TempFolder folder_;
  Model model_;
};

TEST_F(ResultWriterTest, TablesHoldEveryBagAndTerm) {
  const AnnotationCounts counts = Write(100);
  EXPECT_EQ(counts.bags, 100U);
  EXPECT_EQ(counts.calls, 149U);
  EXPECT_EQ(counts.out_of_fold, 1U);
  EXPECT_EQ(counts.faults, 2U);
  EXPECT_THAT(counts.skipped, ElementsAre(std::pair("image file not found", 2U), std::pair("x", 1U)));
  EXPECT_EQ(LoadTsv(folder_ / "predictions.tsv", PredictionHeader()).size(), 200U);
  EXPECT_EQ(Split(ReadFile(folder_ / "predictions.jsonl"), '\n').size(), 201U);
  EXPECT_EQ(Split(ReadFile(folder_ / "annot.csv"), '\n').size(), 150U);
  EXPECT_EQ(LoadSkipped(folder_.path()).size(), 3U);
  const nlohmann::json json = nlohmann::json::parse(ReadFile(folder_ / "annotation.json"));
  EXPECT_EQ(json["key_digest"], "digest");
  EXPECT_EQ(json["predictions"], 200);
}

TEST_F(ResultWriterTest, TheSummaryTellsSizesAndDigestsOfTheFilesBesideIt) {
  Write(3);
  const nlohmann::json files = nlohmann::json::parse(ReadFile(folder_ / "annotation.json"))["files"];
  std::vector<std::string> names;
  for (const auto& [name, file] : files.items()) {
    names.push_back(name);
    EXPECT_EQ(file["bytes"], fs::file_size(folder_ / name));
    EXPECT_EQ(file["sha256"], Sha256OfFile(folder_ / name));
  }
  EXPECT_THAT(names,
              ElementsAre("annot.csv",
                          "annotation.files.tsv",
                          "index.html",
                          "predictions.jsonl",
                          "predictions.tsv",
                          "review.tsv",
                          "skipped.tsv"));
}

TEST_F(ResultWriterTest, TheReviewIsSortedByUncertainty) {
  Write(100);
  const std::vector<std::vector<std::string>> rows = LoadTsv(folder_ / "review.tsv", ReviewHeader());
  ASSERT_EQ(rows.size(), 200U);
  double last = 0.0;
  for (const std::vector<std::string>& row : rows) {
    const double margin = RealField(row[10], "review.tsv");
    EXPECT_GE(margin, last);
    last = margin;
  }
  EXPECT_EQ(rows[0][0], "FBgn50") << "its probability is the threshold";
  EXPECT_EQ(rows[1][0], "FBgn0") << "then the eyes, in the order of the bags";
}

TEST_F(ResultWriterTest, PagesAreOfBoundedSize) {
  Write(100);
  EXPECT_EQ(EntriesOf(folder_ / "gallery/pages").size(), 3U) << "48 bags a page";
  EXPECT_EQ(EntriesOf(folder_ / "gallery/search").size(), 1U);
  EXPECT_THAT(ReadFile(folder_ / "gallery/pages/3.html"), HasSubstr("FBgn99"));
  EXPECT_THAT(ReadFile(folder_ / "index.html"), HasSubstr("gallery/pages/3.html"));
}

TEST_F(ResultWriterTest, ATermsGalleryHasTopBorderlineAndBottom) {
  Write(100);
  const std::string page = ReadFile(folder_ / "gallery/terms/4-6_brain.html");
  const std::size_t top = page.find(">Top<");
  const std::size_t borderline = page.find(">Borderline<");
  const std::size_t bottom = page.find(">Bottom<");
  ASSERT_LT(top, borderline);
  ASSERT_LT(borderline, bottom);
  const auto section = [&](std::size_t begin, std::size_t end) { return page.substr(begin, end - begin); };
  EXPECT_THAT(section(top, borderline), HasSubstr("FBgn99_4-6.html"));
  EXPECT_THAT(section(borderline, bottom), HasSubstr("FBgn50_4-6.html"));
  EXPECT_THAT(section(bottom, page.size()), HasSubstr("FBgn0_4-6.html"));
  EXPECT_THAT(section(bottom, page.size()), testing::Not(HasSubstr("FBgn12_4-6.html"))) << "twelve of each";
  EXPECT_THAT(page, HasSubstr("49 of 100 bags"));
}

TEST_F(ResultWriterTest, NoBagAtAllIsAResultToo) {
  Write(0);
  EXPECT_THAT(LoadTsv(folder_ / "predictions.tsv", PredictionHeader()), testing::IsEmpty());
  EXPECT_EQ(ReadFile(folder_ / "annot.csv"), "");
  EXPECT_TRUE(fs::exists(folder_ / "index.html"));
}

}  // namespace
}  // namespace flyscribe
