// Table 1: objective and time of OL and SCC, for every stage range and size of the dictionary.
#include <fmt/core.h>

#include <algorithm>
#include <limits>

#include "core/text.h"
#include "pipeline/paper/experiment.h"
#include "pipeline/paper/published.h"

namespace flyscribe {
namespace {

// The largest excess of exact SCC's objective over OL's that still counts as comparable.
constexpr double kExactSlack = 0.025;
// Objectives this far from the published ones are still called like them: other embryos, another smoothing.
constexpr double kLikePublished = 0.15;

std::vector<Measurement> Wants(const Study& study) {
  std::vector<Measurement> wanted;
  // The slowest first, so that what runs side by side ends together.
  std::vector<int> sizes = study.Sizes();
  std::reverse(sizes.begin(), sizes.end());
  for (const int atoms : sizes) {
    for (const std::string& range : study.Ranges()) {
      for (const Measurement& run : study.Runs(study.Scc(range, atoms))) wanted.push_back(run);
      if (study.only_scc) continue;
      wanted.push_back(study.Online(range, atoms));
      wanted.push_back(study.Minibatch(range, atoms));
      wanted.push_back(study.OnlineSingle(range, atoms));
    }
  }
  return wanted;
}

// One range at one size.
struct Run {
  std::string range;
  int atoms = 0;
  Repeated scc;
  const Measured* online = nullptr;         // in batches of 512; null with --only-scc, as are the next two
  const Measured* online_single = nullptr;  // at batch size 1
  const Measured* minibatch = nullptr;
  std::optional<PublishedRun> published;

