#include "sparse/kernels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "core/rng.h"
#include "sparse/padded_rows.h"
#include "tests/sparse/every_set.h"
#include "tests/sparse/random_patches.h"
#include "tests/support/expect_error.h"

namespace flyscribe {
namespace {

constexpr double kRounding = 2e-6;       // of a product of two vectors of norm at most 1
constexpr float kUntouched = -12345.0F;  // stands where a kernel may not write
constexpr std::int32_t kNoId = -12345;

// `count` numbers below `bound`, each once, in no order.
std::vector<std::int32_t> DifferentIds(std::size_t count, std::size_t bound, std::uint64_t seed) {
  std::vector<std::int32_t> ids(bound);
  std::iota(ids.begin(), ids.end(), 0);
  Rng(seed).Shuffle(ids);
  ids.resize(count);
  return ids;
}

const float* AtomOf(const PaddedRows& atoms, std::int32_t id) { return atoms.Row(static_cast<std::size_t>(id)); }

class KernelsTest : public EverySetTest {
 protected:
  // d_id^T r, computed alone.
  float LoneProduct(const PaddedRows& atoms, std::int32_t id, const float* r) const {
    float product = 0.0F;
    kernels_.products_of_list(atoms.data(), &id, 1, r, &product, atoms.length());
    return product;
  }
};
INSTANTIATE_TEST_SUITE_P(EverySet, KernelsTest, ::testing::ValuesIn(SimdTargets()), SetName);

TEST_P(KernelsTest, Dot) {
  for (const std::size_t length : kLengths) {
    const PaddedRows rows = RandomPaddedRows(6, length, 1);
    for (std::size_t i = 1; i < rows.rows(); ++i) {
      EXPECT_NEAR(kernels_.dot(rows.Row(0), rows.Row(i), length), ExactDot(rows.Row(0), rows.Row(i), length), kRounding)
          << length;
    }
    EXPECT_NEAR(kernels_.dot(rows.Row(0), rows.Row(0), length), 1.0, kRounding);
  }
}

TEST_P(KernelsTest, SquaredDistance) {
  for (const std::size_t length : kLengths) {
    const PaddedRows rows = RandomPaddedRows(2, length, 2);
    const double expected = 2.0 - 2.0 * ExactDot(rows.Row(0), rows.Row(1), length);
    EXPECT_NEAR(kernels_.squared_distance(rows.Row(0), rows.Row(1), length), expected, 2 * kRounding) << length;
    EXPECT_EQ(kernels_.squared_distance(rows.Row(1), rows.Row(1), length), 0.0F);
  }
}

TEST_P(KernelsTest, AddScaledChangesEveryValueAndNoOther) {
  for (const std::size_t length : kLengths) {
    const PaddedRows x = RandomPaddedRows(1, length, 3);
    const PaddedRows before = RandomPaddedRows(1, length, 4);
    std::vector<float> y(before.data(), before.data() + length);
    y.push_back(kUntouched);
    kernels_.add_scaled(-0.7F, x.data(), y.data(), length);
    for (std::size_t i = 0; i < length; ++i) {
      EXPECT_NEAR(y[i], static_cast<double>(before.data()[i]) - 0.7 * static_cast<double>(x.data()[i]), 1e-7);
    }
    EXPECT_EQ(y.back(), kUntouched);
  }
}

TEST_P(KernelsTest, Residual) {
  for (const std::size_t length : kLengths) {
    const PaddedRows atoms = RandomPaddedRows(40, length, 5, 0.3);
    const PaddedRows x = RandomPaddedRows(1, length, 6);
    for (const std::size_t count : kCounts) {
      const std::vector<std::int32_t> ids = DifferentIds(count, atoms.rows(), count);
      std::vector<float> weights(count);
      Rng rng(count, 1);
      for (float& weight : weights) weight = static_cast<float>(rng.Normal());
      PaddedRows r(1, length);
      kernels_.residual(x.data(), atoms.data(), ids.data(), weights.data(), count, r.data(), length);
      for (std::size_t i = 0; i < length; ++i) {
        double expected = x.data()[i];
        for (std::size_t k = 0; k < count; ++k) {
          expected -= static_cast<double>(weights[k]) * static_cast<double>(AtomOf(atoms, ids[k])[i]);
        }
        ASSERT_NEAR(r.data()[i], expected, 1e-5);
      }
      PaddedRows same = x;
      kernels_.residual(same.data(), atoms.data(), ids.data(), weights.data(), count, same.data(), length);
      EXPECT_EQ(same.ToMatrix(), r.ToMatrix()) << "r may be x";
    }
  }
}

TEST_P(KernelsTest, TheResidualOfAnEmptyCodeIsThePatch) {
  const PaddedRows x = RandomPaddedRows(1, 48, 7);
  PaddedRows r(1, 48);
  kernels_.residual(x.data(), nullptr, nullptr, nullptr, 0, r.data(), 48);
  EXPECT_EQ(r.ToMatrix(), x.ToMatrix());
}

TEST_P(KernelsTest, ProductsOfAListDoNotDependOnTheirNeighbours) {
  for (const std::size_t length : kLengths) {
    const PaddedRows atoms = RandomPaddedRows(40, length, 8, 0.3);
    const PaddedRows r = RandomPaddedRows(1, length, 9);
    for (const std::size_t count : kCounts) {
      const std::vector<std::int32_t> ids = DifferentIds(count, atoms.rows(), count);
      std::vector<float> out(count + 1, kUntouched);
      kernels_.products_of_list(atoms.data(), ids.data(), count, r.data(), out.data(), length);
      for (std::size_t k = 0; k < count; ++k) {
        ASSERT_NEAR(out[k], ExactDot(AtomOf(atoms, ids[k]), r.data(), length), kRounding);
        ASSERT_EQ(out[k], LoneProduct(atoms, ids[k], r.data())) << "length " << length << ", " << k << " of " << count;
      }
      EXPECT_EQ(out.back(), kUntouched);
    }
  }
}

TEST_P(KernelsTest, InterleavePutsRowsSideBySide) {
  for (const std::size_t length : kLengths) {
    const PaddedRows rows = RandomPaddedRows(16, length, 14);
    const float* sources[16];
    for (std::size_t lane = 0; lane < 16; ++lane) sources[lane] = rows.Row(lane);
    std::vector<float> panel(16 * length + 1, kUntouched);
    kernels_.interleave(sources, length, panel.data());
    for (std::size_t k = 0; k < length; ++k) {
      for (std::size_t lane = 0; lane < 16; ++lane) ASSERT_EQ(panel[16 * k + lane], rows.Row(lane)[k]);
    }
    EXPECT_EQ(panel.back(), kUntouched);
  }
}

// One chain of multiply-adds, the sum a product of matrices is made of.
float Chain(const float* a, const float* b, std::size_t length) {
  float sum = 0.0F;
  for (std::size_t k = 0; k < length; ++k) sum = std::fma(a[k], b[k], sum);
  return sum;
}

TEST_P(KernelsTest, ProductsAreChainsWhateverStandsBesideThem) {
  for (const std::size_t length : {std::size_t{16}, std::size_t{48}, std::size_t{128}, std::size_t{528}}) {
    for (const std::size_t count : {1U, 15U, 16U, 17U, 33U, 47U, 48U, 49U, 64U, 80U}) {
      const PaddedRows atoms = RandomPaddedRows(count, length, count, 0.3);
      const Panels panels(kernels_, atoms);
      const std::size_t stride = PaddedLength(count) + 16;
      for (std::size_t row_count = 1; row_count <= 18; ++row_count) {
        const PaddedRows rows = RandomPaddedRows(row_count, length, 11);
        std::vector<float> out(row_count * stride, kUntouched);
        kernels_.products(panels.data(), panels.panels(), rows.data(), row_count, out.data(), stride, length);
        for (std::size_t i = 0; i < row_count; ++i) {
          for (std::size_t j = 0; j < stride; ++j) {
            const float expected = j < count                 ? Chain(rows.Row(i), atoms.Row(j), length)
                                   : j < PaddedLength(count) ? 0.0F
                                                             : kUntouched;
            ASSERT_EQ(out[i * stride + j], expected)
                << "length " << length << ", atom " << j << " of " << count << ", row " << i << " of " << row_count;
          }
        }
      }
    }
  }
}

TEST_P(KernelsTest, ProductsOfNothing) {
  const PaddedRows rows = RandomPaddedRows(2, 16, 12);
  float out = kUntouched;
  kernels_.products(nullptr, 0, rows.data(), 2, &out, 0, 16);
  kernels_.products(rows.data(), 1, rows.data(), 0, &out, 16, 16);
  kernels_.products_of_list(rows.data(), nullptr, 0, rows.data(), &out, 16);
  kernels_.gram(rows.data(), nullptr, 0, &out, 0, 16);
  EXPECT_EQ(out, kUntouched);
}

// The order of kernels.cc, in loops: lane by lane, then halves, pairs across quads, quads.
float ProductInOrder(const float* a, const float* b, std::size_t length) {
  float lanes[16] = {};
  for (std::size_t i = 0; i < length; i += 16) {
    for (std::size_t l = 0; l < 16; ++l) lanes[l] = std::fma(a[i + l], b[i + l], lanes[l]);
  }
  for (std::size_t l = 0; l < 8; ++l) lanes[l] += lanes[l + 8];
  const float low = (lanes[0] + lanes[2]) + (lanes[1] + lanes[3]);
  const float high = (lanes[4] + lanes[6]) + (lanes[5] + lanes[7]);
  return low + high;
}

TEST_P(KernelsTest, AProductHasOneValueHoweverItIsComputed) {
  for (const std::size_t length : kLengths) {
    const PaddedRows atoms = RandomPaddedRows(9, length, 15, 0.3);
    const PaddedRows r = RandomPaddedRows(1, length, 16);
    const std::vector<std::int32_t> ids = DifferentIds(9, 9, 1);
    std::vector<float> products(9);
    kernels_.products_of_list(atoms.data(), ids.data(), 9, r.data(), products.data(), length);
    std::vector<float> gram(81 * kGroupLanes);
    kernels_.gram(atoms.data(), ids.data(), 9, gram.data(), 9, length);
    for (std::size_t k = 0; k < 9; ++k) {
      const float* atom = AtomOf(atoms, ids[k]);
      ASSERT_EQ(kernels_.dot(atom, r.data(), length), ProductInOrder(atom, r.data(), length));
      ASSERT_EQ(products[k], ProductInOrder(atom, r.data(), length));
      for (std::size_t t = 0; t < 9; ++t) {
        ASSERT_EQ(gram[(9 * k + t) * kGroupLanes], ProductInOrder(atom, AtomOf(atoms, ids[t]), length));
      }
    }
  }
}

TEST_P(KernelsTest, GramIsSymmetricAndDoesNotDependOnNeighbours) {
  for (const std::size_t length : kLengths) {
    const PaddedRows atoms = RandomPaddedRows(40, length, 13, 0.3);
    for (const std::size_t count : kCounts) {
      const std::vector<std::int32_t> ids = DifferentIds(count, atoms.rows(), 100 + count);
      const std::size_t capacity = count + 2;
      std::vector<float> gram(count * capacity * kGroupLanes, kUntouched);
      kernels_.gram(atoms.data(), ids.data(), count, gram.data(), capacity, length);
      for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t j = 0; j < count; ++j) {
          const std::int32_t pair[] = {ids[i], ids[j]};
          float lone[4 * kGroupLanes];
          kernels_.gram(atoms.data(), pair, 2, lone, 2, length);
          float& value = gram[(i * capacity + j) * kGroupLanes];
          ASSERT_NEAR(value, ExactDot(AtomOf(atoms, ids[i]), AtomOf(atoms, ids[j]), length), kRounding);
          ASSERT_EQ(value, lone[kGroupLanes]) << "length " << length << ", count " << count;
          ASSERT_EQ(value, lone[2 * kGroupLanes]) << "symmetric";
          value = kUntouched;
        }
      }
      const auto untouched = [](float value) { return value == kUntouched; };
      EXPECT_TRUE(std::all_of(gram.begin(), gram.end(), untouched)) << "other lanes, and what is behind the last atom";
    }
  }
}

