#include "pipeline/inspect/inspect.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "core/file.h"
#include "core/hash.h"
#include "pipeline/cache/checkpoint.h"
#include "pipeline/cache/items.h"
#include "pipeline/cache/manifest.h"
#include "pipeline/model/model_bundle.h"
#include "pipeline/run/run_record.h"
#include "pipeline/terminal/process.h"
#include "tests/pipeline/some_model.h"
#include "tests/pipeline/tiny_run.h"
#include "tests/support/expect_error.h"
#include "tests/support/recording_progress.h"

namespace flyscribe {
namespace {

using nlohmann::json;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

json Look(const fs::path& path) {
  const Inspection inspection = Inspect(path, NoProgress());
  json facts = json::parse(inspection.json);
  EXPECT_EQ(facts.at("format"), 1);
  EXPECT_EQ(facts.at("sound"), inspection.sound);
  EXPECT_NE(InspectionText(inspection.json), "") << "whatever it is, it can be told in words";
  return facts;
}

std::vector<std::string> NamesOf(const json& parts) {
  std::vector<std::string> names;
  for (const json& part : parts) names.push_back(part.at("name"));
  return names;
}

json Named(const std::string& name, const std::string& value) { return {{"name", name}, {"value", value}}; }

void CopyFolder(const fs::path& from, const fs::path& to) {
  fs::create_directories(to);
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(from)) {
    const fs::path target = to / fs::relative(entry.path(), from);
    if (fs::is_directory(entry.path())) fs::create_directories(target);
    if (fs::is_regular_file(entry.path())) WriteFile(target, ReadFile(entry.path()));
  }
}

void Replace(const fs::path& path, const std::string& from, const std::string& to) {
  std::string text = ReadFile(path);
  const std::size_t at = text.find(from);
  ASSERT_NE(at, std::string::npos) << from;
  WriteFile(path, text.replace(at, from.size(), to));
}

// Changes what the manifest says; its own digest fits.
void EditManifest(const fs::path& folder, const std::function<void(ArtifactManifest&)>& edit) {
  ArtifactManifest manifest = ReadManifest(folder);
  edit(manifest);
  WriteManifest(folder, manifest);
}

// An artifact of the tiny run, copied so that it can be damaged.
class InspectArtifactTest : public testing::Test {
 protected:
  explicit InspectArtifactTest(const std::string& step = "learn") {
    const fs::path original = SharedTinyRun().FolderOf(step);
    artifact_ = folder_ / original.filename().string();
    CopyFolder(original, artifact_);
  }

  // "file: reason" of all damage.
  std::vector<std::string> DamageOf(const fs::path& path) const {
    const json inspection = Look(path);
    std::vector<std::string> damage;
    for (const json& one : inspection.at("artifact").at("damage")) {
      damage.push_back(one.at("file").get<std::string>() + ": " + one.at("reason").get<std::string>());
    }
    EXPECT_EQ(inspection.at("artifact").at("intact"), damage.empty());
    EXPECT_EQ(inspection.at("sound"), damage.empty());
    return damage;
  }

