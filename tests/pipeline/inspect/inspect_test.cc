#include "pipeline/inspect/inspect.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/file.h"
#include "core/hash.h"
#include "pipeline/cache/checkpoint.h"
#include "pipeline/cache/items.h"
#include "pipeline/cache/manifest.h"
#include "pipeline/run/run_record.h"
#include "tests/pipeline/tiny_run.h"
#include "tests/support/expect_error.h"

namespace flyscribe {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;

Inspection Look(const fs::path& path) { return Inspect(path, NoProgress()); }

std::vector<std::string> NamesOf(const std::vector<FileFacts>& files) {
  std::vector<std::string> names;
  for (const FileFacts& file : files) names.push_back(file.name);
  return names;
}

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
    const Inspection inspection = Look(path);
    EXPECT_TRUE(inspection.artifact.has_value());
    std::vector<std::string> damage;
    for (const Damage& one : inspection.artifact->damage) damage.push_back(one.file + ": " + one.reason);
    EXPECT_EQ(inspection.Sound(), damage.empty());
    return damage;
  }

  TempFolder folder_;
  fs::path artifact_;
};

TEST_F(InspectArtifactTest, TellsWhereItComesFrom) {
  const Inspection inspection = Look(artifact_);
  EXPECT_EQ(inspection.kind, Inspection::Kind::kArtifact);
  EXPECT_EQ(inspection.path, artifact_);
  EXPECT_TRUE(inspection.Sound());
  ASSERT_TRUE(inspection.artifact.has_value());
  const ArtifactFacts& artifact = *inspection.artifact;
  EXPECT_EQ(artifact.step, "learn");
  EXPECT_EQ(artifact.step_version, "2");
  EXPECT_EQ(artifact.range, "4-6");
  EXPECT_EQ(artifact.part, "fold-0");
  EXPECT_EQ(artifact.key, artifact_.filename().string());
  EXPECT_FALSE(artifact.program.empty());
  EXPECT_THAT(artifact.made, testing::MatchesRegex("20[0-9-]*T[0-9:]*Z"));
  EXPECT_FALSE(artifact.checkpoint);
  EXPECT_FALSE(inspection.recipe.has_value());
  EXPECT_GT(artifact.seconds, 0.0);
  EXPECT_THAT(artifact.facts, Contains(HasSubstr("patches: ")));
  EXPECT_THAT(artifact.options,
              Contains(AllOf(Field(&NamedValue::name, "learn.atoms"), Field(&NamedValue::value, "24"))));
  EXPECT_THAT(artifact.inputs, Contains(Field(&NamedValue::name, "normalise")));
  EXPECT_THAT(artifact.libraries, ElementsAre(Field(&NamedValue::name, "simd")));
  EXPECT_THAT(artifact.damage, IsEmpty());
}

TEST_F(InspectArtifactTest, ExplainsItsFiles) {
  const Inspection inspection = Look(artifact_);
  EXPECT_THAT(NamesOf(inspection.files),
              ElementsAre("codes.data.npy",
                          "codes.indices.npy",
                          "codes.indptr.npy",
                          "dictionary.npy",
                          "key.txt",
                          "manifest.json",
                          "rows.npy",
                          "summary.json"));
  EXPECT_THAT(inspection.groups, IsEmpty());
  EXPECT_THAT(std::get<ArrayFacts>(inspection.files[3].content).header.shape, ElementsAre(24U, 128U));
  ASSERT_EQ(inspection.codes.size(), 1U);
  const CodesFacts& codes = inspection.codes.front();
  EXPECT_EQ(codes.name, "codes");
  EXPECT_EQ(codes.problem, "");
  EXPECT_EQ(codes.rows, std::get<ArrayFacts>(inspection.files[6].content).header.shape.front());
  EXPECT_EQ(codes.nonzeros, std::get<ArrayFacts>(inspection.files[0].content).header.shape.front());
  EXPECT_LE(codes.fewest * codes.rows, codes.nonzeros);
  EXPECT_GE(codes.most * codes.rows, codes.nonzeros);
}

