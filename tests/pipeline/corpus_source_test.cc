#include "pipeline/corpus_source.h"

#include <gtest/gtest.h>

#include "tests/pipeline/tiny_run.h"

namespace flyscribe {
namespace {

TEST(CorpusSource, FindsTheFilesItImported) {
  const TinyRun& run = SharedTinyRun();
  CorpusSource corpus(run.config, run.FolderOf("simulate"));
  const StageRange range = StageRange::FromName("4-6");
  corpus.Import(range, {}, NoProgress());
  ASSERT_FALSE(corpus.Of(range).images.empty());
  for (const ImageRecord& image : corpus.Of(range).images) EXPECT_TRUE(fs::is_regular_file(corpus.PathOf(image)));
}

}  // namespace
}  // namespace flyscribe