// ---- descend ----

// A patch in the middle of coordinate descent.
struct Descent {
  PaddedRows atoms;
  PaddedRows r;
  std::vector<float> weights;
  std::vector<std::int32_t> ids;  // empty: all atoms
  float lambda = 0.1F;
  bool nonnegative = false;

  DescentProblem Problem() {
    return {.atoms = atoms.data(),
            .length = atoms.length(),
            .ids = ids.empty() ? nullptr : ids.data(),
            .r = r.data(),
            .weights = weights.data(),
            .lambda = lambda,
            .nonnegative = nonnegative};
  }
  std::size_t Atom(std::size_t k) const { return ids.empty() ? k : static_cast<std::size_t>(ids[k]); }
};

// Every third atom has a weight, if asked.
Descent RandomDescent(
    std::size_t atoms, std::size_t length, std::uint64_t seed, bool weights, bool nonnegative = false) {
  Descent descent;
  descent.nonnegative = nonnegative;
  descent.atoms = RandomPaddedRows(atoms, length, seed);
  descent.r = RandomPaddedRows(1, length, seed + 1);
  descent.weights.assign(atoms, 0.0F);
  Rng rng(seed, 7);
  for (float& weight : descent.weights) {
    const auto value = static_cast<float>(rng.Normal(0.0, 0.2));
    if (weights && rng.Chance(0.3)) weight = nonnegative ? std::abs(value) : value;
  }
  return descent;
}

