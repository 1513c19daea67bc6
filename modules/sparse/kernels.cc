// The kernels, written once in Highway's vector language and compiled for each instruction set by including this file
// in itself, and the choice between them.
//
// One arithmetic for all. A vector is virtual and has sixteen lanes: one register of AVX-512, two of AVX2, four of
// NEON, sixteen plain floats. Every multiply-add is fused. There are two kinds of sums, and their orders are fixed:
//   across a vector   lane l of the sum gathers the products of values l, l + 16, l + 32, ... in this order, then
//                       s_l = lane_l + lane_(l+8) for l < 8,   t_q = (s_4q + s_(4q+2)) + (s_(4q+1) + s_(4q+3)),   t_0 +
//                       t_1
//   along a panel     one chain over the values, first to last (products)
// So a value depends neither on the instruction set nor on which neighbours were computed with it.
#include "sparse/kernels.h"

#include <cmath>

// Left out: sets without a fused multiply-add, sets that gain nothing here over others, vectors of unknown length. The
// plain path is Highway's target of one lane, since gcc 12 compiles the other one (EMU128) wrongly.
#define HWY_DISABLED_TARGETS \
  (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_PPC8)
#define HWY_BROKEN_EMU128 1
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sparse/kernels.cc"
#include <hwy/foreach_target.h>
// After foreach_target.h, as Highway asks.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
#if HWY_TARGET == HWY_SCALAR && defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#pragma GCC push_options
#pragma GCC target("fma")  // the program asks for it when it starts (core/simd.h); without, fma would be a call
#endif
// Vectors of registers are arrays as the language has them: what std::array would add is in the way of the optimiser.
// NOLINTBEGIN(modernize-avoid-c-arrays,modernize-concat-nested-namespaces)
namespace flyscribe {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using FloatTag = hn::CappedTag<float, kLaneMultiple>;
using IntTag = hn::RebindToSigned<FloatTag>;
using FloatVector = hn::Vec<FloatTag>;
constexpr FloatTag kFloats;
constexpr IntTag kInts;
constexpr std::size_t kLanes = hn::MaxLanes(kFloats);
constexpr std::size_t kParts = kLaneMultiple / kLanes;  // registers of a virtual vector
constexpr hn::CappedTag<float, 4> kFour;
constexpr std::size_t kFourLanes = hn::MaxLanes(kFour);

// a b + c, rounded once; Highway's own target of one lane would round twice.
template <class V>
HWY_INLINE V FusedMulAdd(V a, V b, V c) {
#if HWY_TARGET == HWY_SCALAR
  return V(__builtin_fmaf(a.raw, b.raw, c.raw));
#else
  return hn::MulAdd(a, b, c);
#endif
}

// c - a b, rounded once.
template <class V>
HWY_INLINE V FusedNegMulAdd(V a, V b, V c) {
#if HWY_TARGET == HWY_SCALAR
  return V(__builtin_fmaf(-a.raw, b.raw, c.raw));
#else
  return hn::NegMulAdd(a, b, c);
#endif
}

HWY_INLINE FloatVector LoadAt(const float* values) { return hn::LoadU(kFloats, values); }

// A virtual vector.
struct Floats {
  FloatVector part[kParts];
};

HWY_INLINE Floats Zeros() {
  Floats v;
  HWY_UNROLL(16)
  for (FloatVector& part : v.part) part = hn::Zero(kFloats);
  return v;
}

HWY_INLINE Floats Load(const float* values) {
  Floats v;
  HWY_UNROLL(16)
  for (std::size_t p = 0; p < kParts; ++p) v.part[p] = LoadAt(values + p * kLanes);
  return v;
}

HWY_INLINE void Store(const Floats& v, float* values) {
  HWY_UNROLL(16)
  for (std::size_t p = 0; p < kParts; ++p) hn::StoreU(v.part[p], kFloats, values + p * kLanes);
}

HWY_INLINE void AddProduct(const Floats& a, const Floats& b, Floats& sum) {
  HWY_UNROLL(16)
  for (std::size_t p = 0; p < kParts; ++p) sum.part[p] = FusedMulAdd(a.part[p], b.part[p], sum.part[p]);
}

HWY_INLINE void AddProduct(FloatVector a, const Floats& b, Floats& sum) {
  HWY_UNROLL(16)
  for (std::size_t p = 0; p < kParts; ++p) sum.part[p] = FusedMulAdd(a, b.part[p], sum.part[p]);
}

// The order of a sum across sixteen lanes, as above.
HWY_INLINE float SumInOrder(const float* lanes) {
  float s[8];
  for (std::size_t l = 0; l < 8; ++l) s[l] = lanes[l] + lanes[l + 8];
  return ((s[0] + s[2]) + (s[1] + s[3])) + ((s[4] + s[6]) + (s[5] + s[7]));
}

HWY_INLINE float Sum(const Floats& v) {
  HWY_ALIGN float lanes[kLaneMultiple];
  Store(v, lanes);
  return SumInOrder(lanes);
}

#if HWY_TARGET != HWY_SCALAR

// The eight s_l of a vector, as two vectors of four side by side where registers are wide enough.
#if HWY_TARGET == HWY_NEON
HWY_INLINE auto Quads(const Floats& v, std::size_t q) { return hn::Add(v.part[q], v.part[q + 2]); }
#else
constexpr hn::CappedTag<float, 8> kEight;
#if HWY_TARGET == HWY_AVX3
template <class Tag, class V>
HWY_INLINE auto FoldHalves(Tag tag, V v) {
  return hn::Add(hn::LowerHalf(tag, v), hn::UpperHalf(tag, v));
}
HWY_INLINE auto Fold(const Floats& v) { return FoldHalves(kEight, v.part[0]); }
#else
HWY_INLINE auto Fold(const Floats& v) { return hn::Add(v.part[0], v.part[1]); }
#endif
#endif

// (x_0 + x_2) + (x_1 + x_3) of every four lanes of a, b, c and d, side by side.
template <class Tag, class V = hn::Vec<Tag> >
HWY_INLINE V SumsOfQuads(Tag tag, V a, V b, V c, V d) {
  const hn::RepartitionToWide<Tag> wide;
  const V ab = hn::Add(hn::InterleaveLower(tag, a, b), hn::InterleaveUpper(tag, a, b));
  const V cd = hn::Add(hn::InterleaveLower(tag, c, d), hn::InterleaveUpper(tag, c, d));
  const auto ab_wide = hn::BitCast(wide, ab);
  const auto cd_wide = hn::BitCast(wide, cd);
  return hn::Add(hn::BitCast(tag, hn::InterleaveLower(wide, ab_wide, cd_wide)),
                 hn::BitCast(tag, hn::InterleaveUpper(wide, ab_wide, cd_wide)));
}

#endif  // HWY_SCALAR

// The sums of four vectors, into out[0 .. 3].
HWY_INLINE void StoreSums(const Floats& a, const Floats& b, const Floats& c, const Floats& d, float* out) {
#if HWY_TARGET == HWY_SCALAR
  const Floats* all[4] = {&a, &b, &c, &d};
  for (std::size_t i = 0; i < 4; ++i) out[i] = Sum(*all[i]);
#elif HWY_TARGET == HWY_NEON
  const auto lower = SumsOfQuads(kFour, Quads(a, 0), Quads(b, 0), Quads(c, 0), Quads(d, 0));
  const auto upper = SumsOfQuads(kFour, Quads(a, 1), Quads(b, 1), Quads(c, 1), Quads(d, 1));
  hn::StoreU(hn::Add(lower, upper), kFour, out);
#else
  const auto sums = SumsOfQuads(kEight, Fold(a), Fold(b), Fold(c), Fold(d));
  hn::StoreU(hn::Add(hn::LowerHalf(kFour, sums), hn::UpperHalf(kFour, sums)), kFour, out);
#endif
}

float Dot(const float* a, const float* b, std::size_t length) {
  Floats sum = Zeros();
  for (std::size_t i = 0; i < length; i += kLaneMultiple) AddProduct(Load(a + i), Load(b + i), sum);
  return Sum(sum);
}

float SquaredDistance(const float* a, const float* b, std::size_t length) {
  Floats sum = Zeros();
  for (std::size_t i = 0; i < length; i += kLaneMultiple) {
    HWY_UNROLL(16)
    for (std::size_t p = 0; p < kParts; ++p) {
      const FloatVector d = hn::Sub(LoadAt(a + i + p * kLanes), LoadAt(b + i + p * kLanes));
      sum.part[p] = FusedMulAdd(d, d, sum.part[p]);
    }
  }
  return Sum(sum);
}

void AddScaled(float scale, const float* x, float* y, std::size_t length) {
  const FloatVector s = hn::Set(kFloats, scale);
  for (std::size_t i = 0; i < length; i += kLanes)
    hn::StoreU(FusedMulAdd(s, LoadAt(x + i), LoadAt(y + i)), kFloats, y + i);
}

// Blocks of sixteen floats stay in registers while the atoms pass by.
template <std::size_t kBlocks>
HWY_INLINE void ResidualOfBlocks(const float* x,
                                 const float* atoms,
                                 const std::int32_t* ids,
                                 const float* weights,
                                 std::size_t count,
                                 float* r,
                                 std::size_t length) {
  Floats parts[kBlocks];
  HWY_UNROLL(4)
  for (std::size_t b = 0; b < kBlocks; ++b) parts[b] = Load(x + b * kLaneMultiple);
  for (std::size_t k = 0; k < count; ++k) {
    const float* atom = atoms + static_cast<std::size_t>(ids[k]) * length;
    const FloatVector weight = hn::Set(kFloats, -weights[k]);
    HWY_UNROLL(4)
    for (std::size_t b = 0; b < kBlocks; ++b) AddProduct(weight, Load(atom + b * kLaneMultiple), parts[b]);
  }
  HWY_UNROLL(4)
  for (std::size_t b = 0; b < kBlocks; ++b) Store(parts[b], r + b * kLaneMultiple);
}

void Residual(const float* x,
              const float* atoms,
              const std::int32_t* ids,
              const float* weights,
              std::size_t count,
              float* r,
              std::size_t length) {
  constexpr std::size_t kBlocks = 4;
  std::size_t i = 0;
  for (; i + kBlocks * kLaneMultiple <= length; i += kBlocks * kLaneMultiple) {
    ResidualOfBlocks<kBlocks>(x + i, atoms + i, ids, weights, count, r + i, length);
  }
  for (; i < length; i += kLaneMultiple) ResidualOfBlocks<1>(x + i, atoms + i, ids, weights, count, r + i, length);
}

// d_0^T r .. d_3^T r of four atoms, into out.
HWY_INLINE void FourProducts(const float* a0,
                             const float* a1,
                             const float* a2,
                             const float* a3,
                             const float* r,
                             std::size_t length,
                             float* out) {
  Floats s0 = Zeros();
  Floats s1 = Zeros();
  Floats s2 = Zeros();
  Floats s3 = Zeros();
  for (std::size_t i = 0; i < length; i += kLaneMultiple) {
    const Floats v = Load(r + i);
    AddProduct(v, Load(a0 + i), s0);
    AddProduct(v, Load(a1 + i), s1);
    AddProduct(v, Load(a2 + i), s2);
    AddProduct(v, Load(a3 + i), s3);
  }
  StoreSums(s0, s1, s2, s3, out);
}

// h_lambda(v): v moved towards zero by lambda, and zero if it would cross it.
HWY_INLINE float Threshold(float value, float lambda, bool nonnegative) {
  if (value > lambda) return value - lambda;
  if (value < -lambda && !nonnegative) return value + lambda;
  return 0.0F;
}

HWY_INLINE const float* AtomAt(const DescentProblem& problem, std::size_t k) {
  const std::size_t j = problem.ids == nullptr ? k : static_cast<std::size_t>(problem.ids[k]);
  return problem.atoms + j * problem.length;
}

// r += scale x, and the product of the new r with `next`, in one pass.
HWY_INLINE float AddScaledThenDot(float scale, const float* x, float* r, const float* next, std::size_t length) {
  const FloatVector s = hn::Set(kFloats, scale);
  Floats sum = Zeros();
  for (std::size_t i = 0; i < length; i += kLaneMultiple) {
    Floats v = Load(r + i);
    AddProduct(s, Load(x + i), v);
    Store(v, r + i);
    AddProduct(v, Load(next + i), sum);
  }
  return Sum(sum);
}

// An update waits for the product, the product for the update before it: both are done in one pass over r. A change of
// zero takes the same way, so that the order of sums does not depend on it.
void Descend(const DescentProblem& problem, std::size_t count) {
  if (count == 0) return;
  float change = 0.0F;
  const float* before = AtomAt(problem, 0);
  for (std::size_t k = 0; k < count; ++k) {
    const float* atom = AtomAt(problem, k);
    float& weight = problem.weights[problem.ids == nullptr ? k : static_cast<std::size_t>(problem.ids[k])];
    const float product = AddScaledThenDot(change, before, problem.r, atom, problem.length);
    const float updated = Threshold(product + weight, problem.lambda, problem.nonnegative);
    change = weight - updated;
    weight = updated;
    before = atom;
  }
  if (change != 0.0F) AddScaled(change, before, problem.r, problem.length);
}

void ProductsOfList(
    const float* atoms, const std::int32_t* ids, std::size_t count, const float* r, float* out, std::size_t length) {
  const auto atom = [&](std::size_t k) {
    return atoms + static_cast<std::size_t>(ids[k < count ? k : count - 1]) * length;
  };
  for (std::size_t k = 0; k < count; k += 4) {
    HWY_ALIGN float four[4];
    float* to = k + 4 <= count ? out + k : four;
    FourProducts(atom(k), atom(k + 1), atom(k + 2), atom(k + 3), r, length, to);
    for (std::size_t b = 0; to == four && k + b < count; ++b) out[k + b] = four[b];
  }
}

// ---- Panels: value k of sixteen rows side by side, row innermost ----

// Four rows' values, four at a time, each to its lane of a panel.
HWY_INLINE void InterleaveFour(const float* const* rows, std::size_t length, float* panel) {
#if HWY_TARGET == HWY_SCALAR
  for (std::size_t k = 0; k < length; ++k) {
    for (std::size_t i = 0; i < 4; ++i) panel[k * kLaneMultiple + i] = rows[i][k];
  }
#else
  const hn::RepartitionToWide<decltype(kFour)> wide;
  for (std::size_t k = 0; k < length; k += 4) {
    const auto r0 = hn::LoadU(kFour, rows[0] + k);
    const auto r1 = hn::LoadU(kFour, rows[1] + k);
    const auto r2 = hn::LoadU(kFour, rows[2] + k);
    const auto r3 = hn::LoadU(kFour, rows[3] + k);
    const auto low01 = hn::BitCast(wide, hn::InterleaveLower(kFour, r0, r1));
    const auto high01 = hn::BitCast(wide, hn::InterleaveUpper(kFour, r0, r1));
    const auto low23 = hn::BitCast(wide, hn::InterleaveLower(kFour, r2, r3));
    const auto high23 = hn::BitCast(wide, hn::InterleaveUpper(kFour, r2, r3));
    float* to = panel + k * kLaneMultiple;
    hn::StoreU(hn::BitCast(kFour, hn::InterleaveLower(wide, low01, low23)), kFour, to);
    hn::StoreU(hn::BitCast(kFour, hn::InterleaveUpper(wide, low01, low23)), kFour, to + kLaneMultiple);
    hn::StoreU(hn::BitCast(kFour, hn::InterleaveLower(wide, high01, high23)), kFour, to + 2 * kLaneMultiple);
    hn::StoreU(hn::BitCast(kFour, hn::InterleaveUpper(wide, high01, high23)), kFour, to + 3 * kLaneMultiple);
  }
#endif
}

void Interleave(const float* const* rows, std::size_t length, float* panel) {
  for (std::size_t lane = 0; lane < kLaneMultiple; lane += 4) InterleaveFour(rows + lane, length, panel + lane);
}

// Tiles of rows x panels whose running sums fill the registers beside their operands.
#if HWY_TARGET == HWY_AVX3
constexpr std::size_t kTileRows = 8;
constexpr std::size_t kTilePanels = 3;
#else
constexpr std::size_t kTileRows = 6;
constexpr std::size_t kTilePanels = 1;
#endif
constexpr std::size_t kValuesInCache = 256;  // of a panel's length: 16 kB a panel

struct ProductsTask {
  const float* panels;
  const float* rows;
  float* out;
  std::size_t out_stride;
  std::size_t length;
};

// Values begin .. end - 1 of a tile: from zero, or on from what is in `out`.
template <std::size_t kRows, std::size_t kPanels>
HWY_NOINLINE void Tile(
    const ProductsTask& task, std::size_t row, std::size_t panel, std::size_t begin, std::size_t end) {
  Floats sums[kRows][kPanels];
  float* out = task.out + row * task.out_stride + panel * kLaneMultiple;
  HWY_UNROLL(8)
  for (std::size_t i = 0; i < kRows; ++i) {
    HWY_UNROLL(3)
    for (std::size_t j = 0; j < kPanels; ++j) {
      sums[i][j] = begin == 0 ? Zeros() : Load(out + i * task.out_stride + j * kLaneMultiple);
    }
  }
  const float* rows = task.rows + row * task.length;
  const float* panels = task.panels + panel * task.length * kLaneMultiple;
  for (std::size_t k = begin; k < end; ++k) {
    Floats values[kPanels];
    HWY_UNROLL(3)
    for (std::size_t j = 0; j < kPanels; ++j) values[j] = Load(panels + (j * task.length + k) * kLaneMultiple);
    HWY_UNROLL(8)
    for (std::size_t i = 0; i < kRows; ++i) {
      const FloatVector value = hn::Set(kFloats, rows[i * task.length + k]);
      HWY_UNROLL(3)
      for (std::size_t j = 0; j < kPanels; ++j) AddProduct(value, values[j], sums[i][j]);
    }
  }
  HWY_UNROLL(8)
  for (std::size_t i = 0; i < kRows; ++i) {
    HWY_UNROLL(3)
    for (std::size_t j = 0; j < kPanels; ++j) Store(sums[i][j], out + i * task.out_stride + j * kLaneMultiple);
  }
}

// All rows against kPanels panels: full tiles, then one of the rows that are left.
template <std::size_t kPanels>
void ProductsOfPanels(
    const ProductsTask& task, std::size_t row_count, std::size_t panel, std::size_t begin, std::size_t end) {
  std::size_t row = 0;
  for (; row + kTileRows <= row_count; row += kTileRows) Tile<kTileRows, kPanels>(task, row, panel, begin, end);
  switch (row_count - row) {
    case 1:
      return Tile<1, kPanels>(task, row, panel, begin, end);
    case 2:
      return Tile<2, kPanels>(task, row, panel, begin, end);
    case 3:
      return Tile<3, kPanels>(task, row, panel, begin, end);
    case 4:
      return Tile<4, kPanels>(task, row, panel, begin, end);
    case 5:
      return Tile<5, kPanels>(task, row, panel, begin, end);
    case 6:
      return Tile<6, kPanels>(task, row, panel, begin, end);
    case 7:
      return Tile<7, kPanels>(task, row, panel, begin, end);
    default:
      return;
  }
}

void Products(const float* panels,
              std::size_t panel_count,
              const float* rows,
              std::size_t row_count,
              float* out,
              std::size_t out_stride,
              std::size_t length) {
  const ProductsTask task = {panels, rows, out, out_stride, length};
  for (std::size_t begin = 0; begin < length; begin += kValuesInCache) {
    const std::size_t end = begin + kValuesInCache < length ? begin + kValuesInCache : length;
    std::size_t panel = 0;
    for (; panel + kTilePanels <= panel_count; panel += kTilePanels) {
      ProductsOfPanels<kTilePanels>(task, row_count, panel, begin, end);
    }
    if constexpr (kTilePanels > 2) {
      if (panel + 2 <= panel_count) {
        ProductsOfPanels<2>(task, row_count, panel, begin, end);
        panel += 2;
      }
    }
    for (; panel < panel_count; ++panel) ProductsOfPanels<1>(task, row_count, panel, begin, end);
  }
}

// ---- Gram matrices of a few atoms ----

#if HWY_TARGET == HWY_AVX2
constexpr std::size_t kGramRows = 3;
#else
constexpr std::size_t kGramRows = 4;
#endif

// a_i^T b_j for kGramRows times four rows, into out[4 i + j].
HWY_INLINE void GramTile(const float* (&a)[kGramRows], const float* const (&b)[4], std::size_t length, float* out) {
  Floats sums[kGramRows][4];
  // Part by part: the sums of one part of the lanes fill the registers.
  HWY_UNROLL(16)
  for (std::size_t p = 0; p < kParts; ++p) {
    FloatVector part[kGramRows][4];
    HWY_UNROLL(4)
    for (FloatVector(&row)[4] : part) {
      HWY_UNROLL(4)
      for (FloatVector& sum : row) sum = hn::Zero(kFloats);
    }
    for (std::size_t k = p * kLanes; k < length; k += kLaneMultiple) {
      FloatVector column[4];
      HWY_UNROLL(4)
      for (std::size_t j = 0; j < 4; ++j) column[j] = LoadAt(b[j] + k);
      HWY_UNROLL(4)
      for (std::size_t i = 0; i < kGramRows; ++i) {
        const FloatVector row = LoadAt(a[i] + k);
        HWY_UNROLL(4)
        for (std::size_t j = 0; j < 4; ++j) part[i][j] = FusedMulAdd(row, column[j], part[i][j]);
      }
    }
    HWY_UNROLL(4)
    for (std::size_t i = 0; i < kGramRows; ++i) {
      HWY_UNROLL(4)
      for (std::size_t j = 0; j < 4; ++j) sums[i][j].part[p] = part[i][j];
    }
  }
  for (std::size_t i = 0; i < kGramRows; ++i) StoreSums(sums[i][0], sums[i][1], sums[i][2], sums[i][3], out + 4 * i);
}

void Gram(const float* atoms,
          const std::int32_t* ids,
          std::size_t count,
          float* gram,
          std::size_t capacity,
          std::size_t length) {
  const auto atom = [&](std::size_t k) {
    return atoms + static_cast<std::size_t>(ids[k < count ? k : count - 1]) * length;
  };
  HWY_ALIGN float tile[4 * kGramRows];
  for (std::size_t i = 0; i < count; i += kGramRows) {
    const float* a[kGramRows];
    for (std::size_t s = 0; s < kGramRows; ++s) a[s] = atom(i + s);
    for (std::size_t j = 0; j < i + kGramRows && j < count; j += 4) {
      const float* const b[4] = {atom(j), atom(j + 1), atom(j + 2), atom(j + 3)};
      GramTile(a, b, length, tile);
      for (std::size_t s = 0; s < kGramRows && i + s < count; ++s) {
        for (std::size_t t = 0; t < 4 && j + t < count; ++t) {
          gram[((i + s) * capacity + j + t) * kGroupLanes] = tile[4 * s + t];
          gram[((j + t) * capacity + i + s) * kGroupLanes] = tile[4 * s + t];
        }
      }
    }
  }
}

// ---- Searches ----

HWY_INLINE FloatVector SizeAt(const float* values, bool nonnegative) {
  const FloatVector v = LoadAt(values);
  return nonnegative ? v : hn::Abs(v);
}

float Largest(const float* values, std::size_t count, bool nonnegative) {
  FloatVector largest = hn::Zero(kFloats);
  for (std::size_t i = 0; i < count; i += kLanes) largest = hn::Max(largest, SizeAt(values + i, nonnegative));
  return hn::GetLane(hn::MaxOfLanes(kFloats, largest));
}

std::size_t FindAbove(const float* values, std::size_t count, float bound, bool nonnegative, std::int32_t* ids) {
  const FloatVector limit = hn::Set(kFloats, bound);
  const auto first = hn::Iota(kInts, 0);
  std::int32_t* end = ids;
  for (std::size_t i = 0; i < count; i += kLaneMultiple) {
    if constexpr (kParts > 1) {
      // Mostly none of these is: one look at the largest of them. Where one register holds all, the look is not
      // cheaper.
      FloatVector largest = SizeAt(values + i, nonnegative);
      for (std::size_t v = kLanes; v < kLaneMultiple; v += kLanes) {
        largest = hn::Max(largest, SizeAt(values + i + v, nonnegative));
      }
      if (hn::AllFalse(kFloats, hn::Gt(largest, limit))) continue;
    }
    for (std::size_t k = i; k < i + kLaneMultiple; k += kLanes) {
      const auto above = hn::Gt(SizeAt(values + k, nonnegative), limit);
      const auto numbers = hn::Add(first, hn::Set(kInts, static_cast<std::int32_t>(k)));
      hn::StoreU(hn::Compress(numbers, hn::RebindMask(kInts, above)), kInts, end);
      end += hn::CountTrue(kFloats, above);
    }
  }
  return static_cast<std::size_t>(end - ids);
}

HWY_INLINE auto AwakeLanes(const GroupProblem& problem, std::size_t first) {
  return hn::RebindMask(kFloats, hn::Ne(hn::LoadU(kInts, problem.awake + first), hn::Zero(kInts)));
}

// Lanes first .. first + kLanes - 1 of the group.
void DescendLanes(const GroupProblem& problem, std::size_t first, int* cycles) {
  const FloatVector lambda = hn::Set(kFloats, problem.lambda);
  const FloatVector zero = hn::Zero(kFloats);
  const FloatVector rest = hn::Set(kFloats, problem.rest);
  const std::size_t row = problem.capacity * kGroupLanes;
  const std::size_t end = problem.width * kGroupLanes;
  const bool nonnegative = problem.nonnegative;
  const float* const HWY_RESTRICT gram = problem.gram + first;
  const float* const HWY_RESTRICT inverses = problem.inverse_curvatures + first;
  float* const HWY_RESTRICT weights = problem.weights + first;
  float* const HWY_RESTRICT correlations = problem.correlations + first;
  auto awake = AwakeLanes(problem, first);
  auto spent = hn::Zero(kInts);
  for (int cycle = 0; cycle < problem.max_cycles && !hn::AllFalse(kFloats, awake); ++cycle) {
    spent = hn::Add(spent, hn::IfThenElseZero(hn::RebindMask(kInts, awake), hn::Set(kInts, 1)));
    FloatVector worst = zero;
    const float* gram_row = gram;
    for (std::size_t k = 0; k < end; k += kGroupLanes, gram_row += row) {
      const FloatVector curvature = hn::Load(kFloats, gram_row + k);
      const FloatVector old = hn::Load(kFloats, weights + k);
      const FloatVector b = FusedMulAdd(curvature, old, hn::Load(kFloats, correlations + k));
      const FloatVector size = hn::Max(hn::Sub(nonnegative ? b : hn::Abs(b), lambda), zero);
      const FloatVector updated = hn::Mul(nonnegative ? size : hn::CopySign(size, b), hn::Load(kFloats, inverses + k));
      const FloatVector change = hn::IfThenElseZero(awake, hn::Sub(old, updated));
      if (hn::AllTrue(kFloats, hn::Eq(change, zero))) continue;
      worst = hn::Max(worst, hn::Abs(hn::Mul(change, curvature)));
      hn::Store(hn::Sub(old, change), kFloats, weights + k);
      for (std::size_t t = 0; t < end; t += kGroupLanes) {
        const FloatVector c = hn::Load(kFloats, correlations + t);
        hn::Store(FusedMulAdd(change, hn::Load(kFloats, gram_row + t), c), kFloats, correlations + t);
      }
    }
    awake = hn::And(awake, hn::Gt(worst, rest));
  }
  hn::StoreU(spent, kInts, cycles + first);
  hn::StoreU(hn::VecFromMask(kInts, hn::RebindMask(kInts, awake)), kInts, problem.awake + first);
}

void DescendGroup(const GroupProblem& problem, int* cycles) {
  for (std::size_t first = 0; first < kGroupLanes; first += kLanes) DescendLanes(problem, first, cycles);
}

// The non-zero weights of kLanes lassos, moved together: entry a of lane l is coordinate ids[a][l]. Shorter lanes are
// filled up with ones on the diagonal and zeros elsewhere.
struct CompactLanes {
  std::size_t width = 0;
  std::size_t counts[kLanes] = {};
  HWY_ALIGN std::int32_t left_alone[kLanes] = {};
  HWY_ALIGN std::int32_t ids[kMostFinished * kLanes];
  HWY_ALIGN float weights[kMostFinished * kLanes];
  HWY_ALIGN float steps[kMostFinished * kLanes];  // the right-hand side c - lambda sign(z), then the step
};

void Gather(const GroupProblem& problem, std::size_t first, CompactLanes& lanes) {
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    for (std::size_t k = 0; problem.awake[first + lane] != 0 && k < problem.width; ++k) {
      const float weight = problem.weights[k * kGroupLanes + first + lane];
      if (weight == 0.0F) continue;
      if (lanes.counts[lane] == kMostFinished) {  // too many for this lane: it is left as it is
        lanes.counts[lane] = 0;
        lanes.left_alone[lane] = -1;
        break;
      }
      const std::size_t a = lanes.counts[lane]++;
      lanes.ids[a * kLanes + lane] = static_cast<std::int32_t>(k);
      lanes.weights[a * kLanes + lane] = weight;
      lanes.steps[a * kLanes + lane] =
          problem.correlations[k * kGroupLanes + first + lane] - (weight > 0.0F ? problem.lambda : -problem.lambda);
    }
    if (lanes.counts[lane] > lanes.width) lanes.width = lanes.counts[lane];
  }
  HWY_ALIGN std::int32_t counts[kLanes];
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    counts[lane] = static_cast<std::int32_t>(lanes.counts[lane]);
    for (std::size_t a = lanes.counts[lane]; a < lanes.width; ++a) {
      lanes.ids[a * kLanes + lane] = 0;
      lanes.weights[a * kLanes + lane] = lanes.steps[a * kLanes + lane] = 0.0F;
    }
  }
  const auto lane_numbers = hn::Iota(kInts, static_cast<std::int32_t>(first));
  const auto capacity = hn::Set(kInts, static_cast<std::int32_t>(problem.capacity));
  for (std::size_t a = 0; a < lanes.width; ++a) {
    const auto inside =
        hn::RebindMask(kFloats, hn::Gt(hn::Load(kInts, counts), hn::Set(kInts, static_cast<std::int32_t>(a))));
    const auto row = hn::Mul(hn::Load(kInts, lanes.ids + a * kLanes), capacity);
    float* to = problem.factor + a * lanes.width * kLanes;
    for (std::size_t b = 0; b <= a; ++b) {
      const auto entry = hn::Add(row, hn::Load(kInts, lanes.ids + b * kLanes));
      static_assert(kGroupLanes == 16);
      const auto at = hn::Add(hn::ShiftLeft<4>(entry), lane_numbers);
      const FloatVector filler = hn::Set(kFloats, a == b ? 1.0F : 0.0F);
      hn::Store(hn::IfThenElse(inside, hn::GatherIndex(kFloats, problem.gram, at), filler), kFloats, to + b * kLanes);
    }
  }
}

