#include "pipeline/run/runner.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <new>
#include <thread>

#include "core/error.h"
#include "core/file.h"
#include "core/parallel.h"
#include "core/progress.h"
#include "core/text.h"
#include "pipeline/terminal/process.h"

namespace flyscribe {
namespace {

constexpr double kProgressEvery = 0.1;  // seconds
constexpr std::chrono::milliseconds kLookAgain{50};

// Passes on what a step reports, not too often.
class StepProgress : public Progress {
 public:
  StepProgress(const StepInstance& step, RunObserver& observer) : step_(step), observer_(observer) {}

  void Begin(std::uint64_t total, std::string_view unit) override {
    const std::lock_guard lock(mutex_);
    count_ = {0, total, std::string(unit), {}};
  }
  void Advance(std::uint64_t done) override {
    const std::lock_guard lock(mutex_);
    count_.done += done;
    PassOn();
  }
  void Note(std::string_view remark) override {
    const std::lock_guard lock(mutex_);
    count_.remark = remark;
    PassOn();
  }
  void Say(const std::string& message) override { observer_.OnNotice(step_, message); }
  void Warn(const std::string& message) override { observer_.OnWarning(message); }
  bool StopRequested() const override { return StopSignal() != 0; }

 private:
  void PassOn() {
    const double now = SecondsNow();
    if (now - told_ < kProgressEvery) return;
    told_ = now;
    observer_.OnProgress(step_, count_);
  }

  const StepInstance& step_;
  RunObserver& observer_;
  std::mutex mutex_;
  StepCount count_;
  double told_ = SecondsNow();
};

StepOutcome OutcomeBefore(const StepInstance& instance) {
  StepOutcome outcome;
  outcome.range = instance.range;
  outcome.part = instance.part.name();
  outcome.step = instance.step->name;
  outcome.key = instance.key;
  outcome.inputs = instance.Inputs();
  return outcome;
}

}  // namespace

std::size_t RunOutcome::Count(StepState state) const {
  return static_cast<std::size_t>(
      std::count_if(steps.begin(), steps.end(), [&](const StepOutcome& step) { return step.state == state; }));
}

std::vector<const StepOutcome*> RunOutcome::Made(const Step& step) const {
  std::vector<const StepOutcome*> made;
  for (const StepOutcome& outcome : steps) {
    if (outcome.step == step.name && !outcome.folder.empty()) made.push_back(&outcome);
  }
  return made;
}

fs::path RunOutcome::FolderOf(const std::string& range, const std::string& step) const {
  for (const StepOutcome& outcome : steps) {
    if (outcome.range == range && outcome.step == step && !outcome.folder.empty()) return outcome.folder;
  }
  throw Error(ErrorCode::kInternal, "no step " + step + " for " + range + " in this run");
}

RunOutcome OutcomeOf(const RunOutcome& outcome, const PlanPoint& point) {
  RunOutcome share;
  share.error = point.error;
  // Where a step is shared by several configs, its inputs may be those of another one (the images are the same though
  // the labels are not). Within one config a label names one step, so the config's own stands for it.
  std::map<std::string, std::size_t> place;
  const auto label = [](const StepOutcome& step) { return StepLabel(step.step, step.range, step.part); };
  for (const std::size_t instance : point.instances) place.emplace(label(outcome.steps[instance]), place.size());
  for (const std::size_t instance : point.instances) {
    StepOutcome step = outcome.steps[instance];
    for (std::size_t& input : step.inputs) input = place.at(label(outcome.steps[input]));
    if (!share.error) share.error = step.exception;
    share.steps.push_back(std::move(step));
  }
  return share;
}

// One run of one plan.
class Runner::Execution {
 public:
  Execution(Runner& runner, const Plan& plan, const std::vector<StepForecast>& forecast)
      : runner_(runner),
        store_(runner.store_),
        observer_(runner.observer_),
        plan_(plan),
        forecast_(forecast),
        slots_(plan.instances.size()) {
    for (std::size_t i = 0; i < slots_.size(); ++i) slots_[i].outcome = OutcomeBefore(plan.instances[i]);
  }

