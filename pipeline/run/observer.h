// What a run tells about itself, for all who listen: the terminal, a stream of events, the log in the cache.
#pragma once

#include <cstdint>
#include <exception>
#include <mutex>
#include <string>
#include <vector>

#include "core/fs.h"
#include "data/step_state.h"
#include "pipeline/plan/forecast.h"
#include "pipeline/plan/plan.h"
#include "pipeline/terminal/console.h"

namespace flyscribe {

// What became of one step instance.
struct StepOutcome {
  std::string range;
  std::string part;
  std::string step;
  StepState state = StepState::kNotRun;
  double seconds = 0.0;       // spent in this run
  double made_seconds = 0.0;  // spent in the run that made the artifact
  double work = 0.0;          // done in that time, in units of the step
  std::string key;
  fs::path folder;                     // of the artifact, if there is one
  std::vector<std::string> facts;      // of the artifact
  std::uint64_t bytes = 0;             // of the artifact
  std::vector<std::size_t> inputs;     // instances it reads
  std::string error;                   // if it failed
  std::exception_ptr exception;        // the same
  bool forced = false;                 // computed again although it was there
  std::vector<std::string> differing;  // files that came out different when it was computed again

  bool hit() const { return state == StepState::kHit; }
};

// Called from any thread, also by several at once; ObserverList sees to one call at a time.
class RunObserver {
 public:
  virtual ~RunObserver() = default;

  // The keys of all that may be read, before any of it is looked for. May come several times.
  virtual void OnKeys(const Plan& /*plan*/) {}
  // Comes twice if data must be simulated: with the simulate step alone, then with all.
  virtual void OnPlan(const Plan& /*plan*/, const std::vector<StepForecast>& /*forecast*/) {}
  virtual void OnStart(const StepInstance& /*step*/) {}
  // At most ten times a second for each step.
  virtual void OnProgress(const StepInstance& /*step*/, const StepCount& /*count*/) {}
  // Another process is computing the same; `holder` says who.
  virtual void OnWait(const StepInstance& /*step*/, const std::string& /*holder*/) {}
  // Something a step found worth telling while it runs.
  virtual void OnNotice(const StepInstance& /*step*/, const std::string& /*message*/) {}
  virtual void OnFinish(const StepInstance& /*step*/, const StepOutcome& /*outcome*/) {}
  virtual void OnWarning(const std::string& /*message*/) {}
};

// Progress and results of steps on standard error.
class ConsoleObserver : public RunObserver {
 public:
  explicit ConsoleObserver(Console& console) : console_(console) {}

  void OnStart(const StepInstance& step) override;
  void OnProgress(const StepInstance& step, const StepCount& count) override;
  void OnWait(const StepInstance& step, const std::string& holder) override;
  void OnNotice(const StepInstance& step, const std::string& message) override;
  void OnFinish(const StepInstance& step, const StepOutcome& outcome) override;
  void OnWarning(const std::string& message) override;

 private:
  Console& console_;
};

// One JSON object a line: {"event": "plan" | "start" | "progress" | "wait" | "notice" | "finish" | "warning" | "end",
// ...}.
class JsonObserver : public RunObserver {
 public:
  void OnPlan(const Plan& plan, const std::vector<StepForecast>& forecast) override;
  void OnStart(const StepInstance& step) override;
  void OnProgress(const StepInstance& step, const StepCount& count) override;
  void OnWait(const StepInstance& step, const std::string& holder) override;
  void OnNotice(const StepInstance& step, const std::string& message) override;
  void OnFinish(const StepInstance& step, const StepOutcome& outcome) override;
  void OnWarning(const std::string& message) override;
  // The run is over; `error` is empty if it went well.
  static void End(int exit_code, const std::string& error);
};

// Passes everything on, one call at a time.
class ObserverList : public RunObserver {
 public:
  explicit ObserverList(std::vector<RunObserver*> observers) : observers_(std::move(observers)) {}

  void OnKeys(const Plan& plan) override { PassOn(&RunObserver::OnKeys, plan); }
  void OnPlan(const Plan& plan, const std::vector<StepForecast>& forecast) override {
    PassOn(&RunObserver::OnPlan, plan, forecast);
  }
  void OnStart(const StepInstance& step) override { PassOn(&RunObserver::OnStart, step); }
  void OnProgress(const StepInstance& step, const StepCount& count) override {
    PassOn(&RunObserver::OnProgress, step, count);
  }
  void OnWait(const StepInstance& step, const std::string& holder) override {
    PassOn(&RunObserver::OnWait, step, holder);
  }
  void OnNotice(const StepInstance& step, const std::string& message) override {
    PassOn(&RunObserver::OnNotice, step, message);
  }
  void OnFinish(const StepInstance& step, const StepOutcome& outcome) override {
    PassOn(&RunObserver::OnFinish, step, outcome);
  }
  void OnWarning(const std::string& message) override { PassOn(&RunObserver::OnWarning, message); }

 private:
  template <class... What>
  void PassOn(void (RunObserver::*call)(const What&...), const What&... what) {
    const std::lock_guard lock(mutex_);
    for (RunObserver* observer : observers_) (observer->*call)(what...);
  }

  std::mutex mutex_;
  std::vector<RunObserver*> observers_;
};

}  // namespace flyscribe