// Replaces the lower triangle of A by L with A = L L^T, its diagonal inverted. Returns the lanes in which that went
// well. Column by column, each taken off the columns to its right at once: these updates do not wait for each other.
HWY_INLINE hn::Mask<FloatTag> Factorise(float* factor, std::size_t width) {
  const FloatVector smallest = hn::Set(kFloats, kSmallestPivot);
  const FloatVector one = hn::Set(kFloats, 1.0F);
  const auto at = [factor, width](std::size_t k, std::size_t t) { return factor + (k * width + t) * kLanes; };
  auto able = hn::Eq(one, one);
  for (std::size_t t = 0; t < width; ++t) {
    const FloatVector pivot = hn::Load(kFloats, at(t, t));
    able = hn::And(able, hn::Gt(pivot, smallest));
    const FloatVector inverse = hn::Div(one, hn::Sqrt(hn::Max(pivot, smallest)));
    hn::Store(inverse, kFloats, at(t, t));
    for (std::size_t k = t + 1; k < width; ++k) {
      const FloatVector entry = hn::Mul(inverse, hn::Load(kFloats, at(k, t)));
      hn::Store(entry, kFloats, at(k, t));
      for (std::size_t u = t + 1; u <= k; ++u) {
        hn::Store(FusedNegMulAdd(entry, hn::Load(kFloats, at(u, t)), hn::Load(kFloats, at(k, u))), kFloats, at(k, u));
      }
    }
  }
  return able;
}

