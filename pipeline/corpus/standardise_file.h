// An image file that was hashed before -> a standardised embryo: what standardise and annotate do with each file.
//
// Whether an image can be used follows from its content alone, and is an answer. That the file cannot be read, or is
// another than was hashed, is none: then the run must stop, because nothing may be remembered of it.
// Thread-safe. Deterministic.
#pragma once

#include <cstdint>
#include <string>
#include <variant>

#include "core/error.h"
#include "core/fs.h"
#include "imaging/decode.h"
#include "imaging/standardise.h"

namespace flyscribe {

// The embryo, or the Error(kInput) that says why the image cannot be used; it may be larger than `limit` bytes.
// Throws Error(kInput) if the file cannot be read or its SHA-256 is not `digest`.
std::variant<Standardised, Error> StandardiseFile(const fs::path& path,
                                                  const std::string& digest,
                                                  const StandardiseOptions& options,
                                                  std::uint64_t limit = DecodeLimits{}.max_bytes);

}  // namespace flyscribe