TEST_P(KernelsTest, DescendIsANaiveCycle) {
  for (const std::size_t length : kLengths) {
    for (const std::size_t count : kCounts) {
      for (const bool nonnegative : {false, true}) {
        Descent descent = RandomDescent(40, length, 50 + count, true, nonnegative);
        descent.ids = DifferentIds(count, 40, count);
        std::vector<double> z(descent.weights.begin(), descent.weights.end());
        std::vector<double> r(descent.r.data(), descent.r.data() + length);
        for (std::size_t k = 0; k < count; ++k) {
          const float* atom = descent.atoms.Row(descent.Atom(k));
          double& weight = z[descent.Atom(k)];
          double b = weight;
          for (std::size_t i = 0; i < length; ++i) b += static_cast<double>(atom[i]) * r[i];
          const double lambda = descent.lambda;
          const double updated = b > lambda ? b - lambda : (b < -lambda && !nonnegative ? b + lambda : 0.0);
          for (std::size_t i = 0; i < length; ++i) r[i] += (weight - updated) * static_cast<double>(atom[i]);
          weight = updated;
        }
        kernels_.descend(descent.Problem(), count);
        for (std::size_t j = 0; j < z.size(); ++j) {
          ASSERT_NEAR(descent.weights[j], z[j], 1e-5) << "length " << length << ", count " << count;
          ASSERT_EQ(descent.weights[j] == 0.0F, z[j] == 0.0);
        }
        for (std::size_t i = 0; i < length; ++i) ASSERT_NEAR(descent.r.data()[i], r[i], 1e-5);
      }
    }
  }
}

