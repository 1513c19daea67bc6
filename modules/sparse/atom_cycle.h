// Which atoms a cycle of coordinate descent looks at in full (Screen), and in which order (AtomOrder).
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
// common divisor with m) and b are drawn for each visit: a visit need not shuffle.
//
// Deterministic: seed, epoch and visit decide.
class AtomOrder {
 public:
  // Draws P. REQUIRES: atoms > 0.
  void StartEpoch(std::uint64_t seed, int epoch, std::size_t atoms);
  // All atoms in the order of a visit. REQUIRES: room for all of them.
  void Visit(std::uint64_t visit, std::span<std::int32_t> out) const;

 private:
  std::uint64_t seed_ = 0;
  std::vector<std::int32_t> permutation_;  // P
};

// Tells which atoms may change in a cycle of coordinate descent, from 16-bit copies of dictionary and residual: half
// the bytes, and the cycle is bound by the bytes it reads.
//
//   c_j = d_j^T r of the residual aimed at;  u = how far r has moved since
//   |d_j^T r| <= |c_j| + |d_j| u <= |c_j| + u,  so a weight z_j = 0 stays zero as long as |c_j| + u <= lambda
//
// With q = round(s x), the rounding moves a vector by at most sqrt(p) / (2 s). For s_d = 32000 (|d_j| <= 1) and
// s_r = 32000 / |r|, c_j from the copies is wrong by at most |r| sqrt(p) / 32000 (both roundings, plus their product,
// which is 10^4 times smaller and covered by a margin). Sums fit 32 bits because |q_d| |q_r| <= 32000^2 + ... < 2^31.
class Screen {
 public:
  // Refers to `atoms`, whose norms are at most 1.
  Screen(const Kernels& kernels, const PaddedRows& atoms, float lambda);

  // The atom was changed.
  void Copy(std::size_t atom);
  // Looks from residual r.
  void Aim(const float* r);
  // The residual has moved by at most `distance` more, and is r now: aims anew if it has gone far.
  void Follow(const float* r, float distance);
  // The first place k = begin, begin + 8, ... with an atom among k .. k + 7 that may change, or that has a weight:
  // atoms ids[k] .., or k .. if ids is null. Bit b of *which says whether that at place k + b is one. As many as there
  // are atoms, if there is none.
  std::size_t Next(const std::int32_t* ids, const float* weights, std::size_t begin, std::uint32_t* which);

 private:
  void SetBound();

  const Kernels& kernels_;
  const PaddedRows& atoms_;
  float lambda_;
  std::size_t short_length_;  // of a copy, filled up with zeros
  std::vector<std::int16_t> copies_;
  std::vector<std::int16_t> residual_;
  float norm_ = 0.0F;   // of the residual aimed at
  float moved_ = 0.0F;  // since; no less than the true distance
  ScreenProblem problem_;
};

}  // namespace flyscribe
