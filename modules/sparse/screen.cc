#include "sparse/screen.h"

#include <algorithm>
#include <cmath>

namespace flyscribe {
namespace {

constexpr float kScale = 32000.0F;  // below 32767, so that a norm a little over 1 does no harm
// On top of the bound: the product of both roundings, and what single precision loses in d_j^T r itself.
constexpr float kMargin = 1.01F;
constexpr float kRounding = 1e-5F;

}  // namespace

Screen::Screen(const Kernels& kernels, const PaddedRows& atoms)
    : kernels_(kernels),
      atoms_(atoms),
      copies_(atoms.rows() * atoms.length()),
      residual_(atoms.length()),
      products_(atoms.rows()),
      found_(atoms.rows() + 1) {}

void Screen::Touch(std::size_t atom) {
  if (!all_stale_) stale_.push_back(atom);
}

void Screen::Refresh() {
  const std::size_t length = atoms_.length();
  const auto copy = [&](std::size_t atom) {
    kernels_.quantise(kScale, atoms_.Row(atom), copies_.data() + atom * length, length);
  };
  if (all_stale_) {
    for (std::size_t atom = 0; atom < atoms_.rows(); ++atom) copy(atom);
  } else {
    for (const std::size_t atom : stale_) copy(atom);
  }
  stale_.clear();
  all_stale_ = false;
}

void Screen::Start(const float* r) {
  Refresh();
  norm_ = std::sqrt(kernels_.dot(r, r, atoms_.length()));
  const float scale = norm_ > 0.0F ? kScale / norm_ : 0.0F;
  kernels_.quantise(scale, r, residual_.data(), atoms_.length());
  kernels_.quantised_products(copies_.data(), atoms_.rows(), residual_.data(), products_.data(), atoms_.length());
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
