// How a step of a run stands: in a forecast, while it runs, in the log, in what became of it and in pictures.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace flyscribe {

enum class StepState {
  kFailed,    // stopped with an error
  kStopped,   // was being computed when the run ended
  kRunning,   // being computed
  kWaiting,   // for another process that computes it
  kNotRun,    // not tried: an input is missing, or the run ended before
  kPending,   // will be computed
  kRun,       // computed in this run; in a forecast: must be computed
  kHit,       // taken from the cache
  kUnneeded,  // not in the cache, and not needed
  kNotAsked,  // left out by what was asked for
};

// "not run": its one form in text, JSON and logs.
std::string StateName(StepState state);
std::optional<StepState> StateNamed(std::string_view name);

}  // namespace flyscribe
