#include "sparse/atom_cycle.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/rng.h"
#include "sparse/learner.h"

namespace flyscribe {
namespace {

constexpr float kScale = 32000.0F;  // below 32767, so that a norm a little over 1 does no harm
// On top of the bound: the product of both roundings, and what single precision loses in d_j^T r itself.
constexpr float kMargin = 1.01F;
constexpr float kRounding = 1e-5F;
// How far the residual may move, in units of lambda, before it is copied anew: between many copies and many doubtful
// atoms.
constexpr float kReach = 0.1F;
// A little more than computed, for what rounding may hide.
constexpr float kRoundingUp = 1.0001F;

}  // namespace

void AtomOrder::StartEpoch(std::uint64_t seed, int epoch, std::size_t atoms) {
  seed_ = seed;
  permutation_.resize(atoms);
  std::iota(permutation_.begin(), permutation_.end(), 0);
  Rng(seed, kCoordinateStream + static_cast<std::uint64_t>(epoch)).Shuffle(permutation_);
}

void AtomOrder::Visit(std::uint64_t visit, std::span<std::int32_t> out) const {
  const std::uint64_t m = permutation_.size();
  const std::uint64_t drawn = MixBits(seed_ ^ MixBits(kCoordinateStream + visit));
  std::uint64_t a = 1 + (drawn & 0xffffffff) % m;
  while (std::gcd(a, m) != 1) ++a;
  a %= m;
  std::uint64_t at = (drawn >> 32) % m;  // b
  for (std::size_t k = 0; k < m; ++k) {
    out[k] = permutation_[at];
    at += a;
    if (at >= m) at -= m;
  }
}

Screen::Screen(const Kernels& kernels, const PaddedRows& atoms, float lambda)
    : kernels_(kernels),
      atoms_(atoms),
      lambda_(lambda),
      short_length_((atoms.length() + kShortMultiple - 1) / kShortMultiple * kShortMultiple),
      copies_(atoms.rows() * short_length_),
      residual_(short_length_) {
  for (std::size_t atom = 0; atom < atoms.rows(); ++atom) Copy(atom);
  problem_ = {.copies = copies_.data(), .residual = residual_.data(), .length = short_length_};
}

void Screen::Copy(std::size_t atom) {
  kernels_.quantise(kScale, atoms_.Row(atom), copies_.data() + atom * short_length_, atoms_.length());
}

void Screen::Aim(const float* r) {
  norm_ = std::sqrt(kernels_.dot(r, r, atoms_.length()));
  kernels_.quantise(norm_ > 0.0F ? kScale / norm_ : 0.0F, r, residual_.data(), atoms_.length());
  moved_ = 0.0F;
  SetBound();
}

void Screen::Follow(const float* r, float distance) {
  moved_ += distance * kRoundingUp;
  if (moved_ > kReach * lambda_) return Aim(r);
  SetBound();
}

void Screen::SetBound() {
  const float error = norm_ * (kMargin * std::sqrt(static_cast<float>(atoms_.length())) / kScale + kRounding);
  const float certain = lambda_ - moved_ - error;  // |c_j| up to here cannot reach lambda
  problem_.bound = -1;                             // every atom is doubtful
  if (certain >= 0.0F && norm_ > 0.0F) {
    problem_.bound = static_cast<std::int32_t>(std::min(certain / norm_, 2.0F) * kScale * kScale);
  }
}

std::size_t Screen::Next(const std::int32_t* ids, const float* weights, std::size_t begin, std::uint32_t* which) {
  problem_.ids = ids;
  problem_.weights = weights;
  return kernels_.next_doubtful(problem_, begin, atoms_.rows(), which);
}

}  // namespace flyscribe
