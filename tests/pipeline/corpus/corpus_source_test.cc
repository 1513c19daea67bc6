#include "pipeline/corpus/corpus_source.h"

#include <gtest/gtest.h>

#include "tests/pipeline/tiny_run.h"
#include "tests/support/expect_error.h"

namespace flyscribe {
namespace {

TEST(CorpusSource, FindsTheFilesItImported) {
  const TinyRun& run = SharedTinyRun();
  CorpusSource corpus(run.config, run.FolderOf("simulate"), NoProgress());
  const StageRange range = StageRange::FromName("4-6");
  corpus.Import(range, {}, NoProgress());
  ASSERT_FALSE(corpus.Of(range).images.empty());
  for (const ImageRecord& image : corpus.Of(range).images) EXPECT_TRUE(fs::is_regular_file(corpus.PathOf(image)));
}

class StopAtOnce : public Progress {
 public:
  bool StopRequested() const override { return true; }
};

TEST(CorpusSource, StopsWhileItReadsTables) {
  const TinyRun& run = SharedTinyRun();
  EXPECT_EQ(ExpectError([&] { CorpusSource(run.config, run.FolderOf("simulate"), StopAtOnce()); }).text,
            "error: interrupted\n  hint: run the same command again to go on");
}

TEST(PixelsOf, OfASoundFileOnly) {
  const TempFolder folder;
  const std::string bmp = EncodeBmp(RgbImage(6, 4));
  EXPECT_EQ(PixelsOf(folder.Write("whole.bmp", bmp)), 24U);
  EXPECT_EQ(PixelsOf(folder.Write("cut.bmp", bmp.substr(0, bmp.size() - 1))), 0U);
  std::string huge = bmp;
  huge.replace(18, 8, std::string("\xff\xff\xff\x0f\xff\xff\xff\x0f", 8));
  EXPECT_EQ(PixelsOf(folder.Write("huge.bmp", huge)), 0U) << "it claims more pixels than any, and has none";
  EXPECT_EQ(PixelsOf(folder.Write("text.bmp", "text")), 0U);
  EXPECT_EQ(PixelsOf(folder / "gone.bmp"), 0U);
}

}  // namespace
}  // namespace flyscribe