TEST_P(KernelsTest, DescendWithoutAListTakesAllAtomsInTheirOrder) {
  Descent all = RandomDescent(33, 48, 60, true);
  Descent listed = all;
  listed.ids.resize(33);
  std::iota(listed.ids.begin(), listed.ids.end(), 0);
  kernels_.descend(all.Problem(), 33);
  kernels_.descend(listed.Problem(), 33);
  EXPECT_EQ(all.weights, listed.weights);
  EXPECT_EQ(all.r.ToMatrix(), listed.r.ToMatrix());
}

// ---- the largest, and those above a bound ----

// Values with some ties, and some equal to the bounds used below.
std::vector<float> SomeValues(std::size_t count, std::uint64_t seed) {
  std::vector<float> values(count);
  Rng rng(seed);
  for (float& value : values) value = 0.25F * (static_cast<float>(rng.Below(17)) - 8.0F);
  return values;
}

constexpr std::size_t kPaddedCounts[] = {16, 32, 48, 112, 512};

TEST_P(KernelsTest, Largest) {
  for (const std::size_t count : kPaddedCounts) {
    for (std::size_t place = 0; place < count; ++place) {
      std::vector<float> values(count, -0.5F);
      values[place] = -3.0F;
      EXPECT_EQ(kernels_.largest(values.data(), count, false), 3.0F);
      EXPECT_EQ(kernels_.largest(values.data(), count, true), 0.0F) << "at least zero";
      values[place] = 2.0F;
      EXPECT_EQ(kernels_.largest(values.data(), count, false), 2.0F);
      EXPECT_EQ(kernels_.largest(values.data(), count, true), 2.0F);
    }
    EXPECT_EQ(kernels_.largest(std::vector<float>(count).data(), count, false), 0.0F);
  }
  EXPECT_EQ(kernels_.largest(nullptr, 0, false), 0.0F);
}

