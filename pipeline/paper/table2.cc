// Table 2: the time of OL and SCC, both at batch size 1, split into updating codes (Z) and updating the dictionary (D).
#include <fmt/core.h>

#include <map>

#include "core/text.h"
#include "pipeline/paper/experiment.h"
#include "pipeline/paper/published.h"

namespace flyscribe {
namespace {

// OL against SCC, in total: what is left of Table 2's own ratios (31, 67, 137) once they are rounded down.
const std::map<int, double>& LeastRatios() {
  static const std::map<int, double> ratios = {{500, 30.0}, {1000, 60.0}, {2000, 120.0}};
  return ratios;
}

std::vector<Measurement> Wants(const Study& study) {
  std::vector<Measurement> wanted;
  for (const int atoms : study.Sizes()) {
    for (const Measurement& run : study.Runs(study.Scc(study.options().race_range, atoms))) wanted.push_back(run);
    wanted.push_back(study.OnlineSingle(study.options().race_range, atoms));
  }
  return wanted;
}

struct Size {
  int atoms = 0;
  Repeated scc;
  const Measured* online = nullptr;

  double Visits() const { return static_cast<double>(scc.One().patches * scc.One().seconds.size()); }
  double Ratio() const { return online->VisitMicroseconds() / scc.VisitMicroseconds(); }
};

// A row: microseconds here, hours in the paper.
struct Split {
  const char* name;
  double (Measured::*measured)() const;
  double (*published)(const PublishedSplit&);
};
const std::vector<Split>& Splits() {
  static const std::vector<Split> splits = {
      {"Z", &Measured::CodesMicroseconds, [](const PublishedSplit& hours) { return hours.codes; }},
      {"D", &Measured::DictionaryMicroseconds, [](const PublishedSplit& hours) { return hours.dictionary; }},
      {"total", &Measured::VisitMicroseconds, [](const PublishedSplit& hours) { return hours.Total(); }}};
  return splits;
}

std::vector<std::string> SplitRow(const Size& size, const Split& split, const std::string& mark) {
  const auto online = PublishedOnlineSplit(size.atoms);
  const auto scc = PublishedSccSplit(size.atoms);
  const double online_us = (size.online->*split.measured)();
  const double scc_us = size.scc.MedianOf(split.measured);
  const double hours = size.Visits() * 1e-6 / 3600.0;
  return {std::to_string(size.atoms),
          split.name,
          online ? FormatFixed(split.published(*online), 2) : "-",
          ThreeDigits(online_us * hours) + mark,
          scc ? FormatFixed(split.published(*scc), 2) : "-",
          ThreeDigits(scc_us * hours),
          ThreeDigits(online_us),
          ThreeDigits(scc_us),
          online && scc ? Times(split.published(*online) / split.published(*scc)) : "-",
          Times(online_us / scc_us)};
}

ReproductionTable SplitTable(const std::vector<Size>& sizes, const Study& study) {
  ReproductionTable table;
  table.caption = "Hours and microseconds of updating Z and D";
  table.header = {"m",
                  "update",
                  "OL hours published",
                  "OL hours",
                  "SCC hours published",
                  "SCC hours",
                  "OL us a visit",
                  "SCC us a visit",
                  "OL / SCC published",
                  "measured"};
  for (const Size& size : sizes) {
    for (const Split& split : Splits()) table.rows.push_back(SplitRow(size, split, study.full ? "" : " *"));
  }
  table.note =
      RunsNote(study) + " SCC's split is sampled: reading the clock at every visit would cost more than the visit.";
  if (!study.full) {
    table.note += fmt::format(" * extrapolated from the first {} visits, {} times, to as many visits as SCC made.",
                              study.options().online_visits,
                              study.options().repeats);
  }
  return table;
}

std::vector<ReproductionCheck> ChecksOf(const std::vector<Size>& sizes) {
  std::vector<ReproductionCheck> checks;
  for (const Size& size : sizes) {
    const auto least = LeastRatios().find(size.atoms);
    if (least == LeastRatios().end()) continue;
    checks.push_back(Check(size.Ratio() >= least->second,
                           fmt::format("m = {}: OL is at least {} times slower than SCC", size.atoms, least->second),
                           fmt::format("{} us against {} us a visit: {}",
                                       ThreeDigits(size.online->VisitMicroseconds()),
                                       ThreeDigits(size.scc.VisitMicroseconds()),
                                       Times(size.Ratio()))));
  }
  if (sizes.size() < 2) return checks;
  const double online = sizes.back().online->VisitMicroseconds() / sizes.front().online->VisitMicroseconds();
  const double scc = sizes.back().scc.VisitMicroseconds() / sizes.front().scc.VisitMicroseconds();
  checks.push_back(Check(
      scc < online,
      "SCC's time grows more slowly with m than OL's",
      fmt::format(
          "from m = {} to {}: SCC {}, OL {}", sizes.front().atoms, sizes.back().atoms, Times(scc), Times(online))));
  return checks;
}

// Where the time goes, here and in the paper.
void CompareShares(const std::vector<Size>& sizes, ReproductionPart& part) {
  Span scc;
  Span online;
  Span scc_published;
  Span online_published;
  Span dictionary_only;
  for (const Size& size : sizes) {
    const auto published_online = PublishedOnlineSplit(size.atoms);
    const auto published_scc = PublishedSccSplit(size.atoms);
    const double dictionary = size.online->DictionaryMicroseconds();
    dictionary_only.Add(dictionary / size.scc.VisitMicroseconds());
    if (!published_online || !published_scc) continue;
    scc.Add(size.scc.MedianOf(&Measured::CodesMicroseconds) / size.scc.VisitMicroseconds());
    online.Add(dictionary / size.online->VisitMicroseconds());
    scc_published.Add(published_scc->codes / published_scc->Total());
    online_published.Add(published_online->dictionary / published_online->Total());
  }
  part.text.push_back("Whatever way OL finds its codes, its update of D alone takes " + dictionary_only.Text(Times) +
                      " the time of a whole visit of SCC.");
  if (scc.empty()) return;
  const auto percent = [](double share) { return FormatFixed(100.0 * share, 0) + " %"; };
  Say(scc.low > 0.5,
      fmt::format("SCC spends most of its time on Z: {} in the paper, {} here.",
                  scc_published.Text(percent),
                  scc.Text(percent)),
      part);
  Say(online.low > 0.5,
      fmt::format("OL spends most of its time on D in the paper: {}; here {}.",
                  online_published.Text(percent),
                  online.Text(percent)),
      part);
}

ReproductionPart Tell(const Study& study, const Results& results) {
  const std::string& range = study.options().race_range;
  std::vector<Size> sizes;
  for (const int atoms : study.Sizes()) {
    sizes.push_back(
        {atoms, results.Of(study.Runs(study.Scc(range, atoms))), &results.Of(study.OnlineSingle(range, atoms))});
  }
  ReproductionPart part{.name = "Table 2", .title = "time in updating Z and D"};
  part.text = {
      fmt::format("Stage range {}, {} patches, {} epochs, both at batch size 1, one thread, wall-clock time of "
                  "learning alone. The paper does not name its range; its OL totals are those of its Table 1 for 7-8.",
                  range,
                  sizes.front().scc.One().patches,
                  sizes.front().scc.One().seconds.size())};
  part.tables.push_back(SplitTable(sizes, study));
  part.checks = ChecksOf(sizes);
  CompareShares(sizes, part);
  part.incomparable = {
      "The paper's SCC totals here are 3.7 to 4.7 times those of its own Table 1 for range 7-8, whose OL totals they "
      "share: both cannot be one measurement, so one of them has to be left unmatched."};
  return part;
}

}  // namespace

Experiment Table2Experiment() { return {"table2", Wants, Tell}; }

}  // namespace flyscribe
