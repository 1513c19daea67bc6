#include "data/patches.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "core/file.h"
#include "tests/support/corrupt_text.h"
#include "tests/support/expect_error.h"
#include "tests/support/temp_folder.h"

namespace flyscribe {
namespace {

using ::testing::ElementsAre;

const std::vector<std::string> kFiles = {
    "image.npy", "position.npy", "scale.npy", "deviation.npy", "stain.npy", "descriptors.npy"};

PatchSet Sample() {
  PatchSet set;
  set.table.Append({0, 8.5F, 8.0F, 0, 12.25F, 0.5F});
  set.table.Append({0, 16.5F, 8.0F, 1, 0.0F, 0.25F});
  set.table.Append({2, 8.5F, 24.0F, 0, 127.5F, 1.0F});
  set.descriptors = FloatMatrix(3, 2, std::vector<float>{1, 2, 3, 4, 5, 6});
  return set;
}

void Save(const PatchSet& set, const fs::path& folder) {
  PatchWriter writer(folder);
  writer.Append(set);
  writer.Finish();
}

class PatchesTest : public ::testing::Test {
 protected:
  PatchesTest() { Save(Sample(), folder_.path()); }
  std::string Complaint() const {
    const CaughtError error = ExpectError([&] { MappedPatchSet{folder_.path()}; });
    EXPECT_EQ(error.code, ErrorCode::kCorrupt);
    return error.text;
  }