TEST_P(KernelsTest, FindAbove) {
  for (const std::size_t count : kPaddedCounts) {
    const std::vector<float> values = SomeValues(count, count);
    for (const float bound : {-1.0F, -0.25F, 0.0F, 0.25F, 1.75F, 2.0F}) {
      for (const bool nonnegative : {false, true}) {
        std::vector<std::int32_t> expected;
        for (std::size_t i = 0; i < count; ++i) {
          if ((nonnegative ? values[i] : std::abs(values[i])) > bound) expected.push_back(static_cast<std::int32_t>(i));
        }
        std::vector<std::int32_t> ids(count + kLaneMultiple + 1, kNoId);
        const std::size_t found = kernels_.find_above(values.data(), count, bound, nonnegative, ids.data());
        EXPECT_EQ(ids.back(), kNoId);
        ids.resize(found);
        EXPECT_EQ(ids, expected) << "count " << count << ", bound " << bound << ", nonnegative " << nonnegative;
      }
    }
  }
}

// ---- the dictionary step ----

double ExactNorm(const PaddedRows& row) { return std::sqrt(ExactDot(row.data(), row.data(), row.length())); }

TEST_P(KernelsTest, AnAtomThatStaysInTheBallIsNotScaled) {
  for (const std::size_t length : kLengths) {
    const PaddedRows before = RandomPaddedRows(1, length, 80, 0.2);
    const PaddedRows r = RandomPaddedRows(1, length, 81);
    PaddedRows atom = before;
    ScaleToNorm({atom.data(), length}, 0.5);
    const PaddedRows half = atom;
    kernels_.move_atom(0.25F, r.data(), atom.data(), false, length);
    for (std::size_t i = 0; i < length; ++i) {
      ASSERT_NEAR(atom.data()[i], half.data()[i] + 0.25F * r.data()[i], 1e-7F) << length;
    }
    EXPECT_LT(ExactNorm(atom), 1.0);
  }
}

TEST_P(KernelsTest, AnAtomThatLeavesTheBallIsScaledToNormOne) {
  for (const std::size_t length : kLengths) {
    for (const bool sphere : {false, true}) {
      const PaddedRows before = RandomPaddedRows(1, length, 82);
      const PaddedRows r = RandomPaddedRows(1, length, 83);
      PaddedRows atom = before;
      kernels_.move_atom(3.0F, r.data(), atom.data(), sphere, length);
      EXPECT_NEAR(ExactNorm(atom), 1.0, 1e-6);
      PaddedRows direction = before;
      for (std::size_t i = 0; i < length; ++i) direction.data()[i] += 3.0F * r.data()[i];
      ScaleToNorm({direction.data(), length}, 1.0);
      for (std::size_t i = 0; i < length; ++i) ASSERT_NEAR(atom.data()[i], direction.data()[i], 1e-6F);
    }
  }
}

TEST_P(KernelsTest, TheSphereLengthensShortAtoms) {
  for (const std::size_t length : kLengths) {
    PaddedRows atom = RandomPaddedRows(1, length, 84);
    const PaddedRows before = atom;
    ScaleToNorm({atom.data(), length}, 1e-4);
    kernels_.move_atom(0.0F, before.data(), atom.data(), true, length);
    EXPECT_NEAR(ExactNorm(atom), 1.0, 1e-6);
    EXPECT_NEAR(ExactDot(atom.data(), before.data(), length), 1.0, 1e-6);
  }
}

