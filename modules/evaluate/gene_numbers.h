// Numbers genes in the order they are met, and sees to it that none is on both sides of a split.
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace flyscribe {

class GeneNumbers {
 public:
  // The gene's number.
  std::uint32_t Of(const std::string& gene);
  std::size_t size() const { return numbers_.size(); }

 private:
  std::map<std::string, std::uint32_t> numbers_;
};

// One fold a gene: otherwise models that are tested on it have seen it.
class FoldOfEachGene {
 public:
  // Throws Error(kInput) if the gene is known in another fold.
  void Add(const std::string& gene, int fold);

 private:
  std::map<std::string, int> folds_;
};

}  // namespace flyscribe
