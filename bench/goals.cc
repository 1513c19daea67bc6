#include "bench/goals.h"

#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "core/file.h"
#include "core/text.h"

namespace flyscribe {
namespace {

using Object = nlohmann::ordered_json;

std::string Shown(const Figure& figure) {
  return fmt::format(
      "{:.4g} {} ({} {:.4g})", figure.value, figure.unit, figure.at_least ? "at least" : "at most", figure.bound);
}

std::string Measured(const Goal& goal) { return goal.figure ? Shown(*goal.figure) : goal.why; }

std::string StandIn(const Goal& goal) {
  if (!goal.stand_in) return {};
  return Shown(*goal.stand_in) + (goal.stand_in->Held() ? ": would be held" : ": would be missed");
}

Object AsJson(const Figure& figure) {
  return {{"value", figure.value}, {"unit", figure.unit}, {"bound", figure.bound}, {"at_least", figure.at_least}};
}

}  // namespace

std::string Goal::State() const {
  if (!figure) return "not measured";
  return figure->Held() ? "held" : "missed";
}

void Goals::AddFile(const std::string& path) {
  for (const std::string& line : Split(ReadFile(path), '\n')) {
    if (Trim(line).empty()) continue;
    const Object json = Object::parse(line);
    Add({.what = json.at("goal"),
         .figure = Figure{json.at("value"), json.at("unit"), json.at("bound"), json.at("at_least")}});
  }
}

void Goals::Print() const {
  fmt::print("\ngoals\n");
  for (const Goal& goal : goals_) {
    fmt::print("  {:<66} {:<13} {}\n", goal.what, goal.State(), Measured(goal));
    if (!goal.figure && goal.stand_in) fmt::print("  {:<66} {:<13} stands for it: {}\n", "", "", StandIn(goal));
  }
}

std::string Goals::Markdown() const {
  std::string text = "| goal | | measured | stands for it |\n|---|---|---|---|\n";
  for (const Goal& goal : goals_) {
    text += fmt::format(
        "| {} | {} | {} | {} |\n", goal.what, goal.State(), Measured(goal), goal.figure ? "" : StandIn(goal));
  }
  return text;
}

std::string Goals::Json() const {
  Object rows = Object::array();
  for (const Goal& goal : goals_) {
    Object row = {{"goal", goal.what}, {"state", goal.State()}};
    if (goal.figure) row.update(AsJson(*goal.figure));
    if (!goal.figure) row["why"] = goal.why;
    if (!goal.figure && goal.stand_in) row["stands_for_it"] = AsJson(*goal.stand_in);
    rows.push_back(row);
  }
  return rows.dump(2) + "\n";
}

}  // namespace flyscribe
