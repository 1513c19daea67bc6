#include "pipeline/steps/step.h"

#include "core/error.h"

namespace flyscribe {

fs::path StepContext::Input(const std::string& step) const {
  for (const StepInput& input : inputs) {
    if (input.step == step) return input.folder;
  }
  throw Error(ErrorCode::kInternal, "the step has no input named " + step);
}

Collection StepContext::LoadCollection() const {
  return Collection::Load(Input("ingest"), StageRange::FromName(range));
}

}  // namespace flyscribe
