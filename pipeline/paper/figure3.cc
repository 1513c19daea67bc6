// Figure 3: the number of coordinate-descent steps: objective per epoch, and time.
#include <fmt/core.h>

#include <algorithm>

#include "core/text.h"
#include "pipeline/paper/experiment.h"

namespace flyscribe {
namespace {

Measurement WithSteps(const Study& study, int steps) {
  Measurement measurement = study.Scc(study.options().cd_range, study.options().study_size);
  measurement.learn.cd_steps = steps;
  return measurement;
}

std::vector<Measurement> Wants(const Study& study) {
  std::vector<Measurement> wanted;
  for (const int steps : Numbers(study.options().cd_steps)) {
    for (const Measurement& run : study.Runs(WithSteps(study, steps))) wanted.push_back(run);
  }
  return wanted;
}

struct StepsRun {
  int steps = 0;
  Repeated run;
};

std::string StepsName(int steps) { return steps == 1 ? "1 step" : fmt::format("{} steps", steps); }

LineChart ObjectiveChart(const std::vector<StepsRun>& runs) {
  LineChart chart{.id = "fig3-objective",
                  .title = "(a) Objective value curve",
                  .description = "Exact objective after each epoch, one line for each number of steps.",
                  .x = EpochAxis(runs.front().run.One().objective.size()),
                  .y = {},
                  .series = {}};
  for (std::size_t i = 0; i < runs.size(); ++i) {
    chart.series.push_back({StepsName(runs[i].steps), SeriesStyle(i), PerEpoch(runs[i].run.One().objective)});
  }
  chart.y = ValueAxis("Objective", chart.series);
  return chart;
}

LineChart TimeChart(const std::vector<StepsRun>& runs) {
  LineChart chart{.id = "fig3-time",
                  .title = "(b) Computational time",
                  .description = "Minutes of all epochs over the number of steps.",
                  .x = NiceAxis("Steps of coordinate descent", runs.front().steps, runs.back().steps),
                  .y = {},
                  .series = {{"minutes", SeriesStyle(0), {}}}};
  double longest = 0.0;
  for (const StepsRun& each : runs) {
    const double minutes = each.run.Total() / 60.0;
    chart.series.front().points.push_back({static_cast<double>(each.steps), minutes});
    longest = std::max(longest, minutes);
  }
  chart.y = NiceAxis("Minutes", 0.0, longest);
  return chart;
}

ReproductionTable StepsTable(const Study& study, const std::vector<StepsRun>& runs) {
  const double fewest = runs.front().run.Objective();
  return Tabulate<StepsRun>(
      "Steps, objective and time",
      runs,
      {{"steps", [](const StepsRun& each) { return std::to_string(each.steps); }},
       {"objective after the first epoch",
        [](const StepsRun& each) { return FormatFixed(each.run.One().objective.front(), 4); }},
       {"after the last", [](const StepsRun& each) { return FormatFixed(each.run.Objective(), 5); }},
       {"against fewest steps",
        [=](const StepsRun& each) { return ExcessPercent(each.run.Objective() / fewest - 1.0); }},
       {"minutes", [](const StepsRun& each) { return ThreeDigits(each.run.Total() / 60.0); }},
       {"us a visit", [](const StepsRun& each) { return ThreeDigits(each.run.VisitMicroseconds()); }},
       {"non-zeros", [](const StepsRun& each) { return FormatFixed(each.run.One().nonzeros, 1); }}},
      ObjectiveNote(study) + " " + RunsNote(study));
}

ReproductionCheck LowerCheck(const std::vector<StepsRun>& runs) {
  bool falls = true;
  std::vector<std::string> numbers;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (i > 0) falls &= runs[i].run.Objective() < runs[i - 1].run.Objective();
    numbers.push_back(StepsName(runs[i].steps) + " " + FormatFixed(runs[i].run.Objective(), 6));
  }
  return Check(falls, "more steps of coordinate descent, lower objective", Join(numbers, ", "));
}

void CompareTimes(const std::vector<StepsRun>& runs, ReproductionPart& part) {
  const double growth = runs.back().run.Total() / runs.front().run.Total();
  Say(growth > 1.0,
      fmt::format("The paper says that the time increases with the number of steps; here {} take {} the time of {}.",
                  StepsName(runs.back().steps),
                  Times(growth),
                  StepsName(runs.front().steps)),
      part);
}

ReproductionPart Tell(const Study& study, const Results& results) {
  std::vector<StepsRun> runs;
  for (const int steps : Numbers(study.options().cd_steps)) {
    runs.push_back({steps, results.Of(study.Runs(WithSteps(study, steps)))});
  }
  ReproductionPart part{.name = "Figure 3", .title = "the number of coordinate-descent steps"};
  part.text = {fmt::format(
      "Exact SCC, stage range {}, m = {}, {} patches, {} epochs. One step is a cycle over all atoms, further "
      "ones go over the support.",
      study.options().cd_range,
      study.options().study_size,
      runs.front().run.One().patches,
      runs.front().run.One().seconds.size())};
  part.charts = {ObjectiveChart(runs), TimeChart(runs)};
  part.tables = {StepsTable(study, runs)};
  if (runs.size() > 1) {
    part.checks = {LowerCheck(runs)};
    CompareTimes(runs, part);
  }
  part.incomparable = {"The paper shows curves and bars without numbers: their order is what can be checked."};
  return part;
}

}  // namespace

Experiment Figure3Experiment() { return {"fig3", Wants, Tell}; }

}  // namespace flyscribe
