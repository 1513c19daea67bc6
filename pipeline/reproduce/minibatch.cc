// The loss the authors admit, run again: mini-batch OL against exact SCC and against mini-batch SCC.
#include <fmt/core.h>

#include <optional>

#include "core/text.h"
#include "pipeline/reproduce/experiment.h"
#include "pipeline/reproduce/published.h"

namespace flyscribe {
namespace {

constexpr int kMostThreads = 2;

// A race is run alone on the machine.
Measurement Racing(Measurement measurement, int threads, int repetition) {
  measurement.threads = threads;
  measurement.side_by_side = 1;
  measurement.repetition = repetition;
  return measurement;
}

using Maker = Measurement (Study::*)(const std::string&, int) const;

std::vector<Measurement> Repeated(const Study& study, Maker make, int atoms, int threads) {
  std::vector<Measurement> all;
  for (int repetition = 1; repetition <= study.options().repeats; ++repetition) {
    all.push_back(Racing((study.*make)(study.options().race_range, atoms), threads, repetition));
  }
  return all;
}

std::vector<Measurement> Wants(const Study& study) {
  std::vector<Measurement> wanted;
  const auto add = [&](Maker make, int atoms, int threads) {
    for (Measurement& each : Repeated(study, make, atoms, threads)) wanted.push_back(std::move(each));
  };
  for (const int atoms : study.Sizes()) {
    add(&Study::Scc, atoms, 1);
    for (int threads = 1; threads <= kMostThreads; ++threads) {
      add(&Study::Online, atoms, threads);
      add(&Study::Minibatch, atoms, threads);
    }
  }
  return wanted;
}

// The repetitions of one runner: objectives are the same in all, times are not.
struct Runner {
  std::vector<const Measured*> runs;

  const Measured& One() const { return *runs.front(); }
  double Total() const {
    std::vector<double> seconds;
    for (const Measured* run : runs) seconds.push_back(run->Total());
    return Median(seconds);
  }
  // None if the objective is not reached.
  std::optional<double> SecondsTo(double objective) const {
    std::vector<double> seconds;
    for (const Measured* run : runs) {
      const auto reached = run->SecondsTo(objective);
      if (!reached) return std::nullopt;
      seconds.push_back(*reached);
    }
    return Median(seconds);
  }
};

Runner RunnerOf(const Study& study, const Results& results, Maker make, int atoms, int threads) {
  Runner runner;
  for (const Measurement& each : Repeated(study, make, atoms, threads)) runner.runs.push_back(&results.Of(each));
  return runner;
}

// Objective over seconds of learning, from the first dictionary on.
Series OverTime(const std::string& name, std::size_t style, const Measured& run) {
  Series series{name, SeriesStyle(style), {{0.0, run.first_objective}}};
  double seconds = 0.0;
  for (std::size_t i = 0; i < run.objective.size(); ++i) {
    seconds += run.seconds[i];
    series.points.push_back({seconds, run.objective[i]});
  }
  return series;
}

LineChart RaceChart(int atoms, const Runner& scc, const Runner& online, const Runner& minibatch) {
  LineChart chart{.id = fmt::format("race-{}", atoms),
                  .title = fmt::format("m = {}, one thread", atoms),
                  .description = "Exact objective over seconds of learning.",
                  .x = {},
                  .y = {},
                  .series = {OverTime("mini-batch OL", 0, online.One()),
                             OverTime("exact SCC", 1, scc.One()),
                             OverTime("mini-batch SCC", 2, minibatch.One())}};
  chart.x = NiceAxis("Seconds", 0.0, online.One().Total());
  chart.y = ValueAxis("Objective", chart.series);
  return chart;
}

std::string SecondsText(const std::optional<double>& seconds) { return seconds ? HoursText(*seconds) : "not reached"; }

// OL and mini-batch SCC at one size, on so many threads.
struct Race {
  int atoms = 0;
  int threads = 1;
  Runner online;
  Runner minibatch;