  TempFolder folder_;
  fs::path artifact_;
};

TEST_F(InspectArtifactTest, TellsWhereItComesFrom) {
  const json inspection = Look(artifact_);
  EXPECT_EQ(inspection.at("kind"), "artifact");
  EXPECT_EQ(inspection.at("path"), artifact_.string());
  EXPECT_EQ(inspection.at("sound"), true);
  const json& artifact = inspection.at("artifact");
  EXPECT_EQ(artifact.at("folder"), artifact_.string());
  EXPECT_EQ(artifact.at("step"), "learn");
  EXPECT_EQ(artifact.at("step_version"), std::to_string(LearnStep().version));
  EXPECT_EQ(artifact.at("range"), "4-6");
  EXPECT_EQ(artifact.at("part"), "fold-0");
  EXPECT_EQ(artifact.at("key"), artifact_.filename().string());
  EXPECT_NE(artifact.at("program"), "");
  EXPECT_THAT(artifact.at("made").get<std::string>(), testing::MatchesRegex("20[0-9-]*T[0-9:]*Z"));
  EXPECT_EQ(artifact.at("checkpoint"), false);
  EXPECT_GT(artifact.at("seconds"), 0.0);
  EXPECT_THAT(artifact.at("facts").get<std::vector<std::string>>(), Contains(HasSubstr("patches: ")));
  EXPECT_THAT(artifact.at("options"), Contains(Named("learn.atoms", "24")));
  EXPECT_THAT(NamesOf(artifact.at("inputs")), Contains("normalise"));
  EXPECT_THAT(artifact.at("libraries"), IsEmpty());
  EXPECT_THAT(artifact.at("damage"), IsEmpty());
  for (const char* part : {"recipe", "model", "run"}) EXPECT_FALSE(inspection.contains(part)) << part;
}

TEST_F(InspectArtifactTest, ExplainsItsFiles) {
  const json inspection = Look(artifact_);
  const json& files = inspection.at("files");
  EXPECT_THAT(NamesOf(files),
              ElementsAre("codes.data.npy",
                          "codes.indices.npy",
                          "codes.indptr.npy",
                          "dictionary.npy",
                          "key.txt",
                          "manifest.json",
                          "rows.npy",
                          "summary.json"));
  EXPECT_THAT(inspection.at("groups"), IsEmpty());
  EXPECT_EQ(files[3].at("array").at("shape"), json({24, 128}));
  EXPECT_FALSE(files[3].contains("problem"));
  ASSERT_EQ(inspection.at("codes").size(), 1U);
  const json& codes = inspection.at("codes")[0];
  EXPECT_EQ(codes.at("name"), "codes");
  EXPECT_FALSE(codes.contains("problem"));
  const std::uint64_t rows = codes.at("rows");
  EXPECT_EQ(rows, files[6].at("array").at("shape")[0]);
  EXPECT_EQ(codes.at("nonzeros"), files[0].at("array").at("shape")[0]);
  EXPECT_LE(codes.at("fewest_in_a_row").get<std::uint64_t>() * rows, codes.at("nonzeros"));
  EXPECT_GE(codes.at("most_in_a_row").get<std::uint64_t>() * rows, codes.at("nonzeros"));
}

TEST_F(InspectArtifactTest, ASlashAtTheEndDoesNotMatter) {
  EXPECT_EQ(Look(artifact_.string() + "/").at("kind"), "artifact");
  EXPECT_THAT(DamageOf(artifact_.string() + "/"), IsEmpty());
}

TEST_F(InspectArtifactTest, EveryDamageIsNamed) {
  std::string rows = ReadFile(artifact_ / "rows.npy");
  rows.back() ^= 1;
  WriteFile(artifact_ / "rows.npy", rows);
  const std::string summary = ReadFile(artifact_ / "summary.json");
  WriteFile(artifact_ / "summary.json", summary + " ");
  fs::remove(artifact_ / "dictionary.npy");
  fs::create_directories(artifact_ / "more");
  WriteFile(artifact_ / "more" / "extra.txt", "x");
  const std::string bytes = std::to_string(summary.size() + 1) + " bytes instead of " + std::to_string(summary.size());
  EXPECT_THAT(DamageOf(artifact_),
              ElementsAre("more/extra.txt: not listed in the manifest",
                          "rows.npy: changed: same size, other content",
                          "summary.json: changed: " + bytes,
                          "dictionary.npy: missing"));
  EXPECT_TRUE(fs::exists(artifact_ / "rows.npy")) << "nothing is moved";
}

TEST_F(InspectArtifactTest, AnArtifactWithinIsNoHidingPlace) {
  fs::create_directories(artifact_ / "within");
  WriteFile(artifact_ / "within" / "manifest.json", "{}");
  WriteFile(artifact_ / "within" / "key.txt", "");
  EXPECT_THAT(
      DamageOf(artifact_),
      ElementsAre("within/key.txt: not listed in the manifest", "within/manifest.json: not listed in the manifest"));
}

TEST_F(InspectArtifactTest, KeysMustAgree) {
  EditManifest(artifact_, [](ArtifactManifest& manifest) { manifest.key = std::string(64, '0'); });
  EXPECT_THAT(DamageOf(artifact_),
              ElementsAre("manifest.json: names another key than the folder",
                          "manifest.json: the key is not the digest of key.txt"));
}

TEST_F(InspectArtifactTest, TheManifestMustAgreeWithTheKey) {
  EditManifest(artifact_, [](ArtifactManifest& manifest) { manifest.part = "fold-1"; });
  EXPECT_THAT(DamageOf(artifact_), ElementsAre("manifest.json: names another step, range or part than key.txt"));
}

TEST_F(InspectArtifactTest, AChangedManifestIsDamage) {
  Replace(artifact_ / "manifest.json", "\"part\": \"fold-0\"", "\"part\": \"fold-1\"");
  EXPECT_THAT(DamageOf(artifact_), ElementsAre("manifest.json: damaged: it was changed"));
  const json inspection = Look(artifact_);
  EXPECT_EQ(inspection.at("artifact").at("part"), "fold-0") << "what key.txt says";
  EXPECT_EQ(inspection.at("artifact").at("made"), "") << "nothing of it is believed";
  EXPECT_THAT(DamageOf(artifact_ / "manifest.json"), ElementsAre("manifest.json: damaged: it was changed"));
}

TEST_F(InspectArtifactTest, AChangedKeyIsDamage) {
  Replace(artifact_ / "key.txt", "learn.atoms: 24", "learn.atoms: 25");
  EXPECT_THAT(DamageOf(artifact_), ElementsAre("key.txt: changed: same size, other content"));
  fs::remove(artifact_ / "key.txt");
  EXPECT_THAT(DamageOf(artifact_), ElementsAre("key.txt: missing"));
}

TEST_F(InspectArtifactTest, ACopyMayHaveAnotherName) {
  fs::rename(artifact_, folder_ / "copy");
  EXPECT_THAT(DamageOf(folder_ / "copy"), IsEmpty());
}

TEST_F(InspectArtifactTest, WithoutAManifestTheKeyStillTells) {
  fs::remove(artifact_ / "manifest.json");
  EXPECT_THAT(DamageOf(artifact_), ElementsAre("manifest.json: missing"));
  const json inspection = Look(artifact_);
  EXPECT_EQ(inspection.at("artifact").at("step"), "learn");
  EXPECT_EQ(inspection.at("artifact").at("part"), "fold-0");
  EXPECT_EQ(inspection.at("files").size(), 7U) << "all others are still explained";
}

TEST_F(InspectArtifactTest, HostileManifests) {
  const std::string manifest = ReadFile(artifact_ / "manifest.json");
  const auto sealed = [](const std::string& before, const std::string& after) {
    return before + Sha256OfText(before + std::string(64, '0') + after) + after;
  };
  const std::string start = "{\"digest\": \"";
  for (const auto& [text, problem] :
       {std::pair<std::string, std::string>{"{", "damaged: it has no digest"},
        {sealed(start, "\""), "damaged: [json.exception.parse_error"},
        {sealed(start, "\", \"format\": 2}"), "damaged: unknown manifest format"},
        {sealed(start, "\", \"x\": " + std::string(1000000, '[')), "damaged: nested too deeply"}}) {
    WriteFile(artifact_ / "manifest.json", text);
    EXPECT_THAT(DamageOf(artifact_), Contains(HasSubstr("manifest.json: " + problem)));
  }
  fs::resize_file(artifact_ / "manifest.json", (std::uint64_t{64} << 20) + 1);
  EXPECT_THAT(DamageOf(artifact_ / "rows.npy"), ElementsAre(HasSubstr("manifest.json: file is larger than the limit")));
  WriteFile(artifact_ / "manifest.json", manifest);
  EditManifest(artifact_, [](ArtifactManifest& listing) {
    for (ListedFile& file : listing.files) file.name = file.name == "rows.npy" ? "../secret" : file.name;
  });
  folder_.Write("secret", "x");
  EXPECT_THAT(DamageOf(artifact_), ElementsAre("rows.npy: not listed in the manifest", "../secret: missing"))
      << "files elsewhere are not looked at";
}

TEST_F(InspectArtifactTest, AFileKnowsItsArtifact) {
  const json inspection = Look(artifact_ / "dictionary.npy");
  EXPECT_EQ(inspection.at("kind"), "file");
  EXPECT_EQ(inspection.at("artifact").at("step"), "learn");
  EXPECT_EQ(inspection.at("artifact").at("folder"), artifact_.string());
  EXPECT_THAT(NamesOf(inspection.at("files")), ElementsAre("dictionary.npy"));
  EXPECT_THAT(DamageOf(artifact_ / "dictionary.npy"), IsEmpty());

  fs::remove(artifact_ / "rows.npy");
  EXPECT_THAT(DamageOf(artifact_ / "dictionary.npy"), IsEmpty()) << "other files do not matter";
  WriteFile(artifact_ / "summary.json", "{}");
  EXPECT_THAT(DamageOf(artifact_ / "summary.json"), ElementsAre(HasSubstr("summary.json: changed: 2 bytes")));
  WriteFile(artifact_ / "extra.txt", "");
  EXPECT_THAT(DamageOf(artifact_ / "extra.txt"), ElementsAre("extra.txt: not listed in the manifest"));
  EXPECT_THAT(DamageOf(artifact_ / "manifest.json"), IsEmpty());
}

TEST(InspectSimulatedTest, ManyFilesAreOneLine) {
  const json inspection = Look(SharedTinyRun().FolderOf("simulate"));
  EXPECT_EQ(inspection.at("sound"), true);
  EXPECT_THAT(NamesOf(inspection.at("files")),
              ElementsAre("insitu_annot.csv", "insitu_images.csv", "key.txt", "manifest.json"));
  ASSERT_EQ(inspection.at("groups").size(), 1U);
  const json& group = inspection.at("groups")[0];
  EXPECT_EQ(group.at("folder"), "images");
  EXPECT_EQ(group.at("extension"), ".bmp");
  EXPECT_GT(group.at("count"), 20);
  EXPECT_GT(group.at("bytes").get<std::uint64_t>(), 40000 * group.at("count").get<std::uint64_t>());
}

TEST(InspectFolderTest, EveryStepIsSound) {
  for (const StepOutcome& step : SharedTinyRun().outcome.steps) {
    const json inspection = Look(step.folder);
    EXPECT_EQ(inspection.at("sound"), true) << step.step;
    EXPECT_EQ(inspection.at("artifact").at("step"), step.step);
    EXPECT_EQ(inspection.at("artifact").at("key"), step.key);
  }
}

TEST(InspectFolderTest, ACacheIsCounted) {
  const json inspection = Look(SharedTinyRun().config.cache.dir);
  EXPECT_EQ(inspection.at("kind"), "folder");
  EXPECT_THAT(NamesOf(inspection.at("files")),
              ElementsAre(testing::MatchesRegex("items/extract/[0-9a-f]+/recipe.txt"),
                          testing::MatchesRegex("items/standardise/[0-9a-f]+/recipe.txt")));
  std::map<std::string, int> artifacts;
  for (const json& group : inspection.at("artifacts")) artifacts[group.at("folder")] = group.at("count");
  EXPECT_THAT(artifacts, Contains(testing::Pair("4-6/learn", 1)));
  ASSERT_EQ(inspection.at("groups").size(), 1U);
  EXPECT_EQ(inspection.at("groups")[0].at("folder"), "items");
}

// Two items of one recipe.
class InspectItemsTest : public testing::Test {
 protected:
  InspectItemsTest() {
    for (const char* input : {"x", "y"}) items_.Get(input, [] { return std::string("payload"); });
  }

