// Environment variables in config values: ${NAME} and ${NAME:-default}; $$ stands for one dollar sign.
#pragma once

#include <functional>
#include <optional>
#include <string>

namespace flyscribe {

using EnvironmentLookup = std::function<std::optional<std::string>(const std::string& name)>;

// The process's own environment. An empty variable counts as unset, as in the shell's ${NAME:-default}.
std::optional<std::string> ProcessEnvironment(const std::string& name);

struct Expansion {
  std::string text;
  // The text begins with the value of a variable, so a relative path in it was written by the user's shell and not in
  // the file.
  bool starts_with_variable = false;
  // Set if something is wrong: an unset variable without a default, or a '${' that is not closed.
  std::string problem;
};

Expansion ExpandVariables(const std::string& text, const EnvironmentLookup& lookup);

}  // namespace flyscribe
