#include "pipeline/config/config.h"

#include <algorithm>

#include "core/text.h"
#include "pipeline/config/section_reader.h"
#include "pooling/pool.h"

namespace flyscribe {
namespace {

const std::string kSimulate = "simulate";
const std::string kData = "data";
// Sections that only one command reads, as its guests: others let them stand unread, so that `status` or `cache` can be
// given the same config.
const std::vector<std::string> kOfOneCommand = {"reproduce"};

// Not given, or given as an empty list. What is given but wrong has been reported already.
bool Lacks(const ConfigNode& node, const std::string& key) {
  const ConfigNode* value = node.Find(key);
  return value == nullptr || (value->kind == ConfigNode::Kind::kSequence && value->items.empty());
}

// What no single option can check.
void CheckWhole(const Config& config, const ConfigNode& root, std::vector<Diagnostic>& problems) {
  const Place here = {root.place.file};
  const bool has_data = root.Find(kData) != nullptr;
  if (Lacks(root, "ranges")) {
    problems.push_back({"ranges: no stage range is given", "for example: ranges: [4-6]", here});
  }
  if (config.simulated == has_data) {
    problems.push_back({has_data ? "both 'simulate' and 'data' are given" : "neither 'simulate' nor 'data' is given",
                        "a run reads real data (data:) or makes its own (simulate:)",
                        here});
  }
  if (const ConfigNode* data = root.Find(kData)) {
    if (Lacks(*data, "images_table") && Lacks(*data, "images")) {
      problems.push_back({kData + ": neither 'images_table' nor 'images' is given",
                          "images_table: a table of images; images: one or more folders of image files",
                          here});
    }
  }
  if (config.protocol.test_folds > config.ingest.folds) {
    problems.push_back({"protocol.test_folds: " + std::to_string(config.protocol.test_folds) +
                            " is more than ingest.folds = " + std::to_string(config.ingest.folds),
                        {},
                        here});
  }
  if (config.pool.codes == PoolOptions::Codes::kLearned &&
      config.protocol.dictionary == ProtocolOptions::DictionaryFrom::kTraining) {
    problems.push_back(
        {"pool.codes: learned, but the dictionary is learned from training genes only, so the tested "
         "bags have no such codes",
         "set `protocol: {dictionary: all}` as in the paper, or `pool: {codes: encoded}`",
         here});
  }
}

// Checks that a module makes itself, of options that are only wrong together or as a text.
void CheckModules(const Config& config,
                  const std::vector<ConfigSection>& guests,
                  const ConfigNode& root,
                  std::vector<Diagnostic>& problems) {
  const auto collect = [&](const std::function<void()>& check) { CollectProblems(check, root.place.file, problems); };
  collect([&] { config.cache.MaxBytes(); });
  collect([&] { config.simulate.Check(); });
  collect([&] { config.ontology.Check(); });
  collect([&] { config.extract.WindowSides(); });
  collect([&] { ParseRegions(config.pool.regions); });
  collect([&] { config.train.Check(); });
  for (const ConfigSection& guest : guests) {
    if (guest.check) collect(guest.check);
  }
}

// True if `inner` is `outer` or lies below it. Links are followed, so that no detour hides it.
bool LiesInside(const fs::path& inner, const fs::path& outer) {
  boost::system::error_code error_inner;
  boost::system::error_code error_outer;
  const fs::path a = fs::weakly_canonical(inner, error_inner);
  const fs::path b = fs::weakly_canonical(outer, error_outer);
  if (error_inner || error_outer) return false;  // whoever uses the folder will say what is wrong with it
  return std::mismatch(b.begin(), b.end(), a.begin(), a.end()).first == b.end();
}

// What a run writes must not be found again as an input, nor be cleared away with the cache's own.
void CheckFolders(const Config& config, const ConfigNode& root, std::vector<Diagnostic>& problems) {
  const std::size_t before = problems.size();
  const auto require_name = [&](const std::string& name, const std::string& folder, const ConfigNode* node) {
    if (!folder.empty()) return;
    problems.push_back({name + ": names no folder",
                        "give one, or leave the key out to keep the default",
                        node == nullptr ? root.place : node->place});
  };
  const ConfigNode* cache = root.Find("cache");
  require_name("output", config.run.output, root.Find("output"));
  require_name("cache.dir", config.cache.dir, cache == nullptr ? nullptr : cache->Find("dir"));
  if (problems.size() > before) return;  // nothing is where it says
  if (LiesInside(config.run.output, config.cache.dir)) {
    problems.push_back({"output: " + config.run.output + " lies inside the cache " + config.cache.dir,
                        "choose a folder outside, so that results are never cleared away with the cache",
                        {root.place.file}});
  }
  for (const std::string& images : config.data.images) {
    for (const auto& [name, folder] : {std::pair{"output", config.run.output}, {"cache.dir", config.cache.dir}}) {
      if (!LiesInside(folder, images)) continue;
      problems.push_back({std::string(name) + ": " + folder + " lies inside the image folder " + images,
                          "choose a folder outside, so that results are never read as images",
                          {root.place.file}});
    }
  }
}

}  // namespace

void RunOptions::Fields(OptionsVisitor& visit) {
  visit.Words({.name = "ranges",
               .doc = "Stage ranges to run, each on its own. 13-17 is read as 13-16.",
               .allowed = StageRange::Names()},
              ranges);
  visit.Word({.name = "output",
              .doc = "Folder for the report, the tables and run.json.",
              .effect = Effect::kSpeed,
              .is_path = true},
             output);
  visit.Integer({.name = "threads",
                 .doc = "Worker threads; 0 means one per core. Results are the same for any number.",
                 .min = 0,
                 .max = 1024,
                 .effect = Effect::kSpeed},
                threads);
  visit.Word({.name = "simd",
              .doc = "Vector instructions to use: auto takes the best this processor has; plain none, which is slow. "
                     "Results are the same with any.",
              .effect = Effect::kSpeed},
             simd);
}

void CacheOptions::Fields(OptionsVisitor& visit) {
  visit.Word({.name = "dir",
              .doc = "Folder for cached artifacts. It may be shared between configs.",
              .effect = Effect::kSpeed,
              .is_path = true},
             dir);
  visit.Word({.name = "max_size",
              .doc = "The cache is kept below this size, such as 20GB, by removing what was not used for the longest "
                     "time; never what the config itself needs. A run that cannot fit is refused before it begins.",
              .effect = Effect::kSpeed},
             max_size);
  visit.Real({.name = "lock_timeout",
              .doc = "Seconds to wait for another process that is computing the same artifact; 0 means as long as it "
                     "takes.",
              .min = 0,
              .max = 1e9,
              .effect = Effect::kSpeed},
             lock_timeout);
  visit.Real({.name = "checkpoint_seconds",
              .doc = "Learning saves its state after an epoch if it did not do so within this many seconds; 0 means "
                     "after every epoch. What is killed goes on from there.",
              .min = 0,
              .max = 1e9,
              .effect = Effect::kSpeed},
             checkpoint_seconds);
}

std::optional<std::uint64_t> CacheOptions::MaxBytes() const {
  if (max_size == "none") return std::nullopt;
  const std::optional<std::uint64_t> bytes = ParseBytes(max_size);
  if (!bytes) {
    throw Error(ErrorCode::kUsage,
                "cache.max_size: expected a size, found '" + max_size + "'",
                "for example 500MB, 20GB, or none");
  }
  return bytes;
}

void DataOptions::Fields(OptionsVisitor& visit) {
  visit.Word({.name = "annotations",
              .doc = "Table of who is annotated with what: BDGP's insitu_annot.csv, or another kind that is read; not "
                     "needed if the images table says it, as manifest.tsv does.",
              .is_path = true},
             annotations);
  visit.Word({.name = "images_table",
              .doc = "Table of images: BDGP's insitu_images.csv, a manifest.tsv, or another kind that is read. Without "
                     "one the folders are taken for trees <gene>/<stage range>/<image>.",
              .is_path = true},
             images_table);
  visit.Words({.name = "images",
               .doc = "Folders searched, with all folders below them, for image files by BDGP number. Of several files "
                      "of one number the largest image is used.",
               .is_path = true},
              images);
}

void OntologyOptions::Fields(OptionsVisitor& visit) {
  visit.Word({.name = "map",
              .doc = "SSSOM table of BDGP's terms and their FBbt ids; empty means the one that is built in.",
              .is_path = true},
             map);
  visit.Word({.name = "obo",
              .doc = "FlyBase's anatomy (fbbt.obo). Without it terms have ids, but no ancestors.",
              .is_path = true},
             obo);
  visit.Flag(
      {.name = "merge_synonyms", .doc = "Terms of one range with the same FBbt id become the most frequent one."},
      merge_synonyms);
  visit.Flag({.name = "propagate",
              .doc = "A bag also gets those terms of its range that are ancestors (is_a, part_of) of its own. Needs "
                     "ontology.obo."},
             propagate);
}

void OntologyOptions::Check() const {
  if (!propagate || !obo.empty()) return;
  throw Error(ErrorCode::kUsage,
              "ontology.propagate: there are no ancestors without ontology.obo",
              "name FlyBase's fbbt.obo (docs/ontology.md says where to get it), or set `propagate: false`");
}

void ProtocolOptions::Apply(Profile chosen) {
  profile = chosen;
  if (chosen == Profile::kNone) return;
  const bool paper = chosen == Profile::kPaper;
  test_folds = paper ? 1 : 5;
  dictionary = paper ? DictionaryFrom::kAll : DictionaryFrom::kTraining;
}

void ProtocolOptions::Fields(OptionsVisitor& visit) {
  visit.Choice({.name = "profile",
                .doc = "Defaults for the options below. paper: one random split, dictionary from all bags (add "
                       "pool.codes: learned for its tables); strict: five folds, dictionary from training genes only.",
                .allowed = {"none", "paper", "strict"},
                .effect = Effect::kSpeed},
               profile);
  if (visit.Reads()) Apply(profile);
  visit.Integer(
      {.name = "test_folds",
       .doc = "How many of the outer folds (ingest.folds) are tested, each by a model that never saw its genes: "
              "1 is a single hold-out split, ingest.folds is full cross-validation.",
       .min = 1,
       .max = 100},
      test_folds);
  visit.Choice(
      {.name = "dictionary",
       .doc = "Which genes' patches the dictionary is learned from: only the training genes of each fold, or all "
              "(as in the paper; labels are not used, but test images are).",
       .allowed = {"training", "all"}},
      dictionary);
  visit.Flag({.name = "pixel_baseline",
              .doc = "Also train and test the same classifiers, on the same folds, on 40x16 raw pixels, and show their "
                     "scores beside the others."},
             pixel_baseline);
}

void ReportOptions::Fields(OptionsVisitor& visit) {
  visit.Word({.name = "title", .doc = "Heading of the page."}, title);
  visit.Integer({.name = "examples", .doc = "Tested bags shown with their pictures, per range.", .min = 0, .max = 50},
                examples);
}

std::vector<ConfigSection> Config::Sections() {
  const auto section = [](const char* section_name, const char* doc, auto& options) {
    return ConfigSection{section_name, doc, [&options](OptionsVisitor& visit) { options.Fields(visit); }};
  };
  return {section("", "Top level.", run),
          section("cache", "Where artifacts are kept.", cache),
          section("simulate", "Synthetic embryos as input, made as a cached first step.", simulate),
          section("data", "Real images and tables as input.", data),
          section("ingest", "Tables and images into bags, labels and folds.", ingest),
          section("ontology", "What terms mean, and what that changes in the labels.", ontology),
          section("standardise", "Embryos to 320x128.", standardise),
          section("extract", "Windows on a grid, dense SIFT.", extract),
          section("normalise", "Zero mean, unit norm; flat windows dropped.", normalise),
          section("learn", "The dictionary, by stochastic coordinate coding.", learn),
          section("encode", "Sparse codes of all patches with the final dictionary.", encode),
          section("pool", "Codes of a bag's patches into one feature vector.", pool),
          section("train", "One linear classifier per term.", train),
          section("evaluate", "Scores on genes no model has seen.", evaluate),
          section("protocol", "What is tested, and what may be learned from which genes.", protocol),
          section("report", "The HTML page.", report)};
}

std::vector<StageRange> Config::StageRanges() const {
  std::vector<StageRange> ranges;
  for (const std::string& range : run.ranges) ranges.push_back(StageRange::FromName(range));
  std::sort(ranges.begin(), ranges.end());
  ranges.erase(std::unique(ranges.begin(), ranges.end()), ranges.end());
  return ranges;
}

std::vector<std::string> Config::RangeNames() const {
  std::vector<std::string> names;
  for (const StageRange range : StageRanges()) names.push_back(range.name());
  return names;
}

Config ReadConfigTree(const ConfigNode& root, const std::string& name, const std::vector<ConfigSection>& guests) {
  std::vector<Diagnostic> problems;
  if (root.kind != ConfigNode::Kind::kMap) {
    throw Error(ErrorCode::kUsage,
                "expected keys with values, found " + root.Describe(),
                "configs/quickstart.yaml is an example; `flyscribe defaults` lists all keys",
                root.place);
  }
  Config config;
  config.name = name;
  config.simulated = root.Find(kSimulate) != nullptr;
  std::vector<ConfigSection> sections = config.Sections();
  sections.insert(sections.end(), guests.begin(), guests.end());
  std::vector<std::string> names = kOfOneCommand;
  for (const ConfigSection& section : sections) {
    if (!section.name.empty()) names.push_back(section.name);
  }
  for (const ConfigSection& section : sections) {
    const bool top = section.name.empty();
    const ConfigNode* node = top ? &root : root.Find(section.name);
    if (!top && node != nullptr && node->kind != ConfigNode::Kind::kMap && node->kind != ConfigNode::Kind::kNull) {
      problems.push_back({section.name + ": expected a section with keys, found " + node->Describe(),
                          "`flyscribe defaults " + section.name + "` lists its keys",
                          node->place});
    }
    SectionReader reader(node, top ? "" : section.name + ".", ProcessEnvironment, problems);
    section.fields(reader);
    reader.ReportUnknownKeys(top ? names : std::vector<std::string>{});
  }
  CheckWhole(config, root, problems);
  CheckModules(config, guests, root, problems);
  CheckFolders(config, root, problems);
  if (!problems.empty()) throw Error(ErrorCode::kUsage, problems);
  config.run.output = fs::absolute(config.run.output).string();
  config.cache.dir = fs::absolute(config.cache.dir).string();
  return config;
}

Config ReadConfig(const fs::path& path,
                  const std::vector<std::string>& overrides,
                  const std::vector<ConfigSection>& guests) {
  ConfigNode root = ReadConfigFile(path);
  for (const std::string& argument : overrides) ApplyOverride(root, argument);
  Config config = ReadConfigTree(root, path.stem().string(), guests);
  config.path = fs::absolute(path).lexically_normal().string();
  return config;
}

}  // namespace flyscribe
