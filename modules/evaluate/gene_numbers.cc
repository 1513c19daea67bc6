#include "evaluate/gene_numbers.h"

#include "core/error.h"

namespace flyscribe {

std::uint32_t GeneNumbers::Of(const std::string& gene) {
  return numbers_.try_emplace(gene, static_cast<std::uint32_t>(numbers_.size())).first->second;
}

void FoldOfEachGene::Add(const std::string& gene, int fold) {
  const int known = folds_.try_emplace(gene, fold).first->second;
  if (known == fold) return;
  throw Error(ErrorCode::kInput,
              "gene " + gene + " has bags in fold " + std::to_string(known) + " and in fold " + std::to_string(fold) +
                  ": models are tested on a gene they were trained on",
              "folds must be given by gene, as ingest does");
}

}  // namespace flyscribe
