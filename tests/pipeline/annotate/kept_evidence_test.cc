#include "pipeline/annotate/kept_evidence.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>

#include "core/file.h"
#include "core/hash.h"
#include "core/text.h"
#include "data/annotation.h"
#include "data/tables.h"
#include "pipeline/annotate/annotate.h"
#include "tests/pipeline/annotate/tiny_model.h"
#include "tests/support/expect_error.h"

namespace flyscribe {
namespace {

using testing::HasSubstr;

// Three bags, the last one of a name that makes the same file name as the one before it.
NewBags SomeBags() {
  NewBags bags = TinyBags();
  bags.bags.resize(3);
  bags.bags[1].id = "a b";
  bags.bags[1].slug = "a-b_4-6";
  bags.bags[2].id = "a/b";
  bags.bags[2].slug = "a-b_4-6-2";
  return bags;
}

// Annotated once for all tests, with heat maps of what there is evidence of.
class KeptEvidenceTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = std::make_unique<TempFolder>();
    Annotate(*folder_ / "out", EvidenceOf::kCalls);
  }
  static void TearDownTestSuite() { folder_.reset(); }

  static void Annotate(const fs::path& output, EvidenceOf evidence) {
    Model model = TinyModel(0);
    model.options.extract.window_function = ExtractOptions::WindowFunction::kFlat;
    for (TermModel& term : model.ranges[0].models.terms) term.cut = 100.0;  // none is called: three are kept
    AnnotateRun run;
    run.options.evidence = evidence;
    run.maps = evidence;
    AnnotationFolder folder(output);
    flyscribe::Annotate(model, SomeBags(), run, folder, NoProgress());
  }
  static BagEvidence EvidenceOfBag(const std::string& slug) {
    const fs::path file = *folder_ / "out" / "evidence" / (slug + ".json");
    return DecodeEvidence(ReadFile(file), file);
  }
  static CaughtError ErrorOf(const HeatMapRequest& request) {
    return ExpectError([&] { DrawKeptEvidence(*folder_ / "out", request); });
  }

  static inline std::unique_ptr<TempFolder> folder_;
};

TEST_F(KeptEvidenceTest, DrawsTheBytesThatAnnotateWrote) {
  for (const std::string slug : {"a-b_4-6", "a-b_4-6-2"}) {
    const BagEvidence evidence = EvidenceOfBag(slug);
    EXPECT_EQ(evidence.bag_id, slug.ends_with("-2") ? "a/b" : "a b");
    std::size_t found = 0;
    for (const TermEvidence& term : evidence.terms) {
      const KeptHeatMap map =
          DrawKeptEvidence(*folder_ / "out", {.bag = evidence.bag_id, .term = term.term, .range = "", .image = ""});
      EXPECT_EQ(map.range, "4-6");
      EXPECT_EQ(map.decision_value, term.decision_value);
      EXPECT_EQ(map.windows, evidence.patches.size());
      for (const fs::path& file : EntriesOf(*folder_ / "out" / "evidence" / slug)) {
        found += ReadFile(file) == map.png ? 1U : 0U;
      }
    }
    EXPECT_EQ(found, evidence.terms.size()) << "each is one of the files, and no two are alike";
  }
}

TEST_F(KeptEvidenceTest, DrawsOverTheImageAskedFor) {
  const std::string slug = SomeBags().bags[0].slug;
  const BagEvidence evidence = EvidenceOfBag(slug);
  HeatMapRequest request = {.bag = evidence.bag_id, .term = evidence.terms[0].term, .range = "4-6", .image = ""};
  const std::string strongest = DrawKeptEvidence(*folder_ / "out", request).image;
  EXPECT_EQ(strongest, evidence.images[evidence.patches[*StrongestPatch(evidence.terms[0])].image]);
  for (const std::string& image : evidence.images) {
    request.image = image;
    EXPECT_EQ(DrawKeptEvidence(*folder_ / "out", request).image, image);
  }
  request.image = "insitu";
  EXPECT_THAT(ErrorOf(request).text, HasSubstr("images: " + Join(evidence.images, ", ")));
}

