// Figure 4: the adaptive rate 1 / h_jj against the best natural rate a / (t + b).
#include <fmt/core.h>

#include <cmath>
#include <set>

#include "core/text.h"
#include "pipeline/paper/experiment.h"

namespace flyscribe {
namespace {

constexpr double kLowest = -3.0;  // powers of ten: the paper's bounds
constexpr double kHighest = 3.0;

// The natural rates that are tried: every a with every b.
struct Grid {
  std::vector<double> a;
  std::vector<double> b;
};

// Evenly spread powers of ten; the middle one alone if only one is asked for.
Grid PapersGrid(const Study& study) {
  const int count = study.options().rate_grid;
  std::vector<double> values;
  for (int i = 0; i < count; ++i) {
    const double power = count == 1 ? 0.0 : kLowest + (kHighest - kLowest) * i / (count - 1);
    values.push_back(std::pow(10.0, power));
  }
  return {values, values};
}

// Behind the paper's upper bounds. The adaptive rate of an atom used as often as the others is 1 / h = m / (k z^2 t), k
// being the non-zeros of a code: some thousands / t for m = 1000, k = 10, z^2 = 0.05. So the bounds end below it.
const Grid& OuterGrid() {
  static const Grid grid = {{1e4, 1e5, 1e6}, {1e3, 1e4, 1e5}};
  return grid;
}

Measurement Natural(const Study& study, const std::string& range, double a, double b) {
  Measurement measurement = study.Scc(range, study.options().study_size);
  measurement.learn.rate = LearnOptions::Rate::kNatural;
  measurement.learn.rate_a = a;
  measurement.learn.rate_b = b;
  return measurement;
}

std::vector<Measurement> Wants(const Study& study) {
  std::vector<Measurement> wanted;
  for (const std::string& range : study.options().rate_ranges) {
    wanted.push_back(study.Scc(range, study.options().study_size));
    for (const Grid& grid : {PapersGrid(study), OuterGrid()}) {
      for (const double a : grid.a) {
        for (const double b : grid.b) wanted.push_back(Natural(study, range, a, b));
      }
    }
  }
  return wanted;
}

std::string RateName(double value) { return fmt::format("{:.3g}", value); }

// The best of a grid by its own last objective; none if all diverged.
struct NaturalRate {
  const Measured* run = nullptr;
  double a = 0.0;
  double b = 0.0;

