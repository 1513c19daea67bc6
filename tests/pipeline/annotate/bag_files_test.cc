#include "pipeline/annotate/bag_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "core/file.h"
#include "imaging/image_file.h"
#include "imaging/pictures.h"
#include "tests/pipeline/annotate/tiny_model.h"
#include "tests/report/html_checker.h"

namespace flyscribe {
namespace {

using testing::HasSubstr;

// Of which no term is called, but by rank the first three are still shown.
Model ModelThatCallsNothing() {
  Model model = TinyModel(0);
  for (TermModel& term : model.ranges[0].models.terms) term.cut = 1e6;
  return model;
}

// A bag with its files.
struct WrittenBag {
  explicit WrittenBag(const AnnotatorOptions& options = {}, EvidenceOf maps = EvidenceOf::kNone)
      : annotated(BagAnnotator(model, options).Annotate(bag)) {
    CreateBagFolders(folder.path());
    files = WriteBagFiles(folder.path(), bag, annotated, maps, TermPages(model));
  }

  Model model = ModelThatCallsNothing();
  NewBag bag = TinyBags().bags[0];
  TempFolder folder;
  AnnotatedBag annotated;
  std::vector<ListedFile> files;
};

TEST(WriteBagFiles, EmbryosEvidenceAndAPage) {
  const WrittenBag written;
  std::vector<std::string> names;
  for (const ListedFile& file : written.files) {
    names.push_back(file.name);
    EXPECT_EQ(file.bytes, fs::file_size(written.folder / file.name));
    EXPECT_EQ(file.sha256, Sha256OfFile(written.folder / file.name));
  }
  EXPECT_THAT(names, testing::UnorderedElementsAreArray(FilesBelow(written.folder.path()))) << "all, each once";
  const std::string& slug = written.bag.slug;
  for (std::size_t i = 0; i < written.bag.images.size(); ++i) {
    const GrayImage embryo = DecodeGray(ReadFile(written.folder / "gallery/images" / EmbryoFile(slug, i)), "x");
    EXPECT_EQ(embryo.width, kEmbryoWidth);
    EXPECT_EQ(embryo.height, kEmbryoHeight);
  }
  const BagEvidence evidence = DecodeEvidence(ReadFile(written.folder / "evidence" / (slug + ".json")), "x");
  EXPECT_EQ(evidence, written.annotated.evidence);
  EXPECT_EQ(evidence.model_id, written.model.id);
  EXPECT_FALSE(evidence.patches.empty());
  for (const TermEvidence& term : evidence.terms) EXPECT_NEAR(SumOf(term), term.decision_value, 1e-5) << term.term;
  EXPECT_FALSE(fs::exists(written.folder / "evidence" / slug)) << "no map unless it is asked for";
  const std::string page = ReadFile(written.folder / "gallery/bags" / (slug + ".html"));
  EXPECT_THAT(page, HasSubstr("../images/" + EmbryoFile(slug, 0)));
  EXPECT_EQ(CountOf(page, "class=\"heat\""), evidence.terms.size()) << "the browser draws them";
}

TEST(WriteBagFiles, MapsAreThoseOfTheTermsAskedFor) {
  const WrittenBag all({.evidence = EvidenceOf::kAll}, EvidenceOf::kAll);
  const std::vector<TermPrediction>& terms = all.annotated.annotation->terms;
  EXPECT_EQ(EntriesOf(all.folder / "evidence" / all.bag.slug).size(), terms.size());
  const WrittenBag calls({.evidence = EvidenceOf::kAll}, EvidenceOf::kCalls);
  const fs::path maps = calls.folder / "evidence" / calls.bag.slug;
  EXPECT_EQ(EntriesOf(maps).size(), 3U);
  EXPECT_LT(3U, terms.size());
  const std::string page = ReadFile(calls.folder / "gallery/bags" / (calls.bag.slug + ".html"));
  for (const fs::path& file : EntriesOf(maps)) {
    EXPECT_EQ(DecodeGray(ReadFile(file), "x").height, kEmbryoHeight + kLegendHeight);
    EXPECT_EQ(ReadFile(file), ReadFile(all.folder / "evidence" / all.bag.slug / file.filename()));
    EXPECT_THAT(page, HasSubstr("../../evidence/" + calls.bag.slug + "/" + file.filename().string()));
  }
}

TEST(WriteBagFiles, ALegendHasTheScaleOfTheMap) {
  const WrittenBag written;
  const BagEvidence& evidence = written.annotated.evidence;
  const TermEvidence& term = evidence.terms[0];
  const std::size_t image = evidence.patches[*StrongestPatch(term)].image;
  const std::string scale = HeatMapScale(EvidenceIn(evidence.patches, term, image), kEmbryoWidth, kEmbryoHeight);
  EXPECT_THAT(ReadFile(written.folder / "gallery/bags" / (written.bag.slug + ".html")),
              HasSubstr("data-scale=\"" + scale + "\""));
}

TEST(WriteBagFiles, WithoutEvidenceThereIsNone) {
  const WrittenBag written({.evidence = EvidenceOf::kNone});
  EXPECT_TRUE(EntriesOf(written.folder / "evidence").empty());
}

// From the files alone, as `flyscribe evidence` does it.
TEST(HeatMapPng, IsDrawnFromTheFiles) {
  const WrittenBag written({}, EvidenceOf::kCalls);
  const std::string& slug = written.bag.slug;
  const BagEvidence evidence = DecodeEvidence(ReadFile(written.folder / "evidence" / (slug + ".json")), "x");
  const TermEvidence& term = evidence.terms[0];
  const std::size_t image = evidence.patches[*StrongestPatch(term)].image;
  const std::string embryo = ReadFile(written.folder / "gallery/images" / EmbryoFile(slug, image));
  const std::string png = HeatMapPng(evidence, term, image, DecodeGray(embryo, "x"));
  EXPECT_THAT(EntriesOf(written.folder / "evidence" / slug),
              testing::Contains(testing::ResultOf([](const fs::path& path) { return ReadFile(path); }, png)));
}

TEST(TermPages, OneForEachTerm) {
  Model model = TinyModel(0);
  model.ranges[0].models.terms[0].term = "a b";
  model.ranges[0].models.terms[1].term = "a/b";
  const TermPages pages(model);
  EXPECT_EQ(pages.Of(TinyRange(), "a b"), "4-6_a-b");
  EXPECT_EQ(pages.Of(TinyRange(), "a/b"), "4-6_a-b-2");
}

}  // namespace
}  // namespace flyscribe