  TempFolder folder_;
  std::string recipe_ =
      "flyscribe key 1\nstep: extract 3\nrange: all\npart: all\noption extract.stride: 32\nlibrary vlfeat: 0.9\n";
  ItemCache items_{folder_.path(), "extract", recipe_, folder_.path()};
  fs::path group_ = ItemFolder(folder_.path(), "extract", recipe_);
};

TEST_F(InspectItemsTest, TheRecipeIsToldFromEverywhereInTheGroup) {
  const fs::path item = items_.PathOf("x");
  for (const fs::path& path : {item, item.parent_path(), group_, group_ / "recipe.txt"}) {
    const json inspection = Look(path);
    EXPECT_EQ(inspection.at("sound"), true) << path;
    ASSERT_TRUE(inspection.contains("recipe")) << path;
    const json& recipe = inspection.at("recipe");
    EXPECT_EQ(recipe.at("folder"), group_.string());
    EXPECT_EQ(recipe.at("step"), "extract");
    EXPECT_EQ(recipe.at("step_version"), "3");
    EXPECT_THAT(recipe.at("options"), ElementsAre(Named("extract.stride", "32")));
    EXPECT_THAT(NamesOf(recipe.at("libraries")), ElementsAre("vlfeat"));
  }
  EXPECT_EQ(Look(group_).at("files").size(), 3U);
  EXPECT_FALSE(Look(group_.parent_path()).contains("recipe")) << "a step may have several";
}

TEST_F(InspectItemsTest, ARecipeThatCannotBeTrusted) {
  WriteFile(group_ / "recipe.txt", recipe_ + "option x: 1\n");
  EXPECT_EQ(Look(items_.PathOf("x")).at("recipe").at("problem"), "changed: its digest is not the name of the folder");
  EXPECT_EQ(Look(items_.PathOf("x")).at("sound"), false);
  fs::remove(group_ / "recipe.txt");
  EXPECT_EQ(Look(group_).at("recipe").at("problem"), "cannot read: No such file or directory");
}

// A state of learning as the cache keeps it, and as `flyscribe learn` does.
class InspectCheckpointTest : public testing::Test {
 protected:
  fs::path Saved(const std::string& identity) const {
    LearnState state;
    state.epochs_done = 3;
    state.atoms = FloatMatrix(2, 3, {1, 0, 0, 0, 1, 0});
    state.curvature = state.epoch_curvature = {0.5, 1.0};
    state.codes.atoms = 2;
    state.codes.AppendDense(std::vector<float>{0.0F, 2.0F});
    state.objective_per_epoch.assign(3, 0.3);
    const fs::path folder = folder_ / "checkpoints" / key_;
    LearnCheckpoint(folder, identity, 0.0).Save(state);
    return folder / "epoch-3";
  }

