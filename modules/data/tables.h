// For the codecs of the nouns: our own TSV tables, one header line, then rows of as many fields; and JSON as text.
//
// In tables no quoting and no escapes: a tab or line end within a field is written as a space. CRLF is read too,
// because editors write it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "core/fs.h"

namespace flyscribe {

// Rows of the table without its header. Throws Error(kCorrupt) if the header or a row differs from what is expected.
std::vector<std::vector<std::string>> LoadTsv(const fs::path& path, const std::vector<std::string>& header);

void SaveTsv(const fs::path& path,
             const std::vector<std::string>& header,
             const std::vector<std::vector<std::string>>& rows);

// Throws the Error(kCorrupt) for an artifact that breaks its format. `line` counts from 1; 0 means unknown.
[[noreturn]] void ThrowCorrupt(const fs::path& path, const std::string& message, int line = 0);

// A field that must be an integer, an integer in [0, max], or a number; Error(kCorrupt) otherwise.
std::int64_t IntegerField(const std::string& field, const fs::path& path);
std::size_t CountField(const std::string& field,
                       const fs::path& path,
                       std::int64_t max = std::numeric_limits<std::int64_t>::max());
double RealField(const std::string& field, const fs::path& path);

// JSON as one line. Names may hold any bytes; the text is UTF-8 all the same. `Json`: a type of nlohmann's, which no
// header names.
template <class Json>
std::string JsonText(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}
// The same as a file of its own, or what a command prints: in lines, `indent` blanks a level.
template <class Json>
std::string JsonLines(const Json& json, int indent = 2) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace flyscribe