// Solves L L^T s = s.
HWY_INLINE void Substitute(const float* factor, std::size_t width, float* steps) {
  const auto at = [factor, width](std::size_t k, std::size_t t) { return factor + (k * width + t) * kLanes; };
  for (std::size_t t = 0; t < width; ++t) {
    const FloatVector solved = hn::Mul(hn::Load(kFloats, steps + t * kLanes), hn::Load(kFloats, at(t, t)));
    hn::Store(solved, kFloats, steps + t * kLanes);
    for (std::size_t k = t + 1; k < width; ++k) {
      float* later = steps + k * kLanes;
      hn::Store(FusedNegMulAdd(solved, hn::Load(kFloats, at(k, t)), hn::Load(kFloats, later)), kFloats, later);
    }
  }
  for (std::size_t t = width; t-- > 0;) {
    const FloatVector solved = hn::Mul(hn::Load(kFloats, steps + t * kLanes), hn::Load(kFloats, at(t, t)));
    hn::Store(solved, kFloats, steps + t * kLanes);
    for (std::size_t k = 0; k < t; ++k) {
      float* earlier = steps + k * kLanes;
      hn::Store(FusedNegMulAdd(solved, hn::Load(kFloats, at(t, k)), hn::Load(kFloats, earlier)), kFloats, earlier);
    }
  }
}

