#include "pipeline/corpus/simulate_data.h"

#include <gtest/gtest.h>

#include "core/csv.h"
#include "core/file.h"
#include "core/text.h"
#include "imaging/image_header.h"
#include "tests/pipeline/tiny_run.h"

namespace flyscribe {
namespace {

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
