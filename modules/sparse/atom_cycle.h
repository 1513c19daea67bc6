// Which atoms a cycle of coordinate descent looks at (Screen), and in which order (AtomOrder).
// Internal to modules/sparse. Not thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sparse/padded_rows.h"

namespace flyscribe {

// The order of atoms in a cycle, when it is to be random and new for every visit.
//
// The atom at place k is P[(a k + b) mod m], where P is a random permutation drawn for each epoch, and a (without a
// common divisor with m) and b are drawn for each visit. So the place of a single atom can be computed without the
// others: a visit that looks at a few atoms only need not pay for a permutation of all of them.
//
// Deterministic: seed, epoch and visit decide.
class AtomOrder {
 public:
  // Draws P. REQUIRES: atoms > 0.
  void StartEpoch(std::uint64_t seed, int epoch, std::size_t atoms);
  // Draws a and b.
  void StartVisit(std::uint64_t visit);

  // All atoms in their order. REQUIRES: room for all of them.
  void All(std::span<std::int32_t> out) const;
  std::size_t Place(std::int32_t atom) const;
  // Keeps the atoms at places from `begin` on, and puts them in their order.
  std::span<std::int32_t> Sort(std::span<std::int32_t> atoms, std::size_t begin);

 private:
  std::uint64_t seed_ = 0;
  std::vector<std::int32_t> permutation_;  // P
  std::vector<std::uint32_t> place_in_permutation_;
  std::uint64_t a_ = 1;
  std::uint64_t a_inverse_ = 1;  // a a_inverse = 1 mod m
  std::uint64_t b_ = 0;
  std::vector<std::uint64_t> keys_;
};

// Tells which atoms may change in a cycle of coordinate descent, from 16-bit copies of the dictionary.
//
//   c_j = d_j^T r at the start of the cycle;  u = how far r has moved since, |r - r_start|
//   |d_j^T r| <= |c_j| + |d_j| u <= |c_j| + u,  so atom j stays at zero as long as |c_j| + u <= lambda
//
// With q = round(s x), the rounding moves a vector by at most sqrt(p) / (2 s). For s_d = 32000 (|d_j| <= 1) and
// s_r = 32000 / |r|, c_j from the copies is wrong by at most |r| sqrt(p) / 32000 (both roundings, plus their product,
// which is 10^4 times smaller and covered by a margin). Sums fit 32 bits because |q_d| |q_r| <= 32000^2 + ... < 2^31.
class Screen {
 public:
  Screen(const Kernels& kernels, const PaddedRows& atoms);

  // The atom was changed: its copy is stale.
  void Touch(std::size_t atom);
  // All copies are stale.
  void TouchAll() { all_stale_ = true; }
  // Begins a cycle at residual r.
  void Start(const float* r);
  // The atoms in [begin, m) that may change while r stays within `reach` of where it was at Start, and those with a
  // weight that is not zero; rising. Valid until the next call.
  std::span<std::int32_t> Doubtful(std::size_t begin, float reach, float lambda, const float* weights);

 private:
  const Kernels& kernels_;
  const PaddedRows& atoms_;
  std::size_t short_length_;  // of a copy, filled up with zeros
  std::vector<std::int16_t> copies_;
  std::vector<std::int16_t> residual_;
  std::vector<std::int32_t> products_;
  std::vector<std::int32_t> found_;
  std::vector<std::size_t> stale_;
  bool all_stale_ = true;
  float norm_ = 0.0F;  // of r at Start
};

}  // namespace flyscribe
