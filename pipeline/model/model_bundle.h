// A bundle taken apart, with all that is wrong with it: for LoadModel, which refuses it then, and for `flyscribe
// inspect`, which shows the rest. docs/model-format.md is the format.
#pragma once

#include <cstdint>
#include <exception>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/fs.h"
#include "pipeline/cache/manifest.h"
#include "pipeline/model/model.h"

namespace flyscribe {

// What is written and read. Raise it if an older program would misread a bundle.
inline constexpr int kModelFormat = 2;

// What model.json says of a range; compared with what is there.
struct BundleRange {
  std::string name;
  std::size_t atoms = 0;
  std::size_t features = 0;
  std::size_t terms = 0;
  std::size_t genes = 0;
  std::size_t inner_folds = 0;
  friend bool operator==(const BundleRange&, const BundleRange&) = default;
};

// model.json.
struct BundleIndex {
  int format = 0;
  std::string id;
  std::string program;                                             // flyscribe's version
  std::vector<std::pair<std::string, std::string>> preprocessing;  // as PreprocessingVersions
  std::vector<BundleRange> ranges;
  std::vector<ListedFile> files;  // all but model.json, by name
};

struct BundleContent {
  std::uint64_t bytes = 0;  // of the bundle
  BundleIndex index;        // as far as it could be read, like the rest
  Model model;
  std::string options_text;  // options.yaml
  // In the order they were found; none if the bundle is whole and fits this program.
  std::vector<Diagnostic> problems;
  std::exception_ptr first;  // the first of them
};

// Whoever made the bundle, nothing is written but below `scratch`, and that is removed again. Throws Error(kInput) if
// it cannot be read or is no archive; all else is a problem.
BundleContent ReadBundle(const fs::path& bundle, const fs::path& scratch);

}  // namespace flyscribe
