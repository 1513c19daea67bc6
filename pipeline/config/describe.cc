#include "pipeline/config/describe.h"

#include <algorithm>
#include <utility>

#include "core/text.h"
#include "pipeline/config/section_reader.h"

namespace flyscribe {
namespace {

// A word as YAML would read it back: quoted where it could be taken for something else.
std::string YamlWord(const std::string& word) {
  constexpr const char* kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./";
  const bool plain = !word.empty() && word.find_first_not_of(kPlain) == std::string::npos && word.front() != '-' &&
                     word != "true" && word != "false" && word != "null";
  if (plain) return word;
  std::string quoted = "\"";
  for (const char c : word) {
    if (c == '"' || c == '\\') quoted += '\\';
    if (c == '$') quoted += '$';  // so that it is not taken for a variable
    quoted += c == '\n' ? "\\n" : std::string(1, c);
  }
  return quoted + "\"";
}

class OptionLister : public OptionsVisitor {
 public:
  using OptionsVisitor::Integer;
  void Flag(const Field& field, bool& value) override {
    const std::string text = value ? "true" : "false";
    options.push_back({field, text, text, false, true});
  }
  void Integer(const Field& field, std::int64_t& value) override { AddNumber(field, std::to_string(value)); }
  void Real(const Field& field, double& value) override { AddNumber(field, FormatReal(value)); }
  void Word(const Field& field, std::string& value) override {
    options.push_back({field, value, YamlWord(value), true, false});
  }
  void Words(const Field& field, std::vector<std::string>& values) override {
    options.push_back({field, Join(values, ", "), YamlWords(values), true, false});
  }

  std::vector<OptionValue> options;

 private:
  void AddNumber(const Field& field, const std::string& text) { options.push_back({field, text, text, false, false}); }
};

std::string AllowedText(const Field& field) {
  return field.allowed.empty() ? DescribeRange(field) : Join(field.allowed, " | ");
}

// Comment lines of at most about 100 columns.
std::string Commented(const std::string& text, const std::string& indent) {
  std::string lines;
  std::string line;
  for (const std::string& word : Split(text, ' ')) {
    if (!line.empty() && line.size() + word.size() > 96) {
      lines += indent + "#" + line + "\n";
      line.clear();
    }
    line += " " + word;
  }
  return lines + indent + "#" + line + "\n";
}

// A section with the values of its options; nothing if there are none to show.
std::string SectionYaml(const ConfigSection& section, bool portable) {
  std::string body;
  for (const OptionValue& option : ListOptions(section.fields)) {
    const Field& field = option.field;
    if (portable && (field.is_path || field.effect == Effect::kSpeed)) continue;
    body += (section.name.empty() ? "" : "  ") + field.name + ": " + option.yaml + "\n";
  }
  return body.empty() || section.name.empty() ? body : section.name + ":\n" + body;
}

std::string SectionDefaults(const ConfigSection& section) {
  const std::string indent = section.name.empty() ? "" : "  ";
  std::string text = Commented(section.doc, "");
  if (!section.name.empty()) text += section.name + ":\n";
  for (const OptionValue& option : ListOptions(section.fields)) {
    std::string doc = option.field.doc;
    if (const std::string allowed = AllowedText(option.field); !allowed.empty()) doc += " [" + allowed + "]";
    text += Commented(doc, indent) + indent + option.field.name + ": " + option.yaml + "\n";
  }
  return text;
}

std::string MarkdownCell(const std::string& text) {
  std::string cell;
  for (const char c : text) cell += c == '|' ? std::string("\\|") : std::string(1, c);
  return cell;
}

}  // namespace

std::vector<OptionValue> ListOptions(const std::function<void(OptionsVisitor&)>& fields) {
  OptionLister lister;
  fields(lister);
  return std::move(lister.options);
}

std::string YamlWords(const std::vector<std::string>& words) {
  std::vector<std::string> quoted;
  for (const std::string& word : words) quoted.push_back(YamlWord(word));
  return "[" + Join(quoted, ", ") + "]";
}

std::string EffectiveYaml(Config config, bool portable, const std::vector<ConfigSection>& guests) {
  std::string text;
  for (const ConfigSection& section : config.Sections()) {
    if (section.name != (config.simulated ? "data" : "simulate")) text += SectionYaml(section, portable);
  }
  for (const ConfigSection& section : guests) text += SectionYaml(section, portable);
  return text;
}

std::vector<std::pair<std::string, std::string>> OptionsOfYaml(const std::string& yaml) {
  std::vector<std::pair<std::string, std::string>> options;
  std::string section;
  for (const std::string& line : Split(yaml, '\n')) {
    const std::size_t colon = line.find(':');
    if (colon == std::string::npos) continue;
    const std::string value(Trim(std::string_view(line).substr(colon + 1)));
    if (!line.starts_with(' ')) section = value.empty() ? line.substr(0, colon) + "." : "";
    if (!value.empty()) options.emplace_back(section + std::string(Trim(line.substr(0, colon))), value);
  }
  return options;
}

std::string SectionsYaml(Config config, const std::vector<std::string>& sections) {
  std::string text;
  for (const ConfigSection& section : config.Sections()) {
    if (std::find(sections.begin(), sections.end(), section.name) != sections.end()) text += SectionYaml(section, true);
  }
  return text;
}

std::string DefaultsYaml(const std::vector<ConfigSection>& sections, const std::string& section_name) {
  std::vector<std::string> names;
  std::string text;
  for (const ConfigSection& section : sections) {
    if (!section.name.empty()) names.push_back(section.name);
    if (!section_name.empty() && section.name != section_name) continue;
    if (!text.empty()) text += "\n";
    text += SectionDefaults(section);
  }
  if (text.empty()) {
    const auto nearest = Nearest(section_name, names);
    throw Error(ErrorCode::kUsage,
                "unknown section '" + section_name + "'",
                (nearest ? "did you mean '" + *nearest + "'? " : "") + "sections: " + Join(names, ", "));
  }
  return text;
}

std::string ConfigurationPage(const std::vector<ConfigSection>& sections) {
  std::string page =
      "# Configuration\n\n"
      "Generated by `flyscribe defaults --markdown` from the option declarations; a test keeps it so.\n\n"
      "A config is YAML, read strictly: unknown keys, duplicate keys, wrong types and values out of range are errors "
      "with their place. Anchors and aliases are not supported. `${NAME}` and `${NAME:-default}` stand for environment "
      "variables, `$$` for a dollar sign. Relative paths written in the file are relative to it; those from `--set` or "
      "from an environment variable are relative to the current folder. `--set key=value` overrides any option, for "
      "example `--set learn.lambda=0.12`.\n\n"
      "The last column says whether an option affects results, and so is part of the cache key, or only speed and "
      "place.\n";
  for (const ConfigSection& section : sections) {
    page += "\n## " + (section.name.empty() ? std::string("Top level") : "`" + section.name + "`") + "\n\n";
    if (!section.name.empty()) page += section.doc + "\n\n";
    page += "| key | default | allowed | meaning | affects |\n|---|---|---|---|---|\n";
    for (const OptionValue& option : ListOptions(section.fields)) {
      const Field& field = option.field;
      const bool results = field.effect == Effect::kResults && !field.is_path;
      const std::string allowed = AllowedText(field);
      page += "| `" + field.name + "` | `" + MarkdownCell(option.yaml) + "` | " + MarkdownCell(allowed) + " | " +
              MarkdownCell(field.doc) + " | " +
              (results         ? "results"
               : field.is_path ? "place"
                               : "speed") +
              " |\n";
    }
  }
  return page;
}

}  // namespace flyscribe
