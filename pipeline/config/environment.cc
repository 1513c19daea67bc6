#include "pipeline/config/environment.h"

#include <cstdlib>

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

}  // namespace

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