  TempFolder folder_;
  std::string key_ = std::string(64, 'a');
};

TEST_F(InspectCheckpointTest, OfTheCache) {
  const std::string identity = "flyscribe key 1\nstep: learn 2\nrange: 4-6\npart: fold-0\n";
  const json inspection = Look(Saved(identity));
  EXPECT_EQ(inspection.at("kind"), "artifact");
  EXPECT_EQ(inspection.at("sound"), true);
  EXPECT_EQ(inspection.at("artifact").at("checkpoint"), true);
  EXPECT_EQ(inspection.at("artifact").at("step"), "learn checkpoint");
  EXPECT_EQ(inspection.at("artifact").at("part"), "epoch 3");
  EXPECT_EQ(inspection.at("artifact").at("key"), Sha256OfText(identity)) << "of what it is to become";
  EXPECT_THAT(NamesOf(inspection.at("files")), Contains("atoms.npy"));
  EXPECT_EQ(inspection.at("codes").size(), 1U);
  EXPECT_EQ(Look(folder_.path()).at("sound"), true);
}

TEST_F(InspectCheckpointTest, OfTheCommand) {
  const json inspection = Look(Saved("flyscribe key 1\nstep: learn 2\nrange: none\noption learn.lambda: 0.1\n"));
  EXPECT_EQ(inspection.at("sound"), true);
  EXPECT_EQ(inspection.at("artifact").at("step"), "learn checkpoint");
  EXPECT_EQ(inspection.at("artifact").at("step_version"), "2");
  EXPECT_THAT(NamesOf(inspection.at("artifact").at("options")), ElementsAre("learn.lambda"));
}

TEST_F(InspectCheckpointTest, DamageIsNamed) {
  const fs::path state = Saved(key_ + "\n");
  WriteFile(state / "state.json", "{}");
  const json inspection = Look(state);
  ASSERT_EQ(inspection.at("artifact").at("damage").size(), 1U);
  EXPECT_EQ(inspection.at("artifact").at("damage")[0].at("file"), "state.json");
}

TEST(InspectFolderTest, FilesScatteredOverManyFoldersAreOneLine) {
  const TempFolder folder;
  for (int i = 0; i < 70; ++i) folder.Write(std::to_string(i) + "/a.txt", "12");
  folder.Write("x.json", "1");
  const json inspection = Look(folder.path());
  EXPECT_THAT(NamesOf(inspection.at("files")), ElementsAre("x.json"));
  EXPECT_EQ(inspection.at("groups"),
            json::array({{{"folder", "."}, {"extension", ".txt"}, {"count", 70}, {"bytes", 140}}}));
}

TEST(InspectFolderTest, OneBadFileHidesNoOther) {
  const TempFolder folder;
  folder.Write("a.npy", "no array");
  folder.Write("b.json", "{");
  WriteNpy<double>(folder / "c.npy", std::vector<double>{1.5}, {1});
  fs::create_symlink("missing", folder / "d.npy");
  fs::create_symlink(".", folder / "e");
  const json inspection = Look(folder.path());
  EXPECT_THAT(NamesOf(inspection.at("files")), ElementsAre("a.npy", "b.json", "c.npy"));
  EXPECT_EQ(inspection.at("files")[0].at("problem"), "not a readable .npy array: bad magic");
  EXPECT_TRUE(inspection.at("files")[1].contains("problem"));
  EXPECT_FALSE(inspection.at("files")[2].contains("problem"));
  EXPECT_EQ(inspection.at("sound"), false);
}

TEST(InspectFolderTest, AnEmptyFolderIsFine) {
  const TempFolder folder;
  EXPECT_EQ(Look(folder.path()).at("sound"), true);
  EXPECT_THAT(Look(folder.path()).at("files"), IsEmpty());
}

class InspectCodesTest : public testing::Test {
 protected:
  template <class Offset>
  json Codes(const std::vector<Offset>& indptr, std::size_t indices, std::size_t values) const {
    fs::create_directories(folder_ / "a");
    WriteNpy<Offset>(folder_ / "a/z.indptr.npy", indptr, {indptr.size()});
    WriteNpy<std::int32_t>(folder_ / "a/z.indices.npy", std::vector<std::int32_t>(indices), {indices});
    WriteNpy<float>(folder_ / "a/z.data.npy", std::vector<float>(values), {values});
    const json inspection = Look(folder_.path());
    EXPECT_EQ(inspection.at("codes").size(), 1U);
    EXPECT_EQ(inspection.at("sound"), !inspection.at("codes")[0].contains("problem"));
    return inspection.at("codes")[0];
  }

