// A YAML document as a small tree in which every value knows where it was written.
//
// yaml-cpp's own Node accepts duplicate keys, forgets whether a word was quoted and expands aliases; this tree is built
// from the parser's events instead, refuses all three and keeps every mark. Depth and size are bounded.
#pragma once

#include <string>
#include <vector>

#include "core/error.h"
#include "core/fs.h"

namespace flyscribe {

struct ConfigEntry;

struct ConfigNode {
  enum class Kind { kNull, kScalar, kSequence, kMap };

  Kind kind = Kind::kNull;
  Place place;      // of the value
  Place key_place;  // of its key, in a map
  bool quoted = false;
  std::string text;  // of a scalar
  fs::path base;     // the folder that relative paths written here are relative to
  std::vector<ConfigNode> items;
  std::vector<ConfigEntry> entries;  // of a map, in the order written

  const ConfigNode* Find(const std::string& key) const;
  ConfigNode* Find(const std::string& key);
  // "a word", "a list", "a map", "nothing".
  std::string Describe() const;
};

struct ConfigEntry {
  std::string key;
  ConfigNode value;
};

// Parses one document. `source` names it in errors; relative paths in it are relative to `base`.
// Throws Error(kUsage) with all duplicate keys at once, or the first syntax error.
ConfigNode ParseConfigText(const std::string& text, const std::string& source, const fs::path& base);

// Reads and parses a file: at most 1 MiB of UTF-8.
ConfigNode ReadConfigFile(const fs::path& path);

// Sets the value at a dotted key ("learn.lambda") from an argument of the form key=value, where value is YAML.
// Errors point at `source`, which says how it was typed; "--set argument" if it is not given.
void ApplyOverride(ConfigNode& root, const std::string& argument);
void ApplyOverride(ConfigNode& root, const std::string& argument, const std::string& source);

}  // namespace flyscribe
