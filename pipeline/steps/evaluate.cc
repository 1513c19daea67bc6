// evaluate: scores of every tested fold's bags, by the models that never saw their genes.
// evaluate-pixels: the same with the models of raw pixels.
#include "evaluate/evaluate.h"

#include "core/text.h"
#include "data/collection.h"
#include "data/models.h"
#include "pipeline/steps/step.h"

namespace flyscribe {
namespace {

// The protocol decides how many folds it reads, which its inputs say as well; named here, it can be told as the reason.
void Describe(const Config& config, ArtifactKey& key) {
  key.AddOptions("evaluate", KeyText(config.evaluate));
  key.AddOptions("protocol", "test_folds: " + std::to_string(config.protocol.test_folds));
}

// `train_step` is the step whose models are evaluated.
void Run(StepContext& context, const Step& train_step) {
  const Collection collection = context.LoadCollection();
  std::vector<TermModels> models;
  std::vector<int> tested;
  for (const StepInput& input : context.inputs) {
    if (input.step != train_step.name) continue;
    models.push_back(TermModels::Load(input.folder));
    tested.push_back(input.part.fold);
  }
  std::vector<FoldScores> folds;
  for (std::size_t i = 0; i < models.size(); ++i) folds.push_back({tested[i], &models[i]});
  const Evaluation evaluation =
      Evaluate(collection.bags, LabelTable::FromBags(collection.bags), folds, context.config.evaluate, context.threads);
  evaluation.Save(context.output);
  if (const AverageEvaluation* macro = TopTerms(evaluation.averages, AverageKind::kMacro)) {
    const auto text = [](double auc) { return FormatFixed(auc, 3); };
    const std::string interval =
        macro->interval ? " (" + text(macro->interval->low.auc) + "-" + text(macro->interval->high.auc) + ")" : "";
    context.AddFact("macro AUC", text(macro->metrics.auc) + interval);
  }
}

}  // namespace

StepCode EvaluateCode() {
  return {Describe, [](StepContext& context) { Run(context, TrainStep()); }};
}

StepCode EvaluatePixelsCode() {
  return {Describe, [](StepContext& context) { Run(context, TrainPixelsStep()); }};
}

}  // namespace flyscribe