  TempFolder folder_;
};

TEST_F(InspectCodesTest, RowsAndNonZeros) {
  const json expected = {{"name", "a/z"}, {"rows", 3}, {"nonzeros", 7}, {"fewest_in_a_row", 0}, {"most_in_a_row", 5}};
  EXPECT_EQ(Codes<std::int64_t>({0, 2, 2, 7}, 7, 7), expected);
  EXPECT_EQ(Codes<std::int32_t>({0, 2, 2, 7}, 7, 7), expected);
  EXPECT_EQ(Codes<std::int64_t>({0}, 0, 0).at("rows"), 0);
  EXPECT_EQ(Codes<std::int64_t>({0}, 0, 0).at("fewest_in_a_row"), 0);
}

TEST_F(InspectCodesTest, WhatDoesNotBelongTogether) {
  for (const std::vector<std::int64_t>& indptr : {std::vector<std::int64_t>{}, {1, 2}, {0, 3, 2}}) {
    EXPECT_EQ(Codes<std::int64_t>(indptr, 2, 2).at("problem"), "indptr does not rise from 0");
  }
  EXPECT_EQ(Codes<std::int64_t>({0, 3}, 3, 2).at("problem"), "indptr ends at 3, but there are 3 indices and 2 values");
  EXPECT_THAT(Codes<float>({0, 3}, 3, 3).at("problem").get<std::string>(), HasSubstr("expected <i8"));
}

TEST(InspectRunTest, TellsHowTheRunWent) {
  const TinyRun& run = SharedTinyRun();
  OutputFolder folder = OpenOutput(run.config, "tiny.yaml");
  WriteOutputs({run.config, run.outcome, "flyscribe run tiny.yaml", {}, {75.0, 100.0, 123456789}, 0, {}}, folder);
  const fs::path output = run.config.run.output;
  const json inspection = Look(output);
  EXPECT_EQ(inspection.at("kind"), "folder");
  EXPECT_EQ(inspection.at("sound"), true);
  const json& run_facts = inspection.at("run");
  EXPECT_EQ(run_facts.at("config"), "tiny");
  EXPECT_EQ(run_facts.at("command"), "flyscribe run tiny.yaml");
  EXPECT_EQ(run_facts.at("exit_code"), 0);
  EXPECT_EQ(run_facts.at("wall_seconds"), 75.0);
  EXPECT_EQ(run_facts.at("peak_memory_bytes"), 123456789);
  EXPECT_EQ(run_facts.at("misses"), 11);
  const json& scores = run_facts.at("scores");
  ASSERT_EQ(scores.size(), 2U);
  EXPECT_EQ(scores[0].at("range"), "4-6");
  EXPECT_EQ(scores[0].at("terms"), "top 10");
  EXPECT_EQ(scores[1].at("terms"), "all");
  EXPECT_GT(scores[1].at("macro_auc"), 0.0);
  EXPECT_THAT(NamesOf(inspection.at("files")), Contains("4-6/terms.tsv"));
}

const std::string kRunStart = R"({"version": "1", "config": "c", "command": "x", "exit_code": 3, "wall_seconds": 1,
                                  "peak_memory_bytes": 2, "hits": 3, "misses": 4, "skipped": 5, "scores": )";

