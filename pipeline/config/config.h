// Everything a run is told: one struct per section, read strictly from YAML and --set, each option declared once in
// the module it belongs to.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "classify/train_options.h"
#include "core/fs.h"
#include "core/options.h"
#include "corpus/import.h"
#include "data/stage_range.h"
#include "descriptors/descriptor_options.h"
#include "evaluate/evaluate_options.h"
#include "imaging/standardise_options.h"
#include "pipeline/config/config_tree.h"
#include "pooling/pool_options.h"
#include "simulate/options.h"
#include "sparse/encode_options.h"
#include "sparse/learn_options.h"

namespace flyscribe {

// Top-level keys.
struct RunOptions {
  std::vector<std::string> ranges;
  std::string output = "output";
  int threads = 0;
  std::string simd = "auto";
  void Fields(OptionsVisitor& visit);
};

struct CacheOptions {
  std::string dir = "cache";
  std::string max_size = "none";
  double lock_timeout = 0.0;
  double checkpoint_seconds = 5.0;

  // In bytes; nothing if there is no limit. Throws Error(kUsage) if max_size is no size.
  std::optional<std::uint64_t> MaxBytes() const;
  void Fields(OptionsVisitor& visit);
};

// Where real data lies (docs/data.md). Not used with `simulate:`.
struct DataOptions {
  std::string annotations;
  std::string images_table;
  std::vector<std::string> images;
  void Fields(OptionsVisitor& visit);
};

// What terms mean (docs/ontology.md).
struct OntologyOptions {
  std::string map;
  std::string obo;
  bool merge_synonyms = false;
  bool propagate = false;
  void Fields(OptionsVisitor& visit);
  // Throws Error(kUsage) if ancestors are wanted without a file that has them.
  void Check() const;
};

// What is tested against what, and what may be learned from which genes.
struct ProtocolOptions {
  enum class Profile { kNone, kPaper, kStrict };
  enum class DictionaryFrom { kTraining, kAll };

  Profile profile = Profile::kNone;
  // How many of the outer folds are tested: 1 is a single hold-out split, ingest.folds is full cross-validation.
  int test_folds = 1;
  DictionaryFrom dictionary = DictionaryFrom::kTraining;
  bool pixel_baseline = false;
  void Fields(OptionsVisitor& visit);
  // Sets what a profile stands for; kNone changes nothing.
  void Apply(Profile chosen);
};

struct ReportOptions {
  std::string title = "flyscribe";
  int examples = 6;
  void Fields(OptionsVisitor& visit);
};

// One section: a name ("" for the top level), what it is about, its options, and what no single option can check.
struct ConfigSection {
  std::string name;
  std::string doc;
  std::function<void(OptionsVisitor&)> fields;
  std::function<void()> check = {};  // may be empty; throws Error(kUsage)
};

struct Config {
  std::string name;        // the file's name without folder and ending
  std::string path;        // of the file, absolute; empty if it was read from none
  bool simulated = false;  // has a `simulate:` section
  RunOptions run;
  CacheOptions cache;
  SimulateOptions simulate;
  DataOptions data;
  IngestOptions ingest;
  OntologyOptions ontology;
  StandardiseOptions standardise;
  ExtractOptions extract;
  NormaliseOptions normalise;
  LearnOptions learn;
  EncodeOptions encode;
  PoolOptions pool;
  TrainOptions train;
  EvaluateOptions evaluate;
  ProtocolOptions protocol;
  ReportOptions report;

  // In the order of docs and of the way of the data. The functions refer to this object.
  std::vector<ConfigSection> Sections();
  // REQUIRES: ranges were checked, as ReadConfig does.
  std::vector<StageRange> StageRanges() const;
  std::vector<std::string> RangeNames() const;
};

// Reads a config file and applies overrides ("learn.lambda=0.12"). `guests` are sections of the caller's own that are
// read along; a section of `reproduce` is left unread by all others. All problems are reported in one Error(kUsage).
Config ReadConfig(const fs::path& path,
                  const std::vector<std::string>& overrides,
                  const std::vector<ConfigSection>& guests = {});

// The same from a tree, for tests and for configs that are not files.
Config ReadConfigTree(const ConfigNode& root, const std::string& name, const std::vector<ConfigSection>& guests = {});

}  // namespace flyscribe
