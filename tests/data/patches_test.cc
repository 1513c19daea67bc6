#include "data/patches.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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

}  // namespace
}  // namespace flyscribe
