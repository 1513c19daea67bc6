// Bootstrap over genes: how far a figure would move if other genes of the same kind had been tested.
//
// One resample draws as many genes as there are, each with equal chance and with replacement; a gene that is drawn k
// times counts k times, with all its bags of all folds and ranges, and one that is not drawn not at all. Bags of one
// gene are alike, so drawing bags would make intervals too narrow. Models stay as they are: an interval speaks of the
// genes tested, not of what another training set would have given.
//
// Interval: the percentile method. Its ends are the 2.5 % and 97.5 % points of the values over the resamples: with the
// values sorted, v[0] ... v[B - 1], the point of share q is v at position q (B - 1), linear between neighbours.
//
// Reference: Efron, Tibshirani: An Introduction to the Bootstrap, 1993, chapter 13.
// Thread safety: reentrant. Determinism: resample i has random numbers of its own, so any thread may compute it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "data/evaluation.h"
#include "evaluate/metrics.h"

namespace flyscribe {

// Numbers genes in the order they are met.
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

// How often each gene is drawn in the resample of that number. They sum to `genes`.
Draws DrawGenes(std::size_t genes, std::int64_t seed, std::size_t resample);

// Every gene once: the figure itself.
Draws EachGeneOnce(std::size_t genes);

// REQUIRES: values is not empty.
Interval PercentileInterval(std::vector<double> values);

}  // namespace flyscribe
