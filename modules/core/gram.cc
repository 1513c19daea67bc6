// The matrix is taken in tiles that fit the registers, panels that fit the first cache, and blocks of columns and rows
// that fit the second (Goto, van de Geijn: Anatomy of high-performance matrix multiplication, ACM TOMS 34(3), 2008).
// A tile takes its sums from K and puts them back, so that blocks of columns do not break a chain.
//
// This file is compiled once for each instruction set, by including itself.
#include "core/gram.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>

// Left out: sets without fused multiply-add, those that gain nothing here, and vectors of unknown length.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/gram.cc"
#include <hwy/foreach_target.h>
// After foreach_target.h, as Highway asks.
#include <hwy/highway.h>

#ifndef FLYSCRIBE_GRAM_TILE
#define FLYSCRIBE_GRAM_TILE
namespace flyscribe {
namespace {

// How an instruction set adds to a tile of K: height x width values, height a divisor of width. a and b are packed:
// value k of their row i is a[k * width + i].
//
//   out[i * stride + j] += sum over k < depth of a[k * width + i] b[k * width + j]
struct GramTile {
  std::size_t height = 0;
  std::size_t width = 0;
  void (*add)(const double* a, const double* b, std::size_t depth, double* out, std::size_t stride) = nullptr;
};

}  // namespace
}  // namespace flyscribe
#endif

