#include "pipeline/paper/figure5.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "core/text.h"
#include "pipeline/paper/experiment.h"
#include "pipeline/paper/published.h"

namespace flyscribe {
namespace {

using Method = AnnotationPoint::Method;
using Protocol = AnnotationPoint::Protocol;

struct Shown {
  const char* name;
  double Metrics::*value;
};
// In the paper's order.
constexpr std::array<Shown, 4> kShown = {{{"accuracy", &Metrics::accuracy},
                                          {"AUC", &Metrics::auc},
                                          {"sensitivity", &Metrics::sensitivity},
                                          {"specificity", &Metrics::specificity}}};

// At this size the paper finds OL slightly ahead, above it the two comparable.
constexpr int kOnlineAhead = 500;

std::string MethodName(Method method) { return method == Method::kScc ? "SCC" : "OL"; }
std::string ProtocolName(Protocol protocol) { return protocol == Protocol::kPaper ? "paper" : "strict"; }
std::string PlaceText(Protocol protocol, int atoms) {
  return fmt::format("Protocol {}, m = {}", ProtocolName(protocol), atoms);
}

// "0.812 (0.77-0.85)".
std::string ScoreText(const AnnotationScore* score, double Metrics::*value) {
  if (score == nullptr) return "-";
  const AverageEvaluation& average = score->average;
  std::string text = FormatFixed(average.metrics.*value, 3);
  if (average.interval) {
    text += fmt::format(" ({:.2f}-{:.2f})", average.interval->low.*value, average.interval->high.*value);
  }
  return text;
}

// One size under one protocol.
struct Panel {
  const std::vector<AnnotationScore>& scores;
  const std::vector<std::string>& ranges;
  int atoms = 0;
  Protocol protocol = Protocol::kPaper;

