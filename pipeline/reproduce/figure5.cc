#include "pipeline/reproduce/figure5.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/text.h"
#include "pipeline/reproduce/experiment.h"

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

// Differences in AUC below this are called level: several times smaller than the intervals of one split.
constexpr double kLevel = 0.02;

std::string MethodName(Method method) { return method == Method::kScc ? "SCC" : "OL"; }
std::string ProtocolName(Protocol protocol) { return protocol == Protocol::kPaper ? "paper" : "strict"; }

const AnnotationScore* Find(const std::vector<AnnotationScore>& scores,
                            const AnnotationPoint& point,
                            const std::string& range) {
  for (const AnnotationScore& score : scores) {
    const bool same = score.point.method == point.method && score.point.atoms == point.atoms &&
                      score.point.protocol == point.protocol;
    if (same && score.range == range) return &score;
  }
  return nullptr;
}

// "0.812 (0.77-0.85)".
std::string ScoreText(const AnnotationScore* score, double Metrics::*value) {
  if (score == nullptr) return "-";
  std::string text = FormatFixed(score->metrics.*value, 3);
  if (score->low && score->high) {
    text += fmt::format(" ({:.2f}-{:.2f})", (*score->low).*value, (*score->high).*value);
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
    return Find(scores, {method, atoms, protocol}, range);
  }
  // Mean over the ranges that have scores of both.
  std::optional<double> MeanAuc(Method method) const {
    double sum = 0.0;
    int count = 0;
    for (const std::string& range : ranges) {
      if (Of(Method::kScc, range) == nullptr || Of(Method::kOnline, range) == nullptr) continue;
      sum += Of(method, range)->metrics.auc;
      ++count;
    }
    return count > 0 ? std::optional(sum / count) : std::nullopt;
  }
};

ReproductionTable PanelTable(const Panel& panel) {
  ReproductionTable table;
  table.caption = fmt::format("Protocol {}, m = {}", ProtocolName(panel.protocol), panel.atoms);
  table.header = {"Stages", "terms"};
  for (const Shown& shown : kShown) {
    for (const Method method : {Method::kOnline, Method::kScc}) {
      table.header.push_back(std::string(shown.name) + " " + MethodName(method));
    }
  }
  table.header.emplace_back("AUC SCC - OL");
  for (const std::string& range : panel.ranges) {
    const AnnotationScore* online = panel.Of(Method::kOnline, range);
    const AnnotationScore* scc = panel.Of(Method::kScc, range);
    std::vector<std::string> row = {range, scc != nullptr ? std::to_string(scc->terms) : "-"};
    for (const Shown& shown : kShown) {
      row.push_back(ScoreText(online, shown.value));
      row.push_back(ScoreText(scc, shown.value));
    }
    const bool both = online != nullptr && scc != nullptr;
    row.push_back(both ? fmt::format("{:+.3f}", scc->metrics.auc - online->metrics.auc) : "-");
    table.rows.push_back(row);
  }
  return table;
}

GroupedBars PanelBars(const Panel& panel, Method method) {
  GroupedBars bars{
      .title = fmt::format("{} (m = {}), protocol {}", MethodName(method), panel.atoms, ProtocolName(panel.protocol)),
      .description = "Accuracy, AUC, sensitivity and specificity of each stage range.",
      .y = UnitAxis(""),
      .groups = {},
      .members = {},
      .bars = {}};
  for (const Shown& shown : kShown) bars.members.emplace_back(shown.name);
  for (const std::string& range : panel.ranges) {
    bars.groups.push_back(range);
    bars.bars.emplace_back();
    const AnnotationScore* score = panel.Of(method, range);
    for (const Shown& shown : kShown) {
      GroupedBar bar;
      if (score != nullptr) bar.value = score->metrics.*shown.value;
      if (score != nullptr && score->low && score->high) {
        bar.low = (*score->low).*shown.value;
        bar.high = (*score->high).*shown.value;
      }
      bars.bars.back().push_back(bar);
    }
  }
  return bars;
}

