#include "data/features.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/file.h"
#include "core/npy.h"
#include "tests/support/corrupt_text.h"
#include "tests/support/expect_error.h"
#include "tests/support/temp_folder.h"

namespace flyscribe {
namespace {

BagFeatures Sample() {
  return {FloatMatrix(2, 3, std::vector<float>{0, 0.5F, 0, 1, 2, 3}),
          Matrix<std::int32_t>(2, 3, std::vector<std::int32_t>{-1, 7, -1, 0, 1, 2})};
}

TEST(BagFeaturesTest, RoundTripsByteForByte) {
  const TempFolder folder;
  const TempFolder again;
  Sample().Save(folder.path());
  const BagFeatures loaded = BagFeatures::Load(folder.path());
  EXPECT_EQ(loaded.values, Sample().values);
  EXPECT_EQ(loaded.argmax, Sample().argmax);
  loaded.Save(again.path());
  for (const std::string name : {"features.npy", "argmax.npy"}) {
    EXPECT_EQ(ReadFile(again / name), ReadFile(folder / name)) << name;
  }
}

TEST(BagFeaturesTest, ShapesMustAgree) {
  const TempFolder folder;
  Sample().Save(folder.path());
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
  BagFeatures features = Sample();
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
