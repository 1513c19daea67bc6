// What a single file holds: for `flyscribe inspect`.
//
// .npy: type, shape, statistics; .tsv: rows and columns; .json: the top level, with short values; an item of the cache
// (see pipeline/cache/items.h): whether its digest fits. Of all else, the size. Whatever a file holds, looking at it
// takes bounded memory: arrays and JSON are mapped and read in one pass, tables are read block by block.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/fs.h"
#include "core/npy.h"
#include "core/progress.h"
#include "core/statistics.h"

namespace flyscribe {

struct ArrayFacts {
  NpyHeader header;
  std::optional<Statistics> statistics;  // of numbers and booleans
};

struct TableFacts {
  std::uint64_t rows = 0;  // without the header
  std::vector<std::string> columns;
};

struct JsonFacts {
  std::string form;         // object, list or value
  std::uint64_t count = 0;  // keys or elements
  // Keys of an object and their values in a few words, the first hundred; of a list or value one without a name.
  std::vector<std::pair<std::string, std::string>> entries;
};

struct ItemFacts {
  std::string step;
  std::string key;
  std::uint64_t payload_bytes = 0;
  bool intact = false;  // the digest is that of the payload
};

struct FileFacts {
  std::string name;  // relative to the folder that is looked at
  std::uint64_t bytes = 0;
  std::string kind;     // array, table, json, item, page, image, text, config, model or file
  std::string problem;  // why it could not be explained, or what is wrong with it; empty if nothing is
  std::variant<std::monostate, ArrayFacts, TableFacts, JsonFacts, ItemFacts> content;
};

// Never throws for what the file holds, nor if it cannot be read: that is its `problem`. Throws Error(kInterrupted) if
// `progress` asks to stop.
FileFacts ExplainFile(const fs::path& path, const std::string& name, const Progress& progress);

// Name, size and kind alone: the file is not opened.
FileFacts NameFile(const fs::path& path, const std::string& name);

// SHA-256 of a file. Throws Error(kInput) if it cannot be read, Error(kInterrupted) if `progress` asks to stop.
std::string DigestOf(const fs::path& path, const Progress& progress);

// What the JSON library says about a text it cannot read, without its own numbering.
std::string JsonProblem(const std::string& what);

// Whether a folder lies where the cache puts the items of one recipe: items/<step>/<recipe's digest>.
bool IsItemGroup(const fs::path& folder);

}  // namespace flyscribe
