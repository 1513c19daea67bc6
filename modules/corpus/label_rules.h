// Which words of the annotations are terms, which mean that nothing is stained, which are notes of the curators.
//
// Compared without regard to case; a pattern that ends in * fits every word that begins so.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace flyscribe {

enum class LabelKind { kTerm, kAbsence, kBookkeeping };

class LabelRules {
 public:
  LabelRules(const std::vector<std::string>& absence, const std::vector<std::string>& bookkeeping);
  LabelKind KindOf(std::string_view word) const;

 private:
  std::vector<std::string> absence_;
  std::vector<std::string> bookkeeping_;
};

}  // namespace flyscribe
