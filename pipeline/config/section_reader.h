// Reads one section of a config tree into an options struct: unknown keys, wrong types and values out of range are
// collected, each with its place, the allowed values and a suggestion.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.h"
#include "core/options.h"
#include "pipeline/config/config_tree.h"

namespace flyscribe {

// Environment variables in values: ${NAME} and ${NAME:-default}; $$ stands for one dollar sign.
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

class SectionReader : public OptionsVisitor {
 public:
  // `node` may be null: then every option keeps its default. `prefix` is "learn." or "" at the top level.
  SectionReader(const ConfigNode* node,
                std::string prefix,
                EnvironmentLookup lookup,
                std::vector<Diagnostic>& problems);

  using OptionsVisitor::Integer;
  bool Reads() const override { return true; }
  void Flag(const Field& field, bool& value) override;
  void Integer(const Field& field, std::int64_t& value) override;
  void Real(const Field& field, double& value) override;
  void Word(const Field& field, std::string& value) override;
  void Words(const Field& field, std::vector<std::string>& values) override;

  // Reports keys that no field asked for, except those in `also_known` (the other sections, at the top level).
  void ReportUnknownKeys(const std::vector<std::string>& also_known = {});

 private:
  // The value's node if the option is given, else null; remembers the name for ReportUnknownKeys.
  const ConfigNode* Take(const Field& field);
  void Problem(const ConfigNode& node, const Field& field, const std::string& message, const std::string& hint);
  // The scalar's text with variables expanded and, for a path, made absolute; false if there was a problem.
  bool ExpandScalar(const Field& field, const ConfigNode& node, std::string& text);
  template <class Number>
  void ReadNumber(const Field& field,
                  const std::string& what,
                  std::optional<Number> (*parse)(std::string_view text),
                  Number& value);
  bool CheckAllowed(const Field& field, const ConfigNode& node, const std::string& word);

  const ConfigNode* node_;
  std::string prefix_;
  EnvironmentLookup lookup_;
  std::vector<Diagnostic>& problems_;
  std::vector<std::string> known_;
};

// Calls a check that a module makes itself; what it throws is of the file `source`.
void CollectProblems(const std::function<void()>& check, const std::string& source, std::vector<Diagnostic>& problems);

// "between 1 and 65536", "at least 0", or nothing.
std::string DescribeRange(const Field& field);

}  // namespace flyscribe
