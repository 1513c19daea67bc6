#include "sparse/atom_order.h"

#include <algorithm>
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
  std::sort(keys_.begin(), keys_.end());
  for (std::size_t i = 0; i < keys_.size(); ++i) atoms[i] = static_cast<std::int32_t>(keys_[i] & 0xffffffff);
  return atoms.first(keys_.size());
}

}  // namespace flyscribe