  // Hours that OL at batch size 1 takes, or would take, for what SCC was run for.
  double OnlineHours() const {
    const auto visits = static_cast<double>(scc.One().patches * scc.One().seconds.size());
    return online_single->VisitMicroseconds() * 1e-6 * visits / 3600.0;
  }
  double SccHours() const { return scc.Total() / 3600.0; }
  double Speedup() const { return online_single->VisitMicroseconds() / scc.VisitMicroseconds(); }
  // At batch size 1 if that was run to its end, else in batches of 512.
  double OnlineObjective() const { return (online_single->visits_only ? online : online_single)->Objective(); }
  double SccExcess() const { return scc.Objective() / OnlineObjective() - 1.0; }
  double MinibatchExcess() const { return minibatch->Objective() / OnlineObjective() - 1.0; }
};

std::vector<Run> RunsOf(const Study& study, const Results& results, int atoms) {
  std::vector<Run> runs;
  for (const std::string& range : study.Ranges()) {
    Run run{.range = range,
            .atoms = atoms,
            .scc = results.Of(study.Runs(study.Scc(range, atoms))),
            .published = PublishedTable1(atoms, range)};
    if (!study.only_scc) {
      run.online = &results.Of(study.Online(range, atoms));
      run.online_single = &results.Of(study.OnlineSingle(range, atoms));
      run.minibatch = &results.Of(study.Minibatch(range, atoms));
    }
    runs.push_back(run);
  }
  return runs;
}

std::string Published(const Run& run, double PublishedRun::*number, int digits) {
  return run.published ? FormatFixed((*run.published).*number, digits) : "-";
}

std::string PublishedVisit(const Run& run, double PublishedRun::*hours) {
  return run.published ? ThreeDigits(PublishedMicroseconds((*run.published).*hours, run.range)) : "-";
}

using Row = std::vector<std::string>;

Row Joined(std::initializer_list<Row> pieces) {
  Row row;
  for (const Row& piece : pieces) row.insert(row.end(), piece.begin(), piece.end());
  return row;
}

Row ObjectiveRow(const Run& run) {
  const auto& published = run.published;
  const double measured = run.scc.Objective();
  const Row scc = {Published(run, &PublishedRun::scc_objective, 4),
                   FormatFixed(measured, 4),
                   published ? FormatFixed(measured / published->scc_objective, 3) : "-"};
  const std::string nonzeros = FormatFixed(run.scc.One().nonzeros, 1);
  if (run.online == nullptr) return Joined({{run.range}, scc, {nonzeros}});
  const Row online = {Published(run, &PublishedRun::online_objective, 4),
                      FormatFixed(run.OnlineObjective(), 4) + (run.online_single->visits_only ? " †" : "")};
  const Row excess = {published ? Percent(published->scc_objective / published->online_objective - 1.0) : "-",
                      Percent(run.SccExcess()),
                      FormatFixed(run.minibatch->Objective(), 4),
                      Percent(run.MinibatchExcess())};
  return Joined({{run.range}, online, scc, excess, {nonzeros}});
}

ReproductionTable ObjectiveTable(const std::vector<Run>& runs, const Study& study) {
  ReproductionTable table;
  table.caption = fmt::format("Objective, m = {}", runs.front().atoms);
  table.header = {"Stages",
                  "OL published",
                  "OL measured",
                  "SCC published",
                  "SCC measured",
                  "measured / published",
                  "SCC over OL published",
                  "measured",
                  "mini-batch SCC",
                  "over OL",
                  "non-zeros"};
  if (study.only_scc) table.header = {"Stages", "SCC published", "SCC measured", "measured / published", "non-zeros"};
  for (const Run& run : runs) table.rows.push_back(ObjectiveRow(run));
  table.note = ObjectiveNote(study);
  if (!study.only_scc && !study.full) {
    table.note +=
        " † OL's objective is that of mini-batch OL (512) run to the end: at batch size 1 only the time of a visit was "
        "measured.";
  }
  return table;
}

Row HoursRow(const Run& run, const std::string& mark) {
  const auto& published = run.published;
  const Row name = {run.range, std::to_string(run.scc.One().patches)};
  const Row scc = {Published(run, &PublishedRun::scc_hours, 4), ThreeDigits(run.SccHours())};
  if (run.online == nullptr) return Joined({name, scc});
  return Joined({name,
                 {Published(run, &PublishedRun::online_hours, 2), ThreeDigits(run.OnlineHours()) + mark},
                 scc,
                 {published ? Times(published->online_hours / published->scc_hours) : "-", Times(run.Speedup())}});
}

// Published and measured microseconds of a visit, and how many times longer the published one is.
Row VisitCells(const Run& run, double PublishedRun::*hours, double measured) {
  return {PublishedVisit(run, hours),
          ThreeDigits(measured),
          run.published ? Times(PublishedMicroseconds((*run.published).*hours, run.range) / measured) : "-"};
}

Row VisitRow(const Run& run) {
  const Row scc = VisitCells(run, &PublishedRun::scc_hours, run.scc.VisitMicroseconds());
  if (run.online == nullptr) return Joined({{run.range}, scc});
  return Joined(
      {{run.range}, VisitCells(run, &PublishedRun::online_hours, run.online_single->VisitMicroseconds()), scc});
}

ReproductionTable HoursTable(const std::vector<Run>& runs, const Study& study) {
  ReproductionTable table;
  table.caption = fmt::format("Hours, m = {}", runs.front().atoms);
  table.header = {"Stages",
                  "patches",
                  "OL published",
                  "OL measured",
                  "SCC published",
                  "SCC measured",
                  "OL / SCC published",
                  "OL / SCC measured"};
  if (study.only_scc) table.header = {"Stages", "patches", "SCC published", "SCC measured"};
  for (const Run& run : runs) table.rows.push_back(HoursRow(run, study.full ? "" : " *"));
  table.note = "Of all epochs over the patches named. " + RunsNote(study);
  if (!study.only_scc && !study.full) {
    table.note += fmt::format(
        " * extrapolated: OL at batch size 1 was timed on its first {} visits, {} times after a warm-up, the median "
        "taken; --full runs it to the end.",
        study.options().online_visits,
        study.options().repeats);
  }
  return table;
}

ReproductionTable VisitTable(const std::vector<Run>& runs, bool only_scc) {
  ReproductionTable table;
  table.caption = fmt::format("Microseconds of one visit of one patch, m = {}", runs.front().atoms);
  table.header = {"Stages",
                  "OL published",
                  "OL measured",
                  "published / measured",
                  "SCC published",
                  "SCC measured",
                  "published / measured"};
  if (only_scc) table.header = {"Stages", "SCC published", "SCC measured", "published / measured"};
  for (const Run& run : runs) table.rows.push_back(VisitRow(run));
  table.note = "The hours above for one visit: what can be compared whatever the number of patches.";
  return table;
}

// The worst of all runs by some number, with its place.
struct Worst {
  double value = -std::numeric_limits<double>::infinity();
  std::string place;