// The paper's two statements, about what its bars show.
void Compare(const std::vector<Panel>& panels, ReproductionPart& part) {
  for (const Panel& panel : panels) {
    const auto online = panel.MeanAuc(Method::kOnline);
    const auto scc = panel.MeanAuc(Method::kScc);
    if (!online || !scc) continue;
    const bool level = std::abs(*scc - *online) <= kLevel;
    (level ? part.agrees : part.differs)
        .push_back(fmt::format(
            "Protocol {}, m = {}: mean AUC over the ranges is {:.3f} with OL and {:.3f} with SCC; the paper "
            "finds {}.",
            ProtocolName(panel.protocol),
            panel.atoms,
            *online,
            *scc,
            panel.atoms <= 500 ? "OL slightly ahead" : "them comparable"));
  }
  for (const Method method : {Method::kOnline, Method::kScc}) {
    for (const Protocol protocol : {Protocol::kPaper, Protocol::kStrict}) {
      std::vector<std::string> values;
      std::vector<double> numbers;
      for (const Panel& panel : panels) {
        const auto mean = panel.protocol == protocol ? panel.MeanAuc(method) : std::nullopt;
        if (!mean) continue;
        numbers.push_back(*mean);
        values.push_back(fmt::format("m = {}: {:.3f}", panel.atoms, *mean));
      }
      if (numbers.size() < 2) continue;
      const bool grows = numbers.back() > numbers.front();
      (grows ? part.agrees : part.differs)
          .push_back(fmt::format("Protocol {}, {}: mean AUC by size is {}; the paper says that it improves as m grows.",
                                 ProtocolName(protocol),
                                 MethodName(method),
                                 Join(values, ", ")));
    }
  }
}

}  // namespace

std::string AnnotationPoint::Name() const {
  return fmt::format("{} m={} {}", method == Method::kScc ? "scc" : "online", atoms, ProtocolName(protocol));
}

std::vector<AnnotationPoint> AnnotationPoints(const Config& config) {
  std::vector<AnnotationPoint> points;
  for (const Protocol protocol : {Protocol::kPaper, Protocol::kStrict}) {
    for (const int atoms : Numbers(config.reproduce.sizes)) {
      for (const Method method : {Method::kOnline, Method::kScc}) points.push_back({method, atoms, protocol});
    }
  }
  return points;
}

Config AnnotationConfig(const Config& config, const AnnotationPoint& point) {
  Config changed = config;
  const Study study{config};
  const Measurement as = point.method == Method::kScc ? study.Scc("", point.atoms) : study.Online("", point.atoms);
  changed.learn = as.learn;
  changed.learn.epochs = config.reproduce.annotation_epochs;
  changed.learn.patch_order = LearnOptions::PatchOrder::kShuffled;  // here patches lie image by image
  const bool paper = point.protocol == Protocol::kPaper;
  changed.protocol.Apply(paper ? ProtocolOptions::Profile::kPaper : ProtocolOptions::Profile::kStrict);
  changed.protocol.test_folds = std::min(changed.protocol.test_folds, config.ingest.folds);
  changed.pool.codes = paper ? PoolOptions::Codes::kLearned : PoolOptions::Codes::kEncoded;
  return changed;
}

std::optional<AnnotationScore> ScoreOf(const AnnotationPoint& point,
                                       const std::string& range,
                                       const Evaluation& evaluation) {
  const AverageEvaluation* average = evaluation.TopTerms("weighted");
  if (average == nullptr) return std::nullopt;
  AnnotationScore score{point, range, average->count, average->metrics, std::nullopt, std::nullopt};
  if (average->interval) {
    score.low = average->interval->low;
    score.high = average->interval->high;
  }
  return score;
}

ReproductionPart TellFigure5(const Config& config, const std::vector<AnnotationScore>& scores) {
  ReproductionPart part{.name = "Figure 5", .title = "annotation with OL's and SCC's features"};
  std::vector<std::string> ranges;
  for (const StageRange range : config.StageRanges()) ranges.push_back(range.name());
  std::vector<Panel> panels;
  for (const Protocol protocol : {Protocol::kPaper, Protocol::kStrict}) {
    for (const int atoms : Numbers(config.reproduce.sizes)) panels.push_back({scores, ranges, atoms, protocol});
  }
  for (const Panel& panel : panels) {
    part.tables.push_back(PanelTable(panel));
    part.bars.push_back(PanelBars(panel, Method::kOnline));
    part.bars.push_back(PanelBars(panel, Method::kScc));
  }
  part.text = {
      fmt::format(
          "Weighted average over the most frequent terms of each range, {}. OL's features are of mini-batch OL (512), "
          "SCC's of exact SCC, {} epochs each.",
          config.simulated ? "simulated embryos with planted terms" : "real images",
          config.reproduce.annotation_epochs),
      "Protocol paper: one random split of the genes; the dictionary is learned from all images, tested ones included, "
      "and the "
      "codes that learning leaves are pooled. Protocol strict: every gene is tested once, by a dictionary and "
      "classifiers that "
      "never saw it, and images are coded with the final dictionary. In brackets: 95 % intervals by bootstrap over the "
      "tested "
      "genes, where they were computed."};
  Compare(panels, part);
  part.incomparable = {"The paper's scores stand in bar charts without numbers: only their order can be compared.",
                       "The split, the kernel and C of the SVM, and how terms were chosen are not in the paper."};
  if (config.simulated) {
    part.incomparable.emplace_back("These embryos are simulated: the scores say nothing about scores on real ones.");
  }
  return part;
}

}  // namespace flyscribe
