#include "data/collection.h"

#include <gtest/gtest.h>

#include <array>
#include <string>

#include "core/file.h"
#include "core/hash.h"
#include "tests/support/corrupt_text.h"
#include "tests/support/expect_error.h"
#include "tests/support/temp_folder.h"

namespace flyscribe {
namespace {

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

}  // namespace
}  // namespace flyscribe