  void Add(double candidate, const Run& run) {
    if (candidate <= value) return;
    value = candidate;
    place = fmt::format("m = {}, stages {}", run.atoms, run.range);
  }
};

// Does the objective of each range fall from size to size?
ReproductionCheck FallsCheck(const std::vector<std::vector<Run>>& by_size, bool only_scc) {
  bool falls = true;
  std::vector<std::string> numbers;
  for (std::size_t range = 0; range < by_size.front().size(); ++range) {
    std::vector<std::string> scc;
    std::vector<std::string> online;
    for (std::size_t size = 0; size < by_size.size(); ++size) {
      const Run& run = by_size[size][range];
      scc.push_back(FormatFixed(run.scc.Objective(), 4));
      if (!only_scc) online.push_back(FormatFixed(run.OnlineObjective(), 4));
      if (size == 0) continue;
      const Run& smaller = by_size[size - 1][range];
      falls &= run.scc.Objective() < smaller.scc.Objective();
      falls &= only_scc || run.OnlineObjective() < smaller.OnlineObjective();
    }
    numbers.push_back(by_size.front()[range].range + " SCC " + Join(scc, ", ") +
                      (only_scc ? "" : " OL " + Join(online, ", ")));
  }
  const std::string claim = "the objective falls as m grows";
  return Check(falls, only_scc ? claim : claim + ", for both", Join(numbers, "; "));
}

std::vector<ReproductionCheck> ChecksOf(const std::vector<std::vector<Run>>& by_size, bool only_scc) {
  std::vector<ReproductionCheck> checks;
  if (by_size.size() > 1) checks.push_back(FallsCheck(by_size, only_scc));
  if (only_scc) return checks;
  for (const std::vector<Run>& runs : by_size) {
    Worst exact;
    Worst minibatch;
    Span published;
    for (const Run& run : runs) {
      exact.Add(run.SccExcess(), run);
      minibatch.Add(run.MinibatchExcess(), run);
      if (run.published) published.Add(run.published->scc_objective / run.published->online_objective - 1.0);
    }
    const std::string m = fmt::format("m = {}: ", runs.front().atoms);
    checks.push_back(Check(exact.value <= kExactSlack,
                           m + "exact SCC ends at most 2.5 % above OL",
                           "worst " + Percent(exact.value) + " (" + exact.place + ")" +
                               (published.empty() ? "" : "; published " + published.Text(Percent))));
    checks.push_back(Check(minibatch.value <= 0.0,
                           m + "mini-batch SCC does not end above OL",
                           "worst " + Percent(minibatch.value) + " (" + minibatch.place + ")"));
  }
  return checks;
}

// How SCC's objective and time stand to OL's, here and in the paper.
struct Standing {
  Span excess;
  Span speedup;
  Span published_excess;
  Span published_speedup;

