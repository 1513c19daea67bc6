// Texts of any kind (ids, paths, names of genes) as file names: safe ones, each its own.
// Not thread-safe. The same texts in the same order give the same names.
#pragma once

#include <set>
#include <string>

namespace flyscribe {

class SlugMaker {
 public:
  // A name of letters, digits, '.', '_' and '-' that begins with no '.' and that was not given out before, however
  // upper and lower case are written. What else stands in `text` becomes '-', and what is too long is cut.
  std::string Make(const std::string& text);

 private:
  std::set<std::string> taken_;  // in lower case: some file systems know no other
};

}  // namespace flyscribe
