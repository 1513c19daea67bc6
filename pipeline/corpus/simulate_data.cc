#include "pipeline/corpus/simulate_data.h"

#include "imaging/encode.h"

namespace flyscribe {

SimulateSummary SimulateData(const Config& config, const fs::path& folder, int threads, Progress& progress) {
  const auto encode = [](const RgbImage& image) { return EncodeJpeg(image, kPhotographQuality); };
  return Simulate(config.simulate, config.StageRanges(), {folder, encode}, threads, progress);
}

}  // namespace flyscribe