// Turns the steps into the changes z - z', taking them only as far as no sign changes.
HWY_INLINE void LimitSteps(CompactLanes& lanes, hn::Mask<FloatTag> able) {
  const FloatVector zero = hn::Zero(kFloats);
  FloatVector reach = hn::Set(kFloats, 1.0F);
  for (std::size_t a = 0; a < lanes.width; ++a) {
    const FloatVector z = hn::Load(kFloats, lanes.weights + a * kLanes);
    const FloatVector step = hn::Load(kFloats, lanes.steps + a * kLanes);
    const auto crosses = hn::Lt(hn::Mul(z, hn::Add(z, step)), zero);
    reach = hn::IfThenElse(crosses, hn::Min(reach, hn::Div(z, hn::Neg(step))), reach);
  }
  for (std::size_t a = 0; a < lanes.width; ++a) {
    const FloatVector z = hn::Load(kFloats, lanes.weights + a * kLanes);
    const FloatVector step = hn::Load(kFloats, lanes.steps + a * kLanes);
    const FloatVector target = FusedMulAdd(reach, step, z);
    // The one that reaches zero first is zero, whatever rounding says.
    const auto stays = hn::And(hn::Gt(hn::Mul(target, z), zero), hn::Ne(hn::Div(z, hn::Neg(step)), reach));
    const FloatVector moved = hn::IfThenElseZero(stays, target);
    hn::Store(hn::IfThenElseZero(able, hn::Sub(z, moved)), kFloats, lanes.steps + a * kLanes);
  }
}

