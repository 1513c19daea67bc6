// A folder with a tiny config in it, and the real binary to run there.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "core/file.h"
#include "tests/support/program.h"
#include "tests/support/run_json.h"
#include "tests/support/temp_folder.h"

namespace flyscribe {

using testing::HasSubstr;
using testing::Not;

class Workspace : public testing::Test {
 protected:
  ProgramResult Flyscribe(const std::vector<std::string>& arguments,
                          const std::vector<std::string>& environment = {}) const {
    return RunBinary(FLYSCRIBE_BINARY, arguments, folder_.path(), environment);
  }

  // Simulated data, a few seconds at most.
  fs::path WriteTinyConfig() const {
    return folder_.Write("tiny.yaml",
                         "ranges: [4-6]\noutput: output\ncache: {dir: cache}\n"
                         "simulate: {genes: 30, images_max: 2, seed: 7}\nextract: {stride: 32}\n"
                         "learn: {atoms: 24, epochs: 2}\ntrain: {min_positives: 5}\nreport: {examples: 2}\n");
  }

  // The same, on files in data/ as a user's own would be.
  fs::path WriteRealConfig(const std::string& more = {}) const {
    const ProgramResult made = Flyscribe(
        {"simulate", "--output", "data", "--ranges", "4-6", "--set", "genes=30", "--set", "images_max=2", "--quiet"});
    EXPECT_EQ(made.exit_code, 0) << made.err;
    return folder_.Write("real.yaml",
                         "ranges: [4-6]\noutput: output\ncache: {dir: cache}\n"
                         "data:\n  annotations: data/insitu_annot.csv\n  images_table: data/insitu_images.csv\n"
                         "  images: [data/images]\n"
                         "extract: {stride: 32}\nlearn: {atoms: 24, epochs: 2}\ntrain: {min_positives: 5}\n"
                         "report: {examples: 2}\n" +
                             more);
  }

  // Image files of the user's data, sorted.
  std::vector<fs::path> Images() const {
    std::vector<fs::path> images;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder_ / "data" / "images")) {
      if (fs::is_regular_file(entry.path())) images.push_back(entry.path());
    }
    std::sort(images.begin(), images.end());
    return images;
  }

  // step -> state, from run.json.
  std::map<std::string, std::string> States() const { return StatesOfRun(folder_ / "output" / "run.json"); }
  // Macro AUC over all terms, from run.json.
  double MacroAuc(const std::string& range) const { return MacroAucOfRun(folder_ / "output" / "run.json", range); }

  TempFolder folder_;
};

}  // namespace flyscribe