TEST_F(InspectArtifactTest, ASlashAtTheEndDoesNotMatter) {
  EXPECT_EQ(Look(artifact_.string() + "/").kind, Inspection::Kind::kArtifact);
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
  const Inspection inspection = Look(artifact_);
  EXPECT_EQ(inspection.artifact->part, "fold-0") << "what key.txt says";
  EXPECT_EQ(inspection.artifact->made, "") << "nothing of it is believed";
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
  const Inspection inspection = Look(artifact_);
  EXPECT_EQ(inspection.artifact->step, "learn");
  EXPECT_EQ(inspection.artifact->part, "fold-0");
  EXPECT_EQ(inspection.files.size(), 7U) << "all others are still explained";
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
  const Inspection inspection = Look(artifact_ / "dictionary.npy");
  EXPECT_EQ(inspection.kind, Inspection::Kind::kFile);
  ASSERT_TRUE(inspection.artifact.has_value());
  EXPECT_EQ(inspection.artifact->step, "learn");
  EXPECT_EQ(inspection.artifact->folder, artifact_);
  EXPECT_THAT(NamesOf(inspection.files), ElementsAre("dictionary.npy"));
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
  const Inspection inspection = Look(SharedTinyRun().FolderOf("simulate"));
  EXPECT_TRUE(inspection.Sound());
  EXPECT_THAT(NamesOf(inspection.files),
              ElementsAre("insitu_annot.csv", "insitu_images.csv", "key.txt", "manifest.json"));
  ASSERT_EQ(inspection.groups.size(), 1U);
  EXPECT_EQ(inspection.groups[0].folder, "images");
  EXPECT_EQ(inspection.groups[0].extension, ".bmp");
  EXPECT_GT(inspection.groups[0].count, 20U);
  EXPECT_GT(inspection.groups[0].bytes, 40000 * inspection.groups[0].count);
}

TEST(InspectFolderTest, EveryStepIsSound) {
  for (const StepOutcome& step : SharedTinyRun().outcome.steps) {
    const Inspection inspection = Look(step.folder);
    EXPECT_TRUE(inspection.Sound()) << step.step;
    EXPECT_EQ(inspection.artifact->step, step.step);
    EXPECT_EQ(inspection.artifact->key, step.key);
  }
}

TEST(InspectFolderTest, ACacheIsCounted) {
  const Inspection inspection = Look(SharedTinyRun().config.cache.dir);
  EXPECT_EQ(inspection.kind, Inspection::Kind::kFolder);
  EXPECT_THAT(NamesOf(inspection.files),
              ElementsAre(testing::MatchesRegex("items/extract/[0-9a-f]+/recipe.txt"),
                          testing::MatchesRegex("items/standardise/[0-9a-f]+/recipe.txt")));
  EXPECT_THAT(inspection.artifacts,
              Contains(AllOf(Field(&FileGroup::folder, "4-6/learn"), Field(&FileGroup::count, 1U))));
  EXPECT_THAT(inspection.groups, ElementsAre(Field(&FileGroup::folder, "items")));
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
    const Inspection inspection = Look(path);
    EXPECT_TRUE(inspection.Sound()) << path;
    ASSERT_TRUE(inspection.recipe.has_value()) << path;
    EXPECT_EQ(inspection.recipe->folder, group_);
    EXPECT_EQ(inspection.recipe->step, "extract");
    EXPECT_EQ(inspection.recipe->step_version, "3");
    EXPECT_THAT(inspection.recipe->options,
                ElementsAre(AllOf(Field(&NamedValue::name, "extract.stride"), Field(&NamedValue::value, "32"))));
    EXPECT_THAT(inspection.recipe->libraries, ElementsAre(Field(&NamedValue::name, "vlfeat")));
  }
  EXPECT_EQ(Look(group_).files.size(), 3U);
  EXPECT_FALSE(Look(group_.parent_path()).recipe.has_value()) << "a step may have several";
}

TEST_F(InspectItemsTest, ARecipeThatCannotBeTrusted) {
  WriteFile(group_ / "recipe.txt", recipe_ + "option x: 1\n");
  EXPECT_EQ(Look(items_.PathOf("x")).recipe->problem, "changed: its digest is not the name of the folder");
  EXPECT_FALSE(Look(items_.PathOf("x")).Sound());
  fs::remove(group_ / "recipe.txt");
  EXPECT_EQ(Look(group_).recipe->problem, "cannot read: No such file or directory");
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
    LearnCheckpoint(folder, identity).Save(state);
    return folder / "epoch-3";
  }

  TempFolder folder_;
  std::string key_ = std::string(64, 'a');
};

