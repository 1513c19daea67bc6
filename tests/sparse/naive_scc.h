// Stochastic coordinate coding in double precision, dense and one atom after the other: what the learner is held
// against.
//
// Written from the equations of scc.cc (Algorithm 1 of the paper, and the points in which the authors' program
// differs), not from scc.cc. Two things are no mathematics, and repeat the learner's choice: the shuffle of an epoch's
// visits (the stream of the epoch's number), and the random order of atoms (as atom_cycle.h defines it).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "core/matrix.h"
#include "core/rng.h"
#include "sparse/learn_options.h"

namespace flyscribe {

class NaiveScc {
 public:
  using Vector = std::vector<double>;

  NaiveScc(const FloatMatrix& patches, const FloatMatrix& initial, const LearnOptions& options)
      : options_(options),
        codes_(patches.rows(), Vector(initial.rows(), 0.0)),
        curvature_(initial.rows(), 0.0),
        epoch_curvature_(initial.rows(), 0.0) {
    for (std::size_t i = 0; i < patches.rows(); ++i) patches_.emplace_back(Values(patches, i));
    for (std::size_t j = 0; j < initial.rows(); ++j) {
      atoms_.emplace_back(Values(initial, j));
      Project(atoms_.back());
    }
  }

  // Returns the running objective, the mean over the patches.
  double RunEpoch() {
    if (options_.curvature == LearnOptions::Curvature::kPreviousEpoch) curvature_ = epoch_curvature_;
    std::fill(epoch_curvature_.begin(), epoch_curvature_.end(), 0.0);
    double sum = 0.0;
    for (const std::size_t patch : PatchOrder(++epoch_)) sum += Visit(patch);
    return sum / static_cast<double>(patches_.size());
  }
  double RunEpochs(int count) {
    double objective = 0.0;
    for (int epoch = 0; epoch < count; ++epoch) objective = RunEpoch();
    return objective;
  }

  const std::vector<Vector>& atoms() const { return atoms_; }
  const std::vector<Vector>& codes() const { return codes_; }

 private:
  static Vector Values(const FloatMatrix& matrix, std::size_t row) {
    return {matrix.Row(row).begin(), matrix.Row(row).end()};
  }

  static double Inner(const Vector& a, const Vector& b) {
    double sum = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return sum;
  }

  static void AddScaled(double scale, const Vector& x, Vector& y) {
    for (std::size_t i = 0; i < x.size(); ++i) y[i] += scale * x[i];
  }

  void Project(Vector& atom) const {
    for (double& value : atom) {
      if (options_.nonnegative_atoms) value = std::max(0.0, value);
    }
    const double norm = std::sqrt(Inner(atom, atom));
    const bool sphere = options_.projection == LearnOptions::Projection::kSphere;
    if (norm == 0.0 || (norm <= 1.0 && !sphere)) return;
    for (double& value : atom) value /= norm;
  }

  std::vector<std::size_t> PatchOrder(int epoch) const {
    std::vector<std::size_t> order(patches_.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    if (options_.patch_order == LearnOptions::PatchOrder::kShuffled) {
      Rng(static_cast<std::uint64_t>(options_.seed), static_cast<std::uint64_t>(epoch)).Shuffle(order);
    }
    return order;
  }

  std::vector<std::size_t> AtomOrder() const {
    std::vector<std::size_t> order(atoms_.size());
    for (std::size_t j = 0; j < order.size(); ++j) order[j] = j;
    if (options_.coordinate_order == LearnOptions::CoordinateOrder::kCyclic) return order;
    // As atom_cycle.h defines it: P[(a k + b) mod m].
    constexpr std::uint64_t kStream = std::uint64_t{1} << 41;
    const auto seed = static_cast<std::uint64_t>(options_.seed);
    Rng(seed, kStream + static_cast<std::uint64_t>(epoch_)).Shuffle(order);
    const std::uint64_t m = order.size();
    const std::uint64_t drawn = MixBits(seed ^ MixBits(kStream + visits_));
    std::uint64_t a = 1 + (drawn & 0xffffffff) % m;
    while (std::gcd(a, m) != 1) ++a;
    std::vector<std::size_t> visited(order.size());
    for (std::size_t k = 0; k < m; ++k) visited[k] = order[(a * k + (drawn >> 32)) % m];
    return visited;
  }

  // Returns the patch's objective before the dictionary moves.
  double Visit(std::size_t patch) {
    Vector& z = codes_[patch];
    Vector r = patches_[patch];
    for (std::size_t j = 0; j < atoms_.size(); ++j) AddScaled(-z[j], atoms_[j], r);
    for (const std::size_t j : AtomOrder()) UpdateWeight(j, z, r);
    ++visits_;
    std::vector<std::size_t> support;
    for (std::size_t j = 0; j < atoms_.size(); ++j) {
      if (z[j] != 0.0) support.push_back(j);
    }
    for (int step = 1; step < options_.CdSteps(); ++step) {
      for (const std::size_t j : support) UpdateWeight(j, z, r);
    }
    double objective = 0.5 * Inner(r, r);
    for (const double weight : z) objective += options_.lambda * std::abs(weight);
    for (const std::size_t j : support) MoveAtom(j, z[j], r);
    return objective;
  }

  // z_j <- h_lambda(d_j^T r + z_j).
  void UpdateWeight(std::size_t j, Vector& z, Vector& r) const {
    const double b = Inner(atoms_[j], r) + z[j];
    double updated = 0.0;
    if (b > options_.lambda) updated = b - options_.lambda;
    if (b < -options_.lambda && !options_.nonnegative) updated = b + options_.lambda;
    AddScaled(z[j] - updated, atoms_[j], r);
    z[j] = updated;
  }

  void MoveAtom(std::size_t j, double weight, const Vector& r) {
    if (weight == 0.0) return;
    curvature_[j] += weight * weight;
    epoch_curvature_[j] += weight * weight;
    const bool natural = options_.rate == LearnOptions::Rate::kNatural;
    const double rate =
        natural ? options_.rate_a / (static_cast<double>(visits_) + options_.rate_b) : 1.0 / curvature_[j];
    Vector moved = atoms_[j];
    AddScaled(rate * weight, r, moved);
    Project(moved);
    const bool vanished = options_.nonnegative_atoms && Inner(moved, moved) == 0.0;
    if (!vanished) atoms_[j] = moved;
  }

  LearnOptions options_;
  std::vector<Vector> patches_;
  std::vector<Vector> atoms_;
  std::vector<Vector> codes_;
  Vector curvature_;
  Vector epoch_curvature_;
  int epoch_ = 0;
  std::uint64_t visits_ = 0;
};

}  // namespace flyscribe