TEST(InspectRunTest, TheHeadlineIsThatOfTheTopTermsHoweverManyTheyAre) {
  const TempFolder folder;
  folder.Write("run.json", kRunStart + R"({"4-6": {"top 5": {"macro": {"terms": 5, "auc": 0.75, "accuracy": 0.5}},
                                       "all": {"macro": {"terms": 9, "auc": 0.5, "accuracy": 0.25}}}}})");
  const Inspection inspection = Inspect(folder.path(), NoProgress());
  EXPECT_EQ(json::parse(inspection.json).at("run").at("scores")[0],
            json({{"range", "4-6"}, {"terms", "top 5"}, {"count", 5}, {"macro_auc", 0.75}, {"macro_accuracy", 0.5}}));
  const std::string text = InspectionText(inspection.json);
  EXPECT_THAT(text, HasSubstr("  scores     4-6, top 5 (5 terms): macro AUC 0.750, accuracy 0.500\n"));
  EXPECT_THAT(text, HasSubstr("  scores     4-6, all (9 terms): macro AUC 0.500, accuracy 0.250\n"));
}

TEST(InspectRunTest, RangesComeInTheirOrder) {
  const TempFolder folder;
  const std::string score = R"({"all": {"macro": {"terms": 3, "auc": 0.5, "accuracy": 0.25}}})";
  folder.Write("run.json", kRunStart + R"({"13-16": )" + score + R"(, "4-6": )" + score + "}}");
  const json scores = Look(folder.path()).at("run").at("scores");
  ASSERT_EQ(scores.size(), 2U);
  EXPECT_EQ(scores[0].at("range"), "4-6");
  EXPECT_EQ(scores[1].at("range"), "13-16");
  EXPECT_EQ(scores[1].at("macro_accuracy"), 0.25);
}

TEST(InspectRunTest, SomebodyElsesRunJsonIsAFileLikeOthers) {
  const TempFolder folder;
  for (const std::string text : {"{\"version\": 7}", "[]", "{\"format\": 1}"}) {
    folder.Write("run.json", text);
    const json inspection = Look(folder.path());
    EXPECT_FALSE(inspection.contains("run")) << text;
    EXPECT_EQ(inspection.at("sound"), true) << text;
    EXPECT_TRUE(inspection.at("files")[0].contains("json"));
  }
}

TEST(InspectPathTest, MissingOrUnusablePaths) {
  const TempFolder folder;
  const CaughtError missing = ExpectError([&] { Look(folder / "nothing"); });
  EXPECT_EQ(missing.code, ErrorCode::kInput);
  EXPECT_EQ(missing.text,
            (folder / "nothing").string() +
                ": error: nothing is there\n  hint: give an artifact's folder, an output folder or a file; run.json "
                "lists the artifacts of a run");
  EXPECT_EQ(ExpectError([&] { Look(folder.Write("file", "x") / "below"); }).code, ErrorCode::kInput);
  EXPECT_EQ(ExpectError([&] { Look("/dev/null"); }).code, ErrorCode::kInput);
}

class InspectFileTest : public testing::Test {
 protected:
  json Facts(const fs::path& path) const { return Look(path).at("files").at(0); }

  TempFolder folder_;
};

TEST_F(InspectFileTest, Arrays) {
  WriteNpy<float>(folder_ / "x.npy", std::vector<float>{0, 1, 2, 3, 4, 5}, {2, 3});
  const json file = Facts(folder_ / "x.npy");
  EXPECT_EQ(file.at("name"), "x.npy");
  EXPECT_EQ(file.at("kind"), "array");
  EXPECT_EQ(file.at("bytes"), 128 + 24);
  EXPECT_FALSE(file.contains("problem"));
  const json& array = file.at("array");
  EXPECT_EQ(array.at("type"), "<f4");
  EXPECT_EQ(array.at("type_name"), "float32");
  EXPECT_EQ(array.at("shape"), json({2, 3}));
  EXPECT_EQ(array.at("fortran_order"), false);
  EXPECT_EQ(array.at("statistics").at("count"), 6);
  EXPECT_EQ(array.at("statistics").at("zeros"), 1);
  EXPECT_EQ(array.at("statistics").at("min"), 0.0);
  EXPECT_EQ(array.at("statistics").at("max"), 5.0);
  EXPECT_EQ(array.at("statistics").at("mean"), 2.5);

  WriteNpy<std::int64_t>(folder_ / "exact.npy", std::vector<std::int64_t>{-3, std::int64_t{1} << 60}, {2});
  EXPECT_EQ(Facts(folder_ / "exact.npy").at("array").at("statistics").at("max"), std::int64_t{1} << 60);
}

