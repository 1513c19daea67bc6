// Reads ontologies in OBO text (1.2 and 1.4), as FlyBase and the OBO Foundry publish them.
//
// Of each [Term]: id, name, def, synonym, alt_id, replaced_by, consider, is_obsolete, is_a and the relationships that
// mean "part of". Other tags, other stanzas and the header are passed over. A line that cannot be read is a warning
// with its number and costs only itself. Byte order marks, LF, CRLF and CR are accepted; what is no UTF-8 is read as
// Latin-1. It infers nothing (no logical definitions, no imports) and continues no lines.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/fs.h"
#include "ontology/anatomy.h"

namespace flyscribe {

struct OboOptions {
  // Relationships read as "part of".
  std::vector<std::string> part_of = {"part_of", "BFO:0000050"};
};

// Larger files are refused unread; longer lines are passed over with a warning.
inline constexpr std::uint64_t kMaxOboBytes = std::uint64_t{256} << 20;
inline constexpr std::size_t kMaxOboLineBytes = std::size_t{1} << 20;
// A longer word is no id.
inline constexpr std::size_t kMaxOboIdBytes = 1000;
// More terms are an Error(kInput): FBbt has some ten thousand.
inline constexpr std::size_t kMaxOboTerms = 1'000'000;

// `name` says whose text it is in the Error(kInput) for a text without any [Term].
Ontology ParseObo(std::string_view text, const std::string& name, const OboOptions& options = {});

// Throws Error(kInput) as ReadFile and ParseObo do.
Ontology LoadObo(const fs::path& path, const OboOptions& options = {});

}  // namespace flyscribe
