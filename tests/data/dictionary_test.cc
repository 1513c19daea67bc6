#include "data/dictionary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "core/file.h"
#include "core/npy.h"
#include "tests/support/corrupt_text.h"
#include "tests/support/expect_error.h"
#include "tests/support/npz_reader.h"
#include "tests/support/temp_folder.h"

namespace flyscribe {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Dictionary SampleDictionary() {
  Dictionary dictionary;
  dictionary.atoms = FloatMatrix(2, 3, std::vector<float>{1, 0, 0, 0, 0.6F, 0.8F});
  dictionary.summary = {.lambda = 0.1,
                        .nonnegative = true,
                        .patches = 1000,
                        .objective_per_epoch = {0.5, 0.25, 1.0 / 3},
                        .settled = true,
                        .nonzeros_per_code = 7.5,
                        .unused_atoms = 1,
                        .replaced_atoms = 2};
  return dictionary;
}

class DictionaryTest : public ::testing::Test {
 protected:
  DictionaryTest() { SampleDictionary().Save(folder_.path()); }
  std::string ComplaintFor(const std::string& summary) const {
    folder_.Write("summary.json", summary);
    const CaughtError error = ExpectError([&] { Dictionary::Load(folder_.path()); });
    EXPECT_EQ(error.code, ErrorCode::kCorrupt);
    EXPECT_THAT(error.text, ::testing::StartsWith((folder_ / "summary.json").string() + ": error: "));
    return error.text;
  }

