#include "data/collection.h"

#include <gtest/gtest.h>

#include <gmock/gmock.h>
#include <array>
#include <string>
#include <vector>

#include "core/file.h"
#include "core/hash.h"
#include "core/rng.h"
#include "tests/support/corrupt_text.h"
#include "tests/support/expect_error.h"
#include "tests/support/temp_folder.h"

namespace flyscribe {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
Collection Sample() {
  Collection collection;
  collection.range = StageRange::FromName("4-6");
  collection.bags = {
      {"FBgn1@4-6", "FBgn1", "eve", "FBgn1", 2, {"gut", "pole \"cell\""}, {{"CG1", "FBgn1"}, {"eve", "eve1"}}},
      {"sna@4-6", "sna", "sna", "", 0, {}, {{}, {"sna"}}}};
  collection.images = {
      {"insitu1", 0, "a/1.bmp", "d1", 0}, {"insitu2", 1, "2.bmp", "d2", 0}, {"insitu3", 0, "3.bmp", "d3", 1}};
  collection.terms = {{"gut", "FBbt:00005055"}, {"pole \"cell\"", ""}};
  collection.skipped = {{"images.csv:9", "no such file: 9.bmp", true}};
  return collection;
}

// A folder with the sample in it.
class CollectionTest : public ::testing::Test {
 protected:
  CollectionTest() { Sample().Save(folder_.path()); }
  CaughtError LoadError() const {
    return ExpectError([&] { Collection::Load(folder_.path(), StageRange::FromCode(2)); });
  }
  // Loads after replacing one table; the complaint must be about that table.
  void ExpectCorrupt(const std::string& table, const std::string& text, const std::string& message) const {
    const std::string before = ReadFile(folder_ / table);
    folder_.Write(table, text);
    const CaughtError error = LoadError();
    EXPECT_EQ(error.code, ErrorCode::kCorrupt) << error.text;
    EXPECT_EQ(error.text, CorruptText(folder_ / table, message));
    folder_.Write(table, before);
  }