TEST_P(KernelsTest, ANonnegativeAtomIsTheNearestOne) {
  for (const std::size_t length : kLengths) {
    for (const bool sphere : {false, true}) {
      for (const float step : {0.1F, 3.0F}) {
        PaddedRows atom = RandomPaddedRows(1, length, 82, 0.5);
        const PaddedRows r = RandomPaddedRows(1, length, 83);
        std::vector<double> expected(length);
        double norm = 0.0;
        for (std::size_t i = 0; i < length; ++i) {
          const double value = static_cast<double>(atom.data()[i]) + static_cast<double>(step) * r.data()[i];
          expected[i] = std::max(0.0, value);
          norm += expected[i] * expected[i];
        }
        norm = std::sqrt(norm);
        kernels_.move_nonnegative_atom(step, r.data(), atom.data(), sphere, length);
        for (std::size_t i = 0; i < length; ++i) {
          ASSERT_NEAR(atom.data()[i], norm > 1.0 || sphere ? expected[i] / norm : expected[i], 1e-6);
          ASSERT_FALSE(std::signbit(atom.data()[i]));
        }
      }
    }
    PaddedRows atom = RandomPaddedRows(1, length, 84);
    for (std::size_t i = 0; i < length; ++i) atom.data()[i] = std::abs(atom.data()[i]);
    const PaddedRows before = atom;
    kernels_.move_nonnegative_atom(-2.0F, before.data(), atom.data(), false, length);
    EXPECT_EQ(atom.ToMatrix(), before.ToMatrix()) << "nothing is left: it stays";
  }
}

TEST_P(KernelsTest, AVectorOfLengthZeroStays) {
  for (const bool sphere : {false, true}) {
    PaddedRows atom(1, 32);
    kernels_.move_atom(1.0F, PaddedRows(1, 32).data(), atom.data(), sphere, 32);
    EXPECT_EQ(atom.ToMatrix(), FloatMatrix(1, 32));
  }
}

// ---- 16-bit copies ----

using Shorts = std::vector<std::int16_t>;

TEST_P(KernelsTest, QuantiseRoundsToTheNearest) {
  for (const std::size_t length : kLengths) {
    const PaddedRows x = RandomPaddedRows(1, length, 90);
    Shorts q(length + 1, 77);
    kernels_.quantise(32000.0F, x.data(), q.data(), length);
    EXPECT_EQ(q.back(), 77);
    q.pop_back();
    Shorts expected;
    for (std::size_t i = 0; i < length; ++i) {
      expected.push_back(static_cast<std::int16_t>(std::nearbyint(32000.0F * x.data()[i])));
    }
    std::sort(q.begin(), q.end());  // the order is the kernel's own
    std::sort(expected.begin(), expected.end());
    EXPECT_EQ(q, expected) << length;
  }
}

TEST_P(KernelsTest, QuantiseMixesAllVectorsAlike) {
  for (const std::size_t length : kLengths) {
    PaddedRows places(1, length);
    PaddedRows others(1, length);
    for (std::size_t i = 0; i < length; ++i) {
      places.data()[i] = static_cast<float>(i);
      others.data()[i] = static_cast<float>(1000 - 3 * static_cast<int>(i));
    }
    Shorts place(length);
    Shorts other(length);
    kernels_.quantise(1.0F, places.data(), place.data(), length);
    kernels_.quantise(1.0F, others.data(), other.data(), length);
    for (std::size_t i = 0; i < length; ++i) ASSERT_EQ(other[i], 1000 - 3 * place[i]);
  }
}

TEST_P(KernelsTest, QuantiseKeepsWithinItsLimits) {
  PaddedRows x(1, 16);
  const float values[] = {32767.0F, 32767.4F, 32768.0F, 1e6F, 1e30F, -32767.0F, -32767.4F, -32768.0F, -1e6F, -1e30F};
  std::copy(std::begin(values), std::end(values), x.data());
  Shorts q(16);
  kernels_.quantise(1.0F, x.data(), q.data(), 16);
  std::sort(q.begin(), q.end());
  EXPECT_EQ(q, (Shorts{-32767, -32767, -32767, -32767, -32767, 0, 0, 0, 0, 0, 0, 32767, 32767, 32767, 32767, 32767}));
}

constexpr std::size_t kShortLengths[] = {32, 64, 96, 128, 160};  // of 16-bit copies