  double Target() const { return online.One().Objective(); }
};

ReproductionCheck SoonerCheck(const Race& race) {
  const auto own = race.online.SecondsTo(race.Target());
  const auto ours = race.minibatch.SecondsTo(race.Target());
  const std::string threads = race.threads == 1 ? "1 thread" : fmt::format("{} threads", race.threads);
  return Check(
      ours && own && *ours < *own,
      fmt::format("m = {}, {}: mini-batch SCC reaches OL's last objective sooner than OL", race.atoms, threads),
      fmt::format("{} against {} s", ours ? SecondsText(ours) + " s" : "not reached", SecondsText(own)));
}

std::vector<std::string> RaceRow(const Race& race, const Runner& scc) {
  const auto own = race.online.SecondsTo(race.Target());
  const auto ours = race.minibatch.SecondsTo(race.Target());
  return {std::to_string(race.atoms),
          std::to_string(race.threads),
          FormatFixed(race.Target(), 4),
          SecondsText(own),
          race.threads == 1 ? SecondsText(scc.SecondsTo(race.Target())) : "-",
          SecondsText(ours),
          ours && own ? Times(*own / *ours) : "-",
          FormatFixed(race.minibatch.One().Objective(), 4)};
}

std::vector<std::string> EpochsRow(const Race& race, const Runner& scc) {
  return {std::to_string(race.atoms),
          HoursText(race.online.Total()),
          HoursText(scc.Total()),
          "3-4 x",
          Times(scc.Total() / race.online.Total()),
          HoursText(race.minibatch.Total()),
          Percent(scc.One().Objective() / race.Target() - 1.0)};
}

ReproductionTable RaceTable(const Measured& any) {
  return {
      .caption = "Seconds until mini-batch OL's last objective is reached",
      .header = {"m",
                 "threads",
                 "OL's last objective",
                 "mini-batch OL",
                 "exact SCC",
                 "mini-batch SCC",
                 "OL / mini-batch SCC",
                 "mini-batch SCC's last objective"},
      .rows = {},
      .note = ObjectiveNote(any) +
              " It is evaluated after each epoch, so a time is the end of the first epoch that reaches it; exact SCC "
              "works on one thread."};
}

ReproductionTable EpochsTable() {
  return {.caption = "Seconds of all epochs, one thread",
          .header = {"m",
                     "mini-batch OL",
                     "exact SCC",
                     "exact SCC / OL published",
                     "measured",
                     "mini-batch SCC",
                     "exact SCC over OL's objective"},
          .rows = {},
          .note = "The paper says in words that mini-batch OL was about 3-4 times faster than its SCC."};
}

ReproductionPart Tell(const Study& study, const Results& results) {
  ReproductionPart part{.name = "Mini-batch", .title = "the race the authors lost"};
  const Measured& any = RunnerOf(study, results, &Study::Scc, study.Sizes().front(), 1).One();
  const int repeats = study.options().repeats;
  part.text = {fmt::format(
      "Stage range {}, {} patches, {} epochs, batches of 512, lambda {}. All three start from the same first "
      "dictionary. Nothing else is measured meanwhile; medians of {}.",
      study.options().race_range,
      any.patches,
      any.seconds.size(),
      FormatReal(study.config.learn.lambda),
      repeats == 1 ? "one run" : fmt::format("{} runs", repeats))};
  part.tables = {RaceTable(any), EpochsTable()};
  for (const int atoms : study.Sizes()) {
    const Runner scc = RunnerOf(study, results, &Study::Scc, atoms, 1);
    for (int threads = 1; threads <= kMostThreads; ++threads) {
      const Race race{atoms,
                      threads,
                      RunnerOf(study, results, &Study::Online, atoms, threads),
                      RunnerOf(study, results, &Study::Minibatch, atoms, threads)};
      part.checks.push_back(SoonerCheck(race));
      part.tables[0].rows.push_back(RaceRow(race, scc));
      if (threads > 1) continue;
      part.tables[1].rows.push_back(EpochsRow(race, scc));
      part.charts.push_back(RaceChart(atoms, scc, race.online, race.minibatch));
    }
  }
  part.incomparable = {
      "The paper's mini-batch OL is SPAMS, well optimised, against a plain SCC; both here are our own."};
  return part;
}

}  // namespace

Experiment MinibatchExperiment() { return {"minibatch", "Mini-batch", Wants, Tell}; }

}  // namespace flyscribe
