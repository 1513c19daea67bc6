// All that one gene is called in the tables it was read from, so that it is known again by any of its names.
//
// In a field of a table they are joined by bars. A bar within a name is not told from one between two: read back, such
// a name is two, and whoever looks for it looks for both.
#pragma once

#include <string>
#include <vector>

namespace flyscribe {

struct GeneNames {
  std::vector<std::string> ids;      // FBgn and CG ids, sorted: no other gene of these tables has them
  std::vector<std::string> symbols;  // sorted: another gene may have them too
  friend bool operator==(const GeneNames&, const GeneNames&) = default;
};

// "a|b", and back; the empty text is no name.
std::string JoinNames(const std::vector<std::string>& names);
std::vector<std::string> SplitNames(const std::string& field);

}  // namespace flyscribe