  RunOutcome Run() {
    const RunRequest& request = runner_.request_;
    const AfterFailure after = request.keep_going ? AfterFailure::kKeepGoing : AfterFailure::kStop;
    const std::vector<NodeEnd> ends =
        RunGraph(plan_.Inputs(), request.jobs, after, [this](std::size_t index) { RunOrNoteFailure(index); });
    RunOutcome outcome;
    for (std::size_t i = 0; i < ends.size(); ++i) {
      if (ends[i].error && !outcome.error) outcome.error = ends[i].error;
      outcome.steps.push_back(std::move(slots_[i].outcome));
    }
    return outcome;
  }

 private:
  struct Slot {
    std::mutex mutex;
    std::optional<Artifact> artifact;
    bool trusted = false;
    std::atomic<bool> changed = false;  // it was computed again and came out different
    StepOutcome outcome;
  };

  void RunOrNoteFailure(std::size_t index) {
    try {
      RunNode(index);
    } catch (...) {
      StepOutcome& outcome = slots_[index].outcome;
      outcome.state = StepState::kFailed;
      outcome.exception = std::current_exception();
      outcome.error = TextOf(outcome.exception);
      // Else it did not fail: the user asked to stop.
      if (StopSignal() == 0) observer_.OnFinish(plan_.instances[index], outcome);
      throw;
    }
  }

  void RunNode(std::size_t index) {
    const StepState state = forecast_[index].state;
    Slot& slot = slots_[index];
    if (state == StepState::kNotAsked) return;
    if (state == StepState::kUnneeded) {
      slot.outcome.state = StepState::kUnneeded;
      observer_.OnFinish(plan_.instances[index], slot.outcome);
      return;
    }
    // What is copied to the output must be what was computed.
    if (runner_.request_.Wants(plan_.instances[index])) {
      EnsureTrusted(index);
    } else {
      const std::lock_guard lock(slot.mutex);
      EnsureLocked(index);
    }
  }

  // Makes sure the instance's artifact exists, and hashes it, because it is about to be read; a damaged one is computed
  // again.
  void EnsureTrusted(std::size_t index) {
    Slot& slot = slots_[index];
    const std::lock_guard lock(slot.mutex);
    EnsureLocked(index);
    // Runner::Simulate has looked at every one of the files of simulate.
    if (plan_.instances[index].step == &SimulateStep()) return;
    while (!slot.trusted && !store_.Verify(*slot.artifact)) {
      slot.artifact.reset();
      // If it is still there, another process has its lock and is about to replace it.
      if (StopSignal() != 0) ThrowInterrupted();
      std::this_thread::sleep_for(kLookAgain);
      EnsureLocked(index);
    }
    slot.trusted = true;
  }

  // By a hit, or by running the step. REQUIRES: the slot's mutex is held.
  void EnsureLocked(std::size_t index) {
    Slot& slot = slots_[index];
    if (slot.artifact) return;
    const StepInstance& instance = plan_.instances[index];
    if (UseSimulated(instance, slot)) return;
    const double start = SecondsNow();
    const bool forced = forecast_[index].found.artifact && (runner_.request_.Forces(instance) || AnInputChanged(index));
    if (!forced) slot.artifact = store_.Find(instance.range, instance.step->name, instance.key);
    slot.outcome.forced = forced;
    if (slot.artifact) {
      store_.Touch(*slot.artifact);
      slot.outcome.state = StepState::kHit;
      slot.outcome.seconds = SecondsNow() - start;
    } else {
      Compute(index);
      if (slot.outcome.hit()) slot.outcome.seconds = SecondsNow() - start;
    }
    NoteArtifact(slot);
    observer_.OnFinish(instance, slot.outcome);
  }

  // What was made from bytes that came out different cannot be trusted, though its key is the same.
  bool AnInputChanged(std::size_t index) const {
    const std::vector<std::size_t> inputs = plan_.instances[index].Inputs();
    return std::any_of(
        inputs.begin(), inputs.end(), [this](std::size_t input) { return slots_[input].changed.load(); });
  }

