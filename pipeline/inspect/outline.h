// The outline of a table or a JSON text: what a person wants to know of a file before opening it. Whatever the file
// holds, taking its outline needs bounded memory.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/fs.h"
#include "core/progress.h"

namespace flyscribe {

struct TableOutline {
  std::uint64_t rows = 0;            // without the header
  std::vector<std::string> columns;  // none if there is no header
  std::string problem;               // what is wrong with it; empty if nothing is
};

// Of a .tsv file: no quoting, blank lines do not count, as LoadTsv reads. Throws Error(kInterrupted) if `progress` asks
// to stop, other Errors if the file cannot be read or its first line is no header.
TableOutline OutlineTable(const fs::path& path, const Progress& progress);

struct JsonOutline {
  std::string form;         // object, list or value
  std::uint64_t count = 0;  // keys or elements
  // Keys of an object and their values in a few words, the first hundred; of a list or value one without a name.
  std::vector<std::pair<std::string, std::string>> entries;
  std::string problem;  // why it cannot be read; empty if it can, else nothing else is known
};

// Throws Error if the file cannot be read.
JsonOutline OutlineJson(const fs::path& path);

}  // namespace flyscribe