// Lanes first .. first + kLanes - 1. With A the part of gram that belongs to non-zero weights, the step to the minimum
// solves A s = c - lambda sign(z).
void FinishLanes(const GroupProblem& problem, std::size_t first) {
  CompactLanes lanes;
  Gather(problem, first, lanes);
  const auto small = hn::RebindMask(kFloats, hn::Eq(hn::Load(kInts, lanes.left_alone), hn::Zero(kInts)));
  const auto awake = hn::And(AwakeLanes(problem, first), small);
  const auto able = hn::And(awake, Factorise(problem.factor, lanes.width));
  if (hn::AllFalse(kFloats, able)) return;
  Substitute(problem.factor, lanes.width, lanes.steps);
  LimitSteps(lanes, able);
  float* changes = problem.factor;  // spread out again; the factor is no longer needed
  for (std::size_t k = 0; k < problem.width; ++k) hn::Store(hn::Zero(kFloats), kFloats, changes + k * kLanes);
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    for (std::size_t a = 0; a < lanes.counts[lane]; ++a) {
      changes[static_cast<std::size_t>(lanes.ids[a * kLanes + lane]) * kLanes + lane] = lanes.steps[a * kLanes + lane];
    }
  }
  const std::size_t row = problem.capacity * kGroupLanes;
  for (std::size_t k = 0; k < problem.width; ++k) {
    const FloatVector change = hn::Load(kFloats, changes + k * kLanes);
    float* weight = problem.weights + k * kGroupLanes + first;
    hn::Store(hn::Sub(hn::Load(kFloats, weight), change), kFloats, weight);
    const float* gram = problem.gram + k * row + first;
    for (std::size_t t = 0; t < problem.width; ++t) {
      float* product = problem.correlations + t * kGroupLanes + first;
      const FloatVector c = hn::Load(kFloats, product);
      hn::Store(FusedMulAdd(change, hn::Load(kFloats, gram + t * kGroupLanes), c), kFloats, product);
    }
  }
}

