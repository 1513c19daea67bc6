// Figure 4: the adaptive rate 1 / h_jj against the best natural rate a / (t + b).
#include <fmt/core.h>

#include <cmath>

#include "core/text.h"
#include "pipeline/reproduce/experiment.h"

namespace flyscribe {
namespace {

constexpr double kLowest = -3.0;  // powers of ten
constexpr double kHighest = 3.0;

// Evenly spread powers of ten; the middle one alone if only one is asked for.
std::vector<double> GridOf(int count) {
  std::vector<double> grid;
  for (int i = 0; i < count; ++i) {
    const double power = count == 1 ? 0.0 : kLowest + (kHighest - kLowest) * i / (count - 1);
    grid.push_back(std::pow(10.0, power));
  }
  return grid;
}

Measurement Natural(const Study& study, const std::string& range, double a, double b) {
  Measurement measurement = study.Scc(range, study.options().study_size);
  measurement.learn.rate = LearnOptions::Rate::kNatural;
  measurement.learn.rate_a = a;
  measurement.learn.rate_b = b;
  return measurement;
}

std::vector<std::string> RangesOf(const Study& study) {
  std::vector<std::string> ranges;
  for (const std::string& range : study.options().rate_ranges) ranges.push_back(StageRange::FromName(range).name());
  return ranges;
}

std::vector<Measurement> Wants(const Study& study) {
  std::vector<Measurement> wanted;
  const std::vector<double> grid = GridOf(study.options().rate_grid);
  for (const std::string& range : RangesOf(study)) {
    wanted.push_back(study.Scc(range, study.options().study_size));
    for (const double a : grid) {
      for (const double b : grid) wanted.push_back(Natural(study, range, a, b));
    }
  }
  return wanted;
}

std::string RateName(double value) { return fmt::format("{:.3g}", value); }

// The two rates of one stage range.
struct Rates {
  std::string range;
  const Measured* adaptive = nullptr;
  const Measured* natural = nullptr;  // the best by its own last objective; null if all diverged
  double a = 0.0;
  double b = 0.0;
};

Rates RatesOf(const Study& study, const Results& results, const std::string& range) {
  Rates rates{range, &results.Of(study.Scc(range, study.options().study_size)), nullptr, 0.0, 0.0};
  const std::vector<double> grid = GridOf(study.options().rate_grid);
  for (const double a : grid) {
    for (const double b : grid) {
      const Measured& run = results.Of(Natural(study, range, a, b));
      if (run.diverged || (rates.natural != nullptr && run.Objective() >= rates.natural->Objective())) continue;
      rates.natural = &run;
      rates.a = a;
      rates.b = b;
    }
  }
  return rates;
}

ReproductionTable GridTable(const Study& study, const Results& results, const std::string& range) {
  const std::vector<double> grid = GridOf(study.options().rate_grid);
  ReproductionTable table;
  table.caption = "Objective after the last epoch with the natural rate, stages " + range;
  table.header = {"a \\ b"};
  for (const double b : grid) table.header.push_back("b = " + RateName(b));
  for (const double a : grid) {
    std::vector<std::string> row = {"a = " + RateName(a)};
    for (const double b : grid) {
      const Measured& run = results.Of(Natural(study, range, a, b));
      row.push_back(run.diverged ? "diverged" : FormatFixed(run.Objective(), 4));
    }
    table.rows.push_back(row);
  }
  return table;
}

LineChart RatesChart(const Rates& rates) {
  LineChart chart{.id = "fig4-" + rates.range,
                  .title = "Stages " + rates.range,
                  .description = "Exact objective after each epoch: adaptive rate, and the best natural rate found.",
                  .x = EpochAxis(rates.adaptive->objective.size()),
                  .y = {},
                  .series = {{"adaptive, 1 / h", SeriesStyle(0), PerEpoch(rates.adaptive->objective)}}};
  if (rates.natural != nullptr) {
    chart.series.push_back({fmt::format("natural, a = {}, b = {}", RateName(rates.a), RateName(rates.b)),
                            SeriesStyle(1),
                            PerEpoch(rates.natural->objective)});
  }
  chart.y = ValueAxis("Objective", chart.series);
  return chart;
}

ReproductionCheck RatesCheck(const Rates& rates) {
  const std::string claim = "stages " + rates.range + ": the adaptive rate ends at or below the best natural rate";
  if (rates.natural == nullptr) return Check(true, claim, "every natural rate diverged");
  const double adaptive = rates.adaptive->Objective();
  const double natural = rates.natural->Objective();
  return Check(adaptive <= natural,
               claim,
               fmt::format("adaptive {:.5f}, natural {:.5f} ({}) with a = {}, b = {}",
                           adaptive,
                           natural,
                           Percent(natural / adaptive - 1.0),
                           RateName(rates.a),
                           RateName(rates.b)));
}

// After the first and after the last epoch.
ReproductionTable RatesTable(const std::vector<Rates>& all) {
  ReproductionTable table{
      .caption = "Adaptive and best natural rate",
      .header = {"Stages", "epoch", "adaptive", "best natural", "natural over adaptive", "a", "b"},
      .rows = {},
      .note = ObjectiveNote(*all.front().adaptive) +
              " The natural rate is the best of the grid by its own last objective, as in the paper."};
  for (const Rates& rates : all) {
    if (rates.natural == nullptr) continue;
    for (const std::size_t epoch : {std::size_t{1}, rates.adaptive->objective.size()}) {
      const double own = rates.adaptive->objective[epoch - 1];
      const double other = rates.natural->objective[epoch - 1];
      table.rows.push_back({rates.range,
                            std::to_string(epoch),
                            FormatFixed(own, 4),
                            FormatFixed(other, 4),
                            Percent(other / own - 1.0),
                            RateName(rates.a),
                            RateName(rates.b)});
    }
  }
  return table;
}

ReproductionPart Tell(const Study& study, const Results& results) {
  ReproductionPart part{.name = "Figure 4", .title = "adaptive against natural learning rate"};
  std::vector<Rates> all;
  for (const std::string& range : RangesOf(study)) all.push_back(RatesOf(study, results, range));
  const int grid = study.options().rate_grid;
  part.text = {
      fmt::format("Exact SCC, m = {}, {} epochs, 3 steps. a and b each take {} values from 1e-3 to 1e3, so {} "
                  "natural rates are tried for each range; t counts visits of patches.",
                  study.options().study_size,
                  study.config.learn.epochs,
                  grid,
                  grid * grid)};
  part.tables = {RatesTable(all)};
  for (const Rates& rates : all) {
    part.charts.push_back(RatesChart(rates));
    part.checks.push_back(RatesCheck(rates));
    part.tables.push_back(GridTable(study, results, rates.range));
  }
  part.incomparable = {
      "The paper names neither the size of the dictionary, nor the values of a and b it tried, nor those it found "
      "best, "
      "and shows no numbers."};
  return part;
}

}  // namespace

Experiment Fig4Experiment() { return {"fig4", "Figure 4", Wants, Tell}; }

}  // namespace flyscribe