TEST_F(InspectFileTest, ArraysThatCannotBeRead) {
  const json file = Facts(folder_.Write("x.npy", "\x93NUMPY"));
  EXPECT_EQ(file.at("kind"), "array");
  EXPECT_EQ(file.at("bytes"), 6);
  EXPECT_EQ(file.at("problem"), "not a readable .npy array: truncated header");
  EXPECT_FALSE(file.contains("array"));
}

TEST_F(InspectFileTest, WhatJsonCannotWrite) {
  const fs::path odd = folder_ / "bad\xff";
  fs::create_directories(odd);
  WriteNpy<float>(odd / "a.npy", std::vector<float>(5, std::nanf("")), {5});
  WriteNpy<double>(odd / "b.npy", std::vector<double>{-1e308, 1e308}, {2});
  const json inspection = Look(odd);
  EXPECT_THAT(inspection.at("path").get<std::string>(), testing::EndsWith("bad\xef\xbf\xbd"));
  const json& none = inspection.at("files")[0].at("array").at("statistics");
  EXPECT_EQ(none.at("nan"), 5);
  EXPECT_FALSE(none.contains("min"));
  const json& wide = inspection.at("files")[1].at("array").at("statistics");
  EXPECT_EQ(wide.at("min"), -1e308);
  EXPECT_TRUE(wide.at("deviation").is_null());
}

TEST_F(InspectFileTest, TablesAndJson) {
  const json table = Facts(folder_.Write("x.tsv", "term\tauc\na\t1\n"));
  EXPECT_EQ(table.at("kind"), "table");
  EXPECT_EQ(table.at("table"), json({{"rows", 1}, {"columns", {"term", "auc"}}}));
  const json uneven = Facts(folder_.Write("x.tsv", "a\tb\n1\n"));
  EXPECT_THAT(uneven.at("problem").get<std::string>(), HasSubstr("another number of fields"));
  EXPECT_EQ(uneven.at("table").at("rows"), 1) << "what there is is still told";
  EXPECT_FALSE(Facts(folder_.Write("x.tsv", "")).contains("table"));
  EXPECT_EQ(Facts(folder_.Write("x.tsv", std::string((1 << 20) + 1, 'x'))).at("problem"),
            "no table: the first line has more than 1 MiB");
  const json outlined = Facts(folder_.Write("x.json", R"({"epochs": [1, 2]})"));
  EXPECT_EQ(outlined.at("kind"), "json");
  EXPECT_EQ(
      outlined.at("json"),
      json({{"form", "object"}, {"count", 1}, {"entries", json::array({{{"key", "epochs"}, {"value", "[1, 2]"}}})}}));
  const json cut = Facts(folder_.Write("x.json", "{"));
  EXPECT_THAT(cut.at("problem").get<std::string>(), testing::StartsWith("not readable as JSON: "));
  EXPECT_FALSE(cut.contains("json"));
}

TEST_F(InspectFileTest, Items) {
  const ItemCache items(folder_.path(), "extract", "recipe", folder_.path());
  items.Get("input", [] { return std::string("payload"); });
  const fs::path path = items.PathOf("input");
  const json file = Facts(path);
  EXPECT_EQ(file.at("kind"), "item");
  EXPECT_FALSE(file.contains("problem"));
  EXPECT_EQ(file.at("item"),
            json({{"step", "extract"}, {"key", path.filename().string()}, {"payload_bytes", 7}, {"intact", true}}));

  WriteFile(path, Sha256OfText("payload") + "paylord");
  EXPECT_EQ(Facts(path).at("problem"), "the digest does not fit the payload");
  EXPECT_EQ(Facts(path).at("item").at("intact"), false);
  WriteFile(path, "short");
  EXPECT_EQ(Facts(path).at("problem"), "shorter than the digest it must begin with");
  WriteFile(path, Sha256OfText(""));
  EXPECT_FALSE(Facts(path).contains("problem"));
}

TEST_F(InspectFileTest, ItemsOfManyBlocks) {
  const ItemCache items(folder_.path(), "extract", "recipe", folder_.path());
  items.Get("input", [] { return std::string(1000000, 'x'); });
  const json item = Facts(items.PathOf("input")).at("item");
  EXPECT_EQ(item.at("intact"), true);
  EXPECT_EQ(item.at("payload_bytes"), 1000000);
}

TEST_F(InspectFileTest, OfOthersOnlySizeAndKind) {
  const std::string key(64, 'a');
  for (const auto& [name, kind] : {std::pair<std::string, std::string>{"a.HTML", "page"},
                                   {"a.bmp", "image"},
                                   {"a.txt", "text"},
                                   {"a.yaml", "config"},
                                   {"a.csv", "table"},
                                   {"a.xyz", "file"},
                                   {"elsewhere/aa/" + key, "file"},
                                   {"4-6/extract/" + key + "/aa/" + key, "file"},
                                   {"items/extract/aa/" + key, "file"},
                                   {"items/extract/" + key + "/ab/" + key, "file"}}) {
    const json file = Facts(folder_.Write(name, "12345"));
    EXPECT_EQ(file, json({{"name", fs::path(name).filename().string()}, {"bytes", 5}, {"kind", kind}}));
  }
}

