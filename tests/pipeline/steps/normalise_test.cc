#include "descriptors/normalise.h"

#include <gtest/gtest.h>

#include "data/patches.h"
#include "tests/pipeline/tiny_run.h"

namespace flyscribe {
namespace {

TEST(NormaliseStep, LeavesWhatTheModuleGives) {
  const TinyRun& run = SharedTinyRun();
  const MappedPatchSet raw(run.FolderOf("extract"));
  const MappedPatchSet kept(run.FolderOf("normalise"));
  NormaliseSummary summary;
  const PatchSet expected = Normalise(raw.descriptors(), raw.table(), run.config.normalise, &summary);
  EXPECT_EQ(kept.table(), expected.table);
  EXPECT_EQ(kept.descriptors().rows(), summary.kept);
  EXPECT_TRUE(std::equal(
      kept.descriptors().values().begin(), kept.descriptors().values().end(), expected.descriptors.values().begin()));
}

}  // namespace
}  // namespace flyscribe