void FinishGroup(const GroupProblem& problem) {
  for (std::size_t first = 0; first < kGroupLanes; first += kLanes) FinishLanes(problem, first);
}

void MoveAtom(float step, const float* r, float* atom, bool sphere, std::size_t length) {
  const FloatVector s = hn::Set(kFloats, step);
  Floats squares = Zeros();
  for (std::size_t i = 0; i < length; i += kLaneMultiple) {
    Floats v = Load(atom + i);
    AddProduct(s, Load(r + i), v);
    Store(v, atom + i);
    AddProduct(v, v, squares);
  }
  const float squared_norm = Sum(squares);
  if (!(squared_norm > 1.0F) && (!sphere || squared_norm == 0.0F)) return;
  const FloatVector scale = hn::Set(kFloats, 1.0F / std::sqrt(squared_norm));
  for (std::size_t i = 0; i < length; i += kLanes) hn::StoreU(hn::Mul(scale, LoadAt(atom + i)), kFloats, atom + i);
}

void MoveNonnegativeAtom(float step, const float* r, float* atom, bool sphere, std::size_t length) {
  const FloatVector s = hn::Set(kFloats, step);
  const auto moved = [&](std::size_t i) {
    Floats v = Load(atom + i);
    AddProduct(s, Load(r + i), v);
    for (FloatVector& part : v.part) part = hn::IfThenElseZero(hn::Gt(part, hn::Zero(kFloats)), part);
    return v;
  };
  Floats squares = Zeros();
  for (std::size_t i = 0; i < length; i += kLaneMultiple) {
    const Floats v = moved(i);
    AddProduct(v, v, squares);
  }
  const float squared_norm = Sum(squares);
  if (squared_norm == 0.0F) return;
  const FloatVector scale = hn::Set(kFloats, squared_norm > 1.0F || sphere ? 1.0F / std::sqrt(squared_norm) : 1.0F);
  for (std::size_t i = 0; i < length; i += kLaneMultiple) {
    Floats v = moved(i);
    for (FloatVector& part : v.part) part = hn::Mul(scale, part);
    Store(v, atom + i);
  }
}

