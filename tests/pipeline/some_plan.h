// A small plan made by hand, for those who only listen to a run.
#pragma once

#include <string>

#include "pipeline/run/observer.h"

namespace flyscribe {

inline StepInstance SomeStep(const Step& step, const std::string& range, Part part, char key) {
  StepInstance instance;
  instance.range = range;
  instance.part = part;
  instance.step = &step;
  instance.key_text = "step: " + step.name + "\n";
  instance.key = std::string(64, key);
  return instance;
}

// ingest 4-6, learn 4-6 fold-0 that reads it, and report, which reads both.
inline Plan SomePlan() {
  Plan plan;
  plan.instances = {SomeStep(IngestStep(), "4-6", {}, 'a'),
                    SomeStep(LearnStep(), "4-6", {0}, 'b'),
                    SomeStep(ReportStep(), kAllRanges, {}, 'c')};
  plan.instances[1].links = {{"images", "1", 0}, {"folds", "2", 0}};
  plan.instances[2].links = {{"4-6 learn", "3", 1}, {"outside", "4", kNoInstance}};
  plan.instances[2].after = {0};
  return plan;
}

// ingest is cached, learn must run, report is not asked for.
inline std::vector<StepForecast> SomeForecast() {
  std::vector<StepForecast> forecast(3);
  forecast[0].state = StepState::kHit;
  forecast[1].state = StepState::kRun;
  forecast[2].state = StepState::kNotAsked;
  return forecast;
}

}  // namespace flyscribe
