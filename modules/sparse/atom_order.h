// The order of atoms in a cycle of coordinate descent, when it is to be random and new for every visit.
//
// The atom at place k is P[(a k + b) mod m], where P is a random permutation drawn for each epoch, and a (without a
// common divisor with m) and b are drawn for each visit. So the place of a single atom can be computed without the
// others: a visit that looks at a few atoms only need not pay for a permutation of all of them.
//
// Internal to modules/sparse. Not thread-safe. Deterministic: seed, epoch and visit decide.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace flyscribe {

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

}  // namespace flyscribe
