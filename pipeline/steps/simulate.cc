// simulate: synthetic embryos in BDGP's own layout, so that the demo takes the same way as real data.
#include "core/text.h"
#include "imaging/image_file.h"
#include "pipeline/corpus/corpus_source.h"
#include "pipeline/steps/step.h"

namespace flyscribe {
namespace {

void Describe(const Config& config, ArtifactKey& key) {
  key.AddOptions("simulate", KeyText(config.simulate));
  std::vector<std::string> ranges;
  for (const std::string& range : config.RangeNames()) ranges.push_back("\"" + range + "\"");
  key.AddOptions("", "ranges: [" + Join(ranges, ", ") + "]");
  // Only photographs are written by a library.
  if (config.simulate.photographs) key.AddLibrary("opencv", ImagingLibraryVersion());
}

void Run(StepContext& context) {
  const SimulateSummary summary = SimulateData(context.config, context.output, context.threads, context.progress);
  context.AddFact("images", std::to_string(summary.images));
}

}  // namespace

StepCode SimulateCode() { return {Describe, Run}; }

}  // namespace flyscribe
