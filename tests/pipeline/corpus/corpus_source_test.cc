#include "pipeline/corpus/corpus_source.h"

#include <gtest/gtest.h>

#include "core/csv.h"
#include "core/file.h"
#include "core/text.h"
#include "imaging/image_header.h"
#include "tests/pipeline/tiny_run.h"
#include "tests/support/expect_error.h"
#include "tests/support/recording_progress.h"

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

TEST(CorpusSource, StopsWhileItReadsTables) {
  const TinyRun& run = SharedTinyRun();
  EXPECT_EQ(ExpectError([&] { CorpusSource(run.config, run.FolderOf("simulate"), RecordingProgress(AtOnce)); }).text,
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

TEST(SimulateData, PhotographsAreJpegFilesOfTheSizeTheTableSays) {
  const TempFolder folder;
  const Config config = TinyConfig(folder.path(), {"simulate.photographs=true", "simulate.genes=2"});
  const SimulateSummary summary = SimulateData(config, folder / "data", 2, NoProgress());
  const std::vector<TableRow> poses = ParseTable(ReadFile(folder / "data" / "poses.tsv"), '\t').rows;
  ASSERT_EQ(poses.size(), summary.images + 1);
  for (std::size_t i = 1; i < poses.size(); ++i) {
    const std::string& id = poses[i].fields[0];
    const std::string bytes =
        ReadFile(folder / "data" / "images" / ("img_dir_" + id.substr(0, 3)) / ("insitu" + id + ".jpe"));
    const ImageHeader header = ReadImageHeader(bytes, id);
    EXPECT_EQ(header.format, ImageFormat::kJpeg);
    EXPECT_NO_THROW(RequireComplete(bytes, header, id));
    EXPECT_EQ(std::to_string(header.width), poses[i].fields[1]);
    EXPECT_EQ(std::to_string(header.height), poses[i].fields[2]);
  }
}

}  // namespace
}  // namespace flyscribe
