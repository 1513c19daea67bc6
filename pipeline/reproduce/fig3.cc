// Figure 3: the number of coordinate-descent steps: objective per epoch, and time.
#include <fmt/core.h>

#include <algorithm>

#include "core/text.h"
#include "pipeline/reproduce/experiment.h"

namespace flyscribe {
namespace {

Measurement WithSteps(const Study& study, int steps) {
  Measurement measurement = study.Scc(study.options().cd_range, study.options().study_size);
  measurement.learn.cd_steps = steps;
  return measurement;
}

std::vector<Measurement> Wants(const Study& study) {
  std::vector<Measurement> wanted;
  for (const int steps : Numbers(study.options().cd_steps)) wanted.push_back(WithSteps(study, steps));
  return wanted;
}

struct StepsRun {
  int steps = 0;
  const Measured* run = nullptr;
};

LineChart ObjectiveChart(const std::vector<StepsRun>& runs) {
  LineChart chart{.id = "fig3-objective",
                  .title = "(a) Objective value curve",
                  .description = "Exact objective after each epoch, one line for each number of steps.",
                  .x = EpochAxis(runs.front().run->objective.size()),
                  .y = {},
                  .series = {}};
  for (std::size_t i = 0; i < runs.size(); ++i) {
    chart.series.push_back({fmt::format("{} steps", runs[i].steps), SeriesStyle(i), PerEpoch(runs[i].run->objective)});
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
    const double minutes = each.run->Total() / 60.0;
    chart.series.front().points.push_back({static_cast<double>(each.steps), minutes});
    longest = std::max(longest, minutes);
  }
  chart.y = NiceAxis("Minutes", 0.0, longest);
  return chart;
}

ReproductionTable StepsTable(const std::vector<StepsRun>& runs) {
  ReproductionTable table{.caption = "Steps, objective and time",
                          .header = {"steps",
                                     "objective after the first epoch",
                                     "after the last",
                                     "against fewest steps",
                                     "minutes",
                                     "us a visit",
                                     "non-zeros"},
                          .rows = {},
                          .note = ObjectiveNote(*runs.front().run)};
  for (const auto& [steps, run] : runs) {
    table.rows.push_back({std::to_string(steps),
                          FormatFixed(run->objective.front(), 4),
                          FormatFixed(run->Objective(), 4),
                          Percent(run->Objective() / runs.front().run->Objective() - 1.0),
                          HoursText(run->Total() / 60.0),
                          Microseconds(run->VisitMicroseconds()),
                          FormatFixed(run->nonzeros, 1)});
  }
  return table;
}

ReproductionCheck LowerCheck(const std::vector<StepsRun>& runs) {
  bool falls = true;
  std::vector<std::string> numbers;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (i > 0) falls &= runs[i].run->Objective() < runs[i - 1].run->Objective();
    numbers.push_back(fmt::format("{} steps {:.5f}", runs[i].steps, runs[i].run->Objective()));
  }
  return Check(falls, "more steps of coordinate descent, lower objective", Join(numbers, ", "));
}

ReproductionPart Tell(const Study& study, const Results& results) {
  std::vector<StepsRun> runs;
  for (const int steps : Numbers(study.options().cd_steps)) {
    runs.push_back({steps, &results.Of(WithSteps(study, steps))});
  }
  ReproductionPart part{.name = "Figure 3", .title = "the number of coordinate-descent steps"};
  part.text = {fmt::format(
      "Exact SCC, stage range {}, m = {}, {} patches, {} epochs. One step is a cycle over all atoms, further "
      "ones go over the support.",
      study.options().cd_range,
      study.options().study_size,
      runs.front().run->patches,
      runs.front().run->seconds.size())};
  part.charts = {ObjectiveChart(runs), TimeChart(runs)};
  part.tables = {StepsTable(runs)};
  if (runs.size() > 1) part.checks = {LowerCheck(runs)};
  part.incomparable = {"The paper shows curves and bars without numbers: their order is what can be checked."};
  return part;
}

}  // namespace

Experiment Fig3Experiment() { return {"fig3", "Figure 3", Wants, Tell}; }

}  // namespace flyscribe
