// flyscribe inspect: looks at real results with the real binary.
#include <nlohmann/json.hpp>

#include "tests/integration/matrix_workspace.h"

namespace flyscribe {
namespace {

using nlohmann::json;

class InspectCommandTest : public MatrixWorkspace {
 protected:
  // step -> folder of its artifact, from run.json.
  std::map<std::string, std::string> RunTiny() const {
    WriteTinyConfig();
    const ProgramResult run = Flyscribe({"run", "tiny.yaml", "--quiet"});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    std::map<std::string, std::string> folders;
    const json record = json::parse(ReadFile(folder_ / "output" / "run.json"));
    for (const json& step : record.at("steps")) folders[step.at("step")] = step.at("artifact");
    return folders;
  }

  // Names and contents of all files below a folder.
  std::map<std::string, std::string> Snapshot(const fs::path& folder) const {
    std::map<std::string, std::string> files;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
      if (fs::is_regular_file(entry.path())) files[entry.path().string()] = ReadFile(entry.path());
    }
    return files;
  }
};

TEST_F(InspectCommandTest, EveryArtifactAndTheOutputOfARun) {
  const auto folders = RunTiny();
  ASSERT_EQ(folders.size(), 11U);
  const auto before = Snapshot(folder_ / "cache");
  for (const auto& [step, folder] : folders) {
    const ProgramResult text = Flyscribe({"inspect", folder});
    EXPECT_EQ(text.exit_code, 0) << text.err;
    EXPECT_EQ(text.out.rfind(step, 0), 0U) << text.out;
    EXPECT_THAT(text.out, HasSubstr("  state  intact: every file is as the manifest lists it\n"));
    EXPECT_EQ(text.err, "");
    const json record = json::parse(Flyscribe({"inspect", folder, "--json"}).out);
    EXPECT_EQ(record.at("artifact").at("step"), step);
    EXPECT_EQ(record.at("sound"), true);
  }
  EXPECT_THAT(Flyscribe({"inspect", folders.at("simulate")}).out, HasSubstr("  images/*.bmp"));
  EXPECT_THAT(Flyscribe({"inspect", folders.at("train")}).out, HasSubstr("  libsvm "));
  const ProgramResult output = Flyscribe({"inspect", "output"});
  EXPECT_EQ(output.exit_code, 0);
  EXPECT_THAT(output.out, HasSubstr("  command    flyscribe run tiny.yaml\n"));
  EXPECT_THAT(output.out, HasSubstr("  scores     4-6, all ("));
  EXPECT_EQ(Flyscribe({"inspect", "cache"}).exit_code, 0);
  EXPECT_EQ(Snapshot(folder_ / "cache"), before) << "inspect changes nothing";
}

TEST_F(InspectCommandTest, TheHeadlineStaysWhateverTheNumberOfTopTerms) {
  RunTiny();
  ASSERT_EQ(Flyscribe({"run", "tiny.yaml", "--quiet", "--set", "evaluate.top_terms=5"}).exit_code, 0);
  EXPECT_THAT(Flyscribe({"inspect", "output"}).out, HasSubstr("  scores     4-6, top 5 (5 terms): macro AUC 0."));
  const json runs = json::parse(Flyscribe({"runs", "tiny.yaml", "--json"}).out).at("runs");
  EXPECT_TRUE(runs.at(0).at("scores").contains("4-6, top 10, macro auc"));
  EXPECT_TRUE(runs.at(1).at("scores").contains("4-6, top 5, macro auc"));
}

TEST_F(InspectCommandTest, DamageIsToldAndLeftAlone) {
  const fs::path learn = RunTiny().at("learn");
  WriteFile(learn / "dictionary.npy", ReadFile(learn / "dictionary.npy").substr(0, 500));
  const auto before = Snapshot(folder_ / "cache");
  const ProgramResult result = Flyscribe({"inspect", learn.string()});
  EXPECT_EQ(result.exit_code, 6);
  EXPECT_THAT(result.out, HasSubstr("  state  damaged: 1 problem, listed below\n"));
  EXPECT_THAT(result.out, HasSubstr("  learn.atoms              24\n"));
  EXPECT_THAT(result.out, HasSubstr("not a readable .npy array: the shape <f4 (24, 128) does not fit"));
  EXPECT_THAT(result.out, HasSubstr("\nDamage\n  dictionary.npy  changed: 500 bytes instead of 12416\n"));
  EXPECT_EQ(Flyscribe({"inspect", (learn / "dictionary.npy").string(), "--json"}).exit_code, 6);
  EXPECT_EQ(Flyscribe({"inspect", (learn / "rows.npy").string()}).exit_code, 0);
  EXPECT_EQ(Snapshot(folder_ / "cache"), before);
}

TEST_F(InspectCommandTest, Items) {
  RunTiny();
  fs::path item;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder_ / "cache/items/standardise")) {
    if (fs::is_regular_file(entry.path()) && entry.path().filename() != "recipe.txt") item = entry.path();
  }
  const ProgramResult intact = Flyscribe({"inspect", item.string()});
  EXPECT_EQ(intact.exit_code, 0);
  EXPECT_THAT(intact.out, HasSubstr("payload 41.0 kB  the digest fits\n"));
  EXPECT_THAT(intact.out, HasSubstr("\nRecipe\n  step "));
  EXPECT_THAT(intact.out, HasSubstr("  standardise.small_images "));
  const ProgramResult group = Flyscribe({"inspect", item.parent_path().parent_path().string()});
  EXPECT_EQ(group.exit_code, 0);
  EXPECT_THAT(group.out, HasSubstr("\nRecipe\n  step "));
  // From within its folder the path tells nothing about the cache.
  const ProgramResult near = RunBinary(FLYSCRIBE_BINARY, {"inspect", item.filename().string()}, item.parent_path());
  EXPECT_THAT(near.out, HasSubstr("\nItems\n  standardise  "));
  WriteFile(item, ReadFile(item) + "x");
  const ProgramResult damaged = Flyscribe({"inspect", item.string()});
  EXPECT_EQ(damaged.exit_code, 6);
  EXPECT_THAT(damaged.out, HasSubstr("the digest does not fit"));
}

