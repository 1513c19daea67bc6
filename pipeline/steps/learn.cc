// learn: the dictionary, from the patches of all bags or of the training genes of a fold.
#include "sparse/learn.h"

#include <fmt/core.h>

#include <optional>

#include "core/error.h"
#include "core/text.h"
#include "data/patches.h"
#include "pipeline/cache/checkpoint.h"
#include "pipeline/steps/step.h"

namespace flyscribe {
namespace {

// The protocol decides what part it learns from, which the key says as well; named here, it can be told as the reason.
void Describe(const Config& config, ArtifactKey& key) {
  key.AddOptions("learn", KeyText(config.learn));
  const bool all = config.protocol.dictionary == ProtocolOptions::DictionaryFrom::kAll;
  key.AddOptions("protocol", std::string("dictionary: ") + (all ? "\"all\"" : "\"training\""));
}

std::vector<std::size_t> TrainingRows(const StepContext& context, const PatchTable& patches) {
  const Collection collection = context.LoadCollection();
  std::vector<std::size_t> rows;
  for (std::size_t row = 0; row < patches.size(); ++row) {
    const ImageRecord& image = collection.images.at(static_cast<std::size_t>(patches.image[row]));
    if (context.part.TrainsOn(collection.bags[image.bag])) rows.push_back(row);
  }
  return rows;
}

// A checkpoint that cannot be used costs time, nothing else.
std::optional<LearnState> StateToGoOnFrom(const LearnCheckpoint& checkpoint, Progress& progress) {
  try {
    return checkpoint.Load();
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kCorrupt && error.code() != ErrorCode::kUsage) throw;
    progress.Warn(error.diagnostics().front().message + "; learning begins anew");
    checkpoint.Remove();
    return std::nullopt;
  }
}

LearnResult LearnResumably(const StepContext& context, FloatView patches, const std::vector<std::size_t>& rows) {
  LearnCheckpoint checkpoint(context.checkpoint, context.key_text, context.config.cache.checkpoint_seconds);
  const std::optional<LearnState> state = StateToGoOnFrom(checkpoint, context.progress);
  if (state) {
    context.progress.Say("going on after epoch " + std::to_string(state->epochs_done) + " of " +
                         std::to_string(context.config.learn.epochs));
  }
  LearnControl control;
  control.threads = context.threads;
  control.resume = state ? &*state : nullptr;
  control.after_epoch = [&checkpoint](const LearnPause& pause) {
    if (checkpoint.IsDue()) checkpoint.Save(pause.State());
  };
  return Learn(patches, rows, context.config.learn, control, context.progress);
}

void Run(StepContext& context) {
  const MappedPatchSet patches(context.Input(NormaliseStep()));
  const std::vector<std::size_t> rows = TrainingRows(context, patches.table());
  const LearnResult result = LearnResumably(context, patches.descriptors(), rows);
  result.dictionary.Save(context.output);
  result.codes.Save(context.output);
  const std::vector<std::int64_t> saved_rows(rows.begin(), rows.end());
  WriteNpy<std::int64_t>(context.output / "rows.npy", saved_rows, {rows.size()});
  const LearningSummary& summary = result.dictionary.summary;
  context.AddFact("patches", std::to_string(rows.size()));
  if (summary.settled) {
    context.AddFact("epochs",
                    fmt::format("{} of at most {}: the objective has settled",
                                summary.objective_per_epoch.size(),
                                context.config.learn.epochs));
  }
  context.AddFact("objective", FormatFixed(summary.Objective(), 4));
  context.AddFact("nonzeros per code", FormatFixed(summary.nonzeros_per_code, 1));
  if (summary.unused_atoms > 0) context.AddFact("unused atoms", std::to_string(summary.unused_atoms));
}

}  // namespace

StepCode LearnCode() { return {Describe, Run}; }

}  // namespace flyscribe
