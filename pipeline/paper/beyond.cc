// Beyond the paper: objective, time and memory against the size of the dictionary and the number of patches.
#include <fmt/core.h>

#include "core/text.h"
#include "pipeline/paper/experiment.h"

namespace flyscribe {
namespace {

const std::vector<int>& Shares() {
  static const std::vector<int> shares = {4, 2, 1};
  return shares;
}

Measurement Shorter(const Study& study, Measurement measurement) {
  measurement.learn.epochs = study.options().large_epochs;
  measurement.side_by_side = 1;
  return measurement;
}

// Both methods at one size, on one patch in `share`.
std::vector<Measurement> Pair(const Study& study, int atoms, int share) {
  const std::string& range = study.options().race_range;
  std::vector<Measurement> pair = {Shorter(study, study.Scc(range, atoms)),
                                   Shorter(study, study.Minibatch(range, atoms))};
  for (Measurement& each : pair) each.share = share;
  return pair;
}

std::vector<Measurement> Wants(const Study& study) {
  std::vector<Measurement> wanted;
  const auto add = [&](int atoms, int share) {
    for (Measurement& each : Pair(study, atoms, share)) wanted.push_back(std::move(each));
  };
  for (const int atoms : Numbers(study.options().large_sizes)) add(atoms, 1);
  for (const int share : Shares()) add(study.Sizes().front(), share);
  return wanted;
}

// From the second epoch on: the first begins with empty codes.
double LaterMicroseconds(const Measured& run) {
  double seconds = 0.0;
  for (std::size_t i = 1; i < run.seconds.size(); ++i) seconds += run.seconds[i];
  return seconds * 1e6 / static_cast<double>(run.patches * (run.seconds.size() - 1));
}

std::string MemoryText(const Measured& run) { return HumanBytes(run.memory_peak - run.memory_before); }

std::vector<std::string> Row(const std::string& name, const Measured& scc, const Measured& minibatch) {
  return {name,
          FormatFixed(scc.Objective(), 4),
          FormatFixed(minibatch.Objective(), 4),
          ThreeDigits(LaterMicroseconds(scc)),
          ThreeDigits(LaterMicroseconds(minibatch)),
          MemoryText(scc),
          MemoryText(minibatch)};
}

std::vector<std::string> HeaderOf(const std::string& first) {
  return {first,
          "objective, exact SCC",
          "mini-batch SCC",
          "us a visit, exact SCC",
          "mini-batch SCC",
          "memory, exact SCC",
          "mini-batch SCC"};
}

// One line a method over the size of the dictionary.
LineChart SizesChart(const Study& study,
                     const Results& results,
                     const std::string& label,
                     double (*value)(const Measured&)) {
  LineChart chart{.id = "beyond-" + ToLower(label.substr(0, label.find(' '))),
                  .title = label,
                  .description = "Over the size of the dictionary, for exact and mini-batch SCC.",
                  .x = NiceAxis("Atoms, m", 0.0, Numbers(study.options().large_sizes).back()),
                  .y = {},
                  .series = {{"exact SCC", SeriesStyle(0), {}}, {"mini-batch SCC", SeriesStyle(1), {}}}};
  for (const int atoms : Numbers(study.options().large_sizes)) {
    const std::vector<Measurement> pair = Pair(study, atoms, 1);
    for (std::size_t i = 0; i < pair.size(); ++i) {
      chart.series[i].points.push_back({static_cast<double>(atoms), value(results.Of(pair[i]))});
    }
  }
  chart.y = ValueAxis(label, chart.series);
  return chart;
}

ReproductionTable SizesTable(const Study& study, const Results& results) {
  ReproductionTable table{
      .caption = "Against the size of the dictionary",
      .header = HeaderOf("m"),
      .rows = {},
      .note =
          "Time from the second epoch on, one thread, nothing else measured meanwhile. Memory is the anonymous memory "
          "that learning, checkpoints and the evaluation of objectives added at their peak; the patches lie in a "
          "mapped file. " +
          ObjectiveNote(study)};
  for (const int atoms : Numbers(study.options().large_sizes)) {
    const std::vector<Measurement> pair = Pair(study, atoms, 1);
    table.rows.push_back(Row(std::to_string(atoms), results.Of(pair[0]), results.Of(pair[1])));
  }
  return table;
}

ReproductionTable SharesTable(const Study& study, const Results& results) {
  const int atoms = study.Sizes().front();
  ReproductionTable table{
      .caption = fmt::format("Against the number of patches, m = {}", atoms),
      .header = HeaderOf("n"),
      .rows = {},
      .note = "Objectives are of one sample for all rows, so that of fewer patches most were not learned from."};
  for (const int share : Shares()) {
    const std::vector<Measurement> pair = Pair(study, atoms, share);
    const Measured& scc = results.Of(pair[0]);
    table.rows.push_back(Row(std::to_string(scc.patches), scc, results.Of(pair[1])));
  }
  return table;
}

// How much longer a visit takes at the largest size than at the smallest.
double Growth(const Series& series) { return series.points.back().y / series.points.front().y; }

ReproductionPart Tell(const Study& study, const Results& results) {
  ReproductionPart part{.name = "Beyond", .title = "larger dictionaries, more patches"};
  const LineChart time = SizesChart(study, results, "Microseconds a visit", LaterMicroseconds);
  const LineChart objective =
      SizesChart(study, results, "Objective", [](const Measured& run) { return run.Objective(); });
  part.charts = {objective, time};
  part.tables = {SizesTable(study, results), SharesTable(study, results)};
  const std::vector<int> sizes = Numbers(study.options().large_sizes);
  part.text = {
      fmt::format("Stage range {}, {} epochs. The paper stops at m = 2000.",
                  study.options().race_range,
                  study.options().large_epochs),
      fmt::format(
          "From m = {} to {}, {} the atoms, a visit takes {} the time with exact SCC and {} with mini-batch SCC.",
          sizes.front(),
          sizes.back(),
          Times(static_cast<double>(sizes.back()) / static_cast<double>(sizes.front())),
          Times(Growth(time.series[0])),
          Times(Growth(time.series[1])))};
  return part;
}

}  // namespace

Experiment BeyondExperiment() { return {"beyond", Wants, Tell}; }

}  // namespace flyscribe
