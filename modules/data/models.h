// One linear classifier per term, and what they say of every bag: what `train` leaves.
//
//   weights.npy  float32 [terms, features];  a bag's decision value is weights . features + bias
//   terms.tsv    one row a term: term, state (trained, or why not), positives, negatives, bias, support_vectors
//   scores.npy   float64 [bags, terms]: decision values of all bags, those trained on too (see the bags' folds)
#pragma once

#include <string>
#include <vector>

#include "core/fs.h"
#include "core/matrix.h"

namespace flyscribe {

struct TermModel {
  std::string term;
  std::size_t positives = 0;  // among the bags trained on
  std::size_t negatives = 0;
  double bias = 0.0;
  std::size_t support_vectors = 0;
  friend bool operator==(const TermModel&, const TermModel&) = default;
};

// A term no classifier could be trained for, such as one with a single positive bag.
struct SkippedTerm {
  std::string term;
  std::size_t positives = 0;
  std::string reason;
  friend bool operator==(const SkippedTerm&, const SkippedTerm&) = default;
};

struct TermModels {
  std::vector<TermModel> terms;      // rows of weights, columns of scores
  std::vector<SkippedTerm> skipped;  // terms too rare to train
  FloatMatrix weights;
  Matrix<double> scores;

  void Save(const fs::path& folder) const;
  static TermModels Load(const fs::path& folder);
};

}  // namespace flyscribe
