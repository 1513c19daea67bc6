// One tiny run in a folder that the tests of a suite share. They look at it, and leave it as it was.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "tests/support/program.h"
#include "tests/support/temp_folder.h"

namespace flyscribe {

using testing::HasSubstr;
using testing::Not;

class TinySuite : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    shared_ = std::make_unique<TempFolder>();
    WriteConfig(*shared_);
    const ProgramResult run = Flyscribe({"run", "tiny.yaml", "--quiet"});
    ASSERT_EQ(run.exit_code, 0) << run.err;
  }
  static void TearDownTestSuite() { shared_.reset(); }

  static void WriteConfig(const TempFolder& folder) {
    folder.Write("tiny.yaml",
                 "ranges: [4-6]\noutput: output\ncache: {dir: cache}\n"
                 "simulate: {genes: 30, images_max: 2, seed: 7}\nextract: {stride: 32}\n"
                 "learn: {atoms: 24, epochs: 2}\ntrain: {min_positives: 5}\nreport: {examples: 2}\n");
  }

  static const TempFolder& Folder() { return *shared_; }
  static ProgramResult Flyscribe(const std::vector<std::string>& arguments) {
    return RunBinary(FLYSCRIBE_BINARY, arguments, shared_->path());
  }

  // Folders with one entry, such as <cache>/4-6/learn.
  static fs::path OnlyEntry(const fs::path& folder) { return fs::directory_iterator(folder)->path(); }

  // path -> size and time of the last change, of everything below the shared folder.
  static std::map<std::string, std::vector<std::int64_t>> Listing() {
    std::map<std::string, std::vector<std::int64_t>> listing;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(shared_->path())) {
      struct stat about {};
      stat(entry.path().c_str(), &about);
      listing[entry.path().string()] = {about.st_size, about.st_mtim.tv_sec, about.st_mtim.tv_nsec};
    }
    return listing;
  }

 private:
  static inline std::unique_ptr<TempFolder> shared_;
};

}  // namespace flyscribe
