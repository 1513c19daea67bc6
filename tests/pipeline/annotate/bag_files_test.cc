#include "pipeline/annotate/bag_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/file.h"
#include "imaging/image_file.h"
#include "imaging/pictures.h"
#include "tests/pipeline/annotate/tiny_model.h"

namespace flyscribe {
namespace {

using testing::HasSubstr;

TEST(WriteBagFiles, EmbryosMapsEvidenceAndAPage) {
  const Model model = TinyModel(0);
  const NewBag bag = TinyBags().bags[0];
  const AnnotatedBag annotated = BagAnnotator(model).Annotate(bag);
  const TempFolder folder;
  CreateBagFolders(folder.path());
  std::vector<std::string> written;
  for (const ListedFile& file : WriteBagFiles(folder.path(), bag, annotated, TermPages(model))) {
    written.push_back(file.name);
    EXPECT_EQ(file.bytes, fs::file_size(folder / file.name));
    EXPECT_EQ(file.sha256, Sha256OfFile(folder / file.name));
  }
  EXPECT_THAT(written, testing::UnorderedElementsAreArray(FilesBelow(folder.path()))) << "all, each once";
  for (std::size_t i = 0; i < bag.images.size(); ++i) {
    const GrayImage embryo = DecodeGray(ReadFile(folder / "gallery/images" / EmbryoFile(bag, i)), "x");
    EXPECT_EQ(embryo.width, kEmbryoWidth);
    EXPECT_EQ(embryo.height, kEmbryoHeight);
  }
  const BagEvidence evidence = DecodeEvidence(ReadFile(folder / "evidence" / (bag.slug + ".json")), "x");
  EXPECT_EQ(evidence, annotated.evidence);
  EXPECT_EQ(evidence.model_id, model.id);
  for (const TermEvidence& term : evidence.terms) EXPECT_NEAR(SumOf(term), term.decision_value, 1e-5) << term.term;
  const std::vector<fs::path> maps = EntriesOf(folder / "evidence" / bag.slug);
  EXPECT_EQ(maps.size(), annotated.evidence.terms.size());
  const GrayImage map = DecodeGray(ReadFile(maps[0]), "x");
  EXPECT_EQ(map.height, kEmbryoHeight + kLegendHeight);
  const std::string page = ReadFile(folder / "gallery/bags" / (bag.slug + ".html"));
  EXPECT_THAT(page, HasSubstr("../images/" + EmbryoFile(bag, 0)));
  for (const fs::path& file : maps) {
    EXPECT_THAT(page, HasSubstr("../../evidence/" + bag.slug + "/" + file.filename().string()));
  }
}

TEST(WriteBagFiles, WithoutEvidenceThereIsNone) {
  const Model model = TinyModel(0);
  const NewBag bag = TinyBags().bags[0];
  const TempFolder folder;
  CreateBagFolders(folder.path());
  const AnnotatedBag annotated = BagAnnotator(model, {.evidence = EvidenceOf::kNone}).Annotate(bag);
  WriteBagFiles(folder.path(), bag, annotated, TermPages(model));
  EXPECT_TRUE(EntriesOf(folder / "evidence").empty());
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
