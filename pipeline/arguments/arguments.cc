#include "pipeline/arguments/arguments.h"

#include <algorithm>

#include "core/text.h"
#include "pipeline/arguments/command_line.h"
#include "pipeline/config/describe.h"
#include "pipeline/config/section_reader.h"

namespace flyscribe {
namespace {

OptionValue FindOption(const std::string& key) {
  const std::size_t dot = key.find('.');
  Config defaults;
  for (const ConfigSection& section : defaults.Sections()) {
    if (section.name != key.substr(0, dot)) continue;
    for (const OptionValue& option : ListOptions(section.fields)) {
      if (option.field.name == key.substr(dot + 1)) return option;
    }
  }
  throw Error(ErrorCode::kInternal, "no option is called " + key);
}

std::string HelpText(const OptionValue& option) {
  const std::string allowed = option.field.allowed.empty() ? "" : " [" + Join(option.field.allowed, " | ") + "]";
  return option.field.doc + allowed + (option.is_flag ? "" : " Default: " + option.value + ".");
}

// "learn.lambda=0.2" for both "lambda=0.2" and itself.
std::string InSection(const std::string& assignment, const std::string& section) {
  return assignment.starts_with(section + ".") ? assignment : section + "." + assignment;
}

std::string KeyOf(const std::string& assignment) { return assignment.substr(0, assignment.find('=')); }

Config ReadGivenSections(const ConfigNode& root) {
  Config config;
  std::vector<Diagnostic> problems;
  for (const ConfigSection& section : config.Sections()) {
    const ConfigNode* node = section.name.empty() ? nullptr : root.Find(section.name);
    if (node == nullptr) continue;
    SectionReader reader(node, section.name + ".", ProcessEnvironment, problems);
    section.fields(reader);
    reader.ReportUnknownKeys();
  }
  if (!problems.empty()) throw Error(ErrorCode::kUsage, problems);
  return config;
}

}  // namespace

std::vector<std::string> CommonArguments::AllOverrides() const {
  std::vector<std::string> all = overrides;
  if (threads >= 0) all.push_back("threads=" + std::to_string(threads));
  return all;
}

std::string CommonArguments::SetText() const {
  std::string text;
  for (const std::string& argument : overrides) text += " --set '" + argument + "'";
  return text;
}

void DeclareSet(const CommandLine& line, const std::string& example, std::vector<std::string>& overrides) {
  line.Value("--set", overrides, "Set any option: --set " + example + " (repeatable)").Named("KEY=VALUE").Repeatable();
}

void DeclareCommonArguments(const CommandLine& line, const std::string& example, CommonArguments& arguments) {
  DeclareSet(line, example, arguments.overrides);
  line.Value("--threads", arguments.threads, "Worker threads; 0 means one per core").Between(0, 1024);
  line.Flag("--quiet,-q", arguments.quiet, "Print only warnings and errors");
}

void OptionArguments::Declare(const CommandLine& line, const std::string& flag, const std::string& key) {
  const OptionValue option = FindOption(key);
  if (option.is_flag) {
    line.Flag(
        flag, [this, flag, key] { Give(key, "true", flag); }, HelpText(option));
    return;
  }
  line.Value(
          flag, [this, flag, key](const std::string& value) { Give(key, value, flag + " " + value); }, HelpText(option))
      .Named(option.is_word ? "WORD" : "NUMBER");
}

void OptionArguments::Give(const std::string& key, const std::string& value, const std::string& source) {
  flags_.push_back({key, value, source});
}

void OptionArguments::Imply(const std::string& key, const std::string& value, const std::string& source) {
  implied_.push_back({key, value, source});
}

bool OptionArguments::IsGiven(const std::string& key) const {
  return std::ranges::any_of(flags_, [&](const Given& given) { return given.key == key; });
}

void OptionArguments::RefuseIfGiven(const std::string& key, const std::string& argument) const {
  const auto same = [&](const Given& given) { return given.key == key; };
  const auto flag = std::find_if(flags_.begin(), flags_.end(), same);
  if (flag == flags_.end()) return;
  throw Error(
      ErrorCode::kUsage, "the option is also given as " + flag->source, "keep one of the two", {"--set " + argument});
}

Config OptionArguments::Read(const std::vector<std::string>& overrides, const std::string& section) const {
  ConfigNode root;
  root.kind = ConfigNode::Kind::kMap;
  for (const Given& given : implied_) ApplyOverride(root, given.key + "=" + given.value, given.source);
  for (const Given& given : flags_) ApplyOverride(root, given.key + "=" + given.value, given.source);
  for (const std::string& argument : overrides) {
    const std::string assignment = InSection(argument, section);
    RefuseIfGiven(KeyOf(assignment), argument);
    ApplyOverride(root, assignment, "--set " + argument);
  }
  return ReadGivenSections(root);
}

}  // namespace flyscribe
