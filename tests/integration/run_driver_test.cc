// What `run` can be asked for besides running: parts of the graph, force, sweeps, jobs, lock files, events.
#include <nlohmann/json.hpp>

#include "core/text.h"
#include "tests/integration/artifact_bytes.h"
#include "tests/integration/workspace.h"

namespace flyscribe {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::UnorderedElementsAre;

// One tiny run that all tests begin with.
class RunDriverTest : public Workspace {
 protected:
  static void SetUpTestSuite() {
    first_ = new TempFolder;
    RunBinary(FLYSCRIBE_BINARY, {"run", WriteConfig(*first_).string()}, first_->path());
  }
  static void TearDownTestSuite() {
    delete first_;
    first_ = nullptr;
  }
  static fs::path WriteConfig(const TempFolder& folder) {
    return folder.Write("tiny.yaml",
                        "ranges: [4-6]\noutput: output\ncache: {dir: cache}\n"
                        "simulate: {genes: 30, images_max: 2, seed: 7}\nextract: {stride: 32}\n"
                        "learn: {atoms: 24, epochs: 2}\ntrain: {min_positives: 5}\nreport: {examples: 2}\n");
  }

  // A copy of the first run's folder, to be used at will.
  RunDriverTest() {
    fs::remove(folder_.path());
    fs::copy(first_->path(), folder_.path(), fs::copy_options::recursive);
  }

  ProgramResult Run(std::vector<std::string> more) const {
    more.insert(more.begin(), {"run", "tiny.yaml"});
    return Flyscribe(more);
  }
  // The steps that were computed, from run.json.
  std::vector<std::string> Computed() const {
    std::vector<std::string> steps;
    const json run = json::parse(ReadFile(folder_ / "output" / "run.json"));
    for (const json& step : run.at("steps")) {
      if (step.at("state") == "run") steps.push_back(step.at("step"));
    }
    return steps;
  }
  // Of one of its files; returns which.
  fs::path FlipAByteOf(const std::string& step) const {
    fs::path file;
    for (const auto& entry : fs::recursive_directory_iterator(FolderOf(step))) {
      if (fs::is_regular_file(entry.path()) && entry.path().filename() != "manifest.json") file = entry.path();
    }
    FlipAByte(file);
    return file;
  }
  static void FlipAByte(const fs::path& file) {
    std::string content = ReadFile(file);
    content[content.size() / 2] = static_cast<char>(content[content.size() / 2] ^ 1);
    WriteFile(file, content);
  }
  // All of them, from run.json.
  std::vector<std::string> Steps() const {
    std::vector<std::string> steps;
    const json run = json::parse(ReadFile(folder_ / "output" / "run.json"));
    for (const json& step : run.at("steps")) steps.push_back(step.at("step"));
    return steps;
  }
  fs::path FolderOf(const std::string& step) const {
    const std::string range = step == "simulate" || step == "report" ? "all" : "4-6";
    return fs::directory_iterator(folder_ / "cache" / range / step)->path();
  }