// ---- 16-bit copies; their sums are exact, so their order is free ----

void Quantise(float scale, const float* x, std::int16_t* q, std::size_t length) {
  constexpr hn::Rebind<std::int16_t, FloatTag> kShorts;
  const FloatVector s = hn::Set(kFloats, scale);
  const auto least = hn::Set(kShorts, -32767);  // the narrowing itself ends at -32768
  for (std::size_t i = 0; i < length; i += kLanes) {
    const auto nearest = hn::NearestInt(hn::Mul(s, LoadAt(x + i)));
    hn::StoreU(hn::Max(hn::DemoteTo(kShorts, nearest), least), kShorts, q + i);
  }
}

// q_0^T q .. q_7^T q of eight quantised atoms.
HWY_INLINE void EightQuantisedProducts(const std::int16_t* const (&atoms)[8],
                                       const std::int16_t* q,
                                       std::size_t length,
                                       std::int32_t* out) {
#if HWY_TARGET == HWY_SCALAR
  for (std::size_t a = 0; a < 8; ++a) {
    out[a] = 0;
    for (std::size_t i = 0; i < length; ++i) out[a] += std::int32_t{atoms[a][i]} * std::int32_t{q[i]};
  }
#else
  constexpr hn::RepartitionToNarrow<IntTag> kShorts;
  using IntVector = hn::Vec<IntTag>;
  IntVector sums[8];
  IntVector others[8];  // some sets spread the products over two sums
  HWY_UNROLL(8)
  for (std::size_t a = 0; a < 8; ++a) sums[a] = others[a] = hn::Zero(kInts);
  for (std::size_t i = 0; i < length; i += 2 * kLanes) {
    const auto v = hn::LoadU(kShorts, q + i);
    HWY_UNROLL(8)
    for (std::size_t a = 0; a < 8; ++a) {
      sums[a] = hn::ReorderWidenMulAccumulate(kInts, hn::LoadU(kShorts, atoms[a] + i), v, sums[a], others[a]);
    }
  }
  constexpr hn::CappedTag<std::int32_t, 4> kFourInts;
  HWY_UNROLL(2)
  for (std::size_t a = 0; a < 8; a += 4) {
#if HWY_TARGET == HWY_NEON
    const auto part = [&](std::size_t b) { return hn::Add(sums[a + b], others[a + b]); };
    hn::StoreU(SumsOfQuads(kFourInts, part(0), part(1), part(2), part(3)), kFourInts, out + a);
#else
    constexpr hn::CappedTag<std::int32_t, 8> kEightInts;
#if HWY_TARGET == HWY_AVX3
    const auto part = [&](std::size_t b) { return FoldHalves(kEightInts, sums[a + b]); };
#else
    const auto part = [&](std::size_t b) { return sums[a + b]; };
#endif
    const auto quads = SumsOfQuads(kEightInts, part(0), part(1), part(2), part(3));
    hn::StoreU(hn::Add(hn::LowerHalf(kFourInts, quads), hn::UpperHalf(kFourInts, quads)), kFourInts, out + a);
#endif
  }
#endif
}

