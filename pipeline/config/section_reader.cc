#include "pipeline/config/section_reader.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "core/fs.h"
#include "core/text.h"

namespace flyscribe {
namespace {

struct Reference {
  std::string name;
  std::optional<std::string> fallback;
};

Reference ParseReference(const std::string& inside) {
  const std::size_t split = inside.find(":-");
  if (split == std::string::npos) return {inside, std::nullopt};
  return {inside.substr(0, split), inside.substr(split + 2)};
}

// 65536 rather than 65536.0 or 6.5536e4.
std::string FormatBound(double bound) {
  const bool whole = std::abs(bound) < 1e15 && bound == std::floor(bound);
  return whole ? std::to_string(static_cast<std::int64_t>(bound)) : FormatReal(bound);
}

std::string AbsolutePath(const std::string& text, const fs::path& base) {
  if (text.empty()) return text;
  return fs::absolute(text, base).lexically_normal().string();
}

}  // namespace

std::string DescribeRange(const Field& field) {
  const bool has_min = std::isfinite(field.min);
  const bool has_max = std::isfinite(field.max);
  if (has_min && has_max) return "between " + FormatBound(field.min) + " and " + FormatBound(field.max);
  if (has_min) return "at least " + FormatBound(field.min);
  if (has_max) return "at most " + FormatBound(field.max);
  return {};
}

SectionReader::SectionReader(const ConfigNode* node,
                             std::string prefix,
                             EnvironmentLookup lookup,
                             std::vector<Diagnostic>& problems)
    : node_(node), prefix_(std::move(prefix)), lookup_(std::move(lookup)), problems_(problems) {}

const ConfigNode* SectionReader::Take(const Field& field) {
  known_.push_back(field.name);
  const ConfigNode* node = node_ == nullptr ? nullptr : node_->Find(field.name);
  if (node == nullptr) return nullptr;
  if (node->kind == ConfigNode::Kind::kNull) {
    Problem(*node, field, "has no value", "give one, or leave the key out to keep the default");
    return nullptr;
  }
  return node;
}

void SectionReader::Problem(const ConfigNode& node,
                            const Field& field,
                            const std::string& message,
                            const std::string& hint) {
  // An item of a list has no key.
  const bool at_key = node.kind == ConfigNode::Kind::kNull && !node.key_place.file.empty();
  const Place& place = at_key ? node.key_place : node.place;
  problems_.push_back({prefix_ + field.name + ": " + message, hint, place});
}

bool SectionReader::ExpandScalar(const Field& field, const ConfigNode& node, std::string& text) {
  if (node.kind != ConfigNode::Kind::kScalar) {
    Problem(node, field, "expected one value, found " + node.Describe(), {});
    return false;
  }
  const Expansion expansion = ExpandVariables(node.text, lookup_);
  if (!expansion.problem.empty()) {
    Problem(node, field, expansion.problem, "set it, or give a default: ${NAME:-default}");
    return false;
  }
  text = expansion.text;
  if (field.is_path) text = AbsolutePath(text, expansion.starts_with_variable ? fs::current_path() : node.base);
  return true;
}

bool SectionReader::CheckAllowed(const Field& field, const ConfigNode& node, const std::string& word) {
  if (field.allowed.empty() || std::count(field.allowed.begin(), field.allowed.end(), word) > 0) return true;
  std::string hint = "allowed: " + Join(field.allowed, ", ");
  if (const auto nearest = Nearest(word, field.allowed)) hint = "did you mean '" + *nearest + "'? " + hint;
  Problem(node, field, "'" + word + "' is not one of the allowed values", hint);
  return false;
}

void SectionReader::Flag(const Field& field, bool& value) {
  const ConfigNode* node = Take(field);
  std::string text;
  if (node == nullptr || !ExpandScalar(field, *node, text)) return;
  if (text == "true" || text == "false") {
    value = text == "true";
  } else {
    Problem(*node, field, "expected true or false, found '" + text + "'", {});
  }
}

void SectionReader::Integer(const Field& field, std::int64_t& value) {
  ReadNumber(field, "a whole number", ParseInteger, value);
}

void SectionReader::Real(const Field& field, double& value) { ReadNumber(field, "a number", ParseReal, value); }

template <class Number>
void SectionReader::ReadNumber(const Field& field,
                               const std::string& what,
                               std::optional<Number> (*parse)(std::string_view text),
                               Number& value) {
  const ConfigNode* node = Take(field);
  std::string text;
  if (node == nullptr || !ExpandScalar(field, *node, text)) return;
  const std::optional<Number> number = parse(text);
  const std::string range = DescribeRange(field);
  const std::string hint = range.empty() ? "" : "must be " + range;
  if (!number) {
    Problem(*node, field, "expected " + what + ", found '" + text + "'", hint);
  } else if (static_cast<double>(*number) < field.min || static_cast<double>(*number) > field.max) {
    Problem(*node, field, node->text + " is out of range", hint);
  } else {
    value = *number;
  }
}

void SectionReader::Word(const Field& field, std::string& value) {
  const ConfigNode* node = Take(field);
  std::string text;
  if (node == nullptr || !ExpandScalar(field, *node, text)) return;
  if (CheckAllowed(field, *node, text)) value = text;
}

void SectionReader::Words(const Field& field, std::vector<std::string>& values) {
  const ConfigNode* node = Take(field);
  if (node == nullptr) return;
  if (node->kind == ConfigNode::Kind::kMap) {
    Problem(*node, field, "expected a list, found a map", "write [one, two]");
    return;
  }
  const bool single = node->kind == ConfigNode::Kind::kScalar;
  const std::vector<ConfigNode> items = single ? std::vector<ConfigNode>{*node} : node->items;
  std::vector<std::string> words;
  for (const ConfigNode& item : items) {
    std::string text;
    if (ExpandScalar(field, item, text) && CheckAllowed(field, item, text)) words.push_back(text);
  }
  // A list with a wrong item is not taken for a shorter one: what checks it later would find another fault.
  if (words.size() == items.size()) values = words;
}

void SectionReader::ReportUnknownKeys(const std::vector<std::string>& also_known) {
  if (node_ == nullptr) return;
  std::vector<std::string> candidates = known_;
  candidates.insert(candidates.end(), also_known.begin(), also_known.end());
  for (const auto& [key, node] : node_->entries) {
    if (std::count(candidates.begin(), candidates.end(), key) > 0) continue;
    const std::string section = prefix_.empty() ? prefix_ : " " + prefix_.substr(0, prefix_.size() - 1);
    std::string hint = "`flyscribe defaults" + section + "` lists all keys";
    if (const auto nearest = Nearest(key, candidates)) hint = "did you mean '" + *nearest + "'? " + hint;
    problems_.push_back({prefix_ + key + ": unknown key", hint, node.key_place});
  }
}

void CollectProblems(const std::function<void()>& check, const std::string& source, std::vector<Diagnostic>& problems) {
  try {
    check();
  } catch (const Error& error) {
    for (const Diagnostic& problem : error.diagnostics()) problems.push_back({problem.message, problem.hint, {source}});
  }
}

std::optional<std::string> ProcessEnvironment(const std::string& name) {
  const char* value = std::getenv(name.c_str());  // NOLINT(concurrency-mt-unsafe): nothing here sets variables
  if (value == nullptr || *value == '\0') return std::nullopt;
  return value;
}

Expansion ExpandVariables(const std::string& text, const EnvironmentLookup& lookup) {
  Expansion result;
  std::size_t at = 0;
  while (at < text.size()) {
    if (text.compare(at, 2, "$$") == 0) {
      result.text += '$';
      at += 2;
      continue;
    }
    if (text.compare(at, 2, "${") != 0) {
      result.text += text[at++];
      continue;
    }
    const std::size_t close = text.find('}', at);
    if (close == std::string::npos) {
      result.problem = "'${' is not closed";
      return result;
    }
    const Reference reference = ParseReference(text.substr(at + 2, close - at - 2));
    const auto value = lookup(reference.name);
    if (value) {
      result.starts_with_variable |= at == 0;
      result.text += *value;
    } else if (reference.fallback) {
      result.text += *reference.fallback;
    } else {
      result.problem = "the environment variable " + reference.name + " is not set";
      return result;
    }
    at = close + 1;
  }
  return result;
}

}  // namespace flyscribe
