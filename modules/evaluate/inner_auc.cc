#include "evaluate/inner_auc.h"

#include <algorithm>

#include "core/error.h"

namespace flyscribe {

std::optional<double> InnerMacroAuc(const std::vector<Bag>& bags,
                                    const LabelTable& labels,
                                    const TermModels& models,
                                    const std::vector<int>& inner_folds,
                                    EvaluateOptions options) {
  FLYSCRIBE_CHECK(inner_folds.size() == bags.size(), "one inner fold per bag");
  std::vector<Bag> trained_on = bags;
  int last = -1;
  for (std::size_t i = 0; i < bags.size(); ++i) {
    trained_on[i].fold = inner_folds[i];
    last = std::max(last, inner_folds[i]);
  }
  std::vector<FoldScores> folds;
  for (int fold = 0; fold <= last; ++fold) folds.push_back({fold, &models});
  options.bootstrap = 0;
  const Evaluation evaluation = Evaluate(trained_on, labels, folds, options);
  const AverageEvaluation* macro = TopTerms(evaluation.averages, AverageKind::kMacro);
  return macro == nullptr ? std::nullopt : std::optional(macro->metrics.auc);
}

}  // namespace flyscribe
