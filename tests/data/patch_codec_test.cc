#include "data/patch_codec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "tests/support/expect_error.h"

namespace flyscribe {
namespace {

using ::testing::ElementsAre;

PatchSet Sample(std::int32_t image = 3) {
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

std::string Complaint(const std::string& bytes) {
  const CaughtError error = ExpectError([&] { DecodePatches(bytes); });
  EXPECT_EQ(error.code, ErrorCode::kCorrupt) << error.text;
  return error.text;
}

TEST(PatchCodecTest, RoundTripsByteForByte) {
  const std::string bytes = EncodePatches(Sample());
  EXPECT_EQ(bytes.size(), 16U + 2U * 24U + 6U * 4U);
  const PatchSet decoded = DecodePatches(bytes);
  EXPECT_EQ(decoded.table, Sample().table);
  EXPECT_EQ(decoded.descriptors, Sample().descriptors);
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
  const std::string bytes = EncodePatches(Sample());
  for (std::size_t size = 0; size < bytes.size(); ++size) Complaint(bytes.substr(0, size));
  EXPECT_EQ(Complaint(bytes.substr(0, 20)), "error: the block of patches is too short");
  const std::string wrong_size = "error: the block of patches does not have the size its counts say";
  EXPECT_EQ(Complaint(bytes + "x"), wrong_size);
  EXPECT_EQ(Complaint(bytes + "xxxx"), wrong_size);
  EXPECT_EQ(Complaint(bytes.substr(0, bytes.size() - 1)), wrong_size);
}

TEST(PatchCodecTest, CountsThatOverflow) {
  const std::uint64_t huge = std::uint64_t{1} << 62;
  EXPECT_EQ(Complaint(Counts(huge, 1)), "error: the block of patches is too short");
  Complaint(Counts(~std::uint64_t{0}, ~std::uint64_t{0}));
  const std::string two_patches(48, '\0');
  Complaint(Counts(2, std::uint64_t{1} << 63) + two_patches);
  Complaint(Counts(0, huge));
  Complaint(Counts(2, 0) + two_patches + "1234");
  EXPECT_EQ(DecodePatches(Counts(2, 0) + two_patches).descriptors.rows(), 2U);
}

TEST(PatchCodecTest, ImagesAndScalesMustNotBeNegative) {
  const std::string negative = "error: the block of patches names a negative image or scale";
  EXPECT_EQ(Complaint(EncodePatches(Sample(-1))), negative);
  PatchSet set = Sample();
  set.table.scale[1] = -1;
  EXPECT_EQ(Complaint(EncodePatches(set)), negative);
}

TEST(PatchCodecTest, OneDescriptorAPatch) {
  PatchSet set = Sample();
  set.descriptors = FloatMatrix(1, 3);
  EXPECT_EQ(ExpectError([&] { EncodePatches(set); }).code, ErrorCode::kInternal);
}

TEST(JoinPatchesTest, OneAfterTheOther) {
  const std::vector<PatchSet> sets = {Sample(0), {{}, FloatMatrix(0, 3)}, PatchSet{}, Sample(7)};
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
  const std::vector<PatchSet> sets = {Sample(), {{}, FloatMatrix(0, 4)}};
  EXPECT_EQ(ExpectError([&] { JoinPatches(sets); }).code, ErrorCode::kInternal);
}

}  // namespace
}  // namespace flyscribe
