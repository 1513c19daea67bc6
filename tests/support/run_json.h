// What tests look up in a run.json.
#pragma once

#include <map>
#include <string>

#include "core/fs.h"

namespace flyscribe {

// step -> "hit" or "run"; the last instance of a step counts.
std::map<std::string, std::string> StatesOfRun(const fs::path& run_json);
// Over all evaluated terms.
double MacroAucOfRun(const fs::path& run_json, const std::string& range);

}  // namespace flyscribe