  // What Runner::Simulate computed counts as computed in this run.
  bool UseSimulated(const StepInstance& instance, Slot& slot) {
    const auto simulated = runner_.simulated_.find(instance.key);
    if (simulated == runner_.simulated_.end()) return false;
    slot.artifact = store_.Find(instance.range, instance.step->name, instance.key);
    slot.outcome = simulated->second;
    return slot.artifact.has_value();
  }

  static void NoteArtifact(Slot& slot) {
    slot.outcome.folder = slot.artifact->folder;
    slot.outcome.made_seconds = slot.artifact->manifest.seconds;
    slot.outcome.work = slot.artifact->manifest.work;
    slot.outcome.facts = slot.artifact->manifest.facts;
    slot.outcome.bytes = slot.artifact->manifest.TotalBytes();
  }

  // Whatever is thrown leaves as an Error that says which step was running.
  void Compute(std::size_t index) {
    const StepInstance& instance = plan_.instances[index];
    observer_.OnStart(instance);
    StepProgress progress(instance, observer_);
    progress.ThrowIfStopped();
    for (const std::size_t input : instance.Inputs()) EnsureTrusted(input);
    const std::string doing = "running " + instance.Describe();
    try {
      std::optional<FileLock> lock = WaitForTurn(index, progress);
      if (lock) ComputeAlone(index, std::move(*lock), progress);
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

  // The key's lock; or nothing if another process has made the artifact meanwhile.
  std::optional<FileLock> WaitForTurn(std::size_t index, const Progress& progress) {
    const StepInstance& instance = plan_.instances[index];
    Slot& slot = slots_[index];
    const double since = SecondsNow();
    bool told = false;
    while (true) {
      std::optional<FileLock> lock =
          FileLock::TryAcquire(store_.LockOf(instance.key), DescribeProcess(instance.Describe()));
      if (!slot.outcome.forced) slot.artifact = store_.Find(instance.range, instance.step->name, instance.key);
      slot.outcome.state = slot.artifact ? StepState::kHit : StepState::kRun;
      if (slot.artifact) return std::nullopt;
      if (lock) return lock;
      if (!told) observer_.OnWait(instance, HolderOf(instance));
      told = true;
      const double timeout = runner_.request_.lock_timeout;
      if (timeout > 0.0 && SecondsNow() - since > timeout) {
        throw Error(ErrorCode::kLockTimeout,
                    "waited longer than cache.lock_timeout for " + HolderOf(instance),
                    "wait until it has ended, or raise cache.lock_timeout");
      }
      progress.ThrowIfStopped();
      std::this_thread::sleep_for(kLookAgain);
    }
  }

  std::string HolderOf(const StepInstance& instance) const {
    return LockHolder(store_.LockOf(instance.key)).value_or("another process");
  }

  void ComputeAlone(std::size_t index, FileLock lock, Progress& progress) {
    const StepInstance& instance = plan_.instances[index];
    const PlanPoint& point = plan_.points[instance.point];
    const double start = SecondsNow();
    ArtifactStore::Writer writer(store_, instance.key, std::move(lock));
    const fs::path checkpoint = store_.CheckpointOf(instance.key);
    if (slots_[index].outcome.forced) RemoveTree(checkpoint);
    StepContext context{.config = *point.config,
                        .corpus = point.corpus.get(),
                        .range = instance.range,
                        .part = instance.part,
                        .inputs = InputsOf(instance),
                        .threads = ThreadsOf(*point.config),
                        .output = writer.folder(),
                        .scratch = writer.scratch(),
                        .checkpoint = checkpoint,
                        .cache_root = store_.root(),
                        .key_text = instance.key_text,
                        .progress = progress};
    instance.step->code.run(context);
    ArtifactManifest manifest{.step = instance.step->name,
                              .range = instance.range,
                              .part = instance.part.name(),
                              .key = instance.key,
                              .seconds = SecondsNow() - start,
                              .work = instance.amount.work * context.computed_share,
                              .size = instance.amount.size,
                              .made = UtcNow(),
                              .program = Version(),
                              .facts = context.facts};
    ArtifactStore::Writer::Committed committed = writer.Commit(std::move(manifest), instance.key_text);
    RemoveTree(checkpoint);
    slots_[index].outcome.seconds = SecondsNow() - start;
    slots_[index].artifact = std::move(committed.artifact);
    slots_[index].trusted = slots_[index].artifact->just_written;
    NoteDifference(index, std::move(committed.differing));
  }

  void NoteDifference(std::size_t index, std::vector<std::string> differing) {
    if (differing.empty()) return;
    const std::string message = plan_.instances[index].Describe() + " was computed again and came out different in " +
                                Join(differing, ", ") +
                                ": it is not deterministic, or an earlier result was changed together with its "
                                "manifest; the old one is in " +
                                (store_.root() / "damaged").string();
    slots_[index].outcome.differing = std::move(differing);
    slots_[index].changed = true;
    observer_.OnWarning(message);
  }

  std::vector<StepInput> InputsOf(const StepInstance& instance) {
    std::vector<StepInput> inputs;
    for (const StepLink& link : instance.links) {
      if (link.instance == kNoInstance) continue;
      const StepInstance& other = plan_.instances[link.instance];
      inputs.push_back({other.range, other.part, other.step->name, slots_[link.instance].artifact->folder});
    }
    return inputs;
  }

  // Jobs share the cores.
  int ThreadsOf(const Config& config) const {
    const int jobs = std::min(runner_.request_.jobs, static_cast<int>(plan_.instances.size()));
    if (jobs <= 1) return config.run.threads;
    return std::max(1, (config.run.threads > 0 ? config.run.threads : DefaultThreads()) / jobs);
  }

  Runner& runner_;
  const ArtifactStore& store_;
  RunObserver& observer_;
  const Plan& plan_;
  const std::vector<StepForecast>& forecast_;
  std::vector<Slot> slots_;
};

Runner::Runner(const ArtifactStore& store, RunRequest request, RunObserver& observer)
    : store_(store), request_(std::move(request)), observer_(observer) {}

fs::path Runner::Simulate(const Config& config, const StepInstance& simulate, DigestCache& digests) {
  Plan plan;
  plan.instances = {simulate};
  plan.points = {{{}, std::make_shared<const Config>(config), nullptr, {0}, nullptr}};
  observer_.OnKeys(plan);
  std::vector<StepForecast> forecast(1);
  forecast[0].found = store_.Look(simulate.range, simulate.step->name, simulate.key);
  forecast[0].state = StepState::kHit;
  const std::optional<Artifact>& there = forecast[0].found.artifact;
  const bool unchanged = there && store_.Verify(*there, [&](const fs::path& path) { return digests.Of(path); });
  if (unchanged && !request_.Forces(simulate)) return there->folder;
  for (const auto& [option, first] : {std::pair{"--from", request_.from}, {"--only", request_.only}}) {
    if (first.empty() || first == simulate.step->name) continue;
    throw Error(ErrorCode::kUsage,
                "simulate is not cached and would have to be computed first",
                std::string("leave out ") + option,
                {option + (" " + first)});
  }
  forecast[0].state = StepState::kRun;
  if (!unchanged) forecast[0].found = {};
  observer_.OnPlan(plan, forecast);
  const RunOutcome outcome = Execution(*this, plan, forecast).Run();
  if (outcome.error) std::rethrow_exception(outcome.error);
  if (!outcome.steps[0].hit()) simulated_[simulate.key] = outcome.steps[0];
  return outcome.steps[0].folder;
}

RunOutcome Runner::Run(const Plan& plan) {
  observer_.OnKeys(plan);
  const std::vector<StepForecast> forecast = ForecastRun(plan, store_, request_);
  observer_.OnPlan(plan, forecast);
  return Execution(*this, plan, forecast).Run();
}

Plan PlanRun(Runner& runner,
             const std::vector<NamedConfig>& configs,
             const Planner::Options& options,
             Console& console) {
  console.StartStep("reading images");
  Plan plan = Planner(runner.store(), options, console)
                  .Make(configs, [&](const Config& config, const StepInstance& simulate, auto& digests) {
                    return runner.Simulate(config, simulate, digests);
                  });
  console.StartStep("");
  return plan;
}

}  // namespace flyscribe