  TempFolder folder_;
};

TEST_F(PatchesTest, RoundTripsByteForByte) {
  const MappedPatchSet mapped(folder_.path());
  EXPECT_EQ(mapped.table(), Sample().table);
  EXPECT_THAT(mapped.descriptors().values(), ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_EQ(mapped.descriptors().rows(), 3U);
  const TempFolder again;
  PatchSet set{mapped.table(), FloatMatrix(3, 2, std::vector<float>{1, 2, 3, 4, 5, 6})};
  Save(set, again.path());
  for (const std::string& name : kFiles) {
    EXPECT_EQ(ReadFile(again / name), ReadFile(folder_ / name)) << name;
  }
}

TEST_F(PatchesTest, PositionsAreXThenY) {
  EXPECT_THAT(ReadNpyMatrix<float>(folder_ / "position.npy").Row(2), ElementsAre(8.5F, 24.0F));
  EXPECT_THAT(ReadNpyVector<std::int32_t>(folder_ / "image.npy"), ElementsAre(0, 0, 2));
  EXPECT_THAT(ReadNpyVector<float>(folder_ / "deviation.npy"), ElementsAre(12.25F, 0.0F, 127.5F));
  EXPECT_THAT(ReadNpyVector<float>(folder_ / "stain.npy"), ElementsAre(0.5F, 0.25F, 1.0F));
  EXPECT_THAT(ReadNpyVector<std::int32_t>(folder_ / "scale.npy"), ElementsAre(0, 1, 0));
}

TEST_F(PatchesTest, NoPatches) {
  const TempFolder folder;
  Save({{}, FloatMatrix(0, 128)}, folder.path());
  const MappedPatchSet mapped(folder.path());
  EXPECT_EQ(mapped.table().size(), 0U);
  EXPECT_EQ(mapped.descriptors().cols(), 128U);
}

TEST_F(PatchesTest, NothingWritten) {
  const TempFolder folder;
  PatchWriter(folder.path()).Finish();
  EXPECT_EQ(MappedPatchSet(folder.path()).table().size(), 0U);
}

TEST_F(PatchesTest, WrittenInPartsAsInOnePiece) {
  const TempFolder folder;
  PatchWriter writer(folder.path());
  writer.Append({{}, FloatMatrix(0, 2)});
  writer.Append({Sample().table.Slice(0, 1), FloatMatrix(1, 2, std::vector<float>{1, 2})});
  writer.Append({Sample().table.Slice(1, 2), FloatMatrix(2, 2, std::vector<float>{3, 4, 5, 6})});
  EXPECT_EQ(writer.size(), 3U);
  writer.Finish();
  for (const std::string& name : kFiles) {
    EXPECT_EQ(ReadFile(folder / name), ReadFile(folder_ / name)) << name;
  }
}

TEST_F(PatchesTest, DescriptorsHaveOneLength) {
  PatchWriter writer(folder_.path());
  writer.Append(Sample());
  EXPECT_EQ(ExpectError([&] { writer.Append({{}, FloatMatrix(0, 3)}); }).code, ErrorCode::kInternal);
}

TEST_F(PatchesTest, AppendsTables) {
  PatchTable table;
  table.Append(Sample().table);
  table.Append({7, 1.0F, 2.0F, 4, 3.0F, 0.75F});
  table.Append(PatchTable{});
  EXPECT_THAT(table.image, ElementsAre(0, 0, 2, 7));
  EXPECT_THAT(table.x, ElementsAre(8.5F, 16.5F, 8.5F, 1.0F));
  EXPECT_THAT(table.y, ElementsAre(8.0F, 8.0F, 24.0F, 2.0F));
  EXPECT_THAT(table.scale, ElementsAre(0, 1, 0, 4));
  EXPECT_THAT(table.deviation, ElementsAre(12.25F, 0.0F, 127.5F, 3.0F));
  EXPECT_THAT(table.stain, ElementsAre(0.5F, 0.25F, 1.0F, 0.75F));
}

TEST_F(PatchesTest, OneDescriptorAPatch) {
  PatchSet set = Sample();
  set.descriptors = FloatMatrix(2, 2);
  EXPECT_EQ(ExpectError([&] { Save(set, folder_.path()); }).code, ErrorCode::kInternal);
}

TEST_F(PatchesTest, LengthsMustAgree) {
  const std::string differ = CorruptText(folder_.path(), "the patch files differ in length");
  for (const std::string name : {"deviation.npy", "stain.npy"}) {
    WriteNpy<float>(folder_ / name, std::vector<float>(2), {2});
    EXPECT_EQ(Complaint(), differ);
    Save(Sample(), folder_.path());
  }
  WriteNpy<std::int32_t>(folder_ / "scale.npy", std::vector<std::int32_t>(4), {4});
  EXPECT_EQ(Complaint(), differ);
  Save(Sample(), folder_.path());
  WriteNpy<float>(folder_ / "position.npy", FloatMatrix(4, 2));
  EXPECT_EQ(Complaint(), differ);
  WriteNpy<float>(folder_ / "position.npy", FloatMatrix(3, 3));
  EXPECT_EQ(Complaint(), differ);
  Save(Sample(), folder_.path());
  WriteNpy<float>(folder_ / "descriptors.npy", FloatMatrix(4, 2));
  EXPECT_EQ(Complaint(), CorruptText(folder_.path(), "descriptors.npy and the patch files differ in length"));
}

TEST_F(PatchesTest, ImagesAndScalesMustNotBeNegative) {
  WriteNpy<std::int32_t>(folder_ / "image.npy", std::vector<std::int32_t>{0, -1, 2}, {3});
  EXPECT_EQ(Complaint(), CorruptText(folder_ / "image.npy", "an image's row is negative"));
  Save(Sample(), folder_.path());
  WriteNpy<std::int32_t>(folder_ / "scale.npy", std::vector<std::int32_t>{0, -1, 0}, {3});
  EXPECT_EQ(Complaint(), CorruptText(folder_ / "scale.npy", "a scale is negative"));
}

TEST_F(PatchesTest, AnotherTypeIsCorrupt) {
  WriteNpy<std::int64_t>(folder_ / "image.npy", std::vector<std::int64_t>{0, 1, 2}, {3});
  EXPECT_THAT(Complaint(), ::testing::HasSubstr("expected <i4 with 1 dimension(s) in C order, found <i8 (3,)"));
}

PatchSet SampleOf(std::int32_t image = 3) {
  PatchSet set;
  set.table.Append({image, 8.5F, 8.0F, 1, 12.25F, 0.5F});
  set.table.Append({image, 16.5F, 24.0F, 0, 0.0F, 0.25F});
  set.descriptors = FloatMatrix(2, 3, std::vector<float>{1, 2, 3, 4, 5, 6});
  return set;
}

std::string Counts(std::uint64_t n, std::uint64_t p) {
  std::string bytes(16, '\0');
  std::memcpy(bytes.data(), &n, 8);
  std::memcpy(bytes.data() + 8, &p, 8);
  return bytes;
}

std::string DecodeComplaint(const std::string& bytes) {
  const CaughtError error = ExpectError([&] { DecodePatches(bytes); });
  EXPECT_EQ(error.code, ErrorCode::kCorrupt) << error.text;
  return error.text;
}

TEST(PatchCodecTest, RoundTripsByteForByte) {
  const std::string bytes = EncodePatches(SampleOf());
  EXPECT_EQ(bytes.size(), 16U + 2U * 24U + 6U * 4U);
  const PatchSet decoded = DecodePatches(bytes);
  EXPECT_EQ(decoded.table, SampleOf().table);
  EXPECT_EQ(decoded.descriptors, SampleOf().descriptors);
  EXPECT_EQ(EncodePatches(decoded), bytes);
}

TEST(PatchCodecTest, TheLayoutIsTheDocumentedOne) {
  PatchSet set;
  set.table.Append({2, 1.0F, 2.0F, 1, 0.5F, 1.0F});
  set.descriptors = FloatMatrix(1, 1, 1.5F);
  EXPECT_EQ(
      EncodePatches(set),
      Counts(1, 1) + std::string("\x02\0\0\0\0\0\x80\x3f\0\0\0\x40\x01\0\0\0\0\0\0\x3f\0\0\x80\x3f\0\0\xc0\x3f", 28));
}

TEST(PatchCodecTest, NoPatchesKeepTheirLength) {
  const PatchSet decoded = DecodePatches(EncodePatches({{}, FloatMatrix(0, 128)}));
  EXPECT_EQ(decoded.table.size(), 0U);
  EXPECT_EQ(decoded.descriptors.cols(), 128U);
}

TEST(PatchCodecTest, EveryCutIsNoticed) {
  const std::string bytes = EncodePatches(SampleOf());
  for (std::size_t size = 0; size < bytes.size(); ++size) DecodeComplaint(bytes.substr(0, size));
  EXPECT_EQ(DecodeComplaint(bytes.substr(0, 20)), "error: the block of patches is too short");
  const std::string wrong_size = "error: the block of patches does not have the size its counts say";
  EXPECT_EQ(DecodeComplaint(bytes + "x"), wrong_size);
  EXPECT_EQ(DecodeComplaint(bytes + "xxxx"), wrong_size);
  EXPECT_EQ(DecodeComplaint(bytes.substr(0, bytes.size() - 1)), wrong_size);
}

TEST(PatchCodecTest, CountsThatOverflow) {
  const std::uint64_t huge = std::uint64_t{1} << 62;
  EXPECT_EQ(DecodeComplaint(Counts(huge, 1)), "error: the block of patches is too short");
  DecodeComplaint(Counts(~std::uint64_t{0}, ~std::uint64_t{0}));
  const std::string two_patches(48, '\0');
  DecodeComplaint(Counts(2, std::uint64_t{1} << 63) + two_patches);
  DecodeComplaint(Counts(0, huge));
  DecodeComplaint(Counts(2, 0) + two_patches + "1234");
  EXPECT_EQ(DecodePatches(Counts(2, 0) + two_patches).descriptors.rows(), 2U);
}

TEST(PatchCodecTest, ImagesAndScalesMustNotBeNegative) {
  const std::string negative = "error: the block of patches names a negative image or scale";
  EXPECT_EQ(DecodeComplaint(EncodePatches(SampleOf(-1))), negative);
  PatchSet set = SampleOf();
  set.table.scale[1] = -1;
  EXPECT_EQ(DecodeComplaint(EncodePatches(set)), negative);
}

TEST(PatchCodecTest, OneDescriptorAPatch) {
  PatchSet set = SampleOf();
  set.descriptors = FloatMatrix(1, 3);
  EXPECT_EQ(ExpectError([&] { EncodePatches(set); }).code, ErrorCode::kInternal);
}

TEST(JoinPatchesTest, OneAfterTheOther) {
  const std::vector<PatchSet> sets = {SampleOf(0), {{}, FloatMatrix(0, 3)}, PatchSet{}, SampleOf(7)};
  const PatchSet joined = JoinPatches(sets);
  EXPECT_THAT(joined.table.image, ElementsAre(0, 0, 7, 7));
  EXPECT_EQ(joined.descriptors.rows(), 4U);
  EXPECT_THAT(joined.descriptors.Row(2), ElementsAre(1, 2, 3));
}

TEST(JoinPatchesTest, NoPatchesKeepTheirLength) {
  const std::vector<PatchSet> sets = {{{}, FloatMatrix(0, 128)}, PatchSet{}, {{}, FloatMatrix(0, 128)}};
  EXPECT_EQ(JoinPatches(sets).descriptors.cols(), 128U);
  EXPECT_EQ(JoinPatches({}).descriptors.rows(), 0U);
}

TEST(JoinPatchesTest, LengthsMustAgree) {
  const std::vector<PatchSet> sets = {SampleOf(), {{}, FloatMatrix(0, 4)}};
  EXPECT_EQ(ExpectError([&] { JoinPatches(sets); }).code, ErrorCode::kInternal);
}

}  // namespace
}  // namespace flyscribe
