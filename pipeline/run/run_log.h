// The log of runs in the cache: what each planned, how far it is, how it ended. Other processes read it while a run
// goes on, and never wait for it.
//
//   <cache>/runs/<id>/plan.json    who, when, the options, all steps with their keys; written when the plan is made
//   <cache>/runs/<id>/state.json   what became of each step so far, and how far the running ones are
//   <cache>/runs/<id>/end.json     exit code, times, scores; written at the end
//   <cache>/runs/<id>/alive        locked by the kernel while the process lives
// <id> is the time of the start, to the millisecond, and four random digits: they sort by time.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/file_lock.h"
#include "core/fs.h"
#include "pipeline/run/observer.h"

namespace flyscribe {

// Who runs what.
struct RunTitle {
  std::string config;       // its name
  std::string config_path;  // absolute
  std::string command;
  std::string output;
  std::string options;  // the effective config, as YAML
};

class RunLog : public RunObserver {
 public:
  // Creates the folder, unless the cache cannot be written to: then nothing is logged.
  RunLog(const fs::path& cache_root, RunTitle title);

  // From the first of these on nothing of the plan is removed by others. Throws Error(kDisk) if that cannot be made
  // sure of; what comes later is for people, and a log that cannot be written ends silently.
  void OnKeys(const Plan& plan) override;
  void OnPlan(const Plan& plan, const std::vector<StepForecast>& forecast) override;
  void OnStart(const StepInstance& step) override;
  void OnProgress(const StepInstance& step, const StepCount& count) override;
  void OnWait(const StepInstance& step, const std::string& holder) override;
  void OnFinish(const StepInstance& step, const StepOutcome& outcome) override;

  // The run is over. `summary` is JSON: the run.json of the output, or what there is of it.
  void End(int exit_code, const std::string& error, const std::string& summary);

  // "" if nothing is logged.
  const std::string& id() const { return id_; }

 private:
  struct StepNow {
    StepState state = StepState::kPending;
    std::string remark = {};
    StepCount count = {};
    double seconds = 0.0;
    double work = 0.0;
    std::string since = {};
  };

  void Update(const StepInstance& step, StepNow now);
  void WriteState(bool at_once);

  fs::path root_;
  fs::path folder_;
  std::string id_;
  RunTitle title_;
  std::string started_;
  std::optional<FileLock> alive_;
  std::map<std::string, StepNow> steps_;  // by key
  double written_ = 0.0;
};

// A step of a logged run.
struct LoggedStep {
  std::string range;
  std::string part;
  std::string step;
  std::string tag;  // see StepInstance::tag
  std::string key;
  std::string key_text;
  StepState state = StepState::kPending;
  std::string remark;
  std::string since;  // when it entered the state, if it is running or waiting
  StepCount count;
  double seconds = 0.0;
  double work = 0.0;  // done in that time, in units of the step; 0 if it is not known
  std::vector<std::size_t> inputs;
};

struct LoggedRun {
  std::string id;
  RunTitle title;
  std::string version;
  std::string host;
  std::int64_t process = 0;
  std::string started;
  std::vector<LoggedStep> steps;
  bool alive = false;
  bool unreadable = false;  // its plan, then there are no steps; or its end
  // Once it has ended; a run that neither lives nor has ended was killed.
  struct Ending {
    std::string time;
    int exit_code = 0;
    std::string error;
    std::string summary;  // JSON
  };
  std::optional<Ending> ending;

  bool GoesOn() const { return alive && !ending; }
  // "running", "done", "ended with 5", "killed", "unreadable".
  std::string State() const;
};

// All runs that got as far as a plan, oldest first. Throws Error(kInput) if the log's folder cannot be listed. A run
// whose plan is there but cannot be read is left out; `unreadable`, if given, gets what is known of it: id and whether
// it is alive.
std::vector<LoggedRun> ListRuns(const fs::path& cache_root, std::vector<LoggedRun>* unreadable = nullptr);

// The run whose id is, or begins with, `name`. Throws Error(kUsage) if there is none or several.
LoggedRun FindRun(const std::vector<LoggedRun>& runs, const std::string& name);

// While somebody holds this, no run begins and nothing is removed: see gc.h.
fs::path PlanningLock(const fs::path& cache_root);
// Throws Error(kInterrupted) if the user asks to stop meanwhile.
FileLock WaitForPlanningLock(const fs::path& cache_root);

}  // namespace flyscribe