  std::string Name() const { return fmt::format("a = {}, b = {}", RateName(a), RateName(b)); }
};

NaturalRate BestOf(const Study& study, const Results& results, const std::string& range, const Grid& grid) {
  NaturalRate best;
  for (const double a : grid.a) {
    for (const double b : grid.b) {
      const Measured& run = results.Of(Natural(study, range, a, b));
      if (run.diverged || (best.run != nullptr && run.Objective() >= best.run->Objective())) continue;
      best = {&run, a, b};
    }
  }
  return best;
}

// The rates of one stage range.
struct Rates {
  std::string range;
  const Measured* adaptive = nullptr;
  NaturalRate natural;  // within the paper's bounds
  NaturalRate outer;    // behind them
};

ReproductionTable GridTable(
    const Study& study, const Results& results, const std::string& range, const Grid& grid, const std::string& which) {
  ReproductionTable table;
  table.caption = "Objective after the last epoch with the natural rate, stages " + range + ", " + which;
  table.header = {"a \\ b"};
  for (const double b : grid.b) table.header.push_back("b = " + RateName(b));
  for (const double a : grid.a) {
    std::vector<std::string> row = {"a = " + RateName(a)};
    for (const double b : grid.b) {
      const Measured& run = results.Of(Natural(study, range, a, b));
      row.push_back(run.diverged ? "diverged" : FormatFixed(run.Objective(), 4));
    }
    table.rows.push_back(row);
  }
  return table;
}

LineChart RatesChart(const Rates& rates) {
  LineChart chart{
      .id = "fig4-" + rates.range,
      .title = "Stages " + rates.range,
      .description =
          "Exact objective after each epoch: adaptive rate, and the best natural rate of the paper's bounds.",
      .x = EpochAxis(rates.adaptive->objective.size()),
      .y = {},
      .series = {{"adaptive, 1 / h", SeriesStyle(0), PerEpoch(rates.adaptive->objective)}}};
  if (rates.natural.run != nullptr) {
    chart.series.push_back(
        {"natural, " + rates.natural.Name(), SeriesStyle(1), PerEpoch(rates.natural.run->objective)});
  }
  chart.y = ValueAxis("Objective", chart.series);
  return chart;
}

ReproductionCheck RatesCheck(const Rates& rates) {
  const std::string claim =
      "stages " + rates.range + ": the adaptive rate ends at or below the best natural rate within the paper's bounds";
  if (rates.natural.run == nullptr) return Check(true, claim, "every natural rate diverged");
  const double adaptive = rates.adaptive->Objective();
  const double natural = rates.natural.run->Objective();
  return Check(adaptive <= natural,
               claim,
               fmt::format("adaptive {:.5f}, natural {:.5f} ({}) with {}",
                           adaptive,
                           natural,
                           ExcessPercent(natural / adaptive - 1.0),
                           rates.natural.Name()));
}

// After the first and after the last epoch.
ReproductionTable RatesTable(const Study& study, const std::vector<Rates>& all) {
  ReproductionTable table{.caption = "Adaptive and best natural rate",
                          .header = {"Stages", "epoch", "adaptive", "best natural", "natural over adaptive", "a", "b"},
                          .note = ObjectiveNote(study) +
                                  " The natural rate is the best within the paper's bounds by its own last objective."};
  for (const Rates& rates : all) {
    const NaturalRate& natural = rates.natural;
    if (natural.run == nullptr) continue;
    for (const std::size_t epoch : std::set<std::size_t>{1, rates.adaptive->objective.size()}) {
      const double own = rates.adaptive->objective[epoch - 1];
      const double other = natural.run->objective[epoch - 1];
      table.rows.push_back({rates.range,
                            std::to_string(epoch),
                            FormatFixed(own, 4),
                            FormatFixed(other, 4),
                            ExcessPercent(other / own - 1.0),
                            RateName(natural.a),
                            RateName(natural.b)});
    }
  }
  return table;
}

// The paper finds the adaptive rate better all along. And a look behind the bounds it searched in.
void Compare(const Rates& rates, ReproductionPart& part) {
  if (rates.natural.run == nullptr) return;
  std::vector<std::string> lead;  // epochs after which the natural rate is ahead
  for (std::size_t i = 0; i < rates.adaptive->objective.size(); ++i) {
    if (rates.natural.run->objective[i] < rates.adaptive->objective[i]) lead.push_back(std::to_string(i + 1));
  }
  Say(lead.empty(),
      "Stages " + rates.range + ": the paper sees the adaptive rate ahead throughout; here " +
          (lead.empty() ? "it is so too." : "the best natural rate is ahead after epoch " + Join(lead, ", ") + "."),
      part);
  if (rates.outer.run == nullptr) return;
  const double outer = rates.outer.run->Objective();
  const double adaptive = rates.adaptive->Objective();
  Say(adaptive <= outer,
      fmt::format(
          "Stages {}: behind the bounds the paper searched in, the natural rate with {} ends at {:.5f}, {} from "
          "the adaptive rate's {:.5f}, which needs no search.",
          rates.range,
          rates.outer.Name(),
          outer,
          ExcessPercent(outer / adaptive - 1.0),
          adaptive),
      part);
}

ReproductionPart Tell(const Study& study, const Results& results) {
  ReproductionPart part{.name = "Figure 4", .title = "adaptive against natural learning rate"};
  std::vector<Rates> all;
  for (const std::string& range : study.options().rate_ranges) {
    all.push_back({range,
                   &results.Of(study.Scc(range, study.options().study_size)),
                   BestOf(study, results, range, PapersGrid(study)),
                   BestOf(study, results, range, OuterGrid())});
  }
  const int grid = study.options().rate_grid;
  part.text = {fmt::format(
      "Exact SCC, m = {}, {} epochs, 3 steps. a and b each take {} values within the paper's bounds, 1e-3 to 1e3, so "
      "{} natural rates are tried for each range; {} more lie behind these bounds. t counts visits of patches.",
      study.options().study_size,
      study.config.learn.epochs,
      grid,
      grid * grid,
      OuterGrid().a.size() * OuterGrid().b.size())};
  part.tables = {RatesTable(study, all)};
  for (const Rates& rates : all) {
    part.charts.push_back(RatesChart(rates));
    part.checks.push_back(RatesCheck(rates));
    part.tables.push_back(GridTable(study, results, rates.range, PapersGrid(study), "the paper's bounds"));
    part.tables.push_back(GridTable(study, results, rates.range, OuterGrid(), "behind them"));
    Compare(rates, part);
  }
  part.incomparable = {
      "The paper names neither the size of the dictionary, nor the values of a and b it tried, nor those it found "
      "best, and shows no numbers."};
  return part;
}

}  // namespace

Experiment Figure4Experiment() { return {"fig4", Wants, Tell}; }

}  // namespace flyscribe