TEST_F(KeptEvidenceTest, WhatIsNotThereIsNamedWithWhatIs) {
  const BagEvidence evidence = EvidenceOfBag("a-b_4-6");
  const std::string term = evidence.terms[0].term;
  const CaughtError bag = ErrorOf({.bag = "a c", .term = term, .range = "", .image = ""});
  EXPECT_EQ(bag.code, ErrorCode::kUsage);
  EXPECT_THAT(bag.text, HasSubstr("there is no bag of this name"));
  EXPECT_THAT(bag.text, HasSubstr("did you mean 'a b'?"));
  const CaughtError misspelt = ErrorOf({.bag = "a b", .term = term + "x", .range = "", .image = ""});
  EXPECT_EQ(misspelt.code, ErrorCode::kUsage);
  EXPECT_THAT(misspelt.text, HasSubstr("did you mean '" + term + "'?"));
  const CaughtError range = ErrorOf({.bag = "a b", .term = term, .range = "7-8", .image = ""});
  EXPECT_THAT(range.text, HasSubstr("the bag has no images of this stage range"));
  EXPECT_THAT(range.text, HasSubstr("ranges of the bag: 4-6"));
  for (const std::vector<std::string>& row : LoadTsv(*folder_ / "out" / "predictions.tsv", PredictionHeader())) {
    const bool is_kept =
        std::ranges::any_of(evidence.terms, [&](const TermEvidence& each) { return each.term == row[5]; });
    if (row[0] != "a b" || is_kept) continue;
    const CaughtError kept = ErrorOf({.bag = "a b", .term = row[5], .range = "", .image = ""});
    EXPECT_EQ(kept.code, ErrorCode::kUsage);
    EXPECT_THAT(kept.text, HasSubstr("no evidence was kept of this term"));
    EXPECT_THAT(kept.text, HasSubstr("there is evidence of " + term));
    EXPECT_THAT(kept.text, HasSubstr("--evidence all"));
    return;
  }
  ADD_FAILURE() << "there is evidence of all terms";
}

TEST_F(KeptEvidenceTest, ABagOfSeveralRangesNeedsOne) {
  fs::copy(*folder_ / "out", *folder_ / "several", fs::copy_options::recursive);
  const fs::path table = *folder_ / "several" / "predictions.tsv";
  auto rows = LoadTsv(table, PredictionHeader());
  rows.push_back(rows[0]);
  rows.back()[3] = "7-8";
  SaveTsv(table, PredictionHeader(), rows);
  const CaughtError error = ExpectError([&] {
    DrawKeptEvidence(*folder_ / "several", {.bag = rows[0][0], .term = rows[0][5], .range = "", .image = ""});
  });
  EXPECT_EQ(error.code, ErrorCode::kUsage);
  EXPECT_THAT(error.text, HasSubstr("choose one by --range: 4-6, 7-8"));
  EXPECT_EQ(DrawKeptEvidence(*folder_ / "several", {.bag = rows[0][0], .term = rows[0][5], .range = "4-6", .image = ""})
                .range,
            "4-6");
  EXPECT_THAT(ExpectError([&] {
                DrawKeptEvidence(*folder_ / "several",
                                 {.bag = rows[0][0], .term = rows[0][5], .range = "7-8", .image = ""});
              }).text,
              HasSubstr("no evidence was kept of this bag"));
}

TEST_F(KeptEvidenceTest, AResultWithoutEvidenceSaysHowToHaveIt) {
  Annotate(*folder_ / "none", EvidenceOf::kNone);
  const auto rows = LoadTsv(*folder_ / "none" / "predictions.tsv", PredictionHeader());
  const CaughtError error = ExpectError(
      [&] { DrawKeptEvidence(*folder_ / "none", {.bag = rows[0][0], .term = rows[0][5], .range = "", .image = ""}); });
  EXPECT_EQ(error.code, ErrorCode::kUsage);
  EXPECT_THAT(error.text, HasSubstr("no evidence was kept of this bag"));
  EXPECT_THAT(error.text, HasSubstr("annotate again with --evidence all"));
}

TEST_F(KeptEvidenceTest, DamagedFilesAreNotDrawnFrom) {
  const BagEvidence evidence = EvidenceOfBag("a-b_4-6");
  for (const std::string name : {"evidence/a-b_4-6.json", "gallery/images/a-b_4-6-1.jpg"}) {
    fs::remove_all(*folder_ / "damaged");
    fs::copy(*folder_ / "out", *folder_ / "damaged", fs::copy_options::recursive);
    std::string bytes = ReadFile(*folder_ / "damaged" / name);
    bytes[bytes.size() / 2] ^= 1;
    WriteFile(*folder_ / "damaged" / name, bytes);
    const CaughtError error = ExpectError([&] {
      DrawKeptEvidence(*folder_ / "damaged",
                       {.bag = "a b", .term = evidence.terms[0].term, .range = "", .image = evidence.images[0]});
    });
    EXPECT_EQ(error.code, ErrorCode::kCorrupt) << name;
    EXPECT_THAT(error.text, HasSubstr(name + " was changed"));
  }
}

}  // namespace
}  // namespace flyscribe
