// From a run that trained on all bags to the model it leaves.
#pragma once

#include "pipeline/model/model.h"
#include "pipeline/plan/plan.h"
#include "pipeline/run/runner.h"

namespace flyscribe {

// The steps whose artifacts ModelOfRun reads: what to ask of the run.
std::vector<std::string> StepsOfModel();

// REQUIRES: `outcome` is that of the point, whose plan was made for PlanGoal::kModel, without an error.
Model ModelOfRun(const PlanPoint& point, const RunOutcome& outcome);

}  // namespace flyscribe
