// Who listens to a run: the terminal, and readers of JSON lines on standard output.
#pragma once

#include <mutex>
#include <string>
#include <vector>

#include "pipeline/run/observer.h"
#include "pipeline/terminal/console.h"

namespace flyscribe {

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

  void OnKeys(const Plan& plan) override;
  void OnPlan(const Plan& plan, const std::vector<StepForecast>& forecast) override;
  void OnStart(const StepInstance& step) override;
  void OnProgress(const StepInstance& step, const StepCount& count) override;
  void OnWait(const StepInstance& step, const std::string& holder) override;
  void OnNotice(const StepInstance& step, const std::string& message) override;
  void OnFinish(const StepInstance& step, const StepOutcome& outcome) override;
  void OnWarning(const std::string& message) override;

 private:
  std::mutex mutex_;
  std::vector<RunObserver*> observers_;
};

}  // namespace flyscribe
