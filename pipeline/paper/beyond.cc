// Beyond the paper: objective, time and memory against the size of the dictionary and the number of patches.
#include <fmt/core.h>

#include <array>

#include "core/text.h"
#include "pipeline/paper/experiment.h"

namespace flyscribe {
namespace {

constexpr std::array<int, 3> kShares = {4, 2, 1};

// Both methods at one size, on one patch in `share`.
std::vector<Measurement> Pair(const Study& study, int atoms, int share) {
  const std::string& range = study.options().race_range;
  std::vector<Measurement> pair = {study.Scc(range, atoms), study.Minibatch(range, atoms)};
  for (Measurement& each : pair) {
    each.learn.epochs = study.options().large_epochs;
    each.side_by_side = 1;
    each.share = share;
  }
  return pair;
}

std::vector<Measurement> Wants(const Study& study) {
  std::vector<Measurement> wanted;
  const auto add = [&](int atoms, int share) {
    for (Measurement& each : Pair(study, atoms, share)) wanted.push_back(std::move(each));
  };
  for (const int atoms : Numbers(study.options().large_sizes)) add(atoms, 1);
  for (const int share : kShares) add(study.Sizes().front(), share);
  return wanted;
}

// From the second epoch on: the first begins with empty codes.
double LaterMicroseconds(const Measured& run) {
  double seconds = 0.0;
  for (std::size_t i = 1; i < run.seconds.size(); ++i) seconds += run.seconds[i];
  return seconds * 1e6 / static_cast<double>(run.patches * (run.seconds.size() - 1));
}

// Both methods at one size, on one share of the patches.
struct Row {
  std::string name;
  const Measured& scc;
  const Measured& minibatch;
};

Row RowOf(const std::string& name, const Results& results, const std::vector<Measurement>& pair) {
  return {name, results.Of(pair[0]), results.Of(pair[1])};
}

ReproductionTable MethodsTable(const std::string& caption,
                               const std::string& first,
                               const std::vector<Row>& rows,
                               const std::string& note) {
  const auto memory = [](const Measured& run) { return HumanBytes(run.memory_peak - run.memory_before); };
  return Tabulate<Row>(
      caption,
      rows,
      {{first, [](const Row& row) { return row.name; }},
       {"objective, exact SCC", [](const Row& row) { return FormatFixed(row.scc.Objective(), 4); }},
       {"mini-batch SCC", [](const Row& row) { return FormatFixed(row.minibatch.Objective(), 4); }},
       {"us a visit, exact SCC", [](const Row& row) { return ThreeDigits(LaterMicroseconds(row.scc)); }},
       {"mini-batch SCC", [](const Row& row) { return ThreeDigits(LaterMicroseconds(row.minibatch)); }},
       {"memory, exact SCC", [=](const Row& row) { return memory(row.scc); }},
       {"mini-batch SCC", [=](const Row& row) { return memory(row.minibatch); }}},
      note);
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
  std::vector<Row> rows;
  for (const int atoms : Numbers(study.options().large_sizes)) {
    rows.push_back(RowOf(std::to_string(atoms), results, Pair(study, atoms, 1)));
  }
  return MethodsTable(
      "Against the size of the dictionary",
      "m",
      rows,
      "Time from the second epoch on, one thread, nothing else measured meanwhile. Memory is the anonymous memory that "
      "learning, checkpoints and the evaluation of objectives added at their peak; the patches lie in a mapped file. " +
          ObjectiveNote(study));
}

ReproductionTable SharesTable(const Study& study, const Results& results) {
  const int atoms = study.Sizes().front();
  std::vector<Row> rows;
  for (const int share : kShares) {
    const std::vector<Measurement> pair = Pair(study, atoms, share);
    rows.push_back(RowOf(std::to_string(results.Of(pair[0]).patches), results, pair));
  }
  return MethodsTable(
      fmt::format("Against the number of patches, m = {}", atoms),
      "n",
      rows,
      "Objectives are of one sample for all rows, so that of fewer patches most were not learned from.");
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
