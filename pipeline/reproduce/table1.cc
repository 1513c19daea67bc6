// Table 1: objective and time of OL and SCC, for every stage range and size of the dictionary.
#include <fmt/core.h>

#include <algorithm>
#include <limits>

#include "core/text.h"
#include "pipeline/reproduce/experiment.h"
#include "pipeline/reproduce/published.h"

namespace flyscribe {
namespace {

// The largest excess of exact SCC's objective over OL's that still counts as comparable.
constexpr double kExactSlack = 0.025;

std::vector<Measurement> Wants(const Study& study) {
  std::vector<Measurement> wanted;
  // The slowest first, so that what runs side by side ends together.
  std::vector<int> sizes = study.Sizes();
  std::reverse(sizes.begin(), sizes.end());
  for (const int atoms : sizes) {
    for (const std::string& range : study.Ranges()) {
      wanted.push_back(study.Scc(range, atoms));
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
  const Measured* scc = nullptr;
  const Measured* online = nullptr;         // in batches of 512; null with --only-scc, as are the next two
  const Measured* online_single = nullptr;  // at batch size 1
  const Measured* minibatch = nullptr;
  std::optional<PublishedRun> published;

  // Hours that OL at batch size 1 takes, or would take, for what SCC was run for.
  double OnlineHours() const {
    return online_single->VisitMicroseconds() * 1e-6 * static_cast<double>(scc->patches * scc->seconds.size()) / 3600.0;
  }
  double SccHours() const { return scc->Total() / 3600.0; }
  double Speedup() const { return online_single->VisitMicroseconds() / scc->VisitMicroseconds(); }
  double SccExcess() const { return scc->Objective() / online->Objective() - 1.0; }
  double MinibatchExcess() const { return minibatch->Objective() / online->Objective() - 1.0; }
};

std::vector<Run> RunsOf(const Study& study, const Results& results, int atoms) {
  std::vector<Run> runs;
  for (const std::string& range : study.Ranges()) {
    Run run{
        range, atoms, &results.Of(study.Scc(range, atoms)), nullptr, nullptr, nullptr, PublishedTable1(atoms, range)};
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
  return run.published ? Microseconds(PublishedMicroseconds((*run.published).*hours, run.range)) : "-";
}

using Row = std::vector<std::string>;

Row Joined(std::initializer_list<Row> pieces) {
  Row row;
  for (const Row& piece : pieces) row.insert(row.end(), piece.begin(), piece.end());
  return row;
}

Row ObjectiveRow(const Run& run) {
  const auto& published = run.published;
  const double measured = run.scc->Objective();
  const Row scc = {Published(run, &PublishedRun::scc_objective, 4),
                   FormatFixed(measured, 4),
                   published ? FormatFixed(measured / published->scc_objective, 3) : "-"};
  const std::string nonzeros = FormatFixed(run.scc->nonzeros, 1);
  if (run.online == nullptr) return Joined({{run.range}, scc, {nonzeros}});
  const Row online = {Published(run, &PublishedRun::online_objective, 4),
                      FormatFixed(run.online->Objective(), 4) + " †"};
  const Row excess = {published ? Percent(published->scc_objective / published->online_objective - 1.0) : "-",
                      Percent(run.SccExcess()),
                      FormatFixed(run.minibatch->Objective(), 4),
                      Percent(run.MinibatchExcess())};
  return Joined({{run.range}, online, scc, excess, {nonzeros}});
}

ReproductionTable ObjectiveTable(const std::vector<Run>& runs, bool only_scc) {
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
  if (only_scc) table.header = {"Stages", "SCC published", "SCC measured", "measured / published", "non-zeros"};
  for (const Run& run : runs) table.rows.push_back(ObjectiveRow(run));
  table.note = ObjectiveNote(*runs.front().scc);
  if (!only_scc) {
    table.note +=
        " † OL's objective is that of mini-batch OL (512) run to the end: at batch size 1 only the time of a visit was "
        "measured.";
  }
  return table;
}

Row TimeRow(const Run& run, const std::string& mark) {
  const auto& published = run.published;
  const double visit = run.scc->VisitMicroseconds();
  const Row name = {run.range, std::to_string(run.scc->patches)};
  const Row scc_hours = {Published(run, &PublishedRun::scc_hours, 4), HoursText(run.SccHours())};
  const Row scc_visit = {PublishedVisit(run, &PublishedRun::scc_hours),
                         Microseconds(visit),
                         published ? Times(PublishedMicroseconds(published->scc_hours, run.range) / visit) : "-"};
  if (run.online == nullptr) return Joined({name, scc_hours, scc_visit});
  const Row online_hours = {Published(run, &PublishedRun::online_hours, 2), HoursText(run.OnlineHours()) + mark};
  const Row online_visit = {PublishedVisit(run, &PublishedRun::online_hours),
                            Microseconds(run.online_single->VisitMicroseconds())};
  const Row ratio = {published ? Times(published->online_hours / published->scc_hours) : "-", Times(run.Speedup())};
  return Joined({name, online_hours, scc_hours, online_visit, scc_visit, ratio});
}

ReproductionTable TimeTable(const std::vector<Run>& runs, const Study& study) {
  ReproductionTable table;
  table.caption = fmt::format("Time, m = {}", runs.front().atoms);
  table.header = {"Stages",
                  "patches",
                  "OL hours published",
                  "OL hours",
                  "SCC hours published",
                  "SCC hours",
                  "OL us a visit published",
                  "measured",
                  "SCC us a visit published",
                  "measured",
                  "published / measured",
                  "OL / SCC published",
                  "measured"};
  if (study.only_scc) {
    table.header = {"Stages",
                    "patches",
                    "SCC hours published",
                    "SCC hours",
                    "SCC us a visit published",
                    "measured",
                    "published / measured"};
  }
  for (const Run& run : runs) table.rows.push_back(TimeRow(run, study.full ? "" : " *"));
  table.note =
      "Hours are of all epochs over the patches named; microseconds (us) are of one visit of one patch, and can be "
      "compared whatever the number of patches.";
  if (!study.only_scc && !study.full) {
    table.note += fmt::format(
        " * extrapolated: OL at batch size 1 was timed on {} visits, {} times after a warm-up, the median taken; "
        "--full "
        "runs it to the end.",
        study.options().online_visits,
        study.options().repeats);
  }
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
      scc.push_back(FormatFixed(run.scc->Objective(), 4));
      if (!only_scc) online.push_back(FormatFixed(run.online->Objective(), 4));
      if (size == 0) continue;
      const Run& smaller = by_size[size - 1][range];
      falls &= run.scc->Objective() < smaller.scc->Objective();
      falls &= only_scc || run.online->Objective() < smaller.online->Objective();
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
    for (const Run& run : runs) {
      exact.Add(run.SccExcess(), run);
      minibatch.Add(run.MinibatchExcess(), run);
    }
    const std::string m = fmt::format("m = {}: ", runs.front().atoms);
    checks.push_back(Check(exact.value <= kExactSlack,
                           m + "exact SCC ends at most 2.5 % above OL",
                           "worst " + Percent(exact.value) + " (" + exact.place + "); published +0.53 to +0.95 %"));
    checks.push_back(Check(minibatch.value <= 0.0,
                           m + "mini-batch SCC does not end above OL",
                           "worst " + Percent(minibatch.value) + " (" + minibatch.place + ")"));
  }
  return checks;
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
                  FormatReal(study.config.learn.lambda))};
  for (const std::vector<Run>& runs : by_size) {
    part.tables.push_back(ObjectiveTable(runs, study.only_scc));
    part.tables.push_back(TimeTable(runs, study));
  }
  part.checks = ChecksOf(by_size, study.only_scc);
  std::uint64_t memory = 0;
  for (const std::vector<Run>& runs : by_size) {
    for (const Run& run : runs) memory = std::max(memory, run.scc->memory_peak);
  }
  part.text.push_back(
      fmt::format("The most anonymous memory the process was seen to hold while SCC learned ({} at a time): {}.",
                  study.options().side_by_side,
                  HumanBytes(memory)));
  part.incomparable = {
      "The paper's machine (eight cores, 3.4 GHz, 2014) and compiler are not ours: hours and microseconds differ for "
      "that "
      "reason alone. Ratios between methods, taken on one machine, are what can be compared.",
      "The paper does not say how its objective was evaluated. Here it is always that of exact codes, which is a "
      "little "
      "lower than that of the codes learning leaves.",
      "Its OL is SPAMS; ours is our own. SPAMS was not run here, so how the two compare in speed is not measured on "
      "this page."};
  return part;
}

}  // namespace

Experiment Table1Experiment() { return {"table1", "Table 1", Wants, Tell}; }

}  // namespace flyscribe
