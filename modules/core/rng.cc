#include "core/rng.h"

#include <bit>
#include <cmath>

#include "core/error.h"

namespace flyscribe {

std::uint64_t MixBits(std::uint64_t value) {
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9ULL;
  value = (value ^ (value >> 27)) * 0x94d049bb133111ebULL;
  return value ^ (value >> 31);
}

std::uint64_t HashText(std::uint64_t seed, std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  return MixBits(hash + MixBits(seed + 0x9e3779b97f4a7c15ULL));
}

Rng::Rng(std::uint64_t seed, std::uint64_t stream) {
  std::uint64_t counter = MixBits(seed + 0x9e3779b97f4a7c15ULL) ^ MixBits(~stream);
  for (std::uint64_t& word : state_) word = MixBits(counter += 0x9e3779b97f4a7c15ULL);
}

std::uint64_t Rng::Next() {
  const std::uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
  const std::uint64_t shifted = state_[1] << 17;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= shifted;
  state_[3] = std::rotl(state_[3], 45);
  return result;
}

double Rng::Uniform() { return static_cast<double>(Next() >> 11) * 0x1.0p-53; }

double Rng::Normal() {
  if (has_spare_normal_) {
    has_spare_normal_ = false;
    return spare_normal_;
  }
  double u = 0.0;
  double v = 0.0;
  double s = 0.0;
  do {
    u = Uniform(-1.0, 1.0);
    v = Uniform(-1.0, 1.0);
    s = u * u + v * v;
  } while (s >= 1.0 || s == 0.0);
  const double scale = std::sqrt(-2.0 * std::log(s) / s);
  spare_normal_ = v * scale;
  has_spare_normal_ = true;
  return u * scale;
}

std::uint64_t Rng::Below(std::uint64_t bound) {
  FLYSCRIBE_CHECK(bound > 0, "nothing lies below 0");
  // Numbers under the threshold would make small results more likely; draw again.
  const std::uint64_t threshold = (0 - bound) % bound;
  std::uint64_t number = Next();
  while (number < threshold) number = Next();
  return number % bound;
}

}  // namespace flyscribe