TEST_F(InspectCheckpointTest, OfTheCache) {
  const std::string identity = "flyscribe key 1\nstep: learn 2\nrange: 4-6\npart: fold-0\n";
  const Inspection inspection = Look(Saved(identity));
  EXPECT_EQ(inspection.kind, Inspection::Kind::kArtifact);
  EXPECT_TRUE(inspection.Sound());
  EXPECT_TRUE(inspection.artifact->checkpoint);
  EXPECT_EQ(inspection.artifact->step, "learn checkpoint");
  EXPECT_EQ(inspection.artifact->part, "epoch 3");
  EXPECT_EQ(inspection.artifact->key, Sha256OfText(identity)) << "of what it is to become";
  EXPECT_THAT(NamesOf(inspection.files), Contains("atoms.npy"));
  EXPECT_EQ(inspection.codes.size(), 1U);
  EXPECT_TRUE(Look(folder_.path()).Sound());
}

TEST_F(InspectCheckpointTest, OfTheCommand) {
  const Inspection inspection = Look(Saved("flyscribe key 1\nstep: learn 2\nrange: none\noption learn.lambda: 0.1\n"));
  EXPECT_TRUE(inspection.Sound());
  EXPECT_EQ(inspection.artifact->step, "learn checkpoint");
  EXPECT_EQ(inspection.artifact->step_version, "2");
  EXPECT_THAT(inspection.artifact->options, ElementsAre(Field(&NamedValue::name, "learn.lambda")));
}

TEST_F(InspectCheckpointTest, DamageIsNamed) {
  const fs::path state = Saved(key_ + "\n");
  WriteFile(state / "state.json", "{}");
  const Inspection inspection = Look(state);
  ASSERT_EQ(inspection.artifact->damage.size(), 1U);
  EXPECT_EQ(inspection.artifact->damage[0].file, "state.json");
}

TEST(InspectFolderTest, FilesScatteredOverManyFoldersAreOneLine) {
  const TempFolder folder;
  for (int i = 0; i < 70; ++i) folder.Write(std::to_string(i) + "/a.txt", "12");
  folder.Write("x.json", "1");
  const Inspection inspection = Look(folder.path());
  EXPECT_THAT(NamesOf(inspection.files), ElementsAre("x.json"));
  ASSERT_EQ(inspection.groups.size(), 1U);
  EXPECT_EQ(inspection.groups[0].folder, ".");
  EXPECT_EQ(inspection.groups[0].count, 70U);
  EXPECT_EQ(inspection.groups[0].bytes, 140U);
}

TEST(InspectFolderTest, OneBadFileHidesNoOther) {
  const TempFolder folder;
  folder.Write("a.npy", "no array");
  folder.Write("b.json", "{");
  WriteNpy<double>(folder / "c.npy", std::vector<double>{1.5}, {1});
  fs::create_symlink("missing", folder / "d.npy");
  fs::create_symlink(".", folder / "e");
  const Inspection inspection = Look(folder.path());
  EXPECT_THAT(NamesOf(inspection.files), ElementsAre("a.npy", "b.json", "c.npy"));
  EXPECT_EQ(inspection.files[0].problem, "not a readable .npy array: bad magic");
  EXPECT_NE(inspection.files[1].problem, "");
  EXPECT_EQ(inspection.files[2].problem, "");
  EXPECT_FALSE(inspection.Sound());
}

TEST(InspectFolderTest, AnEmptyFolderIsFine) {
  const TempFolder folder;
  EXPECT_TRUE(Look(folder.path()).Sound());
  EXPECT_THAT(Look(folder.path()).files, IsEmpty());
}

class InspectCodesTest : public testing::Test {
 protected:
  template <class Offset>
  CodesFacts Codes(const std::vector<Offset>& indptr, std::size_t indices, std::size_t values) const {
    fs::create_directories(folder_ / "a");
    WriteNpy<Offset>(folder_ / "a/z.indptr.npy", indptr, {indptr.size()});
    WriteNpy<std::int32_t>(folder_ / "a/z.indices.npy", std::vector<std::int32_t>(indices), {indices});
    WriteNpy<float>(folder_ / "a/z.data.npy", std::vector<float>(values), {values});
    const Inspection inspection = Look(folder_.path());
    EXPECT_EQ(inspection.codes.size(), 1U);
    EXPECT_EQ(inspection.Sound(), inspection.codes.front().problem.empty());
    return inspection.codes.front();
  }

  TempFolder folder_;
};

