#include "tests/support/run_json.h"

#include <nlohmann/json.hpp>

#include "core/file.h"

namespace flyscribe {

std::map<std::string, std::string> StatesOfRun(const fs::path& run_json) {
  std::map<std::string, std::string> states;
  const auto json = nlohmann::json::parse(ReadFile(run_json));
  for (const auto& step : json.at("steps")) states[step.at("step")] = step.at("state");
  return states;
}

double MacroAucOfRun(const fs::path& run_json, const std::string& range) {
  return nlohmann::json::parse(ReadFile(run_json)).at("scores").at(range).at("all").at("macro").at("auc");
}

}  // namespace flyscribe
