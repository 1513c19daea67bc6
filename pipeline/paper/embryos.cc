// Real full-size embryos: objective and non-zeros beside the paper's, with and without smoothing before SIFT.
#include <fmt/core.h>

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
  Span objectives;
  for (const std::string& range : PublishedRanges()) {
    const auto cell = PublishedTable1(atoms, range);
    if (!cell) return "-";
    objectives.Add(cell->scc_objective);
  }
  return objectives.Text([](double value) { return FormatFixed(value, 4); });
}

// One size, by one source of descriptors.
struct Row {
  double smoothing = 0.0;
  int atoms = 0;
  const Measured& scc;
  const Measured& minibatch;
};

ReproductionPart Tell(const Study& study, const Results& results) {
  ReproductionPart part{.name = "Embryos", .title = "real embryos at full size"};
  std::vector<Row> rows;
  for (const EmbryoSource& source : EmbryoSources(study.config)) {
    for (const int atoms : SizesOf(study)) {
      rows.push_back({source.smoothing,
                      atoms,
                      results.Of(On(source.name, study.Scc("all", atoms))),
                      results.Of(On(source.name, study.Minibatch("all", atoms)))});
    }
  }
  const auto smoothing = [](const Row& row) {
    return row.smoothing > 0.0 ? FormatReal(row.smoothing) + " px" : "none";
  };
  part.tables = {
      Tabulate<Row>("Objective and non-zeros of a code",
                    rows,
                    {{"smoothing", smoothing},
                     {"m", [](const Row& row) { return std::to_string(row.atoms); }},
                     {"patches", [](const Row& row) { return std::to_string(row.scc.patches); }},
                     {"SCC published (five ranges)", [](const Row& row) { return PublishedSpan(row.atoms); }},
                     {"exact SCC", [](const Row& row) { return FormatFixed(row.scc.Objective(), 4); }},
                     {"mini-batch SCC", [](const Row& row) { return FormatFixed(row.minibatch.Objective(), 4); }},
                     {"non-zeros published", [](const Row&) { return "about 10"; }},
                     {"exact SCC", [](const Row& row) { return FormatFixed(row.scc.nonzeros, 1); }},
                     {"mini-batch SCC", [](const Row& row) { return FormatFixed(row.minibatch.nonzeros, 1); }}},
                    ObjectiveNote(study))};
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