  TempFolder folder_;
};

TEST_F(DictionaryTest, RoundTripsByteForByte) {
  const Dictionary loaded = Dictionary::Load(folder_.path());
  EXPECT_EQ(loaded.atoms, SampleDictionary().atoms);
  EXPECT_EQ(loaded.summary, SampleDictionary().summary);
  const TempFolder again;
  loaded.Save(again.path());
  for (const std::string name : {"dictionary.npy", "summary.json"}) {
    EXPECT_EQ(ReadFile(again / name), ReadFile(folder_ / name)) << name;
  }
}

TEST_F(DictionaryTest, TheSummaryIsReadable) {
  EXPECT_EQ(ReadFile(folder_ / "summary.json"),
            "{\n  \"lambda\": 0.1,\n  \"nonnegative\": true,\n  \"patches\": 1000,\n"
            "  \"objective\": 0.3333333333333333,\n"
            "  \"objective_per_epoch\": [\n    0.5,\n    0.25,\n    0.3333333333333333\n  ],\n"
            "  \"settled\": true,\n"
            "  \"nonzeros_per_code\": 7.5,\n  \"unused_atoms\": 1,\n  \"replaced_atoms\": 2\n}\n");
}

TEST_F(DictionaryTest, TheObjectiveIsThatOfTheLastEpoch) {
  EXPECT_EQ(SampleDictionary().summary.Objective(), 1.0 / 3);
  EXPECT_EQ(LearningSummary{}.Objective(), 0.0);
}

TEST_F(DictionaryTest, SummariesThatDoNotSayWhyTheyEnded) {
  std::string summary = ReadFile(folder_ / "summary.json");
  const std::string line = "  \"settled\": true,\n";
  summary.erase(summary.find(line), line.size());
  folder_.Write("summary.json", summary);
  EXPECT_FALSE(Dictionary::Load(folder_.path()).summary.settled) << "earlier versions ran all epochs";
}

TEST_F(DictionaryTest, BadSummaries) {
  const auto summary = [](const std::string& nonnegative, const std::string& patches, const std::string& replaced) {
    return "{\"lambda\": 0.1, \"nonnegative\": " + nonnegative + ", \"patches\": " + patches +
           ", \"objective_per_epoch\": [], \"nonzeros_per_code\": 0, \"unused_atoms\": 0, \"replaced_atoms\": " +
           replaced + "}";
  };
  EXPECT_THAT(ComplaintFor(""), HasSubstr("parse error"));
  EXPECT_THAT(ComplaintFor("{\"lambda\": 0.1"), HasSubstr("parse error"));
  EXPECT_THAT(ComplaintFor("[]"), HasSubstr("cannot use at() with array"));
  EXPECT_THAT(ComplaintFor("{}"), HasSubstr("key 'lambda' not found"));
  EXPECT_THAT(ComplaintFor("{\"lambda\": null}"), HasSubstr("type must be number"));
  EXPECT_THAT(ComplaintFor("{\"lambda\": 0.1}"), HasSubstr("key 'nonnegative' not found"));
  EXPECT_THAT(ComplaintFor(summary("0", "1", "0")), HasSubstr("type must be boolean"));
  for (const std::string count : {"-1", "1.5", "\"1\"", "null"}) {
    EXPECT_EQ(ComplaintFor(summary("false", count, "0")),
              CorruptText(folder_ / "summary.json", "patches is not a count"));
    EXPECT_EQ(ComplaintFor(summary("false", "1", count)),
              CorruptText(folder_ / "summary.json", "replaced_atoms is not a count"));
  }
}

// Rows {0: 1.5, 2: -2}, {}, {1: 3} over three atoms.
SparseCodes SampleCodes() {
  SparseCodes codes;
  codes.atoms = 3;
  codes.AppendDense(std::vector<float>{1.5F, 0, -2});
  codes.AppendDense(std::vector<float>{0, -0.0F, 0});
  codes.AppendDense(std::vector<float>{0, 3, 0});
  return codes;
}

TEST(SparseCodesTest, KeepsWhatIsNotZero) {
  const SparseCodes codes = SampleCodes();
  EXPECT_THAT(codes.indptr, ElementsAre(0, 2, 2, 3));
  EXPECT_THAT(codes.indices, ElementsAre(0, 2, 1));
  EXPECT_THAT(codes.data, ElementsAre(1.5F, -2.0F, 3.0F));
  EXPECT_EQ(codes.rows(), 3U);
  EXPECT_THAT(codes.RowIndices(0), ElementsAre(0, 2));
  EXPECT_THAT(codes.RowData(0), ElementsAre(1.5F, -2.0F));
  EXPECT_TRUE(codes.RowIndices(1).empty());
  EXPECT_THAT(codes.RowData(2), ElementsAre(3.0F));
  EXPECT_EQ(SparseCodes{}.rows(), 0U);
}

TEST(SparseCodesTest, AppendsRowsOfOthers) {
  SparseCodes codes = SampleCodes();
  codes.Append(SampleCodes());
  SparseCodes none;
  none.atoms = 3;
  codes.Append(none);
  EXPECT_THAT(codes.indptr, ElementsAre(0, 2, 2, 3, 5, 5, 6));
  EXPECT_THAT(codes.RowIndices(3), ElementsAre(0, 2));
  EXPECT_THAT(codes.RowData(5), ElementsAre(3.0F));
  none.Append(SampleCodes());
  EXPECT_EQ(none, SampleCodes());
}

TEST(SparseCodesTest, WidthsMustAgree) {
  SparseCodes codes = SampleCodes();
  EXPECT_EQ(ExpectError([&] { codes.AppendDense(std::vector<float>(2)); }).code, ErrorCode::kInternal);
  EXPECT_EQ(ExpectError([&] { codes.Append(SparseCodes{}); }).code, ErrorCode::kInternal);
}

TEST(SparseCodesTest, RoundTripsByteForByte) {
  const TempFolder folder;
  const TempFolder again;
  SampleCodes().Save(folder.path());
  const SparseCodes loaded = SparseCodes::Load(folder.path(), 3);
  EXPECT_EQ(loaded, SampleCodes());
  loaded.Save(again.path());
  for (const std::string name : {"codes.indptr.npy", "codes.indices.npy", "codes.data.npy"}) {
    EXPECT_EQ(ReadFile(again / name), ReadFile(folder / name)) << name;
  }
}

TEST(SparseCodesTest, OneFileHoldsWhatScipyLooksFor) {
  const TempFolder folder;
  SampleCodes().SaveNpz(folder / "codes.npz");
  std::map<std::string, std::string> arrays;
  for (const auto& [name, content] : ReadNpz(ReadFile(folder / "codes.npz"))) arrays[name] = content;
  EXPECT_EQ(arrays.size(), 5U);
  EXPECT_EQ(NpyValues<std::int32_t>(arrays["indices"], "<i4", {3}), SampleCodes().indices);
  EXPECT_EQ(NpyValues<std::int64_t>(arrays["indptr"], "<i8", {4}), SampleCodes().indptr);
  EXPECT_EQ(NpyValues<float>(arrays["data"], "<f4", {3}), SampleCodes().data);
  EXPECT_THAT(NpyValues<std::int64_t>(arrays["shape"], "<i8", {2}), ElementsAre(3, 3));
  EXPECT_THAT(NpyValues<char>(arrays["format"], "|S3", {}), ElementsAre('c', 's', 'r'));
}

TEST(SparseCodesTest, NoRowsRoundTrip) {
  const TempFolder folder;
  SparseCodes{}.Save(folder.path());
  EXPECT_EQ(SparseCodes::Load(folder.path(), 0), SparseCodes{});
}

TEST(SparseCodesTest, InvalidMatrices) {
  const TempFolder folder;
  const auto expect_corrupt = [&](const SparseCodes& codes, const std::string& what) {
    codes.Save(folder.path());
    const CaughtError error = ExpectError([&] { SparseCodes::Load(folder.path(), 3); });
    EXPECT_EQ(error.code, ErrorCode::kCorrupt) << what;
    EXPECT_EQ(error.text, CorruptText(folder.path(), "the codes are not a valid matrix")) << what;
  };
  expect_corrupt({{}, {}, {}, 3}, "no row pointers");
  expect_corrupt({{1, 1}, {0}, {1}, 3}, "does not begin at 0");
  expect_corrupt({{0, 2}, {0}, {1}, 3}, "ends after the data");
  expect_corrupt({{0, 1}, {0, 1}, {1, 1}, 3}, "ends before the data");
  expect_corrupt({{0, 2, 1}, {0}, {1}, 3}, "falls, and points behind the data");
  expect_corrupt({{0, -1, 1}, {0}, {1}, 3}, "negative");
  expect_corrupt({{0, 1}, {0}, {1, 2}, 3}, "more data than indices");
  expect_corrupt({{0, 1}, {3}, {1}, 3}, "column too large");
  expect_corrupt({{0, 1}, {-1}, {1}, 3}, "column negative");
  expect_corrupt({{0, 2}, {1, 1}, {1, 1}, 3}, "column twice");
  expect_corrupt({{0, 2}, {2, 1}, {1, 1}, 3}, "columns fall");
}

BagFeatures SampleFeatures() {
  return {FloatMatrix(2, 3, std::vector<float>{0, 0.5F, 0, 1, 2, 3}),
          Matrix<std::int32_t>(2, 3, std::vector<std::int32_t>{-1, 7, -1, 0, 1, 2})};
}

TEST(BagFeaturesTest, RoundTripsByteForByte) {
  const TempFolder folder;
  const TempFolder again;
  SampleFeatures().Save(folder.path());
  const BagFeatures loaded = BagFeatures::Load(folder.path());
  EXPECT_EQ(loaded.values, SampleFeatures().values);
  EXPECT_EQ(loaded.argmax, SampleFeatures().argmax);
  loaded.Save(again.path());
  for (const std::string name : {"features.npy", "argmax.npy"}) {
    EXPECT_EQ(ReadFile(again / name), ReadFile(folder / name)) << name;
  }
}

TEST(BagFeaturesTest, ShapesMustAgree) {
  const TempFolder folder;
  SampleFeatures().Save(folder.path());
  for (const auto& [rows, cols] : {std::pair{2, 2}, std::pair{3, 3}, std::pair{3, 2}}) {
    const Matrix<std::int32_t> other(static_cast<std::size_t>(rows), static_cast<std::size_t>(cols));
    WriteNpy<std::int32_t>(folder / "argmax.npy", other);
    const CaughtError error = ExpectError([&] { BagFeatures::Load(folder.path()); });
    EXPECT_EQ(error.code, ErrorCode::kCorrupt);
    EXPECT_EQ(error.text, CorruptText(folder.path(), "features.npy and argmax.npy differ in shape"));
  }
}

TEST(BagFeaturesTest, MinusOneIsTheLowestPatch) {
  const TempFolder folder;
  BagFeatures features = SampleFeatures();
  features.argmax(1, 2) = -2;
  features.Save(folder.path());
  const CaughtError error = ExpectError([&] { BagFeatures::Load(folder.path()); });
  EXPECT_EQ(error.code, ErrorCode::kCorrupt);
  EXPECT_EQ(error.text, CorruptText(folder / "argmax.npy", "a patch number is below -1"));
}

TEST(BagFeaturesTest, NoBags) {
  const TempFolder folder;
  BagFeatures{FloatMatrix(0, 5), Matrix<std::int32_t>(0, 5)}.Save(folder.path());
  EXPECT_EQ(BagFeatures::Load(folder.path()).values.cols(), 5U);
}

}  // namespace
}  // namespace flyscribe
