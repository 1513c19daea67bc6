// Our own TSV tables: one header line, then rows of as many fields. For the codecs of the nouns.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/fs.h"

namespace flyscribe {

// Rows of the table without its header. Throws Error(kCorrupt) if the header or a row differs from what is expected.
std::vector<std::vector<std::string>> LoadTsv(const fs::path& path, const std::vector<std::string>& header);

void SaveTsv(const fs::path& path,
             const std::vector<std::string>& header,
             const std::vector<std::vector<std::string>>& rows);

// A field that must be an integer or a number; Error(kCorrupt) otherwise.
std::int64_t IntegerField(const std::string& field, const fs::path& path);
double RealField(const std::string& field, const fs::path& path);

}  // namespace flyscribe
