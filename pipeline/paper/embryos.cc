// Real full-size embryos: objective and non-zeros beside the paper's, with and without smoothing before SIFT.
#include <fmt/core.h>

#include <algorithm>

#include "core/text.h"
#include "pipeline/paper/experiment.h"
#include "pipeline/paper/options.h"
#include "pipeline/paper/published.h"

namespace flyscribe {
namespace {

// The two smaller sizes: some 14,000 patches do not fill more.
std::vector<int> SizesOf(const Study& study) {
  std::vector<int> sizes = study.Sizes();
  if (sizes.size() > 2) sizes.resize(2);
  return sizes;
}

Measurement On(const std::string& source, Measurement measurement) {
  measurement.range = "all";
  measurement.source = source;
  measurement.patches = 0;
  return measurement;
}

std::vector<Measurement> Wants(const Study& study) {
  std::vector<Measurement> wanted;
  if (study.options().embryos.empty()) return wanted;
  for (const EmbryoSource& source : EmbryoSources(study.config)) {
    for (const int atoms : SizesOf(study)) {
      wanted.push_back(On(source.name, study.Scc("all", atoms)));
      wanted.push_back(On(source.name, study.Minibatch("all", atoms)));
    }
  }
  return wanted;
}

// "0.1384-0.1503", over the five ranges.
std::string PublishedSpan(int atoms) {
  double low = 1.0;
  double high = 0.0;
  for (const std::string& range : PublishedRanges()) {
    const auto cell = PublishedTable1(atoms, range);
    if (!cell) return "-";
    low = std::min(low, cell->scc_objective);
    high = std::max(high, cell->scc_objective);
  }
  return FormatFixed(low, 4) + " to " + FormatFixed(high, 4);
}

ReproductionPart Tell(const Study& study, const Results& results) {
  ReproductionPart part{.name = "Embryos", .title = "real embryos at full size"};
  ReproductionTable table{.caption = "Objective and non-zeros of a code",
                          .header = {"smoothing",
                                     "m",
                                     "patches",
                                     "SCC published (five ranges)",
                                     "exact SCC",
                                     "mini-batch SCC",
                                     "non-zeros published",
                                     "exact SCC",
                                     "mini-batch SCC"},
                          .rows = {},
                          .note = {}};
  for (const EmbryoSource& source : EmbryoSources(study.config)) {
    for (const int atoms : SizesOf(study)) {
      const Measured& scc = results.Of(On(source.name, study.Scc("all", atoms)));
      const Measured& minibatch = results.Of(On(source.name, study.Minibatch("all", atoms)));
      table.rows.push_back({source.smoothing > 0.0 ? FormatReal(source.smoothing) + " px" : "none",
                            std::to_string(atoms),
                            std::to_string(scc.patches),
                            PublishedSpan(atoms),
                            FormatFixed(scc.Objective(), 4),
                            FormatFixed(minibatch.Objective(), 4),
                            "about 10",
                            FormatFixed(scc.nonzeros, 1),
                            FormatFixed(minibatch.nonzeros, 1)});
      table.note = ObjectiveNote(study);
    }
  }
  part.tables = {table};
  part.text = {fmt::format(
      "Every image of the folder of full-size embryos, all stage ranges and views together, learned from as "
      "one set for {} epochs. The paper does not say whether images were smoothed before SIFT.",
      study.config.learn.epochs)};
  part.incomparable = {
      "The paper has 20 to 70 times as many patches, one stage range at a time: with few patches a dictionary fits "
      "those it was learned from better, and m = 1000 gains more over m = 500."};
  return part;
}

}  // namespace

Experiment EmbryosExperiment() { return {"embryos", Wants, Tell}; }

}  // namespace flyscribe
