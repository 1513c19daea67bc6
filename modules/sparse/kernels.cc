// The kernels for every instruction set worth having, in Highway's vector language, and the choice between them.
//
// This file is compiled once for each set, by including itself. A vector holds at most eight lanes, and the order of
// every sum is fixed by the length alone: a value does not depend on which neighbours were computed with it.
#include "sparse/kernels.h"

#include <cmath>

// Left out: sets that gain nothing here over others, and vectors of unknown length, which do not fit the sums.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3 | HWY_AVX3_DL | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sparse/kernels.cc"
#include <hwy/foreach_target.h>
// After foreach_target.h, as Highway asks.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
// Vectors of registers are arrays as the language has them: what std::array would add is in the way of the optimiser.
// NOLINTBEGIN(modernize-avoid-c-arrays,modernize-concat-nested-namespaces)
namespace flyscribe {
namespace HWY_NAMESPACE {
namespace {

#if HWY_TARGET == HWY_SCALAR

Kernels MakeKernels() { return PlainKernels(); }

#else

namespace hn = hwy::HWY_NAMESPACE;

using FloatTag = hn::CappedTag<float, 8>;
using IntTag = hn::RebindToSigned<FloatTag>;
using ShortTag = hn::RepartitionToNarrow<IntTag>;
using FloatVector = hn::Vec<FloatTag>;
constexpr FloatTag kFloats;
constexpr IntTag kInts;
constexpr ShortTag kShorts;
constexpr std::size_t kLanes = hn::MaxLanes(kFloats);
static_assert(kLanes == 4 || kLanes == 8, "the sums below are written for vectors of four or eight");

// The sums of four vectors' lanes, side by side in one vector of four.
template <class Tag, class V = hn::Vec<Tag> >
HWY_INLINE auto SumsOfFour(Tag tag, V a, V b, V c, V d) {
  const hn::RepartitionToWide<Tag> wide;
  const V ab = hn::Add(hn::InterleaveLower(tag, a, b), hn::InterleaveUpper(tag, a, b));
  const V cd = hn::Add(hn::InterleaveLower(tag, c, d), hn::InterleaveUpper(tag, c, d));
  const auto ab_wide = hn::BitCast(wide, ab);
  const auto cd_wide = hn::BitCast(wide, cd);
  const V sums = hn::Add(hn::BitCast(tag, hn::InterleaveLower(wide, ab_wide, cd_wide)),
                         hn::BitCast(tag, hn::InterleaveUpper(wide, ab_wide, cd_wide)));
  if constexpr (kLanes == 8) {
    const hn::Half<Tag> half;
    return hn::Add(hn::LowerHalf(half, sums), hn::UpperHalf(half, sums));
  } else {
    return sums;
  }
}

HWY_INLINE float Sum(FloatVector v) { return hn::GetLane(hn::SumOfLanes(kFloats, v)); }

HWY_INLINE FloatVector LoadAt(const float* values) { return hn::LoadU(kFloats, values); }

float Dot(const float* a, const float* b, std::size_t length) {
  FloatVector s0 = hn::Zero(kFloats);
  FloatVector s1 = s0;
  FloatVector s2 = s0;
  FloatVector s3 = s0;
  std::size_t i = 0;
  for (; i + 4 * kLanes <= length; i += 4 * kLanes) {
    s0 = hn::MulAdd(LoadAt(a + i), LoadAt(b + i), s0);
    s1 = hn::MulAdd(LoadAt(a + i + kLanes), LoadAt(b + i + kLanes), s1);
    s2 = hn::MulAdd(LoadAt(a + i + 2 * kLanes), LoadAt(b + i + 2 * kLanes), s2);
    s3 = hn::MulAdd(LoadAt(a + i + 3 * kLanes), LoadAt(b + i + 3 * kLanes), s3);
  }
  for (; i < length; i += kLanes) s0 = hn::MulAdd(LoadAt(a + i), LoadAt(b + i), s0);
  return Sum(hn::Add(hn::Add(s0, s1), hn::Add(s2, s3)));
}

float SquaredDistance(const float* a, const float* b, std::size_t length) {
  FloatVector s0 = hn::Zero(kFloats);
  FloatVector s1 = s0;
  for (std::size_t i = 0; i < length; i += 2 * kLanes) {
    const FloatVector d0 = hn::Sub(LoadAt(a + i), LoadAt(b + i));
    const FloatVector d1 = hn::Sub(LoadAt(a + i + kLanes), LoadAt(b + i + kLanes));
    s0 = hn::MulAdd(d0, d0, s0);
    s1 = hn::MulAdd(d1, d1, s1);
  }
  return Sum(hn::Add(s0, s1));
}

void AddScaled(float scale, const float* x, float* y, std::size_t length) {
  const FloatVector s = hn::Set(kFloats, scale);
  for (std::size_t i = 0; i < length; i += kLanes)
    hn::StoreU(hn::MulAdd(s, LoadAt(x + i), LoadAt(y + i)), kFloats, y + i);
}

void Residual(const float* x,
              const float* atoms,
              const std::int32_t* ids,
              const float* weights,
              std::size_t count,
              float* r,
              std::size_t length) {
  // Sixteen floats at a time stay in registers while the atoms pass by.
  constexpr std::size_t kVectors = kLaneMultiple / kLanes;
  for (std::size_t i = 0; i < length; i += kLaneMultiple) {
    FloatVector part[kVectors];
    for (std::size_t v = 0; v < kVectors; ++v) part[v] = LoadAt(x + i + v * kLanes);
    for (std::size_t k = 0; k < count; ++k) {
      const float* atom = atoms + static_cast<std::size_t>(ids[k]) * length + i;
      const FloatVector weight = hn::Set(kFloats, weights[k]);
      for (std::size_t v = 0; v < kVectors; ++v) part[v] = hn::NegMulAdd(weight, LoadAt(atom + v * kLanes), part[v]);
    }
    for (std::size_t v = 0; v < kVectors; ++v) hn::StoreU(part[v], kFloats, r + i + v * kLanes);
  }
}

// d_0^T r .. d_3^T r of four atoms, in a vector of four.
HWY_INLINE auto FourProducts(
    const float* a0, const float* a1, const float* a2, const float* a3, const float* r, std::size_t length) {
  // Two sums for each atom: a cycle waits for the last product before it goes on, so a short way counts.
  FloatVector s0 = hn::Zero(kFloats);
  FloatVector s1 = s0;
  FloatVector s2 = s0;
  FloatVector s3 = s0;
  FloatVector t0 = s0;
  FloatVector t1 = s0;
  FloatVector t2 = s0;
  FloatVector t3 = s0;
  for (std::size_t i = 0; i < length; i += 2 * kLanes) {
    const FloatVector v = LoadAt(r + i);
    s0 = hn::MulAdd(v, LoadAt(a0 + i), s0);
    s1 = hn::MulAdd(v, LoadAt(a1 + i), s1);
    s2 = hn::MulAdd(v, LoadAt(a2 + i), s2);
    s3 = hn::MulAdd(v, LoadAt(a3 + i), s3);
    const FloatVector w = LoadAt(r + i + kLanes);
    t0 = hn::MulAdd(w, LoadAt(a0 + i + kLanes), t0);
    t1 = hn::MulAdd(w, LoadAt(a1 + i + kLanes), t1);
    t2 = hn::MulAdd(w, LoadAt(a2 + i + kLanes), t2);
    t3 = hn::MulAdd(w, LoadAt(a3 + i + kLanes), t3);
  }
  return SumsOfFour(kFloats, hn::Add(s0, t0), hn::Add(s1, t1), hn::Add(s2, t2), hn::Add(s3, t3));
}

constexpr hn::CappedTag<float, 4> kFour;

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

std::size_t NextChange(const DescentProblem& problem, std::size_t begin, std::size_t end, float* updated) {
  const auto lambda = hn::Set(kFour, problem.lambda);
  const auto zero = hn::Zero(kFour);
  for (std::size_t k = begin; k < end; k += 4) {
    const std::size_t last = end - 1;
    const auto products = FourProducts(AtomAt(problem, k),
                                       AtomAt(problem, k + 1 < last ? k + 1 : last),
                                       AtomAt(problem, k + 2 < last ? k + 2 : last),
                                       AtomAt(problem, k + 3 < last ? k + 3 : last),
                                       problem.r,
                                       problem.length);
    HWY_ALIGN float z[4];
    if (problem.ids == nullptr && k + 4 <= end) {
      hn::Store(hn::LoadU(kFour, problem.weights + k), kFour, z);
    } else {
      for (std::size_t b = 0; b < 4; ++b) {
        const std::size_t at = k + b < last ? k + b : last;
        z[b] = problem.weights[problem.ids == nullptr ? at : static_cast<std::size_t>(problem.ids[at])];
      }
    }
    const auto weights = hn::Load(kFour, z);
    const auto size = problem.nonnegative ? products : hn::Abs(products);
    const auto flagged = hn::Or(hn::Gt(size, lambda), hn::Ne(weights, zero));
    if (hn::AllFalse(kFour, flagged)) continue;
    HWY_ALIGN float c[4];
    hn::Store(products, kFour, c);
    for (std::size_t b = 0; b < 4 && k + b < end; ++b) {
      *updated = Threshold(c[b] + z[b], problem.lambda, problem.nonnegative);
      if (*updated != z[b]) return k + b;
    }
  }
  return end;
}

// r += scale x, and the product of the new r with `next`, in one pass.
HWY_INLINE float AddScaledThenDot(float scale, const float* x, float* r, const float* next, std::size_t length) {
  const FloatVector s = hn::Set(kFloats, scale);
  FloatVector s0 = hn::Zero(kFloats);
  FloatVector s1 = s0;
  for (std::size_t i = 0; i < length; i += 2 * kLanes) {
    const FloatVector v = hn::MulAdd(s, LoadAt(x + i), LoadAt(r + i));
    const FloatVector w = hn::MulAdd(s, LoadAt(x + i + kLanes), LoadAt(r + i + kLanes));
    hn::StoreU(v, kFloats, r + i);
    hn::StoreU(w, kFloats, r + i + kLanes);
    s0 = hn::MulAdd(v, LoadAt(next + i), s0);
    s1 = hn::MulAdd(w, LoadAt(next + i + kLanes), s1);
  }
  return Sum(hn::Add(s0, s1));
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
    const auto products = FourProducts(atom(k), atom(k + 1), atom(k + 2), atom(k + 3), r, length);
    if (k + 4 <= count) {
      hn::StoreU(products, kFour, out + k);
    } else {
      HWY_ALIGN float last[4];
      hn::Store(products, kFour, last);
      for (std::size_t b = 0; k + b < count; ++b) out[k + b] = last[b];
    }
  }
}

// out[j][i] = a_i^T b_j for four a and kRows b: twelve running sums are as many as registers hold beside the operands.
template <std::size_t kRows>
HWY_INLINE void Tile(const float* const (&a)[4],
                     const float* const (&b)[kRows],
                     float* const (&out)[kRows],
                     std::size_t length) {
  FloatVector sums[kRows][4];
  for (std::size_t j = 0; j < kRows; ++j) {
    for (std::size_t i = 0; i < 4; ++i) sums[j][i] = hn::Zero(kFloats);
  }
  for (std::size_t k = 0; k < length; k += kLanes) {
    FloatVector row[kRows];
    HWY_UNROLL(3)
    for (std::size_t j = 0; j < kRows; ++j) row[j] = LoadAt(b[j] + k);
    HWY_UNROLL(4)
    for (std::size_t i = 0; i < 4; ++i) {
      const FloatVector atom = LoadAt(a[i] + k);
      HWY_UNROLL(3)
      for (std::size_t j = 0; j < kRows; ++j) sums[j][i] = hn::MulAdd(atom, row[j], sums[j][i]);
    }
  }
  for (std::size_t j = 0; j < kRows; ++j) {
    hn::StoreU(SumsOfFour(kFloats, sums[j][0], sums[j][1], sums[j][2], sums[j][3]), kFour, out[j]);
  }
}

// A tile at the edge: as many of the four atoms as there are.
template <std::size_t kRows>
HWY_INLINE void EdgeTile(const float* const (&a)[4],
                         const float* const (&b)[kRows],
                         float* const (&out)[kRows],
                         std::size_t count,
                         std::size_t length) {
  if (count >= 4) return Tile<kRows>(a, b, out, length);
  float all[kRows][4];
  float* to[kRows];
  for (std::size_t j = 0; j < kRows; ++j) to[j] = all[j];
  Tile<kRows>(a, b, to, length);
  for (std::size_t j = 0; j < kRows; ++j) {
    for (std::size_t i = 0; i < count; ++i) out[j][i] = all[j][i];
  }
}

struct ProductsTask {
  const float* atoms;
  std::size_t atom_count;
  const float* rows;
  float* out;
  std::size_t out_stride;
  std::size_t length;
};

// Rows row .. row + kRows - 1 against atoms begin .. end - 1.
template <std::size_t kRows>
HWY_INLINE void ProductsOfRows(const ProductsTask& task, std::size_t row, std::size_t begin, std::size_t end) {
  const float* b[kRows];
  for (std::size_t r = 0; r < kRows; ++r) b[r] = task.rows + (row + r) * task.length;
  const std::size_t last = task.atom_count - 1;
  for (std::size_t j = begin; j < end; j += 4) {
    const float* a[4];
    for (std::size_t i = 0; i < 4; ++i) a[i] = task.atoms + (j + i < last ? j + i : last) * task.length;
    float* out[kRows];
    for (std::size_t r = 0; r < kRows; ++r) out[r] = task.out + (row + r) * task.out_stride + j;
    EdgeTile<kRows>(a, b, out, end - j, task.length);
  }
}

void Products(const float* atoms,
              std::size_t atom_count,
              const float* rows,
              std::size_t row_count,
              float* out,
              std::size_t out_stride,
              std::size_t length) {
  constexpr std::size_t kAtomsInCache = 32;  // 16 kB of the first-level cache at 128 values each
  const ProductsTask task = {atoms, atom_count, rows, out, out_stride, length};
  for (std::size_t begin = 0; begin < atom_count; begin += kAtomsInCache) {
    const std::size_t end = begin + kAtomsInCache < atom_count ? begin + kAtomsInCache : atom_count;
    std::size_t row = 0;
    for (; row + 3 <= row_count; row += 3) ProductsOfRows<3>(task, row, begin, end);
    if (row + 2 == row_count) ProductsOfRows<2>(task, row, begin, end);
    if (row + 1 == row_count) ProductsOfRows<1>(task, row, begin, end);
  }
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
  float tile[3][4];
  float* out[3] = {tile[0], tile[1], tile[2]};
  for (std::size_t i = 0; i < count; i += 3) {
    const float* b[3] = {atom(i), atom(i + 1), atom(i + 2)};
    for (std::size_t j = 0; j < i + 3 && j < count; j += 4) {
      const float* a[4] = {atom(j), atom(j + 1), atom(j + 2), atom(j + 3)};
      Tile<3>(a, b, out, length);
      for (std::size_t s = 0; s < 3 && i + s < count; ++s) {
        for (std::size_t t = 0; t < 4 && j + t < count; ++t) {
          gram[((i + s) * capacity + j + t) * kGroupLanes] = tile[s][t];
          gram[((j + t) * capacity + i + s) * kGroupLanes] = tile[s][t];
        }
      }
    }
  }
}

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
  std::int32_t* end = ids;
  for (std::size_t i = 0; i < count; i += kLaneMultiple) {
    // Mostly none of these is: one look at the largest of them.
    FloatVector largest = SizeAt(values + i, nonnegative);
    for (std::size_t v = kLanes; v < kLaneMultiple; v += kLanes) {
      largest = hn::Max(largest, SizeAt(values + i + v, nonnegative));
    }
    if (hn::AllFalse(kFloats, hn::Gt(largest, limit))) continue;
    // Written in any case, kept by moving on: a branch for each would often be mispredicted.
    for (std::size_t k = i; k < i + kLaneMultiple; ++k) {
      *end = static_cast<std::int32_t>(k);
      end += (nonnegative ? values[k] : std::abs(values[k])) > bound ? 1 : 0;
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
  auto awake = AwakeLanes(problem, first);
  auto spent = hn::Zero(kInts);
  for (int cycle = 0; cycle < problem.max_cycles && !hn::AllFalse(kFloats, awake); ++cycle) {
    spent = hn::Add(spent, hn::IfThenElseZero(hn::RebindMask(kInts, awake), hn::Set(kInts, 1)));
    FloatVector worst = zero;
    for (std::size_t k = 0; k < problem.width; ++k) {
      const float* gram = problem.gram + k * row + first;
      float* weight = problem.weights + k * kGroupLanes + first;
      const FloatVector curvature = hn::Load(kFloats, gram + k * kGroupLanes);
      const FloatVector old = hn::Load(kFloats, weight);
      const FloatVector b =
          hn::MulAdd(curvature, old, hn::Load(kFloats, problem.correlations + k * kGroupLanes + first));
      const FloatVector size = hn::Max(hn::Sub(problem.nonnegative ? b : hn::Abs(b), lambda), zero);
      const FloatVector inverse = hn::Load(kFloats, problem.inverse_curvatures + k * kGroupLanes + first);
      const FloatVector updated = hn::Mul(problem.nonnegative ? size : hn::CopySign(size, b), inverse);
      const FloatVector change = hn::IfThenElseZero(awake, hn::Sub(old, updated));
      if (hn::AllTrue(kFloats, hn::Eq(change, zero))) continue;
      worst = hn::Max(worst, hn::Abs(hn::Mul(change, curvature)));
      hn::Store(hn::Sub(old, change), kFloats, weight);
      float* correlation = problem.correlations + first;
      for (std::size_t t = 0; t < problem.width; ++t) {
        const FloatVector c = hn::Load(kFloats, correlation + t * kGroupLanes);
        hn::Store(
            hn::MulAdd(change, hn::Load(kFloats, gram + t * kGroupLanes), c), kFloats, correlation + t * kGroupLanes);
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

// The non-zero weights of kLanes lassos, moved together: entry a of lane l is coordinate ids[l][a]. Shorter lanes are
// filled up with ones on the diagonal and zeros elsewhere.
struct CompactLanes {
  std::size_t width = 0;
  std::size_t counts[kLanes] = {};
  HWY_ALIGN std::int32_t left_alone[kLanes] = {};
  std::int32_t ids[kLanes][kMostFinished];
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
      lanes.ids[lane][a] = static_cast<std::int32_t>(k);
      lanes.weights[a * kLanes + lane] = weight;
      lanes.steps[a * kLanes + lane] =
          problem.correlations[k * kGroupLanes + first + lane] - (weight > 0.0F ? problem.lambda : -problem.lambda);
    }
    if (lanes.counts[lane] > lanes.width) lanes.width = lanes.counts[lane];
  }
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    for (std::size_t a = 0; a < lanes.width; ++a) {
      const bool inside = a < lanes.counts[lane];
      if (!inside) lanes.weights[a * kLanes + lane] = lanes.steps[a * kLanes + lane] = 0.0F;
      const std::size_t row = inside ? static_cast<std::size_t>(lanes.ids[lane][a]) * problem.capacity : 0;
      float* to = problem.factor + a * lanes.width * kLanes + lane;
      for (std::size_t b = 0; b <= a; ++b) {
        const float filler = a == b ? 1.0F : 0.0F;
        to[b * kLanes] =
            !inside ? filler
                    : problem.gram[(row + static_cast<std::size_t>(lanes.ids[lane][b])) * kGroupLanes + first + lane];
      }
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
        hn::Store(hn::NegMulAdd(entry, hn::Load(kFloats, at(u, t)), hn::Load(kFloats, at(k, u))), kFloats, at(k, u));
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
      hn::Store(hn::NegMulAdd(solved, hn::Load(kFloats, at(k, t)), hn::Load(kFloats, later)), kFloats, later);
    }
  }
  for (std::size_t t = width; t-- > 0;) {
    const FloatVector solved = hn::Mul(hn::Load(kFloats, steps + t * kLanes), hn::Load(kFloats, at(t, t)));
    hn::Store(solved, kFloats, steps + t * kLanes);
    for (std::size_t k = 0; k < t; ++k) {
      float* earlier = steps + k * kLanes;
      hn::Store(hn::NegMulAdd(solved, hn::Load(kFloats, at(t, k)), hn::Load(kFloats, earlier)), kFloats, earlier);
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
    const FloatVector target = hn::MulAdd(reach, step, z);
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
      changes[static_cast<std::size_t>(lanes.ids[lane][a]) * kLanes + lane] = lanes.steps[a * kLanes + lane];
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
      hn::Store(hn::MulAdd(change, hn::Load(kFloats, gram + t * kGroupLanes), c), kFloats, product);
    }
  }
}

void FinishGroup(const GroupProblem& problem) {
  for (std::size_t first = 0; first < kGroupLanes; first += kLanes) FinishLanes(problem, first);
}

void MoveAtom(float step, const float* r, float* atom, bool sphere, std::size_t length) {
  const FloatVector s = hn::Set(kFloats, step);
  FloatVector n0 = hn::Zero(kFloats);
  FloatVector n1 = n0;
  for (std::size_t i = 0; i < length; i += 2 * kLanes) {
    const FloatVector v0 = hn::MulAdd(s, LoadAt(r + i), LoadAt(atom + i));
    const FloatVector v1 = hn::MulAdd(s, LoadAt(r + i + kLanes), LoadAt(atom + i + kLanes));
    hn::StoreU(v0, kFloats, atom + i);
    hn::StoreU(v1, kFloats, atom + i + kLanes);
    n0 = hn::MulAdd(v0, v0, n0);
    n1 = hn::MulAdd(v1, v1, n1);
  }
  const float squared_norm = Sum(hn::Add(n0, n1));
  if (!(squared_norm > 1.0F) && (!sphere || squared_norm == 0.0F)) return;
  const FloatVector scale = hn::Set(kFloats, 1.0F / std::sqrt(squared_norm));
  for (std::size_t i = 0; i < length; i += kLanes) hn::StoreU(hn::Mul(scale, LoadAt(atom + i)), kFloats, atom + i);
}

// The order of the values is the same for all vectors and does not matter otherwise.
void Quantise(float scale, const float* x, std::int16_t* q, std::size_t length) {
  const FloatVector s = hn::Set(kFloats, scale);
  const auto least = hn::Set(kShorts, -32767);  // the narrowing itself ends at -32768
  for (std::size_t i = 0; i < length; i += 2 * kLanes) {
    const auto lower = hn::NearestInt(hn::Mul(s, LoadAt(x + i)));
    const auto upper = hn::NearestInt(hn::Mul(s, LoadAt(x + i + kLanes)));
    hn::StoreU(hn::Max(hn::ReorderDemote2To(kShorts, lower, upper), least), kShorts, q + i);
  }
}

// q_0^T q .. q_3^T q of four quantised atoms, in a vector of four.
HWY_INLINE auto FourQuantisedProducts(const std::int16_t* const (&atoms)[4],
                                      const std::int16_t* q,
                                      std::size_t length) {
  hn::Vec<IntTag> sums[4];
  hn::Vec<IntTag> others[4];  // some sets spread the products over two sums
  for (std::size_t a = 0; a < 4; ++a) sums[a] = others[a] = hn::Zero(kInts);
  for (std::size_t i = 0; i < length; i += 2 * kLanes) {
    const auto v = hn::LoadU(kShorts, q + i);
    HWY_UNROLL(4)
    for (std::size_t a = 0; a < 4; ++a) {
      sums[a] = hn::ReorderWidenMulAccumulate(kInts, hn::LoadU(kShorts, atoms[a] + i), v, sums[a], others[a]);
    }
  }
  return SumsOfFour(kInts,
                    hn::Add(sums[0], others[0]),
                    hn::Add(sums[1], others[1]),
                    hn::Add(sums[2], others[2]),
                    hn::Add(sums[3], others[3]));
}

void QuantisedProducts(
    const std::int16_t* atoms, std::size_t atom_count, const std::int16_t* q, std::int32_t* out, std::size_t length) {
  const hn::CappedTag<std::int32_t, 4> four;
  const auto atom = [&](std::size_t j) { return atoms + (j < atom_count ? j : atom_count - 1) * length; };
  for (std::size_t j = 0; j < atom_count; j += 4) {
    const auto products = FourQuantisedProducts({atom(j), atom(j + 1), atom(j + 2), atom(j + 3)}, q, length);
    if (j + 4 <= atom_count) {
      hn::StoreU(products, four, out + j);
    } else {
      HWY_ALIGN std::int32_t last[4];
      hn::Store(products, four, last);
      for (std::size_t b = 0; j + b < atom_count; ++b) out[j + b] = last[b];
    }
  }
}

std::size_t FindDoubtful(const std::int32_t* products,
                         const float* weights,
                         std::size_t begin,
                         std::size_t end,
                         std::int32_t bound,
                         std::int32_t* ids) {
  const auto limit = hn::Set(kInts, bound);
  std::int32_t* found = ids;
  std::size_t j = begin;
  for (; j + kLaneMultiple <= end; j += kLaneMultiple) {
    // Mostly none of these is: one look at the largest of them.
    auto largest = hn::Abs(hn::LoadU(kInts, products + j));
    auto used = hn::Ne(LoadAt(weights + j), hn::Zero(kFloats));
    for (std::size_t v = kLanes; v < kLaneMultiple; v += kLanes) {
      largest = hn::Max(largest, hn::Abs(hn::LoadU(kInts, products + j + v)));
      used = hn::Or(used, hn::Ne(LoadAt(weights + j + v), hn::Zero(kFloats)));
    }
    if (hn::AllFalse(kInts, hn::Or(hn::Gt(largest, limit), hn::RebindMask(kInts, used)))) continue;
    for (std::size_t k = j; k < j + kLaneMultiple; ++k) {
      *found = static_cast<std::int32_t>(k);
      const std::int32_t size = products[k] < 0 ? -products[k] : products[k];
      found += static_cast<int>(size > bound) | static_cast<int>(weights[k] != 0.0F);
    }
  }
  for (; j < end; ++j) {
    const std::int32_t size = products[j] < 0 ? -products[j] : products[j];
    if (size > bound || weights[j] != 0.0F) *found++ = static_cast<std::int32_t>(j);
  }
  return static_cast<std::size_t>(found - ids);
}

Kernels MakeKernels() {
  return {.name = hwy::TargetName(HWY_TARGET),
          .dot = Dot,
          .squared_distance = SquaredDistance,
          .add_scaled = AddScaled,
          .residual = Residual,
          .next_change = NextChange,
          .descend = Descend,
          .products_of_list = ProductsOfList,
          .products = Products,
          .gram = Gram,
          .largest = Largest,
          .find_above = FindAbove,
          .descend_group = DescendGroup,
          .finish_group = FinishGroup,
          .move_atom = MoveAtom,
          .quantise = Quantise,
          .quantised_products = QuantisedProducts,
          .find_doubtful = FindDoubtful};
}

#endif  // HWY_SCALAR

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace flyscribe
// NOLINTEND(modernize-avoid-c-arrays,modernize-concat-nested-namespaces)
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

#include <algorithm>

#include "core/error.h"
#include "core/simd.h"

namespace flyscribe {
namespace {

HWY_EXPORT(MakeKernels);

// The kernels of each set this processor runs, best first, then the plain ones.
std::vector<Kernels> CollectKernels() {
  std::vector<Kernels> found;
  for (std::int64_t left = hwy::SupportedTargets() & HWY_TARGETS & ~HWY_SCALAR; left != 0; left &= left - 1) {
    // Highway takes the best set it believes to have: make it believe in one after the other.
    hwy::SetSupportedTargetsForTest(left & -left);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    found.push_back(HWY_DYNAMIC_DISPATCH(MakeKernels)());
    hwy::SetSupportedTargetsForTest(0);
  }
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  found.push_back(PlainKernels());
  return found;
}

const std::vector<Kernels>& AllKernels() {
  static const std::vector<Kernels> all = CollectKernels();
  return all;
}

}  // namespace

const Kernels& ActiveKernels() { return KernelsFor(SimdInUse()); }

const Kernels& KernelsFor(const std::string& name) {
  // There are none of AVX-512's own: those of AVX2 serve.
  const std::string target = name == "AVX-512" ? "AVX2" : name;
  const std::vector<Kernels>& all = AllKernels();
  const auto found = std::ranges::find(all, target, [](const Kernels& kernels) { return std::string(kernels.name); });
  FLYSCRIBE_CHECK(found != all.end(), "there are no kernels for " + name);
  return *found;
}

}  // namespace flyscribe

#endif  // HWY_ONCE