 private:
  inline static TempFolder* first_ = nullptr;
};

TEST_F(RunDriverTest, UntilEndsEarly) {
  ASSERT_EQ(Run({"--until", "learn", "--set", "learn.lambda=0.2"}).exit_code, 0);
  EXPECT_THAT(Computed(), ElementsAre("learn"));
  const ProgramResult rest = Run({"--set", "learn.lambda=0.2"});
  EXPECT_THAT(Computed(), ElementsAre("encode", "pool", "train", "evaluate", "report"));
}

TEST_F(RunDriverTest, FromAndOnlyRefuseToComputeWhatComesBefore) {
  const ProgramResult from = Run({"--from", "encode", "--set", "learn.lambda=0.2"});
  EXPECT_EQ(from.exit_code, 4);
  EXPECT_THAT(
      from.err,
      HasSubstr("--from encode: error: learn for 4-6, fold-0 is not cached and would have to be computed first"));
  const ProgramResult only = Run({"--only", "pool", "--set", "learn.lambda=0.2"});
  EXPECT_EQ(only.exit_code, 4);
  EXPECT_THAT(only.err, HasSubstr("--only pool: error: "));
  ASSERT_EQ(Run({"--only", "learn", "--set", "learn.lambda=0.2"}).exit_code, 0);
  EXPECT_THAT(Computed(), ElementsAre("learn"));
  ASSERT_EQ(Run({"--from", "encode", "--until", "pool", "--set", "learn.lambda=0.2"}).exit_code, 0);
  EXPECT_THAT(Computed(), ElementsAre("encode", "pool"));
  const ProgramResult unknown = Run({"--until", "lern"});
  EXPECT_EQ(unknown.exit_code, 4);
  EXPECT_THAT(unknown.err, HasSubstr("unknown step 'lern'\n  hint: did you mean 'learn'?"));
}

TEST_F(RunDriverTest, WhatNobodyNeedsIsNotComputedAgain) {
  fs::remove_all(folder_ / "cache" / "4-6" / "extract");
  fs::remove_all(folder_ / "cache" / "4-6" / "normalise");
  const ProgramResult result = Run({});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(Computed(), ElementsAre());
  EXPECT_THAT(result.err, HasSubstr("not in the cache, and not needed"));
  // A new option of pool needs the patches, and so both.
  ASSERT_EQ(Run({"--set", "pool.signs=apart"}).exit_code, 0);
  EXPECT_THAT(Computed(), ElementsAre("extract", "normalise", "pool", "train", "evaluate", "report"));
}

TEST_F(RunDriverTest, ForceComparesTheBytes) {
  const auto before = ArtifactBytes(folder_ / "cache");
  const ProgramResult same = Run({"--force", "learn", "--force", "train"});
  EXPECT_EQ(same.exit_code, 0) << same.err;
  EXPECT_THAT(Computed(), ElementsAre("learn", "train"));
  EXPECT_THAT(same.err, HasSubstr("same bytes"));
  ASSERT_EQ(Run({"--force-all"}).exit_code, 0);
  EXPECT_EQ(Computed().size(), 11U);
  EXPECT_EQ(ArtifactBytes(folder_ / "cache"), before);
}

TEST_F(RunDriverTest, ForceTellsDamageFromNonDeterminism) {
  const fs::path file = FolderOf("learn") / "dictionary.npy";
  const std::string good = ReadFile(file);
  FlipAByte(file);
  const ProgramResult forced = Run({"--until", "learn", "--force", "learn"});
  EXPECT_EQ(forced.exit_code, 0) << forced.err;
  EXPECT_THAT(forced.err, HasSubstr("is damaged (dictionary.npy was changed)"));
  EXPECT_EQ(ReadFile(file), good);
}

TEST_F(RunDriverTest, ForceReportsNonDeterminism) {
  // An artifact changed together with its manifest, as if an earlier version had computed something else.
  const fs::path table = FolderOf("evaluate") / "averages.tsv";
  const std::string good = ReadFile(table);
  std::string other = good;
  other[other.size() - 2] = other[other.size() - 2] == '1' ? '2' : '1';
  const fs::path manifest_path = FolderOf("evaluate") / "manifest.json";
  std::string manifest = ReadFile(manifest_path);
  manifest.replace(manifest.find(Sha256OfText(good)), 64, Sha256OfText(other));
  const std::size_t digest = manifest.find("\"digest\": \"") + 11;
  manifest.replace(digest, 64, std::string(64, '0'));
  manifest.replace(digest, 64, Sha256OfText(manifest));
  WriteFile(table, other);
  WriteFile(manifest_path, manifest);
  ASSERT_EQ(Run({}).exit_code, 0) << "it is consistent";

  const ProgramResult forced = Run({"--force", "evaluate"});
  EXPECT_EQ(forced.exit_code, 1);
  EXPECT_THAT(forced.err,
              HasSubstr("evaluate for 4-6 was computed again and came out different in averages.tsv: it is not "
                        "deterministic"));
  EXPECT_THAT(Computed(), ElementsAre("evaluate", "report")) << "what was made from the old bytes is made again";
  EXPECT_EQ(ReadFile(table), good);
  EXPECT_FALSE(fs::is_empty(folder_ / "cache" / "damaged"));
}

TEST_F(RunDriverTest, LockFilesAreWrittenAndHeldTo) {
  const fs::path lock = folder_ / "output" / "lock" / "4-6.yaml";
  const std::string text = ReadFile(lock);
  for (const char* fact : {"range: 4-6\n", "  learn.atoms: 24\n", "  images: ", "  step learn: ", "  report"}) {
    EXPECT_EQ(text.find(fact) == std::string::npos, std::string(fact) == "  report") << fact;
  }
  EXPECT_EQ(Run({"--locked"}).exit_code, 0);
  const ProgramResult changed = Run({"--locked", "--set", "learn.lambda=0.2", "--set", "train.c=2"});
  EXPECT_EQ(changed.exit_code, 4);
  EXPECT_THAT(changed.err, HasSubstr("lock/4-6.yaml: error: options: learn.lambda: locked 0.1, now 0.2"));
  EXPECT_THAT(changed.err, HasSubstr("options: train.c: locked 1, now 2"));
  EXPECT_THAT(changed.err, HasSubstr("run without --locked to accept the change"));
  EXPECT_EQ(ReadFile(lock), text);
  // Computed anew, with the same result.
  fs::remove_all(folder_ / "cache");
  EXPECT_EQ(Run({"--locked"}).exit_code, 0);
  // A result that is not the one locked.
  std::string other = text;
  const std::size_t results = other.find("results:");
  const std::size_t digit = other.find("evaluate: ", results) + 10;
  other[digit] = other[digit] == '0' ? '1' : '0';
  WriteFile(lock, other);
  const ProgramResult differs = Run({"--locked"});
  EXPECT_EQ(differs.exit_code, 6);
  EXPECT_THAT(differs.err, HasSubstr("results: evaluate: locked "));
  EXPECT_EQ(json::parse(ReadFile(folder_ / "output" / "run.json")).at("exit_code"), 6);
  fs::remove(lock);
  const ProgramResult missing = Run({"--locked"});
  EXPECT_EQ(missing.exit_code, 4);
  EXPECT_THAT(missing.err, HasSubstr("there is no lock file\n  hint: run once without --locked"));
}

TEST_F(RunDriverTest, ASweepComputesSharedStepsOnce) {
  const ProgramResult sweep = Run({"--sweep", "learn.atoms=24,32", "--sweep", "train.c=1,2", "--jobs", "2"});
  ASSERT_EQ(sweep.exit_code, 0) << sweep.err;
  const std::vector<std::string> lines = Split(ReadFile(folder_ / "output" / "sweep.tsv"), '\n');
  ASSERT_EQ(lines.size(), 6U) << "header, four points, end";
  EXPECT_THAT(lines[0], testing::StartsWith("learn.atoms\ttrain.c\trange\tstate\tmacro_auc_top\t"));
  EXPECT_THAT(lines[1], testing::StartsWith("24\t1\t4-6\tdone\t0."));
  EXPECT_THAT(lines[4], testing::StartsWith("32\t2\t4-6\tdone\t0."));
  // One more dictionary, not three.
  const fs::directory_iterator dictionaries(folder_ / "cache" / "4-6" / "learn");
  EXPECT_EQ(std::distance(dictionaries, fs::directory_iterator()), 2);
  EXPECT_THAT(ReadFile(folder_ / "output" / "report" / "index.html"),
              HasSubstr("../points/learn.atoms=32_train.c=2/report/index.html"));
  EXPECT_TRUE(fs::exists(folder_ / "output" / "points" / "learn.atoms=32_train.c=2" / "report" / "index.html"));
  EXPECT_THAT(sweep.out, HasSubstr("\n  24           1        4-6    done"));
  EXPECT_THAT(Flyscribe({"status", "--cache", "cache"}).out, HasSubstr("train 4-6 fold-0 [learn.atoms=32 train.c=2]"));
  EXPECT_TRUE(fs::exists(folder_ / "output" / "points" / "learn.atoms=24_train.c=1" / "lock" / "4-6.yaml"));
}

TEST_F(RunDriverTest, ASweepOverWhatOnlyLabelsDependOn) {
  // Both points share the images and the dictionary, but not ingest.
  const ProgramResult sweep = Run({"--sweep", "ingest.permute_labels=0,1"});
  ASSERT_EQ(sweep.exit_code, 0) << sweep.err;
  EXPECT_EQ(Split(ReadFile(folder_ / "output" / "sweep.tsv"), '\n').size(), 4U);
  for (const char* point : {"ingest.permute_labels=0", "ingest.permute_labels=1"}) {
    EXPECT_TRUE(fs::exists(folder_ / "output" / "points" / point / "report" / "index.html")) << point;
  }
}

TEST_F(RunDriverTest, AFailedPointStaysListedAndTheOthersGoOn) {
  // No window deviates that much: learn has nothing to learn from.
  const ProgramResult sweep = Run({"--sweep", "normalise.min_deviation=127.5,1"});
  EXPECT_EQ(sweep.exit_code, 5);
  EXPECT_THAT(sweep.err, HasSubstr("normalise.min_deviation=127.5: error: "));
  const std::vector<std::string> lines = Split(ReadFile(folder_ / "output" / "sweep.tsv"), '\n');
  EXPECT_THAT(lines.at(1), testing::StartsWith("127.5\t4-6\tfailed\t"));
  EXPECT_THAT(lines.at(1), HasSubstr("while running learn for 4-6, fold-0"));
  EXPECT_THAT(lines.at(2), testing::StartsWith("1\t4-6\tdone\t0."));
}

TEST_F(RunDriverTest, ErrorsOfASweepPointAtItsArgument) {
  const ProgramResult wrong = Run({"--sweep", "learn.atoms=24,many"});
  EXPECT_EQ(wrong.exit_code, 4);
  EXPECT_THAT(wrong.err, HasSubstr("--sweep learn.atoms=many: error: learn.atoms"));
  EXPECT_THAT(Run({"--set", "learn.lamda=1"}).err, HasSubstr("--set learn.lamda=1: error: learn.lamda: unknown key"));
}

TEST_F(RunDriverTest, KeepGoingFinishesTheOtherRanges) {
  ASSERT_EQ(
      Flyscribe({"simulate", "--output", "data", "--ranges", "4-6,7-8", "--set", "genes=30", "--set", "images_max=1"})
          .exit_code,
      0);
  folder_.Write("real.yaml",
                "ranges: [4-6, 7-8]\noutput: real\ncache: {dir: cache}\n"
                "data:\n  annotations: data/insitu_annot.csv\n  images_table: data/insitu_images.csv\n"
                "  images: [data/images]\nextract: {stride: 32}\nlearn: {atoms: 24, epochs: 2}\n"
                "train: {min_positives: 5}\nreport: {examples: 2}\ningest: {on_bad_image: fail}\n");
  // One picture of the second range is no picture.
  ASSERT_EQ(Flyscribe({"run", "real.yaml", "--until", "ingest"}).exit_code, 0);
  const fs::path ingest = fs::directory_iterator(folder_ / "cache" / "7-8" / "ingest")->path();
  const std::string file = Split(Split(ReadFile(ingest / "images.tsv"), '\n').at(1), '\t').at(2);
  WriteFile(folder_ / "data" / "images" / file, "no picture");
  const ProgramResult stopped = Flyscribe({"run", "real.yaml", "--jobs", "2", "--keep-going"});
  EXPECT_EQ(stopped.exit_code, 5) << stopped.err;
  EXPECT_THAT(stopped.err, HasSubstr("while running standardise for 7-8"));
  EXPECT_TRUE(fs::exists(folder_ / "real" / "4-6" / "terms.tsv"));
  EXPECT_FALSE(fs::exists(folder_ / "real" / "7-8" / "terms.tsv"));
}

TEST_F(RunDriverTest, JobsGiveTheSameBytes) {
  fs::remove_all(folder_ / "cache");
  ASSERT_EQ(Run({"--jobs", "4", "--set", "protocol.test_folds=3"}).exit_code, 0);
  const auto parallel = ArtifactBytes(folder_ / "cache");
  fs::remove_all(folder_ / "cache");
  ASSERT_EQ(Run({"--set", "protocol.test_folds=3"}).exit_code, 0);
  EXPECT_EQ(ArtifactBytes(folder_ / "cache"), parallel);
}

TEST_F(RunDriverTest, EventsAreJsonLines) {
  const ProgramResult result = Run({"--json", "--set", "train.c=3"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.err, "");
  std::vector<std::string> events;
  for (const std::string& line : Split(result.out, '\n')) {
    if (!line.empty()) events.push_back(json::parse(line).at("event"));
  }
  EXPECT_EQ(events.front(), "plan");
  EXPECT_EQ(events.back(), "end");
  EXPECT_EQ(std::count(events.begin(), events.end(), "start"), 3);
  EXPECT_EQ(std::count(events.begin(), events.end(), "finish"), 11);
}

TEST_F(RunDriverTest, OneFlippedByteIsFoundNamedAndMadeGood) {
  const auto before = ArtifactBytes(folder_ / "cache");
  // One file of every step; each a hit by its size.
  for (const std::string& step : Steps()) FlipAByteOf(step);
  const ProgramResult verified = Flyscribe({"cache", "verify", "--cache", "cache"});
  EXPECT_EQ(verified.exit_code, 6);
  EXPECT_THAT(verified.out, HasSubstr("11 damaged"));
  EXPECT_THAT(verified.err, HasSubstr("was changed); moved to damaged/"));
  ASSERT_EQ(Run({}).exit_code, 0);
  EXPECT_EQ(Computed().size(), 11U);
  EXPECT_EQ(ArtifactBytes(folder_ / "cache"), before);
}

TEST_F(RunDriverTest, DamageIsFoundOnUse) {
  const auto before = ArtifactBytes(folder_ / "cache");
  for (const char* step : {"evaluate", "report", "simulate", "pool"}) {
    const fs::path file = FlipAByteOf(step);
    const ProgramResult result = Run({"--set", "train.c=" + std::string(step == std::string("pool") ? "2" : "1")});
    EXPECT_EQ(result.exit_code, 0) << step;
    EXPECT_THAT(result.err, HasSubstr(std::string("/") + step + "/")) << result.err;
    EXPECT_THAT(result.err, HasSubstr("is damaged (" + file.filename().string() + " was changed)")) << result.err;
  }
  for (const auto& [name, digest] : before) EXPECT_EQ(Sha256OfFile(folder_ / "cache" / name), digest) << name;
}

TEST_F(RunDriverTest, APlanThatCannotFitIsRefusedUpFront) {
  const ProgramResult refused = Run({"--set", "cache.max_size=100kB"});
  EXPECT_EQ(refused.exit_code, 8);
  EXPECT_THAT(refused.err, HasSubstr("but cache.max_size is 100 kB"));
  EXPECT_THAT(refused.err, HasSubstr("hint: raise cache.max_size"));
  EXPECT_FALSE(fs::exists(folder_ / "output" / "run.json")) << "no old success is left";
  const ProgramResult wrong = Run({"--set", "cache.max_size=lots"});
  EXPECT_EQ(wrong.exit_code, 4);
  EXPECT_THAT(wrong.err, HasSubstr("cache.max_size: expected a size, found 'lots'"));
}

TEST_F(RunDriverTest, AFolderThatIsNoCacheIsNotTouched) {
  folder_.Write("project/tmp/thesis", "x");
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"run", "tiny.yaml", "--set", "cache.dir=project"},
        {"cache", "gc", "--cache", "project"},
        {"cache", "verify", "--cache", "project"}}) {
    const ProgramResult refused = Flyscribe(command);
    EXPECT_EQ(refused.exit_code, 4) << command[0];
    EXPECT_THAT(refused.err, HasSubstr("project: error: this folder is no cache of flyscribe, and is not empty"));
  }
  EXPECT_TRUE(fs::exists(folder_ / "project" / "tmp" / "thesis"));
  const ProgramResult inside = Run({"--set", "output=cache/tmp/out"});
  EXPECT_EQ(inside.exit_code, 4);
  EXPECT_THAT(inside.err, HasSubstr("lies inside the cache"));
}

TEST_F(RunDriverTest, OptionsMayComeBeforeTheConfig) {
  const ProgramResult result =
      Flyscribe({"run", "--set", "learn.lambda=0.1", "--force", "report", "tiny.yaml", "--quiet"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
}

TEST_F(RunDriverTest, TheLimitRemovesWhatOthersLeft) {
  const json before = json::parse(Flyscribe({"cache", "size", "--cache", "cache", "--json"}).out);
  const std::string limit = std::to_string(before.at("bytes").get<std::uint64_t>() + 200000);
  for (const char* lambda : {"0.11", "0.12", "0.13", "0.14"}) {
    ASSERT_EQ(Run({"--set", std::string("learn.lambda=") + lambda, "--set", "cache.max_size=" + limit}).exit_code, 0);
    const json size = json::parse(Flyscribe({"cache", "size", "--cache", "cache", "--json"}).out);
    EXPECT_LE(size.at("bytes").get<std::uint64_t>(), std::stoull(limit)) << lambda;
  }
  const ProgramResult last = Run({"--set", "learn.lambda=0.14"});
  EXPECT_THAT(Computed(), ElementsAre()) << "the latest stay";
}

}  // namespace
}  // namespace flyscribe
