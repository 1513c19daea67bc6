// What flyscribe 0.1.0 left (tests/data/0.1.0): today's program reads it, or says why not.
//
// Keys name the versions of libraries. Where they are others than on the machine it was made on, a step rightly
// computes anew, and the test that expects a hit is skipped with the reason.
#include <nlohmann/json.hpp>
#include <set>

#include "core/text.h"
#include "tests/integration/workspace.h"

namespace flyscribe {
namespace {

class FirstReleaseTest : public Workspace {
 protected:
  FirstReleaseTest() {
    fs::copy(FLYSCRIBE_SOURCE_DIR "/tests/data/0.1.0", folder_ / "0.1.0", fs::copy_options::recursive);
    // It was written last; a copy knows nothing of that.
    const fs::path last = folder_ / "0.1.0" / "output" / "run.json";
    fs::last_write_time(last, fs::last_write_time(last) + 60);
  }
  ProgramResult InFolder(const std::vector<std::string>& arguments) const {
    return RunBinary(FLYSCRIBE_BINARY, arguments, folder_ / "0.1.0");
  }

  // "step: learn 2, part: fold-0" -> artifacts of that name in the cache.
  static std::map<std::string, std::set<fs::path>> Artifacts(const fs::path& cache) {
    std::map<std::string, std::set<fs::path>> artifacts;
    for (const std::string& name : FilesBelow(cache)) {
      if (!name.ends_with("/key.txt")) continue;
      const std::vector<std::string> lines = Split(ReadFile(cache / name), '\n');
      artifacts[lines.at(1) + ", " + lines.at(3)].insert((cache / name).parent_path());
    }
    return artifacts;
  }
  // Lines of a key that name a library.
  static std::set<std::string> LibrariesOf(const fs::path& artifact) {
    std::set<std::string> libraries;
    for (const std::string& line : Split(ReadFile(artifact / "key.txt"), '\n')) {
      if (line.starts_with("library ")) libraries.insert(line);
    }
    return libraries;
  }
  // name -> bytes, without what names keys and times.
  static std::map<std::string, std::string> PayloadOf(const fs::path& artifact) {
    std::map<std::string, std::string> payload;
    for (const std::string& name : FilesBelow(artifact)) {
      if (name != "key.txt" && name != "manifest.json") payload[name] = ReadFile(artifact / name);
    }
    return payload;
  }
};

// Images that were registered already and their patches are computed anew and come to the same bytes. From learn on the
// last digits are others since.
TEST_F(FirstReleaseTest, ItsPatchesComeOutAgain) {
  const fs::path cache = folder_ / "0.1.0" / "cache";
  const auto before = Artifacts(cache);
  const ProgramResult run = InFolder({"run", "small.yaml", "--quiet"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const auto after = Artifacts(cache);
  const std::string normalise = "step: normalise 2, part: all";
  const fs::path old = *before.at(normalise).begin();
  for (const fs::path& artifact : after.at(normalise)) {
    if (LibrariesOf(artifact) != LibrariesOf(old)) {
      GTEST_SKIP() << "made with other libraries:\n" << ReadFile(old / "key.txt") << ReadFile(artifact / "key.txt");
    }
    EXPECT_EQ(PayloadOf(artifact), PayloadOf(old));
  }
  EXPECT_EQ(after.at(normalise).size(), 2U);
  const auto states = StatesOfRun(folder_ / "0.1.0" / "output" / "run.json");
  EXPECT_EQ(states.at("ingest"), "hit");
  for (const char* step : {"learn", "encode", "pool", "train", "evaluate"}) EXPECT_EQ(states.at(step), "run") << step;
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

TEST_F(FirstReleaseTest, ItsModelIsReadAndRefusedForItsCodes) {
  const ProgramResult look = InFolder({"inspect", "model.tar.zst"});
  EXPECT_EQ(look.exit_code, 6) << look.err;
  EXPECT_THAT(look.out, HasSubstr("65a24cbb2bfeae7c"));
  EXPECT_THAT(look.out, HasSubstr("the model was trained with version 2 of step encode, this program has 3"));
  EXPECT_THAT(look.out, Not(HasSubstr("unknown key"))) << "simd means nothing any more, but may be there";
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
  EXPECT_EQ(annotated.exit_code, 5);
  EXPECT_THAT(annotated.err, HasSubstr("features would not be the same: use flyscribe 0.1.0 as it was built then"));
}

}  // namespace
}  // namespace flyscribe
