#include "pipeline/paper/embryo_sources.h"

#include "core/text.h"

namespace flyscribe {

std::vector<EmbryoSource> EmbryoSources(const PaperConfig& config) {
  if (config.reproduce.embryos.empty()) return {};
  std::vector<EmbryoSource> sources;
  if (config.extract.smoothing > 0.0) {
    sources.push_back({"smoothing=" + FormatReal(config.extract.smoothing), config.extract.smoothing});
  }
  sources.push_back({"smoothing=0", 0.0});
  return sources;
}

}  // namespace flyscribe