  void Add(const Run& run) {
    if (!run.published) return;
    const PublishedRun& published = *run.published;
    excess.Add(run.SccExcess());
    speedup.Add(run.Speedup());
    published_excess.Add(published.scc_objective / published.online_objective - 1.0);
    published_speedup.Add(published.online_hours / published.scc_hours);
  }
};

void CompareStanding(const std::vector<std::vector<Run>>& by_size, ReproductionPart& part) {
  Standing standing;
  for (const std::vector<Run>& runs : by_size) {
    for (const Run& run : runs) standing.Add(run);
  }
  if (standing.excess.empty()) return;
  Say(standing.excess.low > 0.0,
      fmt::format("Exact SCC ends above OL in every cell of the paper, by {}; here by {}.",
                  standing.published_excess.Text(Percent),
                  standing.excess.Text(Percent)),
      part);
  if (standing.excess.high > standing.published_excess.high) {
    part.differs.emplace_back(
        "The distance between the two is larger here. What it comes from is not known: other patches, fewer of them, "
        "OL in batches of 512 instead of 1, and objectives that are exact for both.");
  }
  Say(standing.speedup.low >= standing.published_speedup.low,
      fmt::format("OL at batch size 1 takes {} SCC's time in the paper, {} here.",
                  standing.published_speedup.Text(Times),
                  standing.speedup.Text(Times)),
      part);
}

// How far objectives are from the published ones says more about data than about methods.
void CompareObjectives(const std::vector<std::vector<Run>>& by_size, ReproductionPart& part) {
  Span ratio;
  Span nonzeros;
  for (const std::vector<Run>& runs : by_size) {
    for (const Run& run : runs) {
      if (!run.published) continue;
      ratio.Add(run.scc.Objective() / run.published->scc_objective);
      nonzeros.Add(run.scc.One().nonzeros);
    }
  }
  if (ratio.empty()) return;
  Say(ratio.low >= 1.0 - kLikePublished && ratio.high <= 1.0 + kLikePublished,
      fmt::format(
          "SCC's objective is {} the published one (15 % apart would still count as like it), with {} non-zeros "
          "a code (published: about 10). The patches are not the paper's.",
          ratio.Text(Times),
          nonzeros.Text(ThreeDigits)),
      part);
}

std::string MemoryText(const std::vector<std::vector<Run>>& by_size, const Study& study) {
  std::uint64_t memory = 0;
  for (const std::vector<Run>& runs : by_size) {
    for (const Run& run : runs) {
      for (const Measured* each : run.scc.runs) memory = std::max(memory, each->memory_peak);
    }
  }
  return fmt::format("The most anonymous memory the process was seen to hold while SCC learned ({} at a time): {}.",
                     study.options().side_by_side,
                     HumanBytes(memory));
}

ReproductionPart Tell(const Study& study, const Results& results) {
  ReproductionPart part{.name = "Table 1", .title = "objective and time of OL and SCC"};
  std::vector<std::vector<Run>> by_size;
  for (const int atoms : study.Sizes()) by_size.push_back(RunsOf(study, results, atoms));
  part.text = {
      fmt::format("Exact SCC (batch size 1, 3 steps of coordinate descent, profile paper){} over {} epochs, lambda "
                  "{}, from the same first dictionary of random patches.",
                  study.only_scc ? "" : " against online dictionary learning",
                  study.config.learn.epochs,
                  FormatReal(study.config.learn.lambda)),
      MemoryText(by_size, study)};
  for (const std::vector<Run>& runs : by_size) {
    part.tables.push_back(ObjectiveTable(runs, study));
    part.tables.push_back(HoursTable(runs, study));
    part.tables.push_back(VisitTable(runs, study.only_scc));
  }
  part.checks = ChecksOf(by_size, study.only_scc);
  CompareObjectives(by_size, part);
  if (!study.only_scc) CompareStanding(by_size, part);
  part.incomparable = {
      "The paper's machine (eight cores, 3.4 GHz, 2014) and compiler are not ours: hours and microseconds differ for "
      "that reason alone. Ratios between methods, taken on one machine, are what can be compared.",
      "The paper does not say how its objective was evaluated. Here it is always that of exact codes, which is a "
      "little lower than that of the codes learning leaves.",
      "Its OL is SPAMS; ours is our own. SPAMS was not run here, so how the two compare in speed is not measured on "
      "this page."};
  return part;
}

}  // namespace

Experiment Table1Experiment() { return {"table1", Wants, Tell}; }

}  // namespace flyscribe
