// What `flyscribe reproduce` measures, and how much of it: the section `reproduce` of a config.
//
// lambda, epochs and the seed are those of the section `learn`; the first dictionaries, orders of visits and
// objectives follow from them. Nothing here is part of a step's cache key: each measurement's key names what it is.
#pragma once

#include <string>
#include <vector>

#include "core/fs.h"
#include "core/options.h"
#include "pipeline/config/config.h"

namespace flyscribe {

struct ReproduceOptions {
  enum class Descriptors { kSimulated, kImages };

  Descriptors descriptors = Descriptors::kSimulated;
  int max_patches = 0;
  std::vector<std::string> sizes = {"500", "1000", "2000"};
  int objective_patches = 20000;
  int online_visits = 200;
  int repeats = 3;
  int run_repeats = 1;
  int side_by_side = 1;
  int study_size = 1000;
  std::string cd_range = "4-6";
  std::vector<std::string> cd_steps = {"1", "3", "5", "7", "9"};
  std::vector<std::string> rate_ranges = {"9-10", "11-12"};
  int rate_grid = 7;
  std::string race_range = "7-8";
  std::vector<std::string> large_sizes = {"1000", "2000", "4000", "8000"};
  int large_epochs = 4;
  int annotation_epochs = 10;
  std::string embryos;

  void Fields(OptionsVisitor& visit);
  // Throws Error(kUsage) with all lists of numbers that are none.
  void Check() const;
};

// A config whose section `reproduce` is read too; to all others it is a Config.
struct PaperConfig : Config {
  ReproduceOptions reproduce;
};

// The section as ReadConfig, EffectiveYaml and the pages of defaults take it. REQUIRES: options outlives it.
ConfigSection ReproduceSection(ReproduceOptions& options);

PaperConfig ReadPaperConfig(const fs::path& path, const std::vector<std::string>& overrides);
// All options, the reproduction's too, as a config that would give the same.
std::string EffectivePaperYaml(PaperConfig config);

// "500" -> 500 for each of a checked list, rising.
std::vector<int> Numbers(const std::vector<std::string>& words);

// The real full-size embryos of a config, as a source of descriptors.
struct EmbryoSource {
  std::string name;  // Measurement::source
  double smoothing = 0.0;

  // The config its descriptors are extracted by.
  Config Apply(Config config) const {
    config.extract.smoothing = smoothing;
    return config;
  }
};

// None without reproduce.embryos; else by the config's smoothing, then without any (once, if that is the same).
std::vector<EmbryoSource> EmbryoSources(const PaperConfig& config);

}  // namespace flyscribe