std::size_t NextDoubtful(const ScreenProblem& problem, std::size_t begin, std::size_t end, std::uint32_t* which) {
  constexpr hn::CappedTag<float, 8> kEightFloats;
  constexpr hn::RebindToSigned<decltype(kEightFloats)> kEightInts;
  constexpr std::size_t kStep = hn::MaxLanes(kEightInts);
  const auto bound = hn::Set(kEightInts, problem.bound);
  for (std::size_t k = begin; k < end; k += 8) {
    const std::int16_t* copies[8];
    HWY_ALIGN float gathered[8];
    const float* weights = problem.weights + k;
    if (problem.ids == nullptr && k + 8 <= end) {
      for (std::size_t b = 0; b < 8; ++b) copies[b] = problem.copies + (k + b) * problem.length;
    } else {
      for (std::size_t b = 0; b < 8; ++b) {
        const std::size_t at = k + b < end ? k + b : end - 1;
        const std::size_t atom = problem.ids == nullptr ? at : static_cast<std::size_t>(problem.ids[at]);
        copies[b] = problem.copies + atom * problem.length;
        gathered[b] = problem.weights[atom];
      }
      weights = gathered;
    }
    HWY_ALIGN std::int32_t c[8];
    EightQuantisedProducts(copies, problem.residual, problem.length, c);
    std::uint32_t doubtful = 0;
    for (std::size_t b = 0; b < 8; b += kStep) {
      const auto large = hn::Gt(hn::Abs(hn::Load(kEightInts, c + b)), bound);
      const auto used = hn::Ne(hn::LoadU(kEightFloats, weights + b), hn::Zero(kEightFloats));
      std::uint8_t bits[8] = {};
      hn::StoreMaskBits(kEightInts, hn::Or(large, hn::RebindMask(kEightInts, used)), bits);
      doubtful |= std::uint32_t{bits[0]} << b;
    }
    if (k + 8 > end) doubtful &= (1U << (end - k)) - 1;
    if (doubtful == 0) continue;
    *which = doubtful;
    return k;
  }
  return end;
}

Kernels MakeKernels() {
  return {.name = HWY_TARGET == HWY_AVX3     ? "AVX-512"
                  : HWY_TARGET == HWY_AVX2   ? "AVX2"
                  : HWY_TARGET == HWY_SCALAR ? "plain"
                                             : "NEON",
          .dot = Dot,
          .squared_distance = SquaredDistance,
          .add_scaled = AddScaled,
          .residual = Residual,
          .descend = Descend,
          .products_of_list = ProductsOfList,
          .interleave = Interleave,
          .products = Products,
          .gram = Gram,
          .largest = Largest,
          .find_above = FindAbove,
          .descend_group = DescendGroup,
          .finish_group = FinishGroup,
          .move_atom = MoveAtom,
          .move_nonnegative_atom = MoveNonnegativeAtom,
          .quantise = Quantise,
          .next_doubtful = NextDoubtful};
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace flyscribe
#if HWY_TARGET == HWY_SCALAR && defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#pragma GCC pop_options
#endif
// NOLINTEND(modernize-avoid-c-arrays,modernize-concat-nested-namespaces)
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

#include <algorithm>

#include "core/error.h"
#include "core/simd.h"

namespace flyscribe {
namespace {

// The kernels of each set this program holds.
std::vector<Kernels> CollectKernels() {
  return {
#if HWY_TARGETS & HWY_AVX3
    N_AVX3::MakeKernels(),
#endif
#if HWY_TARGETS & HWY_AVX2
        N_AVX2::MakeKernels(),
#endif
#if HWY_TARGETS & HWY_NEON
        N_NEON::MakeKernels(),
#endif
        N_SCALAR::MakeKernels()
  };
}

}  // namespace

const Kernels& KernelsFor(const std::string& name) {
  static const std::vector<Kernels> all = CollectKernels();
  const auto found = std::ranges::find(all, name, [](const Kernels& kernels) { return std::string(kernels.name); });
  FLYSCRIBE_CHECK(found != all.end(), "there are no kernels for " + name);
  return *found;
}

const Kernels& ActiveKernels() { return KernelsFor(SimdInUse()); }

}  // namespace flyscribe

#endif  // HWY_ONCE
