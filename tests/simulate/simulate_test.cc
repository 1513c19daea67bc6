#include "simulate/simulate.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <map>
#include <regex>
#include <set>

#include "core/csv.h"
#include "core/file.h"
#include "core/rng.h"
#include "core/text.h"
#include "tests/support/expect_error.h"
#include "tests/support/recording_progress.h"
#include "tests/support/temp_folder.h"

namespace flyscribe {
namespace {

using Files = std::map<std::string, std::string>;

Files ReadAll(const fs::path& folder) {
  Files files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (fs::is_regular_file(entry.path())) {
      files[fs::relative(entry.path(), folder).string()] = ReadFile(entry.path());
    }
  }
  return files;
}

std::vector<StageRange> Ranges(const std::vector<std::string>& names) {
  std::vector<StageRange> ranges;
  for (const std::string& name : names) ranges.push_back(StageRange::FromName(name));
  return ranges;
}

SimulateOptions Small(int genes = 6) {
  SimulateOptions options;
  options.genes = genes;
  options.other_views = 0.2;
  return options;
}

Files FilesOf(const SimulateOptions& options, const std::vector<std::string>& ranges, int threads = 1) {
  const TempFolder folder;
  Simulate(options, Ranges(ranges), {folder.path()}, threads, NoProgress());
  return ReadAll(folder.path());
}

TEST(Simulate, TablesHaveTheShapeOfBdgpsDumps) {
  const Files files = FilesOf(Small(), {"4-6", "13-16"});
  const std::regex label(R"re("CG9\d{4}","sim\d{4}","FBgn9\d{6}",[26],"[^"]+")re");
  const std::regex image(
      R"re("CG9\d{4}","(sim\d{4})","\1","FBgn9\d{6}",,"img_dir_9\d\d/insitu9\d{5}\.jpe",[26],"(lateral|dorsal|)",,)re");
  int labels = 0;
  for (const std::string& line : Split(files.at("insitu_annot.csv"), '\n')) {
    if (line.empty()) continue;
    ++labels;
    EXPECT_TRUE(std::regex_match(line, label)) << line;
  }
  EXPECT_GT(labels, 20);
  for (const std::string& line : Split(files.at("insitu_images.csv"), '\n')) {
    if (!line.empty()) {
      EXPECT_TRUE(std::regex_match(line, image)) << line;
    }
  }
  EXPECT_TRUE(ParseTable(files.at("insitu_images.csv"), ',').problems.empty());
  EXPECT_EQ(ParseTable(files.at("insitu_images.csv"), ',').rows[0].fields.size(), 10U);
  EXPECT_EQ(ParseTable(files.at("insitu_annot.csv"), ',').rows[0].fields.size(), 5U);
}

TEST(Simulate, EveryRowHasItsPictureAndEveryPictureItsRow) {
  const Files files = FilesOf(Small(), {"7-8"});
  std::set<std::string> expected = {"insitu_annot.csv", "insitu_images.csv"};
  for (const TableRow& row : ParseTable(files.at("insitu_images.csv"), ',').rows) {
    std::string name = row.fields[5];
    expected.insert("images/" + name.replace(name.size() - 3, 3, "bmp"));
    const std::string number = name.substr(name.find("insitu") + 6, 6);
    EXPECT_EQ(name.substr(0, name.find('/')), "img_dir_" + number.substr(0, 3));
  }
  std::set<std::string> found;
  for (const auto& [name, content] : files) {
    found.insert(name);
    if (name.ends_with(".bmp")) {
      EXPECT_EQ(content.size(), 54U + 320 * 128 * 3);
      EXPECT_EQ(content.substr(0, 2), "BM");
    }
  }
  EXPECT_EQ(found, expected);
}

TEST(Simulate, EveryBagHasLabelsAndImages) {
  const Files files = FilesOf(Small(12), {"11-12"});
  std::set<std::string> labelled;
  std::set<std::string> pictured;
  for (const TableRow& row : ParseTable(files.at("insitu_annot.csv"), ',').rows) labelled.insert(row.fields[2]);
  for (const TableRow& row : ParseTable(files.at("insitu_images.csv"), ',').rows) pictured.insert(row.fields[3]);
  EXPECT_EQ(labelled, pictured);
}

TEST(Simulate, SummaryCountsWhatWasWritten) {
  const TempFolder folder;
  const SimulateSummary summary = Simulate(Small(), Ranges({"4-6", "9-10"}), {folder.path()}, 2, NoProgress());
  std::set<std::string> genes;
  std::set<std::string> bags;
  const auto rows = ParseTable(ReadFile(folder / "insitu_images.csv"), ',').rows;
  for (const TableRow& row : rows) {
    genes.insert(row.fields[0]);
    bags.insert(row.fields[0] + row.fields[6]);
  }
  EXPECT_EQ(summary.genes, genes.size());
  EXPECT_EQ(summary.bags, bags.size());
  EXPECT_EQ(summary.images, rows.size());
  EXPECT_EQ(summary.labels, ParseTable(ReadFile(folder / "insitu_annot.csv"), ',').rows.size());
}

TEST(Simulate, SameBytesForAnyNumberOfThreads) {
  EXPECT_EQ(FilesOf(Small(), {"4-6"}, 1), FilesOf(Small(), {"4-6"}, 3));
}

TEST(Simulate, OtherSeedOtherBytes) {
  SimulateOptions other = Small();
  other.seed = 2;
  const Files first = FilesOf(Small(), {"4-6"});
  const Files second = FilesOf(other, {"4-6"});
  EXPECT_NE(first.at("insitu_annot.csv"), second.at("insitu_annot.csv"));
  EXPECT_NE(first, second);
}

TEST(Simulate, ARangeDoesNotDependOnTheOthersAskedFor) {
  const Files alone = FilesOf(Small(4), {"9-10"});
  const Files together = FilesOf(Small(4), {"13-16", "9-10", "9-10", "4-6"});
  const auto rows_of_range = [](const std::string& table, std::size_t column) {
    std::vector<std::vector<std::string>> rows;
    for (const TableRow& row : ParseTable(table, ',').rows) {
      if (row.fields[column] == "4") rows.push_back(row.fields);
    }
    return rows;
  };
  EXPECT_EQ(rows_of_range(alone.at("insitu_annot.csv"), 3), rows_of_range(together.at("insitu_annot.csv"), 3));
  EXPECT_EQ(rows_of_range(alone.at("insitu_images.csv"), 6), rows_of_range(together.at("insitu_images.csv"), 6));
  for (const auto& [name, content] : alone) {
    if (name.ends_with(".bmp")) {
      EXPECT_EQ(content, together.at(name)) << name;
    }
  }
  EXPECT_GT(together.size(), alone.size());
}

TEST(Simulate, MoreGenesKeepTheFirstOnes) {
  const Files few = FilesOf(Small(2), {"4-6"});
  const Files more = FilesOf(Small(4), {"4-6"});
  EXPECT_TRUE(more.at("insitu_annot.csv").starts_with(few.at("insitu_annot.csv")));
  for (const auto& [name, content] : few) {
    if (name.ends_with(".bmp")) {
      EXPECT_EQ(content, more.at(name)) << name;
    }
  }
}

TEST(Simulate, FolderThatCannotBeWrittenIsADiskError) {
  const TempFolder folder;
  const fs::path in_the_way = folder.Write("occupied", "a file, not a folder");
  const CaughtError error = ExpectError([&] { Simulate(Small(), Ranges({"4-6"}), {in_the_way}, 1, NoProgress()); });
  EXPECT_EQ(error.code, ErrorCode::kDisk);
  EXPECT_NE(error.text.find(in_the_way.string()), std::string::npos) << error.text;
}

TEST(Simulate, PictureThatCannotBeWrittenIsADiskError) {
  const TempFolder folder;
  Simulate(Small(1), Ranges({"4-6"}), {folder.path()}, 1, NoProgress());
  const auto rows = ParseTable(ReadFile(folder / "insitu_images.csv"), ',').rows;
  ASSERT_FALSE(rows.empty());
  const fs::path picture = (folder / "images") / fs::path(rows[0].fields[5]).replace_extension("bmp");
  fs::remove(picture);
  fs::create_directory(picture);
  const CaughtError error = ExpectError([&] { Simulate(Small(1), Ranges({"4-6"}), {folder.path()}, 1, NoProgress()); });
  EXPECT_EQ(error.code, ErrorCode::kDisk);
  EXPECT_NE(error.text.find(picture.string()), std::string::npos) << error.text;
}

TEST(Simulate, NoRangeIsAUsageError) {
  const TempFolder folder;
  const CaughtError error = ExpectError([&] { Simulate(Small(), {}, {folder.path()}, 1, NoProgress()); });
  EXPECT_EQ(error.code, ErrorCode::kUsage);
  EXPECT_NE(error.text.find("no stage range to simulate"), std::string::npos) << error.text;
  EXPECT_NE(error.text.find("hint: name at least one, such as 4-6"), std::string::npos) << error.text;
}

TEST(Simulate, ContradictingOptionsAreRefusedBeforeAnythingIsWritten) {
  const TempFolder folder;
  SimulateOptions options = Small();
  options.images_min = 9;
  const CaughtError error = ExpectError([&] { Simulate(options, Ranges({"4-6"}), {folder.path()}, 1, NoProgress()); });
  EXPECT_EQ(error.code, ErrorCode::kUsage);
  EXPECT_TRUE(fs::is_empty(folder.path()));
}

TEST(Simulate, ReportsProgress) {
  const TempFolder folder;
  RecordingProgress progress;
  const SimulateSummary summary = Simulate(Small(), Ranges({"4-6"}), {folder.path()}, 2, progress);
  EXPECT_EQ(progress.unit, "images");
  EXPECT_EQ(progress.total, summary.images);
  EXPECT_EQ(progress.done, summary.images);
}

TEST(Simulate, StopsWhenAskedAndLeavesNoTables) {
  const TempFolder folder;
  RecordingProgress progress(AfterItems(2));
  const CaughtError error = ExpectError([&] { Simulate(Small(), Ranges({"4-6"}), {folder.path()}, 1, progress); });
  EXPECT_EQ(error.code, ErrorCode::kInterrupted);
  EXPECT_FALSE(fs::exists(folder / "insitu_annot.csv"));
  EXPECT_FALSE(fs::exists(folder / "insitu_images.csv"));
}

// Stands for a JPEG encoder: the size and the bytes' hash.
std::string FakeEncode(const RgbImage& image) {
  const std::string bytes(image.pixels.begin(), image.pixels.end());
  return std::to_string(image.width) + ' ' + std::to_string(image.height) + ' ' + std::to_string(HashText(0, bytes));
}

Files PhotographsOf(SimulateOptions options, int threads = 1) {
  options.photographs = true;
  const TempFolder folder;
  Simulate(options, Ranges({"4-6"}), {folder.path(), FakeEncode}, threads, NoProgress());
  return ReadAll(folder.path());
}

TEST(Simulate, EveryPhotographHasItsPose) {
  const Files files = PhotographsOf(Small(5));
  const std::vector<TableRow> poses = ParseTable(files.at("poses.tsv"), '\t').rows;
  EXPECT_EQ(poses.at(0).fields,
            (std::vector<std::string>{
                "image_id", "width", "height", "centre_x", "centre_y", "angle", "half_length", "half_height"}));
  const std::vector<TableRow> images = ParseTable(files.at("insitu_images.csv"), ',').rows;
  ASSERT_EQ(poses.size(), images.size() + 1);
  EXPECT_EQ(files.size(), images.size() + 3);
  for (std::size_t i = 0; i < images.size(); ++i) {
    const std::vector<std::string>& pose = poses[i + 1].fields;
    ASSERT_EQ(pose.size(), 8U);
    EXPECT_EQ(images[i].fields[5], "img_dir_" + pose[0].substr(0, 3) + "/insitu" + pose[0] + ".jpe");
    EXPECT_TRUE(files.at("images/" + images[i].fields[5]).starts_with(pose[1] + ' ' + pose[2] + ' '));
    const double width = ParseReal(pose[1]).value();
    const double half_length = ParseReal(pose[6]).value();
    EXPECT_NEAR(ParseReal(pose[3]).value(), 0.5 * width, 0.2 * width);
    EXPECT_LT(std::abs(ParseReal(pose[5]).value()), 80.0);
    EXPECT_GT(half_length, 70.0);
    EXPECT_GT(half_length, 1.5 * ParseReal(pose[7]).value());
  }
}

TEST(Simulate, PhotographsShowTheSameGenesAndLabels) {
  const Files registered = FilesOf(Small(5), {"4-6"});
  const Files photographs = PhotographsOf(Small(5));
  EXPECT_EQ(photographs.at("insitu_annot.csv"), registered.at("insitu_annot.csv"));
  EXPECT_EQ(photographs.at("insitu_images.csv"), registered.at("insitu_images.csv"));
  EXPECT_FALSE(registered.contains("poses.tsv"));
}

TEST(Simulate, PhotographsHaveTheSameBytesForAnyNumberOfThreads) {
  EXPECT_EQ(PhotographsOf(Small(3), 1), PhotographsOf(Small(3), 3));
}

TEST(Simulate, OptionsReachThePhotographs) {
  const Files usual = PhotographsOf(Small(2));
  SimulateOptions clean = Small(2);
  clean.photograph_noise = 0.0;
  EXPECT_EQ(PhotographsOf(clean).at("poses.tsv"), usual.at("poses.tsv"));
  EXPECT_NE(PhotographsOf(clean), usual);
  SimulateOptions alone = Small(2);
  alone.neighbours = 0;
  EXPECT_EQ(PhotographsOf(alone).at("poses.tsv"), usual.at("poses.tsv"));
  EXPECT_NE(PhotographsOf(alone), usual);
  SimulateOptions level = Small(2);
  level.max_turn = 0.0;
  EXPECT_NE(PhotographsOf(level).at("poses.tsv"), usual.at("poses.tsv"));
  SimulateOptions apart = Small(4);
  apart.touching = 0.0;
  SimulateOptions crowded = apart;
  crowded.touching = 1.0;
  EXPECT_NE(PhotographsOf(apart), PhotographsOf(crowded));
}

TEST(Simulate, PhotographsWithoutAnEncoderAreABug) {
  const TempFolder folder;
  SimulateOptions options = Small(1);
  options.photographs = true;
  const CaughtError error = ExpectError([&] { Simulate(options, Ranges({"4-6"}), {folder.path()}, 1, NoProgress()); });
  EXPECT_EQ(error.code, ErrorCode::kInternal);
  EXPECT_NE(error.text.find("photographs need an encoder"), std::string::npos) << error.text;
  EXPECT_TRUE(fs::is_empty(folder.path()));
}

}  // namespace
}  // namespace flyscribe