  TempFolder folder_;
};

TEST_F(CollectionTest, WritesTheTables) {
  EXPECT_EQ(ReadFile(folder_ / "images.tsv"),
            "id\tfolder\tfile\tdigest\tbag\ninsitu1\t0\ta/1.bmp\td1\tFBgn1@4-6\ninsitu2\t1\t2.bmp\td2\tFBgn1@4-6\n"
            "insitu3\t0\t3.bmp\td3\tsna@4-6\n");
  EXPECT_EQ(ReadFile(folder_ / "bags.tsv"),
            "id\tgene\tsymbol\tfbgn\tfold\tids\tsymbols\nFBgn1@4-6\tFBgn1\teve\tFBgn1\t2\tCG1|FBgn1\teve|eve1\n"
            "sna@4-6\tsna\tsna\t\t0\t\tsna\n");
  EXPECT_EQ(ReadFile(folder_ / "labels.tsv"), "bag\tterm\nFBgn1@4-6\tgut\nFBgn1@4-6\tpole \"cell\"\n");
  EXPECT_EQ(ReadFile(folder_ / "terms.tsv"), "term\tfbbt_id\ngut\tFBbt:00005055\npole \"cell\"\t\n");
  EXPECT_EQ(ReadFile(folder_ / "skipped.tsv"), "input\treason\tkind\nimages.csv:9\tno such file: 9.bmp\tfault\n");
}

TEST_F(CollectionTest, RoundTripsByteForByte) {
  const Collection loaded = Collection::Load(folder_.path(), StageRange::FromName("4-6"));
  EXPECT_EQ(loaded.range, Sample().range);
  EXPECT_EQ(loaded.bags, Sample().bags);
  EXPECT_EQ(loaded.images, Sample().images);
  EXPECT_EQ(loaded.skipped, Sample().skipped);
  const TempFolder again;
  loaded.Save(again.path());
  for (const std::string table : {"images.tsv", "bags.tsv", "labels.tsv", "terms.tsv", "skipped.tsv"}) {
    EXPECT_EQ(ReadFile(again / table), ReadFile(folder_ / table)) << table;
  }
}

TEST_F(CollectionTest, AnEmptyOneRoundTrips) {
  const TempFolder folder;
  Collection{}.Save(folder.path());
  const Collection loaded = Collection::Load(folder.path(), StageRange());
  EXPECT_TRUE(loaded.bags.empty());
  EXPECT_TRUE(loaded.images.empty());
}

TEST_F(CollectionTest, CorruptTables) {
  const std::string images = "id\tfolder\tfile\tdigest\tbag\n";
  const std::string bags = "id\tgene\tsymbol\tfbgn\tfold\tids\tsymbols\n";
  ExpectCorrupt("images.tsv", images + "i\t0\tf\td\tnobody\n", "unknown bag 'nobody'");
  ExpectCorrupt("images.tsv", images + "i\t-1\tf\td\tsna@4-6\n", "the number -1 is out of range");
  ExpectCorrupt("images.tsv", images + "i\tx\tf\td\tsna@4-6\n", "expected an integer, found 'x'");
  ExpectCorrupt("labels.tsv", "bag\tterm\nnobody\tgut\n", "unknown bag 'nobody'");
  ExpectCorrupt("bags.tsv", bags + "b\tg\ts\t\t-1\t\t\n", "the number -1 is out of range");
  ExpectCorrupt("bags.tsv", bags + "b\tg\ts\t\t4294967297\t\t\n", "the number 4294967297 is out of range");
  ExpectCorrupt("bags.tsv", bags + "b\tg\ts\t\ttwo\t\t\n", "expected an integer, found 'two'");
  ExpectCorrupt("bags.tsv", bags + "b\tg\ts\t\t0\t\t\nb\tg\ts\t\t1\t\t\n", "bag 'b' is listed twice");
}

TEST_F(CollectionTest, AMissingTableIsAnInputError) {
  fs::remove(folder_ / "labels.tsv");
  EXPECT_EQ(LoadError().code, ErrorCode::kInput);
}

TEST(CollectionDigestTest, AreThoseOfTheDocumentedRows) {
  EXPECT_EQ(Sample().ImagesDigest(),
            Sha256OfText("insitu1\td1\tFBgn1@4-6\ninsitu2\td2\tFBgn1@4-6\ninsitu3\td3\tsna@4-6\n"));
  EXPECT_EQ(Sample().FoldsDigest(), Sha256OfText("FBgn1@4-6\tFBgn1\t2\nsna@4-6\tsna\t0\n"));
  EXPECT_EQ(Sample().TermsDigest(), Sha256OfText("gut\tFBbt:00005055\npole \"cell\"\t\n"));
  EXPECT_EQ(Sample().LabelsDigest(), Sha256OfText("FBgn1@4-6\tgut\tpole \"cell\"\nsna@4-6\n"));
}

// Which of the three digests (images, folds, labels) a change of the sample changes.
template <class Change>
std::array<bool, 3> Changed(Change&& change) {
  Collection other = Sample();
  change(other);
  return {other.ImagesDigest() != Sample().ImagesDigest(),
          other.FoldsDigest() != Sample().FoldsDigest(),
          other.LabelsDigest() != Sample().LabelsDigest()};
}

TEST(CollectionDigestTest, ChangeWithExactlyWhatTheyShould) {
  using Which = std::array<bool, 3>;
  constexpr Which kNone = {false, false, false};
  constexpr Which kImages = {true, false, false};
  constexpr Which kFolds = {false, true, false};
  constexpr Which kLabels = {false, false, true};
  constexpr Which kAll = {true, true, true};
  EXPECT_EQ(Changed([](Collection& c) { c.images[1].folder = 0; }), kNone) << "where a file lies is no content";
  EXPECT_EQ(Changed([](Collection& c) { c.images[1].file = "moved.bmp"; }), kNone);
  EXPECT_EQ(Changed([](Collection& c) { c.skipped.clear(); }), kNone);
  EXPECT_EQ(Changed([](Collection& c) { c.bags[0].symbol = "Eve"; }), kNone);
  EXPECT_EQ(Changed([](Collection& c) { c.images[1].digest = "d4"; }), kImages);
  EXPECT_EQ(Changed([](Collection& c) { c.images[1].id = "insitu4"; }), kImages);
  EXPECT_EQ(Changed([](Collection& c) { c.images[1].bag = 1; }), kImages);
  EXPECT_EQ(Changed([](Collection& c) { c.images.pop_back(); }), kImages);
  EXPECT_EQ(Changed([](Collection& c) { std::swap(c.images[0], c.images[1]); }), kImages);
  EXPECT_EQ(Changed([](Collection& c) { c.bags[0].fold = 1; }), kFolds);
  EXPECT_EQ(Changed([](Collection& c) { c.bags[0].gene = "eve"; }), kFolds) << "inner folds and resamples are by gene";
  EXPECT_EQ(Changed([](Collection& c) { c.bags[0].terms.pop_back(); }), kLabels);
  EXPECT_EQ(Changed([](Collection& c) { c.bags[1].terms = {"gut"}; }), kLabels);
  EXPECT_EQ(Changed([](Collection& c) { c.bags[0].id = "other"; }), kAll);
}

TEST(GeneNames, AreJoinedByBars) {
  EXPECT_EQ(JoinNames({"CG1", "FBgn1"}), "CG1|FBgn1");
  EXPECT_EQ(JoinNames({}), "");
  EXPECT_THAT(SplitNames("CG1|FBgn1"), ElementsAre("CG1", "FBgn1"));
  EXPECT_THAT(SplitNames(""), IsEmpty());
  EXPECT_THAT(SplitNames(JoinNames({"a|b", "c"})), ElementsAre("a", "b", "c"));
}

TEST(FoldOfGene, IsTheSeededHashModuloTheFolds) {
  for (const std::string gene : {"FBgn0015524", "CG7993", "otp", ""}) {
    EXPECT_EQ(FoldOfGene(gene, 5, 42), static_cast<int>(HashText(42, gene) % 5));
    EXPECT_EQ(FoldOfGene(gene, 1, 42), 0);
  }
}

TEST(FoldOfGene, DependsOnTheSeedAndFillsAllFolds) {
  std::vector<int> sizes(5);
  int moved = 0;
  for (int i = 0; i < 2000; ++i) {
    const std::string gene = "FBgn" + std::to_string(i);
    ++sizes[static_cast<std::size_t>(FoldOfGene(gene, 5, 1))];
    if (FoldOfGene(gene, 5, 1) != FoldOfGene(gene, 5, 2)) ++moved;
  }
  for (const int size : sizes) EXPECT_NEAR(size, 400, 80);
  EXPECT_NEAR(moved, 1600, 100);
}

TEST(FoldOfGene, NegativeSeedsAreSeeds) {
  EXPECT_GE(FoldOfGene("otp", 5, -1), 0);
  EXPECT_LT(FoldOfGene("otp", 5, -1), 5);
}

TEST(FoldOfGene, NoFoldsIsABug) {
  EXPECT_EQ(ExpectError([] { FoldOfGene("otp", 0, 1); }).code, ErrorCode::kInternal);
}

Bag WithTerms(std::vector<std::string> terms) {
  Bag bag;
  bag.terms = std::move(terms);
  return bag;
}

TEST(LabelTableTest, MostFrequentFirstThenByName) {
  const LabelTable table = LabelTable::FromBags(
      {WithTerms({"gut", "zeta"}), WithTerms({}), WithTerms({"brain", "gut", "zeta"}), WithTerms({"alpha", "gut"})});
  EXPECT_THAT(table.terms, ElementsAre("gut", "zeta", "alpha", "brain"));
  EXPECT_THAT(table.positives, ElementsAre(3U, 2U, 1U, 1U));
  ASSERT_EQ(table.values.rows(), 4U);
  EXPECT_THAT(table.values.Row(0), ElementsAre(1, 1, 0, 0));
  EXPECT_THAT(table.values.Row(1), ElementsAre(0, 0, 0, 0));
  EXPECT_THAT(table.values.Row(2), ElementsAre(1, 1, 0, 1));
  EXPECT_THAT(table.values.Row(3), ElementsAre(1, 0, 1, 0));
}

TEST(LabelTableTest, TheOrderOfBagsDoesNotChangeTheOrderOfTerms) {
  const std::vector<Bag> bags = {WithTerms({"b"}), WithTerms({"a", "c"}), WithTerms({"c"})};
  const std::vector<Bag> reversed(bags.rbegin(), bags.rend());
  EXPECT_THAT(LabelTable::FromBags(bags).terms, ElementsAre("c", "a", "b"));
  EXPECT_THAT(LabelTable::FromBags(reversed).terms, ElementsAre("c", "a", "b"));
}

TEST(LabelTableTest, ATermListedTwiceCountsOnce) {
  const LabelTable table = LabelTable::FromBags({WithTerms({"a", "a"}), WithTerms({"b"}), WithTerms({"b"})});
  EXPECT_THAT(table.terms, ElementsAre("b", "a"));
  EXPECT_THAT(table.positives, ElementsAre(2U, 1U));
}

TEST(LabelTableTest, NoBagsOrNoTerms) {
  EXPECT_TRUE(LabelTable::FromBags({}).terms.empty());
  const LabelTable table = LabelTable::FromBags({WithTerms({}), WithTerms({})});
  EXPECT_EQ(table.values.rows(), 2U);
  EXPECT_EQ(table.values.cols(), 0U);
}

}  // namespace
}  // namespace flyscribe
