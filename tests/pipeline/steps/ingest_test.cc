#include <gtest/gtest.h>

#include "tests/pipeline/tiny_run.h"

namespace flyscribe {
namespace {

TEST(IngestStep, LeavesTheCollection) {
  const TinyRun& run = SharedTinyRun();
  const Collection collection = Collection::Load(run.FolderOf("ingest"), StageRange::FromName("4-6"));
  CorpusSource corpus(run.config, run.FolderOf("simulate"), NoProgress());
  corpus.Import(StageRange::FromName("4-6"), {}, NoProgress());
  const Collection& expected = corpus.Of(StageRange::FromName("4-6"));
  EXPECT_EQ(collection.bags, expected.bags);
  EXPECT_EQ(collection.images, expected.images);
  EXPECT_EQ(collection.skipped, expected.skipped);
  EXPECT_GT(collection.bags.size(), 10U);
}

}  // namespace
}  // namespace flyscribe