// The doubtful places by loops.
std::vector<std::size_t> Doubtful(const ScreenProblem& problem, std::size_t begin, std::size_t end) {
  std::vector<std::size_t> places;
  for (std::size_t k = begin; k < end; ++k) {
    const std::size_t atom = problem.ids == nullptr ? k : static_cast<std::size_t>(problem.ids[k]);
    std::int64_t product = 0;
    for (std::size_t i = 0; i < problem.length; ++i) {
      product += std::int64_t{problem.copies[atom * problem.length + i]} * std::int64_t{problem.residual[i]};
    }
    if (std::abs(product) > problem.bound || problem.weights[atom] != 0.0F) places.push_back(k);
  }
  return places;
}

TEST_P(KernelsTest, NextDoubtfulFindsThemAll) {
  constexpr std::size_t kAtoms = 70;
  for (const std::size_t length : kShortLengths) {
    const PaddedRows x = RandomPaddedRows(kAtoms + 1, length, 91);
    Shorts copies((kAtoms + 1) * length);
    for (std::size_t j = 0; j <= kAtoms; ++j) {
      kernels_.quantise(32000.0F, x.Row(j), copies.data() + j * length, length);
    }
    std::vector<float> weights(kAtoms, 0.0F);
    weights[5] = -1e-20F;
    weights[40] = 2.0F;
    const std::vector<std::int32_t> ids = DifferentIds(kAtoms, kAtoms, 3);
    ScreenProblem problem = {.copies = copies.data(),
                             .residual = copies.data() + kAtoms * length,
                             .length = length,
                             .ids = nullptr,
                             .weights = weights.data()};
    for (const std::int32_t bound : {-1, 0, 30000000, 200000000, 400000000, 2147483647}) {
      problem.bound = bound;
      for (const bool ordered : {false, true}) {
        problem.ids = ordered ? ids.data() : nullptr;
        for (const std::size_t begin : {0U, 1U, 7U, 63U, 69U, 70U}) {
          for (const std::size_t end : {70U, 69U, 64U, 9U}) {
            if (begin > end) continue;
            std::vector<std::size_t> found;
            std::uint32_t which = 0;
            for (std::size_t k = kernels_.next_doubtful(problem, begin, end, &which); k < end;
                 k = kernels_.next_doubtful(problem, k + 8, end, &which)) {
              ASSERT_EQ((k - begin) % 8, 0U);
              ASSERT_NE(which, 0U);
              for (std::size_t b = 0; b < 32; ++b) {
                if ((which >> b & 1U) != 0) found.push_back(k + b);
              }
            }
            ASSERT_EQ(found, Doubtful(problem, begin, end)) << "length " << length << ", bound " << bound;
          }
        }
      }
    }
  }
}

TEST_P(KernelsTest, NextDoubtfulFillsThirtyTwoBits) {
  for (const std::size_t length : kShortLengths) {
    for (std::size_t i = 0; i + 1 < length; ++i) {
      Shorts atoms(2 * length, 0);
      Shorts q(length, 0);
      for (const std::size_t at : {i, i + 1}) {
        atoms[at] = q[at] = 32767;
        atoms[length + at] = -32767;
      }
      const std::vector<float> weights(2, 0.0F);
      ScreenProblem problem = {
          .copies = atoms.data(), .residual = q.data(), .length = length, .ids = nullptr, .weights = weights.data()};
      std::uint32_t which = 0;
      problem.bound = 2 * 32767 * 32767;
      ASSERT_EQ(kernels_.next_doubtful(problem, 0, 2, &which), 2U);
      problem.bound = 2 * 32767 * 32767 - 1;
      ASSERT_EQ(kernels_.next_doubtful(problem, 0, 2, &which), 0U);
      ASSERT_EQ(which, 3U);
    }
  }
}

// ---- the choice ----

TEST(KernelsForTest, ThereAreSomeForEverySetAndTheProcessesOwnAreActive) {
  for (const std::string& name : SimdTargets()) {
    const SimdChoice choice(name);
    EXPECT_EQ(&ActiveKernels(), &KernelsFor(name)) << name;
  }
  EXPECT_EQ(&ActiveKernels(), &KernelsFor(SimdTargets().front()));
  EXPECT_EQ(&KernelsFor("plain"), &KernelsFor("plain")) << "they live as long as the program";
  EXPECT_EQ(ExpectError([&] { KernelsFor("AVX9"); }).code, ErrorCode::kInternal);
}

}  // namespace
}  // namespace flyscribe
