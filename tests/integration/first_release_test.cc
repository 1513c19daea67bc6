// What flyscribe 0.1.0 left (tests/data/0.1.0): today's program reads it, or says why not.
//
// Keys name the instruction set and the versions of libraries. Where they are others than on the machine it was made
// on, a step rightly computes anew, and the test that expects a hit is skipped with the reason.
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "core/hash.h"
#include "core/text.h"
#include "data/annotation.h"
#include "data/tables.h"
#include "tests/integration/workspace.h"

namespace flyscribe {
namespace {

class FirstReleaseTest : public Workspace {
 protected:
  FirstReleaseTest() {
    fs::copy(FLYSCRIBE_SOURCE_DIR "/tests/data/0.1.0", folder_ / "0.1.0", fs::copy_options::recursive);
  }
  ProgramResult InFolder(const std::vector<std::string>& arguments) const {
    return RunBinary(FLYSCRIBE_BINARY, arguments, folder_ / "0.1.0");
  }

  // "learn 4-6 fold-0" -> the lines of its key, of all artifacts in the cache.
  static std::map<std::string, std::set<std::string>> Keys(const fs::path& cache) {
    std::map<std::string, std::set<std::string>> keys;
    for (const std::string& name : FilesBelow(cache)) {
      if (!name.ends_with("/key.txt")) continue;
      const std::vector<std::string> lines = Split(ReadFile(cache / name), '\n');
      keys[lines.at(1) + ", " + lines.at(3)].insert(lines.begin(), lines.end());
    }
    return keys;
  }

  // step -> "<part>/<file> <digest>" of all payload files of its artifacts.
  static std::map<std::string, std::set<std::string>> Payloads(const fs::path& cache) {
    std::map<std::string, std::set<std::string>> payloads;
    for (const std::string& name : FilesBelow(cache)) {
      const std::vector<std::string> parts = Split(name, '/');  // <range>/<step>/<key>/<file>
      if (parts.size() != 4 || parts[3] == "key.txt" || parts[3] == "manifest.json") continue;
      const fs::path key = (cache / name).parent_path() / "key.txt";
      if (!fs::exists(key)) continue;
      payloads[parts[1]].insert(Split(ReadFile(key), '\n').at(3) + "/" + parts[3] + " " + Sha256OfFile(cache / name));
    }
    return payloads;
  }
};

// ingest hits. extract has another form since, so all behind it has other keys, and is computed again with the same
// bytes.
TEST_F(FirstReleaseTest, ItsResultsAreMadeAgainToTheByte) {
  const fs::path cache = folder_ / "0.1.0" / "cache";
  const auto before = Keys(cache);
  const auto old_bytes = Payloads(cache);
  const ProgramResult run = InFolder({"run", "small.yaml", "--quiet"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  std::string others;
  for (const auto& [step, lines] : Keys(cache)) {
    const auto old = before.find(step);
    for (const std::string& line : lines) {
      if (old == before.end() || old->second.contains(line)) continue;
      if (line.starts_with("library ")) others += step + " has " + line + "\n";
    }
  }
  const auto states = StatesOfRun(folder_ / "0.1.0" / "output" / "run.json");
  EXPECT_EQ(states.at("ingest"), "hit");
  if (!others.empty()) GTEST_SKIP() << "made with other libraries:\n" << others;
  const auto all_bytes = Payloads(cache);
  for (const std::string step : {"learn", "encode", "pool", "train", "evaluate"}) {
    EXPECT_EQ(states.at(step), "run") << step;
    ASSERT_FALSE(old_bytes.at(step).empty());
    EXPECT_EQ(all_bytes.at(step), old_bytes.at(step)) << step << ": one content of every file, old and new";
  }
}

TEST_F(FirstReleaseTest, ItsOutputFolderIsGoneOnWith) {
  EXPECT_EQ(InFolder({"run", "small.yaml", "--until", "ingest", "--quiet"}).exit_code, 0);
  WriteFile(folder_ / "0.1.0" / "output" / "config.yaml", "edited");
  EXPECT_EQ(InFolder({"run", "small.yaml", "--until", "ingest", "--quiet"}).exit_code, 4)
      << "what it took over is known";
}

TEST_F(FirstReleaseTest, ItsLogAndItsCacheAreListed) {
  const ProgramResult runs = InFolder({"runs", "small.yaml"});
  EXPECT_EQ(runs.exit_code, 0) << runs.err;
  EXPECT_THAT(runs.out, HasSubstr("20261118T163211885-dd09"));
  const ProgramResult verified = InFolder({"cache", "verify", "--cache", "cache"});
  EXPECT_EQ(verified.exit_code, 0) << verified.err << verified.out;
  EXPECT_THAT(verified.out, HasSubstr("all intact"));
}

TEST_F(FirstReleaseTest, ItsModelIsRead) {
  const ProgramResult look = InFolder({"inspect", "model.tar.zst"});
  if (look.out.find("the model was trained with version") != std::string::npos) {
    GTEST_SKIP() << "made with other libraries:\n" << look.out;
  }
  EXPECT_EQ(look.exit_code, 0) << look.out << look.err;
  EXPECT_THAT(look.out, HasSubstr("65a24cbb2bfeae7c"));

  const ProgramResult annotated = InFolder({"annotate",
                                            "--model",
                                            "model.tar.zst",
                                            "--images",
                                            "data/insitu_images.csv",
                                            "--image-dir",
                                            "data/images",
                                            "--output",
                                            "annotated",
                                            "--quiet"});
  ASSERT_EQ(annotated.exit_code, 0) << annotated.err;
  const auto then = LoadTsv(folder_ / "0.1.0" / "predictions.tsv", PredictionHeader());
  const auto now = LoadTsv(folder_ / "0.1.0" / "annotated" / "predictions.tsv", PredictionHeader());
  ASSERT_EQ(now.size(), then.size());
  for (std::size_t row = 0; row < now.size(); ++row) {
    for (std::size_t column = 0; column < now[row].size(); ++column) {
      // Other instructions may differ in the last digits.
      const auto a = ParseReal(then[row][column]);
      const auto b = ParseReal(now[row][column]);
      const bool near = a && b && std::abs(*a - *b) < 1e-4;
      EXPECT_TRUE(near || then[row][column] == now[row][column]) << then[row][column] << " -> " << now[row][column];
    }
  }
}

}  // namespace
}  // namespace flyscribe
