// From a run that trained on all bags to the model it leaves.
#pragma once

#include "pipeline/model.h"
#include "pipeline/plan.h"
#include "pipeline/runner.h"

namespace flyscribe {

// The steps whose artifacts ModelOfRun reads: what to ask of the run.
std::vector<std::string> StepsOfModel();

// REQUIRES: `outcome` is that of the point, whose plan was made for PlanGoal::kModel, without an error.
Model ModelOfRun(const PlanPoint& point, const RunOutcome& outcome);

}  // namespace flyscribe
