// Random numbers that are the same on every machine and for every number of threads.
//
// Generator: xoshiro256** (Blackman and Vigna, 2018), seeded by splitmix64 from (seed, stream). Give every item of work
// its own stream (an image's index, a patch's number): then the numbers do not depend on who computes what, or when.
// The standard library's distributions and std::shuffle differ between implementations, so none is used.
// Not thread-safe: one Rng per item.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace flyscribe {

// splitmix64's finaliser: a fixed, well-mixed bijection of 64-bit numbers.
std::uint64_t MixBits(std::uint64_t value);

// A seeded 64-bit hash of a text (FNV-1a, then MixBits): the same everywhere, for giving genes to folds. Not for keys.
std::uint64_t HashText(std::uint64_t seed, std::string_view text);

class Rng {
 public:
  explicit Rng(std::uint64_t seed, std::uint64_t stream = 0);

  std::uint64_t Next();
  // Uniform in [0, 1), 53 bits.
  double Uniform();
  // Uniform in [low, high).
  double Uniform(double low, double high) { return low + (high - low) * Uniform(); }
  // Standard normal (polar method).
  double Normal();
  double Normal(double mean, double deviation) { return mean + deviation * Normal(); }
  // Uniform integer in [0, bound), without bias. REQUIRES: bound > 0.
  std::uint64_t Below(std::uint64_t bound);
  bool Chance(double probability) { return Uniform() < probability; }

  // Fisher-Yates, in place.
  template <class T>
  void Shuffle(std::vector<T>& items) {
    for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[Below(i)]);
  }

 private:
  std::array<std::uint64_t, 4> state_{};
  double spare_normal_ = 0.0;
  bool has_spare_normal_ = false;
};

}  // namespace flyscribe