TEST_F(InspectCodesTest, RowsAndNonZeros) {
  for (const CodesFacts& codes : {Codes<std::int64_t>({0, 2, 2, 7}, 7, 7), Codes<std::int32_t>({0, 2, 2, 7}, 7, 7)}) {
    EXPECT_EQ(codes.problem, "");
    EXPECT_EQ(codes.name, "a/z");
    EXPECT_EQ(codes.rows, 3U);
    EXPECT_EQ(codes.nonzeros, 7U);
    EXPECT_EQ(codes.fewest, 0U);
    EXPECT_EQ(codes.most, 5U);
  }
  EXPECT_EQ(Codes<std::int64_t>({0}, 0, 0).rows, 0U);
  EXPECT_EQ(Codes<std::int64_t>({0}, 0, 0).fewest, 0U);
}

TEST_F(InspectCodesTest, WhatDoesNotBelongTogether) {
  EXPECT_EQ(Codes<std::int64_t>({}, 0, 0).problem, "indptr does not rise from 0");
  EXPECT_EQ(Codes<std::int64_t>({1, 2}, 2, 2).problem, "indptr does not rise from 0");
  EXPECT_EQ(Codes<std::int64_t>({0, 3, 2}, 2, 2).problem, "indptr does not rise from 0");
  EXPECT_EQ(Codes<std::int64_t>({0, 3}, 3, 2).problem, "indptr ends at 3, but there are 3 indices and 2 values");
  EXPECT_THAT(Codes<float>({0, 3}, 3, 3).problem, HasSubstr("expected <i8"));
}

TEST(InspectRunTest, TellsHowTheRunWent) {
  const TinyRun& run = SharedTinyRun();
  WriteOutputs({run.config, run.outcome, "flyscribe run tiny.yaml", {}, {75.0, 100.0, 123456789}, 0, {}});
  const fs::path output = run.config.run.output;
  const Inspection inspection = Look(output);
  EXPECT_EQ(inspection.kind, Inspection::Kind::kFolder);
  EXPECT_TRUE(inspection.Sound());
  ASSERT_TRUE(inspection.run.has_value());
  EXPECT_EQ(inspection.run->config, "tiny");
  EXPECT_EQ(inspection.run->command, "flyscribe run tiny.yaml");
  EXPECT_EQ(inspection.run->exit_code, 0);
  EXPECT_EQ(inspection.run->seconds, 75.0);
  EXPECT_EQ(inspection.run->misses, 11U);
  ASSERT_EQ(inspection.run->scores.size(), 2U);
  EXPECT_EQ(inspection.run->scores[0].range, "4-6");
  EXPECT_EQ(inspection.run->scores[0].terms, "top 10");
  EXPECT_EQ(inspection.run->scores[1].terms, "all");
  EXPECT_GT(inspection.run->scores[1].auc, 0.0);
  EXPECT_THAT(NamesOf(inspection.files), Contains("4-6/terms.tsv"));
}

TEST(InspectRunTest, RangesComeInTheirOrder) {
  const TempFolder folder;
  const std::string score = R"({"all": {"macro": {"terms": 3, "auc": 0.5, "accuracy": 0.25}}})";
  folder.Write("run.json",
               R"({"version": "1", "config": "c", "command": "x", "exit_code": 3, "wall_seconds": 1,
                   "peak_memory_bytes": 2, "hits": 3, "misses": 4, "skipped": 5, "scores": {"13-16": )" +
                   score + R"(, "4-6": )" + score + "}}");
  const auto run = Look(folder.path()).run;
  ASSERT_TRUE(run.has_value());
  ASSERT_EQ(run->scores.size(), 2U);
  EXPECT_EQ(run->scores[0].range, "4-6");
  EXPECT_EQ(run->scores[1].range, "13-16");
  EXPECT_EQ(run->scores[1].accuracy, 0.25);
}

TEST(InspectRunTest, SomebodyElsesRunJsonIsAFileLikeOthers) {
  const TempFolder folder;
  for (const std::string text : {"{\"version\": 7}", "[]", "{\"format\": 1}"}) {
    folder.Write("run.json", text);
    const Inspection inspection = Look(folder.path());
    EXPECT_FALSE(inspection.run.has_value()) << text;
    EXPECT_TRUE(inspection.Sound()) << text;
    EXPECT_TRUE(std::holds_alternative<JsonFacts>(inspection.files.at(0).content));
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

}  // namespace
}  // namespace flyscribe