TEST_F(InspectFileTest, CanBeInterrupted) {
  RecordingProgress stopped(AtOnce);
  for (const fs::path& path : {folder_.Write("x.tsv", "a\n"), folder_.path()}) {
    EXPECT_EQ(ExpectError([&] { Inspect(path, stopped); }).code, ErrorCode::kInterrupted);
  }
}

class InspectModelTest : public testing::Test {
 protected:
  InspectModelTest() { SaveModel(SomeModel(), bundle_); }
  std::string Text() const { return InspectionText(Inspect(bundle_, NoProgress()).json); }

  TempFolder folder_;
  fs::path bundle_ = folder_ / "model.tar.zst";
};

TEST_F(InspectModelTest, TellsAllThatIsInABundle) {
  const json inspection = Look(bundle_);
  EXPECT_EQ(inspection.at("sound"), true);
  const json& model = inspection.at("model");
  EXPECT_EQ(model.at("id"), SomeModel().id);
  EXPECT_EQ(model.at("format"), 2);
  EXPECT_EQ(model.at("program"), Version());
  EXPECT_EQ(model.at("bytes"), fs::file_size(bundle_));
  EXPECT_EQ(model.at("intact"), true);
  EXPECT_THAT(model.at("problems"), IsEmpty());
  EXPECT_THAT(model.at("options"), Contains(Named("pool.regions", "[1x1, 2x2]")));
  EXPECT_THAT(model.at("provenance"), Contains(Named("config", "some")));
  ASSERT_EQ(model.at("ranges").size(), 2U);
  const json& first = model.at("ranges")[0];
  EXPECT_EQ(first.at("features"), 15);
  EXPECT_EQ(first.at("terms")[0].at("fbbt_id"), "FBbt:00005379");
  EXPECT_DOUBLE_EQ(first.at("terms")[0].at("threshold"), 1.0 / (1.0 + std::exp(-(1.5 * 0.25 - 0.5))));
  EXPECT_EQ(model.at("ranges")[1].at("range"), "13-16");
  EXPECT_EQ(model.at("ranges")[1].at("terms")[1].at("c"), 0.1);
  EXPECT_EQ(model.at("ranges")[1].at("skipped")[0].at("term"), "brain");
}

TEST_F(InspectModelTest, InWords) {
  const std::string text = Text();
  for (const std::string line : {"model.tar.zst: model\n",
                                 "  format  2\n",
                                 "  state   whole, and of use to this program: all of it was verified\n",
                                 "\n4-6: 2 terms, 2 genes, 3 atoms, 15 features, 2 inner folds\n",
                                 "  term       FBbt id        positives    C     cut  threshold\n",
                                 "  gut        FBbt:00005379          5   10   0.250      0.469\n",
                                 "  brain  skipped: only one positive bag\n",
                                 "\nPreprocessing\n",
                                 "\nOptions\n",
                                 "  pool.regions",
                                 "\nProvenance\n",
                                 "  options   2 lines, which --json shows\n"}) {
    EXPECT_THAT(text, HasSubstr(line));
  }
  EXPECT_THAT(text, HasSubstr("  id      " + SomeModel().id + "\n"));
  EXPECT_THAT(text, Not(HasSubstr("Problems")));
}

// The seal does not fit, but all that can be read is shown.
TEST_F(InspectModelTest, DamageIsToldBesideTheRest) {
  std::string bytes = ReadFile(bundle_);
  bytes.back() = bytes.back() == '0' ? '1' : '0';
  WriteFile(bundle_, bytes);
  EXPECT_EQ(Look(bundle_).at("sound"), false);
  const std::string text = Text();
  EXPECT_THAT(text, HasSubstr("  state   refused: 1 problem, listed below\n"));
  EXPECT_THAT(text, HasSubstr("\nProblems\n  the archive is damaged: its bytes do not fit its seal\n"));
  EXPECT_THAT(text, HasSubstr("  id      " + SomeModel().id + "\n"));
  EXPECT_THAT(text, HasSubstr("FBbt:00005379"));
  EXPECT_EQ(Look(bundle_).at("model").at("intact"), false);
}

TEST_F(InspectModelTest, ACutOneIsAProblemNotAnException) {
  WriteFile(bundle_, ReadFile(bundle_).substr(0, 300));
  EXPECT_EQ(Look(bundle_).at("sound"), false);
  EXPECT_THAT(Text(), HasSubstr("the archive is cut off"));
  WriteFile(bundle_, "text");
  EXPECT_EQ(ExpectError([&] { Look(bundle_); }).code, ErrorCode::kInput);
}

TEST_F(InspectModelTest, ToldByContentOrName) {
  EXPECT_TRUE(Look(folder_.Write("a.bin", ReadFile(bundle_))).contains("model"));
  EXPECT_FALSE(Look(folder_.Write("a.txt", "no")).contains("model"));
  EXPECT_EQ(ExpectError([&] { Look(folder_.Write("a.TAR.ZST", "no")); }).code, ErrorCode::kInput);
}

}  // namespace
}  // namespace flyscribe
