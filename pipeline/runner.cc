#include "pipeline/runner.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <new>

#include "core/error.h"
#include "core/file.h"
#include "core/text.h"
#include "pipeline/version.h"

namespace flyscribe {
namespace {

double SecondsSince(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Calls `body`; whatever it throws leaves as an Error that says which step was running.
Artifact SayingWhatIsDone(const StepInstance& instance, const std::function<Artifact()>& body) {
  const std::string doing = "running " + instance.Describe();
  try {
    return body();
  } catch (Error& error) {
    error.AddContext(doing);
    throw;
  } catch (const fs::filesystem_error& error) {
    throw Error(ErrorCode::kDisk, error.what(), "while " + doing);
  } catch (const std::bad_alloc&) {
    throw Error(
        ErrorCode::kInternal, "out of memory while " + doing, "use fewer images, fewer atoms or a larger machine");
  }
}

std::vector<StepInput> InputsOf(const StepInstance& instance, const Plan& plan, const std::vector<fs::path>& folders) {
  std::vector<StepInput> inputs;
  for (const StepLink& link : instance.links) {
    if (link.instance == kNoInstance) continue;
    const StepInstance& other = plan.instances[link.instance];
    inputs.push_back({other.range, other.part, other.step->name, folders[link.instance]});
  }
  return inputs;
}

}  // namespace

std::size_t RunOutcome::Hits() const {
  return static_cast<std::size_t>(
      std::count_if(steps.begin(), steps.end(), [](const StepOutcome& step) { return step.hit; }));
}

fs::path RunOutcome::FolderOf(const std::string& range, const std::string& step) const {
  for (const StepOutcome& outcome : steps) {
    if (outcome.range == range && outcome.step == step) return outcome.folder;
  }
  throw Error(ErrorCode::kInternal, "no step " + step + " for " + range + " in this run");
}

Runner::Runner(const Config& config, Console& console)
    : config_(config),
      console_(console),
      store_(config.cache.dir, [&console](const std::string& message) { console.Warn(message); }) {}

CorpusSource Runner::ImportCorpus() {
  fs::path simulated;
  if (config_.simulated) {
    plan_.instances = {PlanSimulate(config_)};
    slots_.resize(1);
    EnsureTrusted(0);
    simulated = slots_[0].artifact->folder;
  }
  CorpusSource corpus(config_, simulated);
  for (const StageRange range : config_.StageRanges()) {
    console_.StartStep("reading images " + range.name());
    corpus.Import(range, console_);
  }
  return corpus;
}

RunOutcome Runner::Run() {
  const CorpusSource corpus = ImportCorpus();
  corpus_ = &corpus;
  plan_ = BuildPlan(config_, corpus);
  slots_.resize(plan_.instances.size());
  RunOutcome outcome;
  for (std::size_t index = 0; index < plan_.instances.size(); ++index) Ensure(index);
  EnsureTrustedOutputs();
  for (Slot& slot : slots_) outcome.steps.push_back(slot.outcome);
  return outcome;
}

void Runner::EnsureTrusted(std::size_t index, const std::vector<std::string>& files) {
  Ensure(index);
  Slot& slot = slots_[index];
  if (slot.trusted) return;
  if (!store_.Verify(*slot.artifact, files)) {
    slot.artifact.reset();
    Ensure(index);
  }
  slot.trusted |= files.empty();
}

void Runner::EnsureTrustedOutputs() {
  for (std::size_t index = 0; index < plan_.instances.size(); ++index) {
    const std::string& step = plan_.instances[index].step->name;
    if (step == "evaluate" || step == "report") EnsureTrusted(index);
    if (step == "ingest" || step == "standardise" || step == "pool") EnsureTrusted(index, {"skipped.tsv"});
  }
}

void Runner::Ensure(std::size_t index) {
  Slot& slot = slots_[index];
  if (slot.artifact) return;
  const StepInstance& instance = plan_.instances[index];
  const auto start = std::chrono::steady_clock::now();
  slot.artifact = store_.Find(instance.range, instance.step->name, instance.key);
  const bool hit = slot.artifact.has_value();
  if (!hit) {
    for (const StepLink& link : instance.links) {
      if (link.instance != kNoInstance) EnsureTrusted(link.instance);
    }
    slot.artifact = Compute(instance);
    slot.trusted = slot.artifact->just_written;
  }
  const ArtifactManifest& manifest = slot.artifact->manifest;
  slot.outcome = {instance.range,
                  instance.part.name(),
                  instance.step->name,
                  hit,
                  hit ? SecondsSince(start) : manifest.seconds,
                  manifest.seconds,
                  instance.key,
                  slot.artifact->folder};
  console_.StartStep(instance.Label());
  console_.FinishStep(hit ? "hit" : "run", slot.outcome.seconds, Join(manifest.facts, ", "));
}

Artifact Runner::Compute(const StepInstance& instance) {
  console_.StartStep(instance.Label());
  console_.ThrowIfStopped();
  const auto start = std::chrono::steady_clock::now();
  ArtifactStore::Writer writer(store_);
  std::vector<fs::path> folders;
  for (const Slot& slot : slots_) folders.push_back(slot.artifact ? slot.artifact->folder : fs::path());
  StepContext context{config_,
                      corpus_,
                      instance.range,
                      instance.part,
                      InputsOf(instance, plan_, folders),
                      writer.folder(),
                      store_.root(),
                      instance.recipe,
                      console_,
                      {}};
  return SayingWhatIsDone(instance, [&] {
    instance.step->run(context);
    return writer.Commit({instance.step->name,
                          instance.range,
                          instance.part.name(),
                          instance.key,
                          SecondsSince(start),
                          Version(),
                          context.facts},
                         instance.key_text);
  });
}

}  // namespace flyscribe
