// Finds image files by BDGP's number N anywhere below some folders.
//
// Names that count: insituN.<ext>, insituN_s.<ext>, N_s.<ext> and, unless told otherwise, N.<ext>, with ext bmp, png,
// jpg, jpeg, jpe, tif or tiff, all in any case. Where a number lies in several places the largest image wins (the
// full-size one rather than its thumbnail), then the earlier folder, then the smaller path.
//
// Symbolic links are followed; every folder is entered once, so circles end. A folder that cannot be read is listed as
// a fault and passed over; so is what has an image's name but is no file: a broken link, a pipe. Only files of a number
// that lies in several places are opened, by `size_of`. Deterministic: entries are visited in the order of their names.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/fs.h"
#include "core/progress.h"
#include "data/skipped.h"

namespace flyscribe {

struct ImageFile {
  std::size_t folder = 0;  // which of the folders
  std::string file;        // path below it
  std::uint64_t bytes = 0;
  friend bool operator==(const ImageFile&, const ImageFile&) = default;
};

// How large an image is, in any unit, to choose between two: pixels, say. Zero if it cannot be told.
using ImageSizeOf = std::function<std::uint64_t(const fs::path& path)>;

// One of the two below.
using NumberOfStem = std::function<std::optional<std::int64_t>(std::string_view stem)>;

struct ImageFiles {
  std::vector<ImageFile> all;  // every file with an image's extension
  std::map<std::int64_t, ImageFile> by_number;
  std::vector<Skipped> problems;
};

// The number in a file's name without folder and extension: 18837 of "insitu18837_s".
std::optional<std::int64_t> ImageNumber(std::string_view stem);
// The same, but bare digits are no number of BDGP's: where files are named by whoever made them, 1.bmp may lie in every
// folder.
std::optional<std::int64_t> ExplicitImageNumber(std::string_view stem);

// By extension, in any case.
bool HasImageExtension(const fs::path& path);

// Two files that `size_of` takes for equal are told apart by their bytes. Throws Error(kInput) if one of the folders is
// missing, is not a folder, or cannot be read; Error(kInterrupted) when the user asks to stop, which is asked for each
// folder and each file with a number.
ImageFiles FindImageFiles(const std::vector<fs::path>& folders,
                          const ImageSizeOf& size_of = {},
                          const NumberOfStem& number_of = ImageNumber,
                          const Progress& progress = NoProgress());

}  // namespace flyscribe
