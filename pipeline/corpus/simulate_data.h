// Simulates a config's data set: the one place where the simulator meets the JPEG encoder, which it may not know.
#pragma once

#include "core/fs.h"
#include "core/progress.h"
#include "pipeline/config/config.h"
#include "simulate/simulate.h"

namespace flyscribe {

// Quality of simulated photographs' JPEG files, in the middle of what BDGP's have.
inline constexpr int kPhotographQuality = 88;

// Writes config.simulate for the config's ranges into `folder`. Throws as Simulate does.
SimulateSummary SimulateData(const Config& config, const fs::path& folder, int threads, Progress& progress);

}  // namespace flyscribe
