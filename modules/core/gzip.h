// Unpacks gzip, the way tables are often handed out.
//
// Told by content (1f 8b), never by the file's name. Several members one after the other, as `cat a.gz b.gz` makes
// them, are one text; zeros may follow the last one, nothing else. Thread-safe: no state.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace flyscribe {

bool IsGzip(std::string_view bytes);

// Throws Error(kInput) if the data is cut off or damaged (lengths and checksums are compared), or unpacks to more than
// `limit` bytes; it stops there, so that a few packed bytes cannot fill the memory. `place` names the file in errors.
std::string Gunzip(std::string_view bytes, std::uint64_t limit, const std::string& place);

}  // namespace flyscribe
