#include "pipeline/model/model_bundle.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <nlohmann/json.hpp>

#include "core/archive.h"
#include "core/file.h"
#include "core/file_lock.h"
#include "core/hash.h"
#include "core/npy.h"
#include "pipeline/terminal/process.h"
#include "tests/pipeline/some_model.h"
#include "tests/support/archive_bytes.h"
#include "tests/support/expect_error.h"
#include "tests/support/temp_folder.h"

namespace flyscribe {
namespace {

using Json = nlohmann::ordered_json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

const std::string kHint = "\n  hint: fetch or make it again; nothing of it was used";

class ModelBundleTest : public testing::Test {
 protected:
  ModelBundleTest() { Restore(); }

  // The bundle of SomeModel, packed once.
  void Restore() const {
    static const std::string bytes = [] {
      const TempFolder folder;
      SaveModel(SomeModel(), folder / "some.tar.zst");
      return ReadFile(folder / "some.tar.zst");
    }();
    WriteFile(bundle_, bytes, Durability::kUnsynced);
  }

  Model Load() const { return LoadModel(bundle_, scratch_); }
  CaughtError Refusal() const {
    CaughtError error = ExpectError([&] { Load(); });
    const std::string place = bundle_.string() + ": error: ";
    EXPECT_THAT(error.text, StartsWith(place));
    if (error.text.size() > place.size()) error.text = error.text.substr(place.size());
    EXPECT_THAT(EntriesOf(scratch_), IsEmpty());
    return error;
  }

  // Takes the bundle apart, changes it, and packs it again, seal and all. With `relist` model.json fits the files.
  void Edit(const std::function<void(const fs::path& root)>& change, bool relist = true) const {
    const TempFolder folder;
    ExtractArchive(bundle_, folder / "in", {});
    change(folder / "in");
    if (relist) Relist(folder / "in");
    WriteArchive(folder / "in", bundle_);
  }
  void EditFile(const std::string& name, const std::string& from, const std::string& to, bool relist = true) const {
    Edit(
        [&](const fs::path& root) {
          std::string text = ReadFile(root / name);
          const std::size_t at = text.find(from);
          ASSERT_NE(at, std::string::npos) << from;
          WriteFile(root / name, text.replace(at, from.size(), to), Durability::kUnsynced);
        },
        relist);
  }
  void EditIndex(const std::function<void(Json& index)>& change) const {
    Edit(
        [&](const fs::path& root) {
          Json index = Json::parse(ReadFile(root / "model.json"));
          change(index);
          WriteFile(root / "model.json", index.dump(), Durability::kUnsynced);
        },
        false);
  }
  static void Relist(const fs::path& root) {
    Json index = Json::parse(ReadFile(root / "model.json"));
    for (Json& file : index["files"]) {
      const fs::path path = root / file["name"].get<std::string>();
      if (!fs::exists(path)) continue;
      file["bytes"] = fs::file_size(path);
      file["sha256"] = Sha256OfFile(path);
    }
    WriteFile(root / "model.json", index.dump(), Durability::kUnsynced);
  }