  const AnnotationScore* Of(Method method, const std::string& range) const {
    for (const AnnotationScore& score : scores) {
      const AnnotationPoint& point = score.point;
      const bool here = point.method == method && point.atoms == atoms && point.protocol == protocol;
      if (here && score.range == range) return &score;
    }
    return nullptr;
  }
  // Mean over the ranges that have scores of both.
  std::optional<double> MeanAuc(Method method) const {
    double sum = 0.0;
    int count = 0;
    for (const std::string& range : ranges) {
      if (Of(Method::kScc, range) == nullptr || Of(Method::kOnline, range) == nullptr) continue;
      sum += Of(method, range)->average.metrics.auc;
      ++count;
    }
    return count > 0 ? std::optional(sum / count) : std::nullopt;
  }
};

ReproductionTable PanelTable(const Panel& panel) {
  ReproductionTable table;
  table.caption = PlaceText(panel.protocol, panel.atoms);
  table.header = {"Stages", "terms"};
  for (const Shown& shown : kShown) {
    for (const Method method : {Method::kOnline, Method::kScc}) {
      table.header.push_back(std::string(shown.name) + " " + MethodName(method));
    }
  }
  table.header.insert(table.header.begin() + 2, "majority accuracy");
  for (const std::string& range : panel.ranges) {
    const AnnotationScore* online = panel.Of(Method::kOnline, range);
    const AnnotationScore* scc = panel.Of(Method::kScc, range);
    std::vector<std::string> row = {range,
                                    scc != nullptr ? std::to_string(scc->average.count) : "-",
                                    scc != nullptr ? FormatFixed(scc->average.metrics.baseline, 3) : "-"};
    for (const Shown& shown : kShown) {
      row.push_back(ScoreText(online, shown.value));
      row.push_back(ScoreText(scc, shown.value));
    }
    table.rows.push_back(row);
  }
  return table;
}

GroupedBars PanelBars(const Panel& panel, Method method) {
  GroupedBars bars{
      .title = fmt::format("{} (m = {}), protocol {}", MethodName(method), panel.atoms, ProtocolName(panel.protocol)),
      .description = "Accuracy, AUC, sensitivity and specificity of each stage range.",
      .y = UnitAxis("")};
  for (const Shown& shown : kShown) bars.members.emplace_back(shown.name);
  for (const std::string& range : panel.ranges) {
    bars.groups.push_back(range);
    bars.bars.emplace_back();
    const AnnotationScore* score = panel.Of(method, range);
    for (const Shown& shown : kShown) {
      GroupedBar bar;
      if (score != nullptr) bar.value = score->average.metrics.*shown.value;
      if (score != nullptr && score->average.interval) {
        bar.low = score->average.interval->low.*shown.value;
        bar.high = score->average.interval->high.*shown.value;
      }
      bars.bars.back().push_back(bar);
    }
  }
  return bars;
}

std::string DifferenceText(const PairedAuc& auc) {
  std::string text = fmt::format("{:+.3f}", auc.Difference());
  if (auc.difference_interval) {
    text += fmt::format(" ({:+.3f} to {:+.3f})", auc.difference_interval->low, auc.difference_interval->high);
  }
  return text;
}

ReproductionTable DifferencesTable(const std::vector<AnnotationDifference>& differences) {
  using Difference = AnnotationDifference;
  return Tabulate<Difference>(
      "SCC against OL on the same genes",
      differences,
      {{"protocol", [](const Difference& each) { return ProtocolName(each.protocol); }},
       {"m", [](const Difference& each) { return std::to_string(each.atoms); }},
       {"AUC OL", [](const Difference& each) { return FormatFixed(each.auc.first, 3); }},
       {"AUC SCC", [](const Difference& each) { return FormatFixed(each.auc.second, 3); }},
       {"SCC - OL", [](const Difference& each) { return DifferenceText(each.auc); }}},
      "Plain mean of the AUC over the most frequent terms, then over the stage ranges. In brackets: 95 % interval of "
      "the difference, by a bootstrap in which both methods see the same genes.");
}

// The paper's order of the two methods. Differences whose interval contains 0 may be luck with the genes.
void CompareMethods(const AnnotationDifference& difference, ReproductionPart& part) {
  if (!PublishedSccSplit(difference.atoms)) return;  // not a size of the paper
  const auto& interval = difference.auc.difference_interval;
  const double low = interval ? interval->low : difference.auc.Difference();
  const double high = interval ? interval->high : difference.auc.Difference();
  const bool ahead = difference.atoms <= kOnlineAhead;
  Say(ahead ? low <= 0.0 : low <= 0.0 && high >= 0.0,
      fmt::format("{}: the paper finds {}; here the AUC of SCC is {} from OL's.",
                  PlaceText(difference.protocol, difference.atoms),
                  ahead ? "OL slightly ahead" : "them comparable",
                  DifferenceText(difference.auc)),
      part);
}

// "It improves as the dictionary grows", of one method under one protocol.
void CompareSizes(const std::vector<Panel>& panels, Method method, Protocol protocol, ReproductionPart& part) {
  std::vector<std::string> values;
  std::vector<double> numbers;
  for (const Panel& panel : panels) {
    const auto mean = panel.protocol == protocol ? panel.MeanAuc(method) : std::nullopt;
    if (!mean) continue;
    numbers.push_back(*mean);
    values.push_back(fmt::format("m = {}: {:.3f}", panel.atoms, *mean));
  }
  if (numbers.size() < 2) return;
  Say(std::is_sorted(numbers.begin(), numbers.end()),
      fmt::format("Protocol {}, {}: mean AUC by size is {}; the paper says that it improves as m grows.",
                  ProtocolName(protocol),
                  MethodName(method),
                  Join(values, ", ")),
      part);
}

}  // namespace

std::string AnnotationPoint::Name() const {
  return fmt::format("{} m={} {}", method == Method::kScc ? "scc" : "online", atoms, ProtocolName(protocol));
}

std::vector<AnnotationPoint> AnnotationPoints(const PaperConfig& config) {
  std::vector<AnnotationPoint> points;
  for (const Protocol protocol : {Protocol::kPaper, Protocol::kStrict}) {
    for (const int atoms : Numbers(config.reproduce.sizes)) {
      for (const Method method : {Method::kOnline, Method::kScc}) points.push_back({method, atoms, protocol});
    }
  }
  return points;
}

Config AnnotationConfig(const PaperConfig& config, const AnnotationPoint& point) {
  Config changed = config;
  const Study study{config};
  const Measurement as = point.method == Method::kScc ? study.Scc("", point.atoms) : study.Online("", point.atoms);
  changed.learn = as.learn;
  changed.learn.epochs = config.reproduce.annotation_epochs;
  changed.learn.patch_order = LearnOptions::PatchOrder::kShuffled;  // here patches lie image by image
  const bool paper = point.protocol == Protocol::kPaper;
  changed.protocol.Apply(paper ? ProtocolOptions::Profile::kPaper : ProtocolOptions::Profile::kStrict);
  changed.protocol.test_folds = paper ? 1 : config.ingest.folds;
  changed.pool.codes = paper ? PoolOptions::Codes::kLearned : PoolOptions::Codes::kEncoded;
  return changed;
}

AnnotationResults ReadAnnotations(const PaperConfig& config, const std::vector<AnnotationFolders>& points) {
  AnnotationResults results;
  // OL and SCC of one size and protocol stand beside each other.
  for (std::size_t i = 0; i + 1 < points.size(); i += 2) {
    std::vector<RangePredictions> shared;
    for (const auto& [range, folder] : points[i].ranges) {
      Evaluation online = Evaluation::Load(folder);
      Evaluation scc = Evaluation::Load(points[i + 1].ranges.at(range));
      const AverageEvaluation* online_average = TopTerms(online.averages, AverageKind::kWeighted);
      const AverageEvaluation* scc_average = TopTerms(scc.averages, AverageKind::kWeighted);
      if (online_average != nullptr) results.scores.push_back({points[i].point, range, *online_average});
      if (scc_average != nullptr) results.scores.push_back({points[i + 1].point, range, *scc_average});
      if (online_average == nullptr || scc_average == nullptr) continue;
      shared.push_back({range, std::move(online.predictions), std::move(scc.predictions)});
    }
    if (shared.empty()) continue;
    const RunComparison comparison = CompareRuns(shared, config.evaluate, config.run.threads);
    results.differences.push_back({points[i].point.atoms, points[i].point.protocol, comparison.top});
  }
  return results;
}

ReproductionPart TellFigure5(const PaperConfig& config, const AnnotationResults& results) {
  ReproductionPart part{.name = "Figure 5", .title = "annotation with OL's and SCC's features"};
  const std::vector<std::string> ranges = config.RangeNames();
  std::vector<Panel> panels;
  for (const Protocol protocol : {Protocol::kPaper, Protocol::kStrict}) {
    for (const int atoms : Numbers(config.reproduce.sizes)) panels.push_back({results.scores, ranges, atoms, protocol});
  }
  part.tables.push_back(DifferencesTable(results.differences));
  for (const Panel& panel : panels) {
    part.tables.push_back(PanelTable(panel));
    part.bars.push_back(PanelBars(panel, Method::kOnline));
    part.bars.push_back(PanelBars(panel, Method::kScc));
  }
  part.text = {
      fmt::format("Weighted average over the most frequent terms of each range, {}. OL's features are of mini-batch OL "
                  "(512), SCC's of exact SCC, {} epochs each; each method shuffles the patches for itself.",
                  config.simulated ? "simulated embryos with planted terms" : "real images",
                  config.reproduce.annotation_epochs),
      "Protocol paper: one random split of the genes; the dictionary is learned from all images, tested ones included, "
      "and the codes that learning leaves are pooled. Protocol strict: every gene is tested once, by a dictionary and "
      "classifiers that never saw it, and images are coded with the final dictionary. In brackets: 95 % intervals by "
      "bootstrap over the tested genes, where they were computed. Majority accuracy is that of always giving the more "
      "frequent answer."};
  for (const AnnotationDifference& difference : results.differences) CompareMethods(difference, part);
  for (const Method method : {Method::kOnline, Method::kScc}) {
    for (const Protocol protocol : {Protocol::kPaper, Protocol::kStrict}) CompareSizes(panels, method, protocol, part);
  }
  part.incomparable = {"The paper's scores stand in bar charts without numbers: only their order can be compared.",
                       "The split, the kernel and C of the SVM, and how terms were chosen are not in the paper."};
  if (config.simulated) {
    part.incomparable.emplace_back("These embryos are simulated: the scores say nothing about scores on real ones.");
  }
  return part;
}

}  // namespace flyscribe
