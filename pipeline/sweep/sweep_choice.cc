#include "pipeline/sweep/sweep_choice.h"

#include <map>
#include <utility>

#include "core/text.h"
#include "data/collection.h"
#include "data/models.h"
#include "evaluate/evaluate.h"
#include "pipeline/steps/step.h"

namespace flyscribe {
namespace {

// The artifacts of one point that a choice is made by.
struct SweptPoint {
  std::size_t point = 0;
  const Config* config = nullptr;
  std::map<std::string, fs::path> ingest;                // by range
  std::map<std::string, std::map<int, fs::path>> train;  // by range and outer fold

  // Whether the two can be chosen between.
  bool ComparableWith(const SweptPoint& other) const {
    if (ingest != other.ingest) return false;
    for (const auto& [range, folds] : train) {
      const auto others = other.train.find(range);
      if (others == other.train.end() || others->second.size() != folds.size()) return false;
      for (const auto& [fold, folder] : folds) {
        if (!others->second.contains(fold)) return false;
      }
    }
    return train.size() == other.train.size();
  }
};

// Nothing if the point is not done.
std::optional<SweptPoint> SweptPointOf(const Plan& plan, const RunOutcome& outcome, std::size_t point) {
  SweptPoint candidate{point, plan.points[point].config.get(), {}, {}};
  if (plan.points[point].error) return std::nullopt;
  for (const std::size_t place : plan.points[point].instances) {
    const StepInstance& instance = plan.instances[place];
    const fs::path& folder = outcome.steps[place].folder;
    const bool ingest = instance.step == &IngestStep();
    const bool train = instance.step == &TrainStep();
    if (!ingest && !train) continue;
    if (folder.empty() || !fs::exists(folder)) return std::nullopt;
    if (ingest) candidate.ingest[instance.range] = folder;
    if (train) candidate.train[instance.range][instance.part.fold] = folder;
  }
  if (candidate.train.empty()) return std::nullopt;
  return candidate;
}

std::vector<int> InnerFolds(const std::vector<Bag>& bags, const TrainOptions& options, int tested) {
  std::vector<int> folds;
  for (const Bag& bag : bags) folds.push_back(bag.fold == tested ? -1 : options.InnerFoldOf(bag.gene));
  return folds;
}

class Choice {
 public:
  explicit Choice(std::vector<SweptPoint> candidates) : candidates_(std::move(candidates)) {
    for (const auto& [range, folder] : candidates_.front().ingest) {
      bags_[range] = Collection::Load(folder, StageRange::FromName(range)).bags;
      labels_[range] = LabelTable::FromBags(bags_[range]);
    }
    for (const auto& [range, folds] : candidates_.front().train) {
      for (const auto& [fold, folder] : folds) {
        if (!chosen_.contains(fold)) chosen_.emplace(fold, Best(fold));
      }
    }
  }

  SweepTable Folds(const std::vector<SweepPoint>& points) const {
    SweepTable table;
    table.header.emplace_back("fold");
    for (const auto& [key, value] : points.front().settings) table.header.push_back(key);
    table.header.emplace_back("inner_macro_auc_top");
    for (const auto& [fold, winner] : chosen_) {
      std::vector<std::string> row = {std::to_string(fold)};
      for (const auto& [key, value] : points[winner.candidate->point].settings) row.push_back(value);
      row.push_back(FormatFixed(winner.inner_auc, 4));
      table.rows.push_back(std::move(row));
    }
    return table;
  }

  SweepTable Scores() const {
    SweepTable table{{"range", "macro_auc_top", "low", "high", "macro_auc_all"}, {}};
    double top = 0.0;
    double all = 0.0;
    for (const StageRange range : options().StageRanges()) {
      const Evaluation evaluation = Tested(range.name());
      const AverageEvaluation* macro = TopTerms(evaluation.averages, AverageKind::kMacro);
      const AverageEvaluation* macro_all = AllTerms(evaluation.averages, AverageKind::kMacro);
      if (macro == nullptr || macro_all == nullptr) continue;
      const double auc_all = macro_all->metrics.auc;
      top += macro->metrics.auc;
      all += auc_all;
      const auto bound = [&](const Metrics MetricsInterval::*side) {
        return macro->interval ? FormatFixed(((*macro->interval).*side).auc, 4) : "";
      };
      table.rows.push_back({range.name(),
                            FormatFixed(macro->metrics.auc, 4),
                            bound(&MetricsInterval::low),
                            bound(&MetricsInterval::high),
                            FormatFixed(auc_all, 4)});
    }
    const auto ranges = static_cast<double>(table.rows.size());
    if (table.rows.size() > 1) {
      table.rows.push_back({"mean", FormatFixed(top / ranges, 4), "", "", FormatFixed(all / ranges, 4)});
    }
    return table;
  }

 private:
  struct Winner {
    const SweptPoint* candidate = nullptr;
    double inner_auc = -1.0;
  };

  const Config& options() const { return *candidates_.front().config; }

  // Of equal ones the first.
  Winner Best(int fold) const {
    Winner best;
    for (const SweptPoint& candidate : candidates_) {
      const double auc = InnerAuc(candidate, fold);
      if (auc > best.inner_auc) best = {&candidate, auc};
    }
    return best;
  }

  // The mean over the ranges that have a term to score.
  double InnerAuc(const SweptPoint& candidate, int fold) const {
    double sum = 0.0;
    int ranges = 0;
    for (const auto& [range, folds] : candidate.train) {
      const std::vector<Bag>& bags = bags_.at(range);
      const std::optional<double> auc = InnerMacroAuc(bags,
                                                      labels_.at(range),
                                                      TermModels::Load(folds.at(fold)),
                                                      InnerFolds(bags, candidate.config->train, fold),
                                                      options().evaluate);
      if (!auc) continue;
      sum += *auc;
      ++ranges;
    }
    return ranges == 0 ? 0.0 : sum / ranges;
  }

  // The tested bags of each fold by the models of the point chosen for it.
  Evaluation Tested(const std::string& range) const {
    std::map<int, TermModels> models;
    for (const auto& [fold, winner] : chosen_) {
      models[fold] = TermModels::Load(winner.candidate->train.at(range).at(fold));
    }
    std::vector<FoldScores> folds;
    for (const auto& [fold, each] : models) folds.push_back({fold, &each});
    return Evaluate(bags_.at(range), labels_.at(range), folds, options().evaluate, options().run.threads);
  }

  std::vector<SweptPoint> candidates_;
  std::map<std::string, std::vector<Bag>> bags_;  // by range, as are the labels
  std::map<std::string, LabelTable> labels_;
  std::map<int, Winner> chosen_;  // by outer fold
};

}  // namespace

std::optional<SweepChoice> ChooseByInnerFolds(const std::vector<SweepPoint>& points,
                                              const Plan& plan,
                                              const RunOutcome& outcome) {
  std::vector<SweptPoint> candidates;
  for (std::size_t point = 0; point < points.size(); ++point) {
    std::optional<SweptPoint> candidate = SweptPointOf(plan, outcome, point);
    if (!candidate) continue;
    if (!candidates.empty() && !candidates.front().ComparableWith(*candidate)) return std::nullopt;
    candidates.push_back(std::move(*candidate));
  }
  if (candidates.size() < 2) return std::nullopt;
  const Choice choice(std::move(candidates));
  return SweepChoice{choice.Folds(points), choice.Scores()};
}

}  // namespace flyscribe