  TempFolder folder_;
  fs::path bundle_ = folder_ / "model.tar.zst";
  fs::path scratch_ = folder_ / "scratch";
};

TEST_F(ModelBundleTest, RoundTrip) {
  const Model model = SomeModel();
  const Model loaded = Load();
  EXPECT_EQ(loaded.id, model.id);
  EXPECT_EQ(loaded.provenance, model.provenance);
  EXPECT_EQ(ModelOptionsYaml(loaded.options), ModelOptionsYaml(model.options));
  ASSERT_EQ(loaded.ranges.size(), 2U);
  for (std::size_t i = 0; i < 2; ++i) {
    const RangeModel& a = loaded.ranges[i];
    const RangeModel& b = model.ranges[i];
    EXPECT_EQ(a.range, b.range);
    EXPECT_EQ(a.dictionary.atoms, b.dictionary.atoms);
    EXPECT_EQ(a.dictionary.summary, b.dictionary.summary);
    EXPECT_EQ(a.models.terms, b.models.terms);
    EXPECT_EQ(a.models.skipped, b.models.skipped);
    EXPECT_EQ(a.models.weights, b.models.weights);
    EXPECT_EQ(a.models.scores, b.models.scores);
    EXPECT_EQ(a.models.inner_weights, b.models.inner_weights);
    EXPECT_EQ(a.models.inner_bias, b.models.inner_bias);
    EXPECT_EQ(a.fbbt_ids, b.fbbt_ids);
    EXPECT_EQ(a.genes, b.genes);
  }
  EXPECT_THAT(EntriesOf(scratch_), IsEmpty()) << "nothing is left behind";
  EXPECT_THAT(EntriesOf(folder_.path()), ElementsAre(bundle_, scratch_));
}

TEST_F(ModelBundleTest, SameModelSameBytes) {
  SaveModel(Load(), folder_ / "again.tar.zst");
  EXPECT_EQ(ReadFile(folder_ / "again.tar.zst"), ReadFile(bundle_));
}

TEST_F(ModelBundleTest, NamesMayHoldAnyBytes) {
  Model model = SomeModel();
  model.provenance = {{"config", "caf\xe9"}};
  SaveModel(model, folder_ / "other.tar.zst");
  const Model loaded = LoadModel(folder_ / "other.tar.zst", scratch_);
  EXPECT_EQ(loaded.provenance, (decltype(model.provenance){{"config", "caf\xef\xbf\xbd"}}));
}

TEST_F(ModelBundleTest, HoldsWhatTheFormatSays) {
  const TempFolder folder;
  const std::vector<std::string> names = ExtractArchive(bundle_, folder / "in", {});
  EXPECT_EQ(names.size(), 3U + 2U * 9U);
  EXPECT_THAT(names,
              testing::IsSupersetOf({"model.json", "options.yaml", "provenance.json", "ranges/13-16/genes.tsv"}));
  EXPECT_EQ(names.front(), "model.json") << "what says what the rest is comes first";
  EXPECT_EQ(ReadFile(folder / "in/ranges/4-6/genes.tsv"),
            "gene\tids\tsymbols\tinner_fold\nCG7\tCG7\tCG7\t1\nFBgn0000001\tCG2328|FBgn0000001\teve\t0\n");
  EXPECT_EQ(ReadFile(folder / "in/ranges/4-6/ontology.tsv"), "term\tfbbt_id\ngut\tFBbt:00005379\npole cell\t\n");
  const Json index = Json::parse(ReadFile(folder / "in/model.json"));
  EXPECT_EQ(index.at("format"), 2);
  EXPECT_EQ(index.at("flyscribe"), Version());
  EXPECT_EQ(index.at("ranges")[0].dump(),
            R"({"range":"4-6","atoms":3,"features":15,"terms":2,"genes":2,"inner_folds":2})");
}

TEST_F(ModelBundleTest, AFailedWriteLeavesTheOldOne) {
  const std::string before = ReadFile(bundle_);
  Model broken = SomeModel();
  broken.ranges.clear();
  EXPECT_THROW(SaveModel(broken, bundle_), Error);
  EXPECT_EQ(ReadFile(bundle_), before);
  folder_.Write("file", "");
  EXPECT_EQ(ExpectError([&] { SaveModel(SomeModel(), folder_ / "file" / "m.tar.zst"); }).code, ErrorCode::kDisk);
  EXPECT_THAT(EntriesOf(folder_.path()), ElementsAre(folder_ / "file", bundle_));
}

TEST_F(ModelBundleTest, EveryFlippedByteIsFound) {
  const std::string bytes = ReadFile(bundle_);
  const std::size_t step = bytes.size() / 60;
  for (std::size_t i = 0; i < bytes.size(); i += step) {
    std::string flipped = bytes;
    flipped[i] = static_cast<char>(flipped[i] ^ (1 << (i % 8)));
    WriteFile(bundle_, flipped, Durability::kUnsynced);
    const ErrorCode code = ExpectError([&] { Load(); }).code;
    EXPECT_EQ(code, i < 4 ? ErrorCode::kInput : ErrorCode::kCorrupt) << "byte " << i;
  }
  WriteFile(bundle_, bytes.substr(0, bytes.size() / 2));
  EXPECT_THAT(Refusal().text, StartsWith("the archive is cut off, or was not written by flyscribe"));
  WriteFile(bundle_, bytes + "x");
  EXPECT_THAT(Refusal().text, StartsWith("the archive is cut off, or was not written by flyscribe"));
}

TEST_F(ModelBundleTest, OtherFilesAreRefused) {
  WriteFile(bundle_, "a text");
  EXPECT_EQ(Refusal().code, ErrorCode::kInput);
  WriteFile(bundle_, Sealed(ZstdFrame(TarEntry("model.json", "{\"kind\": \"another\"}") + TarEnd())));
  EXPECT_EQ(Refusal().text, "this is no model of flyscribe\n  hint: `flyscribe export` makes one");
  WriteFile(bundle_, Sealed(ZstdFrame(TarEntry("a", "1") + TarEnd())));
  EXPECT_EQ(Refusal().code, ErrorCode::kCorrupt);
  EXPECT_THAT(Refusal().text, StartsWith("model.json: cannot read: No such file or directory"));
  EXPECT_EQ(ExpectError([&] { LoadModel(folder_ / "none", scratch_); }).code, ErrorCode::kInput);
}

TEST_F(ModelBundleTest, AHostileArchiveIsRefusedAndWritesNothingOutside) {
  WriteFile(bundle_, Sealed(ZstdFrame(TarEntry("../../evil", "1") + TarEnd())));
  EXPECT_EQ(Refusal().code, ErrorCode::kCorrupt);
  EXPECT_THAT(Refusal().text, StartsWith("a name in the archive leads out of the folder: '../../evil'"));
  EXPECT_THAT(EntriesOf(folder_.path()), ElementsAre(bundle_, scratch_));
  std::string many;
  for (int i = 0; i < 101; ++i) many += TarEntry("f" + std::to_string(i), "");
  WriteFile(bundle_, Sealed(ZstdFrame(many + TarEnd())));
  EXPECT_THAT(Refusal().text, StartsWith("the archive holds more than 100 files"));
}

TEST_F(ModelBundleTest, WhatAKilledExportLeftIsRemovedByTheNext) {
  const TempFolder folder;
  folder.Write(".m.tar.zst.tmp-0a1b-2c3d/files/options.yaml", "half");
  const fs::path at_work = folder / ".m.tar.zst.tmp-1111-2222";
  const std::optional<FileLock> lock = FileLock::TryAcquire(at_work / "lock", "process 1");
  const std::vector<fs::path> others = {folder.Write(".m.tar.zst.tmp-mine/x", ""),
                                        folder.Write(".m.tar.zst.tmp-0a1b-2c3d-4e5f/x", ""),
                                        folder.Write(".n.tar.zst.tmp-0a1b-2c3d/x", ""),
                                        folder.Write(".m.tar.zst.tmp-3333-4444", "a file")};
  SaveModel(SomeModel(), folder / "m.tar.zst");
  EXPECT_FALSE(fs::exists(folder / ".m.tar.zst.tmp-0a1b-2c3d"));
  EXPECT_TRUE(fs::exists(at_work)) << "of an export that goes on";
  for (const fs::path& other : others) EXPECT_TRUE(fs::exists(other)) << other;
  EXPECT_THAT(EntriesOf(folder.path()), testing::SizeIs(6)) << "nor is anything new left but the model";
}

TEST_F(ModelBundleTest, AnotherFormatIsRefused) {
  EditIndex([](Json& index) { index["format"] = 3; });
  EXPECT_EQ(Refusal().code, ErrorCode::kInput);
  EXPECT_EQ(Refusal().text,
            "the model has format 3, this program reads 2\n"
            "  hint: use a newer flyscribe, or export the model again with this one");
  EditIndex([](Json& index) { index["format"] = 1; });
  EXPECT_THAT(Refusal().text, HasSubstr("hint: export the model again with this flyscribe"));
}

TEST_F(ModelBundleTest, OtherPreprocessingIsRefused) {
  EditIndex([](Json& index) { index["preprocessing"]["step extract"] = "99"; });
  EXPECT_EQ(Refusal().code, ErrorCode::kInput);
  EXPECT_THAT(Refusal().text, StartsWith("the model was trained with version 99 of step extract, this program has "));
  EXPECT_THAT(Refusal().text, HasSubstr("hint: features would not be the same: use flyscribe " + Version()));
  Restore();
  EditIndex([](Json& index) { index["preprocessing"]["library opencv"] = "3.1"; });
  EXPECT_THAT(Refusal().text,
              StartsWith("the model was trained with version 3.1 of library opencv, this program has "));
  Restore();
  EditIndex([](Json& index) { index["preprocessing"].erase("library vlfeat"); });
  EXPECT_THAT(Refusal().text, StartsWith("the model was trained with version none of library vlfeat"));
  Restore();
  EditIndex([](Json& index) { index["preprocessing"]["step sharpen"] = "1"; });
  EXPECT_THAT(Refusal().text,
              StartsWith("the model was trained with version 1 of step sharpen, this program has none"));
}

TEST_F(ModelBundleTest, FilesAreThoseListed) {
  EditFile("ranges/4-6/summary.json", "0.15", "0.16", false);
  EXPECT_EQ(Refusal().text, "ranges/4-6/summary.json: same size, other content" + kHint);
  Restore();
  EditFile("ranges/4-6/summary.json", "0.15", "0.151", false);
  EXPECT_THAT(Refusal().text, testing::MatchesRegex("ranges/4-6/summary.json: [0-9]+ bytes instead of [0-9]+\n.*"));
  Restore();
  Edit([](const fs::path& root) { fs::remove(root / "ranges/13-16/weights.npy"); }, false);
  EXPECT_EQ(Refusal().text, "ranges/13-16/weights.npy: missing" + kHint);
  Restore();
  Edit([](const fs::path& root) { WriteFile(root / "more", "1"); }, false);
  EXPECT_EQ(Refusal().text, "more: not listed in model.json" + kHint);
  Restore();
  EditIndex([](Json& index) { index["files"][0]["name"] = "/etc/passwd"; });
  EXPECT_THAT(Refusal().text, StartsWith("model.json lists what is no file of a model: /etc/passwd"));
  Restore();
  EditIndex([](Json& index) { index["files"].push_back(index["files"][0]); });
  EXPECT_EQ(Refusal().text, "model.json: lists another number of files than a model has" + kHint);
  Restore();
  EditIndex([](Json& index) { index["files"].erase(2); });
  EXPECT_EQ(Refusal().text, "model.json: lists another number of files than a model has" + kHint);
  Restore();
  EditIndex([](Json& index) { index["files"][2] = index["files"][1]; });
  EXPECT_THAT(Refusal().text, HasSubstr("ranges/13-16/calibrations.json: not listed in model.json"));
  Restore();
  // Of a list that is too long no file is hashed: it is the only problem, although the first file does not fit either.
  EditIndex([](Json& index) {
    index["files"][0]["sha256"] = "";
    index["files"].push_back(index["files"][0]);
  });
  EXPECT_THAT(ReadBundle(bundle_, scratch_).problems, testing::SizeIs(1));
}

TEST_F(ModelBundleTest, TheIndexIsReadStrictly) {
  const std::vector<std::pair<std::function<void(Json&)>, std::string>> changes = {
      {[](Json& index) { index.erase("id"); }, "model.json: [json.exception.out_of_range.403]"},
      {[](Json& index) { index["ranges"][0]["genes"] = -1; }, "genes is not a count"},
      {[](Json& index) { index["ranges"][0]["genes"] = 3; }, "model.json counts something else for 4-6 than is there"},
      {[](Json& index) { index["ranges"][0]["range"] = "13-17"; }, "another name of a range"},
      {[](Json& index) { index["ranges"][0]["range"] = "../4-6"; }, "unknown stage range"},
      {[](Json& index) { index["ranges"].push_back(index["ranges"][1]); },
       "model.json lists a range twice, or not in its order: 13-16"},
      {[](Json& index) { std::swap(index["ranges"][0], index["ranges"][1]); },
       "model.json lists a range twice, or not in its order: 4-6"},
      {[](Json& index) { index["files"][0]["bytes"] = "1"; }, "bytes is not a count"},
      {[](Json& index) { index["id"] = "0123456789abcdef"; }, "the model's id is not that of its content"},
      {[](Json& index) { index["deep"] = Json::parse("[[[[[[1]]]]]]"); }, "model.json: nested too deeply"}};
  for (const auto& [change, text] : changes) {
    Restore();
    EditIndex(change);
    const CaughtError error = Refusal();
    EXPECT_EQ(error.code, ErrorCode::kCorrupt) << text;
    EXPECT_THAT(error.text, HasSubstr(text));
  }
}

// What is wrong is found also where all digests fit.
TEST_F(ModelBundleTest, ContentIsNotTrusted) {
  const std::vector<std::tuple<std::string, std::string, std::string, std::string>> edits = {
      {"options.yaml", "pool:", "pol:", "options.yaml: unknown key 'pol'"},
      {"options.yaml", "2x2", "2xx", "options.yaml: "},
      {"options.yaml",
       "regions: [1x1, 2x2]",
       "regions: [1x1]",
       "the weights are of 15 features, but the options give 3"},
      {"options.yaml", "stride: 16", "stride: 17", "the model's id is not that of its content"},
      {"provenance.json", "\"some\"", "17", "provenance.json: "},
      {"ranges/4-6/genes.tsv", "\t1\n", "\tx\n", "ranges/4-6/genes.tsv: "},
      {"ranges/4-6/genes.tsv", "\t1\n", "\t9\n", "a gene is of an inner fold that there is none of"},
      {"ranges/4-6/genes.tsv", "\t1\n", "\t-7\n", "ranges/4-6/genes.tsv: no inner fold: -7"},
      {"ranges/4-6/ontology.tsv", "gut", "gun", "ranges/4-6/ontology.tsv: lists other terms than terms.tsv"},
      {"ranges/4-6/ontology.tsv", "pole cell\t\n", "", "ranges/4-6/ontology.tsv: lists other terms than terms.tsv"},
      {"ranges/4-6/terms.tsv", "0.25", "nan", "ranges/4-6/terms.tsv: "},
      {"ranges/4-6/terms.tsv", "0.25", "0.35", "the model's id is not that of its content"},
      {"ranges/4-6/calibrations.json", "1.5", "-1.5", "ranges/4-6/calibrations.json: the calibration of 'gut'"},
      {"ranges/4-6/summary.json", "0.15", "-1", "lambda is not positive"},
      {"ranges/4-6/weights.npy", "(2, 15)", "(3, 15)", "ranges/4-6/weights.npy: "}};
  for (const auto& [name, from, to, text] : edits) {
    Restore();
    EditFile(name, from, to);
    const CaughtError error = Refusal();
    EXPECT_EQ(error.code, ErrorCode::kCorrupt) << text;
    EXPECT_THAT(error.text, HasSubstr(text));
  }
  Restore();
  Edit([](const fs::path& root) {
    FloatMatrix weights(2, 15, 0.25F);
    weights(1, 3) = std::numeric_limits<float>::infinity();
    WriteNpy<float>(root / "ranges/4-6/weights.npy", weights);
  });
  EXPECT_EQ(Refusal().text, "ranges/4-6/weights.npy: a number is not finite" + kHint);
}

TEST_F(ModelBundleTest, AllProblemsAndAllTheRestAreTold) {
  Edit(
      [](const fs::path& root) {
        WriteFile(root / "ranges/4-6/weights.npy", "broken");
        WriteFile(root / "provenance.json", "{");
      },
      false);
  const BundleContent content = ReadBundle(bundle_, scratch_);
  std::vector<std::string> messages;
  for (const Diagnostic& problem : content.problems) messages.push_back(problem.message);
  EXPECT_THAT(messages,
              ElementsAre(StartsWith("provenance.json: 1 bytes instead of "),
                          StartsWith("ranges/4-6/weights.npy: 6 bytes instead of "),
                          StartsWith("provenance.json: "),
                          StartsWith("ranges/4-6/weights.npy: ")));
  EXPECT_EQ(content.index.id, SomeModel().id);
  EXPECT_EQ(content.model.options.pool.regions.size(), 2U);
  ASSERT_EQ(content.model.ranges.size(), 1U) << "the other range is fine";
  EXPECT_EQ(content.model.ranges[0].genes, SomeModel().ranges[1].genes);
}

}  // namespace
}  // namespace flyscribe
