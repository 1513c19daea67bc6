// Bags to train on: labels, features and genes made up.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "classify/one_vs_rest.h"
#include "core/rng.h"

namespace flyscribe {

// A table with one column per term, in the order given.
inline LabelTable TableOf(const std::vector<std::pair<std::string, std::vector<int>>>& terms) {
  LabelTable table;
  table.values = Matrix<std::uint8_t>(terms.empty() ? 0 : terms[0].second.size(), terms.size());
  for (std::size_t column = 0; column < terms.size(); ++column) {
    table.terms.push_back(terms[column].first);
    table.positives.push_back(0);
    for (std::size_t bag = 0; bag < terms[column].second.size(); ++bag) {
      table.values(bag, column) = static_cast<std::uint8_t>(terms[column].second[bag]);
      table.positives[column] += static_cast<std::size_t>(terms[column].second[bag]);
    }
  }
  return table;
}

// A gene for every bag.
inline std::vector<std::string> OwnGenes(std::size_t bags) {
  std::vector<std::string> genes;
  for (std::size_t bag = 0; bag < bags; ++bag) genes.push_back("gene " + std::to_string(bag));
  return genes;
}

// All bags are trained on, each of a gene of its own.
inline TrainingSet SetOf(const LabelTable& labels) {
  const std::size_t bags = labels.values.rows();
  return {labels, OwnGenes(bags), std::vector<bool>(bags, true)};
}

inline TrainingSet SetOf(const LabelTable& labels, const std::vector<bool>& training) {
  return {labels, OwnGenes(training.size()), training};
}

// Two clouds around +/- `shift` in every coordinate.
inline FloatMatrix Clouds(const std::vector<int>& labels, std::size_t cols, double shift, std::uint64_t seed) {
  FloatMatrix features(labels.size(), cols);
  for (std::size_t row = 0; row < labels.size(); ++row) {
    Rng rng(seed, row);
    for (float& value : features.Row(row)) {
      value = static_cast<float>(rng.Normal(labels[row] != 0 ? shift : -shift, 1.0));
    }
  }
  return features;
}

inline std::vector<int> RandomLabels(std::size_t count, double share, std::uint64_t seed) {
  std::vector<int> labels(count);
  Rng rng(seed);
  for (int& label : labels) label = rng.Chance(share) ? 1 : 0;
  return labels;
}

// To the last digits, with the C that is given.
inline TrainOptions Precise() {
  TrainOptions options;
  options.min_positives = 1;
  options.tolerance = 1e-9;
  options.choose_c = ChooseC::kNone;
  return options;
}

// The decision values [bags, terms] of the final models.
inline Matrix<double> ScoreBags(const FloatMatrix& features, const TermModels& models) {
  Matrix<double> scores(features.rows(), models.terms.size());
  for (std::size_t bag = 0; bag < features.rows(); ++bag) {
    for (std::size_t term = 0; term < models.terms.size(); ++term) {
      scores(bag, term) = DecisionValue(models.weights.Row(term), features.Row(bag), models.terms[term].bias);
    }
  }
  return scores;
}

}  // namespace flyscribe
