// A config as text: the effective values of a run, the commented defaults, the reference page.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "pipeline/config/config.h"

namespace flyscribe {

// An option's declaration, and its value as text.
struct OptionValue {
  Field field;
  std::string value;
  std::string yaml;      // the same as a config would give it
  bool is_word = false;  // or a list of words; else a number, true or false
  bool is_flag = false;
};

// All options that `fields` names, in its order.
std::vector<OptionValue> ListOptions(const std::function<void(OptionsVisitor&)>& fields);

// "[a, \"b c\"]": a list as a config gives it.
std::string YamlWords(const std::vector<std::string>& words);

// All options with their values, as a config that would give the same run, with the guests' behind them. Paths are left
// out where `portable` is set, so that the text is the same on every machine.
std::string EffectiveYaml(Config config, bool portable, const std::vector<ConfigSection>& guests = {});

// What such a text says, "learn.lambda" -> "0.1", as far as it can be read: it may come from a damaged file.
std::vector<std::pair<std::string, std::string>> OptionsOfYaml(const std::string& yaml);

// Those options of some sections that affect results, with their values.
std::string SectionsYaml(Config config, const std::vector<std::string>& sections);

// All options of a section ("" for all) with defaults, ranges and docs as comments: itself a valid config. `sections`
// are those of a Config and of the commands that have one of their own.
// Throws Error(kUsage) with a suggestion for an unknown section.
std::string DefaultsYaml(const std::vector<ConfigSection>& sections, const std::string& section);

// docs/configuration.md.
std::string ConfigurationPage(const std::vector<ConfigSection>& sections);

}  // namespace flyscribe