HWY_BEFORE_NAMESPACE();
// Vectors of registers are arrays as the language has them: what std::array would add is in the way of the optimiser.
// NOLINTBEGIN(modernize-avoid-c-arrays,modernize-concat-nested-namespaces)
namespace flyscribe {
namespace HWY_NAMESPACE {
namespace {

#if HWY_TARGET & (HWY_AVX3 | HWY_AVX2 | HWY_NEON)

namespace hn = hwy::HWY_NAMESPACE;

using DoubleTag = hn::CappedTag<double, 8>;
constexpr DoubleTag kDoubles;
constexpr std::size_t kLanes = hn::MaxLanes(kDoubles);
// 24, 12 or 18 sums, 3 vectors of b and one value of a: what 32, 16 and 32 registers hold.
constexpr std::size_t kAcross = 3;
constexpr std::size_t kWidth = kAcross * kLanes;
constexpr std::size_t kHeight = kLanes == 2 ? 6 : kLanes;

void AddTile(const double* HWY_RESTRICT a,
             const double* HWY_RESTRICT b,
             std::size_t depth,
             double* HWY_RESTRICT out,
             std::size_t stride) {
  hn::Vec<DoubleTag> sums[kHeight][kAcross];
  HWY_UNROLL(8)
  for (std::size_t i = 0; i < kHeight; ++i) {
    HWY_UNROLL(3)
    for (std::size_t v = 0; v < kAcross; ++v) sums[i][v] = hn::LoadU(kDoubles, out + i * stride + v * kLanes);
  }
  for (std::size_t k = 0; k < depth; ++k, a += kWidth, b += kWidth) {
    const hn::Vec<DoubleTag> across[kAcross] = {
        hn::Load(kDoubles, b), hn::Load(kDoubles, b + kLanes), hn::Load(kDoubles, b + 2 * kLanes)};
    HWY_UNROLL(8)
    for (std::size_t i = 0; i < kHeight; ++i) {
      const auto value = hn::Set(kDoubles, a[i]);
      HWY_UNROLL(3)
      for (std::size_t v = 0; v < kAcross; ++v) sums[i][v] = hn::MulAdd(value, across[v], sums[i][v]);
    }
  }
  HWY_UNROLL(8)
  for (std::size_t i = 0; i < kHeight; ++i) {
    HWY_UNROLL(3)
    for (std::size_t v = 0; v < kAcross; ++v) hn::StoreU(sums[i][v], kDoubles, out + i * stride + v * kLanes);
  }
}

GramTile Tile() { return {kHeight, kWidth, AddTile}; }

#endif

}  // namespace
// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace flyscribe
// NOLINTEND(modernize-avoid-c-arrays,modernize-concat-nested-namespaces)
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

#include "core/aligned.h"
#include "core/simd.h"

namespace flyscribe {
namespace {

constexpr std::size_t kPlainSide = 4;
constexpr std::size_t kBlockColumns = 256;  // of A
constexpr std::size_t kBlockPanels = 8;     // of A's rows

void AddPlainTile(const double* a, const double* b, std::size_t depth, double* out, std::size_t stride) {
  std::array<std::array<double, kPlainSide>, kPlainSide> sums;
  for (std::size_t i = 0; i < kPlainSide; ++i) std::copy_n(out + i * stride, kPlainSide, sums[i].begin());
  for (std::size_t k = 0; k < depth; ++k, a += kPlainSide, b += kPlainSide) {
    for (std::size_t i = 0; i < kPlainSide; ++i) {
      for (std::size_t j = 0; j < kPlainSide; ++j) sums[i][j] += a[i] * b[j];
    }
  }
  for (std::size_t i = 0; i < kPlainSide; ++i) std::copy_n(sums[i].begin(), kPlainSide, out + i * stride);
}

GramTile TileInUse() {
  const std::string set = SimdInUse();
#if HWY_TARGETS & HWY_AVX3
  if (set == "AVX-512") return N_AVX3::Tile();
#endif
#if HWY_TARGETS & HWY_AVX2
  if (set == "AVX2") return N_AVX2::Tile();
#endif
#if HWY_TARGETS & HWY_NEON
  if (set == "NEON") return N_NEON::Tile();
#endif
  return {kPlainSide, kPlainSide, AddPlainTile};
}

}  // namespace

Matrix<double> GramMatrix(FloatView rows) {
  const GramTile tile = TileInUse();
  const std::size_t n = rows.rows();
  const std::size_t panels = (n + tile.width - 1) / tile.width;
  Matrix<double> gram(n, n);
  // A panel is `width` rows side by side; the last one is filled up with zeros. It serves a tile on either side.
  AlignedVector<double> packed(panels * tile.width * std::min(kBlockColumns, rows.cols()));
  AlignedVector<double> edge(tile.height * tile.width);
  for (std::size_t first = 0; first < rows.cols(); first += kBlockColumns) {
    const std::size_t depth = std::min(kBlockColumns, rows.cols() - first);
    const auto at = [&](std::size_t row) { return &packed[row / tile.width * tile.width * depth + row % tile.width]; };
    std::fill(packed.begin(), packed.end(), 0.0);
    for (std::size_t row = 0; row < n; ++row) {
      const std::span<const float> values = rows.Row(row).subspan(first, depth);
      double* to = at(row);
      for (std::size_t k = 0; k < depth; ++k) to[k * tile.width] = static_cast<double>(values[k]);
    }
    const auto add = [&](std::size_t row, std::size_t col) {
      if (row + tile.height <= n && col + tile.width <= n) {
        tile.add(at(row), at(col), depth, &gram(row, col), n);
        return;
      }
      const std::size_t height = std::min(tile.height, n - row);
      const std::size_t width = std::min(tile.width, n - col);
      for (std::size_t i = 0; i < height; ++i) std::copy_n(&gram(row + i, col), width, &edge[i * tile.width]);
      tile.add(at(row), at(col), depth, edge.data(), tile.width);
      for (std::size_t i = 0; i < height; ++i) std::copy_n(&edge[i * tile.width], width, &gram(row + i, col));
    };
    // The lower triangle; tiles on the diagonal reach beyond it.
    const std::size_t block = kBlockPanels * tile.width;
    for (std::size_t begin = 0; begin < n; begin += block) {
      const std::size_t end = std::min(n, begin + block);
      for (std::size_t col = 0; col < end; col += tile.width) {
        for (std::size_t row = std::max(begin, col); row < end; row += tile.height) add(row, col);
      }
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i + 1; j < n; ++j) gram(i, j) = gram(j, i);
  }
  return gram;
}

}  // namespace flyscribe

#endif  // HWY_ONCE
