// The options that come with a model, as text: options.yaml of a bundle.
#pragma once

#include <string>

#include "pipeline/config/config.h"

namespace flyscribe {

// Those that decide which images a model is for and what becomes of them, all else with its default: what
// Model::options holds.
Config ModelOptions(const Config& config);

// simd, views (ingest.views), standardise, extract, normalise, learn, encode and pool, every option that affects
// results.
std::string ModelOptionsYaml(const Config& options);

// The other way, as strictly as a config is read; variables of the environment have no meaning. An option that is not
// given has its default. An instruction set that this machine lacks becomes auto. Throws Error(kUsage) with all
// problems; `source` names the text.
Config ReadModelOptions(const std::string& text, const std::string& source);

}  // namespace flyscribe
