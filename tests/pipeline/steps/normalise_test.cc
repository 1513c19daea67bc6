#include "descriptors/normalise.h"

#include <gtest/gtest.h>

#include "data/image.h"
#include "data/patches.h"
#include "descriptors/dense_sift.h"
#include "tests/pipeline/tiny_run.h"

namespace flyscribe {
namespace {

TEST(NormaliseStep, LeavesWhatTheModuleGives) {
  const TinyRun& run = SharedTinyRun();
  const ImageStack stack(run.FolderOf("standardise"));
  std::vector<PatchSet> images;
  for (std::size_t i = 0; i < stack.size(); ++i) {
    images.push_back(ExtractPatches(stack.Get(i), static_cast<std::int32_t>(stack.source(i)), run.config.extract));
  }
  const PatchSet raw = JoinPatches(images);
  const MappedPatchSet kept(run.FolderOf("normalise"));
  NormaliseSummary summary;
  const PatchSet expected = Normalise(raw.descriptors, raw.table, run.config.normalise, &summary);
  EXPECT_EQ(kept.table(), expected.table);
  EXPECT_EQ(kept.descriptors().rows(), summary.kept);
  EXPECT_TRUE(std::equal(
      kept.descriptors().values().begin(), kept.descriptors().values().end(), expected.descriptors.values().begin()));
}

}  // namespace
}  // namespace flyscribe
