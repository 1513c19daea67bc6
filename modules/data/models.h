// One linear classifier per term, and what is known of every bag by models that did not see it: what `train` leaves.
//
//   weights.npy         float32 [terms, features];  a bag's decision value is weights . features + bias
//   terms.tsv           one row a term: term, state (trained, or why not), positives, negatives, bias,
//                       support_vectors, c, cut
//   calibrations.json   per trained term: decision value -> probability (Calibration)
//   scores.npy          float64 [bags, terms]: decision values of all bags. A bag that was trained on has the value of
//                       the inner fold that held its gene out, never that of a model that saw it
//   inner_weights.npy   float32 [folds * terms, features], row fold * terms + term, and
//   inner_bias.npy      float64 [folds, terms]: the models of the inner folds, so that a gene that was trained on can
//                       be scored by the one that held it out; both empty where they are not kept
//
// A term is called where the decision value is above its cut; the cut as a probability is its threshold.
#pragma once

#include <string>
#include <vector>

#include "core/fs.h"
#include "core/matrix.h"

namespace flyscribe {

struct CalibrationKnot {
  double decision_value = 0.0;
  double probability = 0.0;
  friend bool operator==(const CalibrationKnot&, const CalibrationKnot&) = default;
};

// From a decision value to a probability: a map that never falls.
//
//   sigmoid  P(s) = 1 / (1 + exp(-(slope s + offset))),   slope >= 0   (Platt)
//   steps    P(s) is linear between the knots (s_k, p_k) and constant beyond them; s_k rises, p_k never falls
//            (isotonic regression)
//
// classify/calibrate.h fits one.
struct Calibration {
  double slope = 0.0;
  double offset = 0.0;
  std::vector<CalibrationKnot> knots;  // empty: sigmoid

  // In [0, 1]. REQUIRES: the decision value is finite.
  double Probability(double decision_value) const;
  // Finite numbers, a slope that is not negative, knots that rise as said above.
  bool IsValid() const;
  friend bool operator==(const Calibration&, const Calibration&) = default;
};

struct TermModel {
  std::string term;
  std::size_t positives = 0;  // among the bags trained on
  std::size_t negatives = 0;
  double bias = 0.0;
  std::size_t support_vectors = 0;
  double c = 1.0;    // the weight of training errors that was used
  double cut = 0.0;  // the term is called above this decision value
  Calibration calibration;

  double Threshold() const { return calibration.Probability(cut); }
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
  FloatMatrix inner_weights;
  Matrix<double> inner_bias;

  // Of the inner models; 0 where they are not kept.
  std::size_t inner_folds() const { return inner_bias.rows(); }

  void Save(const fs::path& folder) const;
  // Throws Error(kCorrupt) if the files do not fit each other or hold a number that is not finite.
  static TermModels Load(const fs::path& folder);

  // All but scores.npy: what is handed on to those who have other bags. Loaded, scores are [0, terms].
  void SaveWithoutScores(const fs::path& folder) const;
  static TermModels LoadWithoutScores(const fs::path& folder);
};

}  // namespace flyscribe
