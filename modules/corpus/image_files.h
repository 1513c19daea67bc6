// Finds image files by BDGP's number N anywhere below some folders.
//
// Names that count: insituN.<ext>, insituN_s.<ext>, N_s.<ext>, N.<ext>, with ext bmp, png, jpg, jpeg, jpe, tif or tiff,
// all in any case. Where a number lies in several places the largest file wins (the full-size image rather than its
// thumbnail), then the earlier folder, then the smaller path.
//
// Symbolic links are followed; every folder is entered once, so circles end. A folder that cannot be read is listed as
// a fault and passed over. Nothing is opened. Deterministic: entries are visited in the order of their names.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/fs.h"
#include "data/skipped.h"

namespace flyscribe {

struct ImageFile {
  std::size_t folder = 0;  // which of the folders
  std::string file;        // path below it
  std::uintmax_t size = 0;
};

struct ImageFiles {
  std::map<std::int64_t, ImageFile> by_number;
  std::vector<Skipped> problems;
};

// The number in a file's name without folder and extension: 18837 of "insitu18837_s".
std::optional<std::int64_t> ImageNumber(std::string_view stem);

// Throws Error(kInput) if one of the folders is missing, is not a folder, or cannot be read.
ImageFiles FindImageFiles(const std::vector<fs::path>& folders);

}  // namespace flyscribe
