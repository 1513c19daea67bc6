// How the steps of a config stand now: cached, missing, or being computed by a run that goes on.
#pragma once

#include <string>
#include <vector>

#include "pipeline/cache/store.h"
#include "pipeline/plan/plan.h"
#include "pipeline/run/run_log.h"

namespace flyscribe {

// The states are those of LoggedStep: hit for what is cached, pending for what a run would have to compute, running or
// waiting where a live run is at it.
std::vector<LoggedStep> StatusOf(const Plan& plan, const ArtifactStore& store, const std::vector<LoggedRun>& runs);

// What a live run says of a key; null if none does.
const LoggedStep* LiveStep(const std::vector<LoggedRun>& runs, const std::string& key);

}  // namespace flyscribe
