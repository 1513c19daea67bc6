// Image files below some folders: found by BDGP's number N, or read as a tree of genes.
//
// Names that count: insituN.<ext>, insituN_s.<ext>, N_s.<ext> and, unless told otherwise, N.<ext>, with ext bmp, png,
// jpg, jpeg, jpe, tif or tiff, all in any case. Where a number lies in several places the largest image wins (the
// full-size one rather than its thumbnail), then the earlier folder, then the smaller path.
//
// Symbolic links are followed; every folder is entered once, so circles end. A folder that cannot be read is listed as
// a fault and passed over; so is what has an image's name but is no file: a broken link, a pipe. Only files of a number
// that lies in several places are opened, by `size_of`. Deterministic: entries are visited in the order of their names.
//
// A tree names gene and stage range by folders: <gene>/<stage range>/<image>, anywhere below a root.
//
//   otp/4-6/insitu4593.bmp, FBgn0015524/13-17/my_embryo.png
//
// The gene may be an FBgn id, a CG id or a symbol. An image is known by BDGP's number if its name says one (insituN,
// insituN_s, N_s; bare digits do not), else by its path below the root, extension and all. A tree knows neither views
// nor terms. Files that do not lie so are left out, with the reason; so are names that are no plain UTF-8 text.
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
#include "corpus/source_tables.h"
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
// The Error(kInput) for a place without any.
[[noreturn]] void ThrowNoImageFile(const std::string& place);

// Whether the name of a file or folder can name a gene, an image or a bag: such names go into every table and page.
bool IsPlainText(const std::string& name);

// Two files that `size_of` takes for equal are told apart by their bytes. Throws Error(kInput) if one of the folders is
// missing, is not a folder, or cannot be read; Error(kInterrupted) when the user asks to stop, which is asked for each
// folder and each file with a number.
ImageFiles FindImageFiles(const std::vector<fs::path>& folders,
                          const ImageSizeOf& size_of = {},
                          const NumberOfStem& number_of = ImageNumber,
                          const Progress& progress = NoProgress());

// Whether any file lies as in a tree.
bool IsFolderTree(const ImageFiles& files);

// Adds one row a file to `rows`, as a table called after the first folder. Of several copies of one number, the chosen
// one comes first, so that it is the one that is kept. REQUIRES: numbers of `files` are by ExplicitImageNumber.
void ReadFolderTree(const ImageFiles& files, SourceRows& rows);

}  // namespace flyscribe
