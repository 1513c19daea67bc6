#include "core/npz.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/file.h"
#include "tests/support/npz_reader.h"
#include "tests/support/temp_folder.h"

namespace flyscribe {
namespace {

using ::testing::ElementsAre;

TEST(NpzWriter, WritesArraysThatReadBack) {
  const TempFolder folder;
  const std::vector<float> weights = {1.5F, -2.0F, 3.0F};
  const std::vector<std::int64_t> counts = {0, 2, 2, 3, 1LL << 40, -1};
  {
    NpzWriter file(folder / "a.npz");
    file.Add<float>("weights", weights, {3});
    file.Add<std::int64_t>("counts", counts, {2, 3});
    file.AddText("format", "csr");
    file.Add<std::int32_t>("none", {}, {0});
    file.Finish();
  }
  const auto arrays = ReadNpz(ReadFile(folder / "a.npz"));
  ASSERT_EQ(arrays.size(), 4U);
  EXPECT_EQ(arrays[0].first, "weights");
  EXPECT_EQ(NpyValues<float>(arrays[0].second, "<f4", {3}), weights);
  EXPECT_EQ(arrays[1].first, "counts");
  EXPECT_EQ(NpyValues<std::int64_t>(arrays[1].second, "<i8", {2, 3}), counts);
  EXPECT_EQ(arrays[2].first, "format");
  EXPECT_THAT(NpyValues<char>(arrays[2].second, "|S3", {}), ElementsAre('c', 's', 'r'));
  EXPECT_EQ(arrays[3].first, "none");
  EXPECT_TRUE(NpyValues<std::int32_t>(arrays[3].second, "<i4", {0}).empty());
}

TEST(NpzWriter, WritesWhatNumpySaveWrites) {
  const TempFolder folder;
  const std::vector<double> values = {1, 2, 3, 4};
  WriteNpy<double>(folder / "a.npy", values, {2, 2});
  NpzWriter file(folder / "a.npz");
  file.Add<double>("a", values, {2, 2});
  file.Finish();
  EXPECT_EQ(ReadNpz(ReadFile(folder / "a.npz")).at(0).second, ReadFile(folder / "a.npy"));
}

TEST(NpzWriter, NothingIsAnArchiveToo) {
  const TempFolder folder;
  NpzWriter file(folder / "a.npz");
  file.Finish();
  EXPECT_TRUE(ReadNpz(ReadFile(folder / "a.npz")).empty());
}

}  // namespace
}  // namespace flyscribe
