#include "sparse/atom_cycle.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/rng.h"
#include "sparse/learner.h"

namespace flyscribe {
namespace {

// x with a x = 1 mod m, by Euclid's algorithm. REQUIRES: a and m have no common divisor.
std::uint64_t InverseModulo(std::uint64_t a, std::uint64_t m) {
  auto r0 = static_cast<std::int64_t>(m);
  auto r1 = static_cast<std::int64_t>(a % m);
  std::int64_t x0 = 0;
  std::int64_t x1 = 1;
  while (r1 > 1) {
    const std::int64_t quotient = r0 / r1;
    r0 = std::exchange(r1, r0 - quotient * r1);
    x0 = std::exchange(x1, x0 - quotient * x1);
  }
  const auto modulus = static_cast<std::int64_t>(m);
  return static_cast<std::uint64_t>((x1 % modulus + modulus) % modulus);
}

}  // namespace

void AtomOrder::StartEpoch(std::uint64_t seed, int epoch, std::size_t atoms) {
  seed_ = seed;
  permutation_.resize(atoms);
  std::iota(permutation_.begin(), permutation_.end(), 0);
  Rng(seed, kCoordinateStream + static_cast<std::uint64_t>(epoch)).Shuffle(permutation_);
  place_in_permutation_.resize(atoms);
  for (std::size_t k = 0; k < atoms; ++k) {
    place_in_permutation_[static_cast<std::size_t>(permutation_[k])] = static_cast<std::uint32_t>(k);
  }
}

void AtomOrder::StartVisit(std::uint64_t visit) {
  const std::uint64_t m = permutation_.size();
  const std::uint64_t drawn = MixBits(seed_ ^ MixBits(kCoordinateStream + visit));
  b_ = (drawn >> 32) % m;
  a_ = 1 + (drawn & 0xffffffff) % m;
  while (std::gcd(a_, m) != 1) ++a_;
  a_ %= m;
  a_inverse_ = m == 1 ? 0 : InverseModulo(a_, m);
}

void AtomOrder::All(std::span<std::int32_t> out) const {
  const std::uint64_t m = permutation_.size();
  std::uint64_t at = b_;
  for (std::size_t k = 0; k < m; ++k) {
    out[k] = permutation_[at];
    at += a_;
    if (at >= m) at -= m;
  }
}

std::size_t AtomOrder::Place(std::int32_t atom) const {
  const std::uint64_t m = permutation_.size();
  const std::uint64_t at = place_in_permutation_[static_cast<std::size_t>(atom)];
  return (at + m - b_) % m * a_inverse_ % m;
}

std::span<std::int32_t> AtomOrder::Sort(std::span<std::int32_t> atoms, std::size_t begin) {
  keys_.clear();
  for (const std::int32_t atom : atoms) {
    const std::uint64_t place = Place(atom);
    if (place >= begin) keys_.push_back(place << 32 | static_cast<std::uint64_t>(atom));
  }
  std::ranges::sort(keys_);
  for (std::size_t i = 0; i < keys_.size(); ++i) atoms[i] = static_cast<std::int32_t>(keys_[i] & 0xffffffff);
  return atoms.first(keys_.size());
}

namespace {

constexpr float kScale = 32000.0F;  // below 32767, so that a norm a little over 1 does no harm
// On top of the bound: the product of both roundings, and what single precision loses in d_j^T r itself.
constexpr float kMargin = 1.01F;
constexpr float kRounding = 1e-5F;

}  // namespace

Screen::Screen(const Kernels& kernels, const PaddedRows& atoms)
    : kernels_(kernels),
      atoms_(atoms),
      short_length_((atoms.length() + kShortMultiple - 1) / kShortMultiple * kShortMultiple),
      copies_(atoms.rows() * short_length_),
      residual_(short_length_),
      products_(atoms.rows()),
      found_(atoms.rows() + 1) {}

void Screen::Touch(std::size_t atom) {
  if (!all_stale_) stale_.push_back(atom);
}

void Screen::Start(const float* r) {
  const std::size_t length = atoms_.length();
  const auto copy = [&](std::size_t atom) {
    kernels_.quantise(kScale, atoms_.Row(atom), copies_.data() + atom * short_length_, length);
  };
  if (all_stale_) {
    for (std::size_t atom = 0; atom < atoms_.rows(); ++atom) copy(atom);
  } else {
    for (const std::size_t atom : stale_) copy(atom);
  }
  stale_.clear();
  all_stale_ = false;
  norm_ = std::sqrt(kernels_.dot(r, r, length));
  const float scale = norm_ > 0.0F ? kScale / norm_ : 0.0F;
  kernels_.quantise(scale, r, residual_.data(), length);
  kernels_.quantised_products(copies_.data(), atoms_.rows(), residual_.data(), products_.data(), short_length_);
}

std::span<std::int32_t> Screen::Doubtful(std::size_t begin, float reach, float lambda, const float* weights) {
  const float error = norm_ * (kMargin * std::sqrt(static_cast<float>(atoms_.length())) / kScale + kRounding);
  const float certain = lambda - reach - error;  // |c_j| up to here cannot reach lambda
  std::int32_t bound = -1;                       // every atom is doubtful
  if (certain >= 0.0F && norm_ > 0.0F)
    bound = static_cast<std::int32_t>(std::min(certain / norm_, 2.0F) * kScale * kScale);
  const std::size_t count =
      kernels_.find_doubtful(products_.data(), weights, begin, atoms_.rows(), bound, found_.data());
  return {found_.data(), count};
}

}  // namespace flyscribe
