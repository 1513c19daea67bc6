// The real full-size embryos of a config, as sources of descriptors: with and without smoothing.
#pragma once

#include <string>
#include <vector>

#include "pipeline/paper/options.h"

namespace flyscribe {

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
