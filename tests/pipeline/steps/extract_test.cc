#include <gtest/gtest.h>

#include "data/image.h"
#include "data/patches.h"
#include "descriptors/dense_sift.h"
#include "tests/pipeline/tiny_run.h"

namespace flyscribe {
namespace {

TEST(ExtractStep, JoinsTheImagesPatchesInOrder) {
  const TinyRun& run = SharedTinyRun();
  const ImageStack stack(run.FolderOf("standardise"));
  const MappedPatchSet patches(run.FolderOf("extract"));
  const PatchSet first = ExtractPatches(stack.Get(0), 0, run.config.extract);
  const std::size_t per_image = first.table.size();
  ASSERT_EQ(patches.table().size(), per_image * stack.size());
  for (const std::size_t image : {std::size_t{0}, stack.size() - 1}) {
    const PatchSet expected = ExtractPatches(stack.Get(image), static_cast<std::int32_t>(image), run.config.extract);
    for (std::size_t i = 0; i < per_image; ++i) {
      const std::size_t row = image * per_image + i;
      ASSERT_EQ(patches.table().image[row], static_cast<std::int32_t>(image));
      ASSERT_EQ(patches.table().x[row], expected.table.x[i]);
      const auto found = patches.descriptors().Row(row);
      ASSERT_TRUE(std::equal(found.begin(), found.end(), expected.descriptors.Row(i).begin()));
    }
  }
}

TEST(ExtractStep, CachesSingleImages) {
  std::size_t items = 0;
  for (const fs::directory_entry& entry :
       fs::recursive_directory_iterator(SharedTinyRun().folder / "cache" / "items" / "extract")) {
    if (fs::is_regular_file(entry.path()) && entry.path().filename() != "recipe.txt") ++items;
  }
  EXPECT_EQ(items, ImageStack(SharedTinyRun().FolderOf("standardise")).size());
}

}  // namespace
}  // namespace flyscribe