TEST_F(InspectCommandTest, ResultsOfLearn) {
  Write("X.npy", PlantedRows(200, 20, 30));
  ASSERT_EQ(Flyscribe({"learn", "--input", "X.npy", "--atoms", "30", "--output", "out", "--quiet"}).exit_code, 0);
  const ProgramResult result = Flyscribe({"inspect", "out"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.out, HasSubstr("out: folder\n  size  6 files"));
  EXPECT_THAT(result.out, HasSubstr("\nCodes\n  codes  200 rows with "));
  EXPECT_THAT(result.out, HasSubstr("  command              learn\n"));
  const ProgramResult file = Flyscribe({"inspect", "X.npy"});
  EXPECT_EQ(file.exit_code, 0);
  EXPECT_EQ(file.out.rfind("X.npy: array\n  size  16.1 kB\n", 0), 0U) << file.out;
  EXPECT_THAT(file.out, HasSubstr("float32  200 x 20"));
  EXPECT_THAT(file.out, Not(HasSubstr("artifact")));
}

TEST_F(InspectCommandTest, BadPaths) {
  ExpectFailure(Flyscribe({"inspect", "nothing"}), 5, {"nothing: error: nothing is there\n  hint: give an artifact's"});
  ExpectFailure(Flyscribe({"inspect"}), 4, {"path is required"});
  ExpectFailure(Flyscribe({"inspect", "/dev/zero"}), 5, {"not a regular file"});
  for (const std::string bytes : {"", "random"}) {
    folder_.Write("x.zst", bytes);
    const ProgramResult model = Flyscribe({"inspect", "x.zst"});
    EXPECT_EQ(model.exit_code, 6);
    EXPECT_THAT(model.out, HasSubstr("not compressed by Zstandard, as a model is"));
  }
  folder_.Write("x.npy", "x");
  const ProgramResult bad = Flyscribe({"inspect", "x.npy"});
  EXPECT_EQ(bad.exit_code, 6);
  EXPECT_THAT(bad.out, HasSubstr("not a readable .npy array: bad magic"));
}

}  // namespace
}  // namespace flyscribe
