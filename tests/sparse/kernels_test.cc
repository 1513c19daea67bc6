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

TEST_P(KernelsTest, ProductsDoNotDependOnTheirNeighbours) {
  for (const std::size_t length : kLengths) {
    const PaddedRows atoms = RandomPaddedRows(33, length, 10, 0.3);
    const PaddedRows rows = RandomPaddedRows(5, length, 11);
    FloatMatrix alone(rows.rows(), atoms.rows());
    for (std::size_t i = 0; i < rows.rows(); ++i) {
      for (std::size_t j = 0; j < atoms.rows(); ++j) {
        kernels_.products(atoms.Row(j), 1, rows.Row(i), 1, &alone(i, j), 1, length);
        ASSERT_NEAR(alone(i, j), ExactDot(atoms.Row(j), rows.Row(i), length), kRounding);
      }
    }
    for (const std::size_t count : kCounts) {
      for (const std::size_t row_count : kRowCounts) {
        const std::size_t stride = count + 3;
        std::vector<float> out(row_count * stride, kUntouched);
        kernels_.products(atoms.data(), count, rows.data(), row_count, out.data(), stride, length);
        for (std::size_t i = 0; i < row_count; ++i) {
          for (std::size_t j = 0; j < stride; ++j) {
            ASSERT_EQ(out[i * stride + j], j < count ? alone(i, j) : kUntouched)
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
  kernels_.products(rows.data(), 0, rows.data(), 2, &out, 0, 16);
  kernels_.products(rows.data(), 2, rows.data(), 0, &out, 2, 16);
  kernels_.products_of_list(rows.data(), nullptr, 0, rows.data(), &out, 16);
  kernels_.gram(rows.data(), nullptr, 0, &out, 0, 16);
  EXPECT_EQ(out, kUntouched);
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

// ---- next_change and descend ----

float Threshold(float value, float lambda, bool nonnegative) {
  if (value > lambda) return value - lambda;
  if (value < -lambda && !nonnegative) return value + lambda;
  return 0.0F;
}

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

class NextChangeTest : public KernelsTest {
 protected:
  // One atom after the other, from products computed alone.
  std::size_t ExpectedChange(const Descent& descent, std::size_t begin, std::size_t end, float* updated) const {
    for (std::size_t k = begin; k < end; ++k) {
      const std::size_t atom = descent.Atom(k);
      const float product = LoneProduct(descent.atoms, static_cast<std::int32_t>(atom), descent.r.data());
      *updated = Threshold(product + descent.weights[atom], descent.lambda, descent.nonnegative);
      if (*updated != descent.weights[atom]) return k;
    }
    return end;
  }

  // Follows a whole cycle as the learner does, and then asks for the first change after every place.
  void ExpectSameCycle(Descent descent, std::size_t end) const {
    const std::size_t length = descent.atoms.length();
    std::size_t changes = 0;
    for (std::size_t begin = 0; begin <= end; ++begin) {
      float updated = kUntouched;
      float expected = kUntouched;
      const std::size_t k = kernels_.next_change(descent.Problem(), begin, end, &updated);
      ASSERT_EQ(k, ExpectedChange(descent, begin, end, &expected)) << "from " << begin << " to " << end;
      if (k == end) continue;
      ASSERT_EQ(updated, expected);
      if (k != begin) continue;
      float& weight = descent.weights[descent.Atom(k)];
      kernels_.add_scaled(weight - updated, descent.atoms.Row(descent.Atom(k)), descent.r.data(), length);
      weight = updated;
      ++changes;
    }
    if (end >= 31) {
      EXPECT_GT(changes, 0U);
      EXPECT_LT(changes, end);
    }
  }
};
INSTANTIATE_TEST_SUITE_P(EverySet, NextChangeTest, ::testing::ValuesIn(SimdTargets()), SetName);

TEST_P(NextChangeTest, IsTheFirstOfAOneAtATimeLoop) {
  for (const std::size_t length : kLengths) {
    for (const std::size_t count : kCounts) {
      for (const bool weights : {false, true}) {
        for (const bool nonnegative : {false, true}) {
          Descent descent = RandomDescent(40, length, count, weights, nonnegative);
          descent.lambda = 1.5F / std::sqrt(static_cast<float>(length));
          ExpectSameCycle(descent, count);
          descent.ids = DifferentIds(count, 40, count);
          ExpectSameCycle(descent, count);
        }
      }
    }
  }
}

TEST_P(NextChangeTest, AnEmptyRangeHoldsNone) {
  Descent descent = RandomDescent(8, 16, 1, true);
  float updated = 0.0F;
  EXPECT_EQ(kernels_.next_change(descent.Problem(), 0, 0, &updated), 0U);
  EXPECT_EQ(kernels_.next_change(descent.Problem(), 5, 5, &updated), 5U);
  EXPECT_EQ(kernels_.next_change(descent.Problem(), 8, 8, &updated), 8U);
}

// Atoms along the axes and quarters only: all sums are exact.
Descent AxesDescent() {
  Descent descent;
  descent.atoms = PaddedRows(6, 16);
  for (std::size_t j = 0; j < 6; ++j) descent.atoms.Row(j)[j] = 1.0F;
  descent.r = PaddedRows(1, 16);
  descent.weights.assign(6, 0.0F);
  descent.lambda = 0.25F;
  return descent;
}

TEST_P(NextChangeTest, AWeightThatRestsIsNoChange) {
  Descent descent = AxesDescent();
  const float products[] = {0.25F, 0.25F, -0.25F, -0.25F, 0.0F, 0.5F};  // just on the border is not above it
  std::copy(std::begin(products), std::end(products), descent.r.data());
  descent.weights = {0.0F, 1.5F, -1.5F, 0.0F, 0.0F, 0.0F};
  float updated = 0.0F;
  EXPECT_EQ(kernels_.next_change(descent.Problem(), 0, 6, &updated), 5U);
  EXPECT_EQ(updated, 0.25F);
  descent.weights[5] = 1.0F;  // wants to be 1.25
  EXPECT_EQ(kernels_.next_change(descent.Problem(), 0, 6, &updated), 5U);
  EXPECT_EQ(updated, 1.25F);
  EXPECT_EQ(kernels_.next_change(descent.Problem(), 0, 5, &updated), 5U) << "none before atom 5";
}

TEST_P(NextChangeTest, NonnegativeWeightsLeaveNegativeProductsAlone) {
  Descent descent = AxesDescent();
  descent.nonnegative = true;
  std::fill_n(descent.r.data(), 6, -1.0F);
  descent.r.data()[4] = 0.75F;
  float updated = kUntouched;
  EXPECT_EQ(kernels_.next_change(descent.Problem(), 0, 6, &updated), 4U);
  EXPECT_EQ(updated, 0.5F);
  descent.weights[2] = 0.5F;
  EXPECT_EQ(kernels_.next_change(descent.Problem(), 0, 6, &updated), 2U);
  EXPECT_EQ(updated, 0.0F) << "a weight that would turn negative becomes zero";
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
        std::vector<std::int32_t> ids(count + 1, kNoId);
        const std::size_t found = kernels_.find_above(values.data(), count, bound, nonnegative, ids.data());
        EXPECT_EQ(ids.back(), kNoId);
        ids.resize(found);
        EXPECT_EQ(ids, expected) << "count " << count << ", bound " << bound << ", nonnegative " << nonnegative;
      }
    }
  }
}

TEST_P(KernelsTest, FindDoubtful) {
  constexpr std::size_t kCount = 67;
  std::vector<std::int32_t> products(kCount);
  std::vector<float> weights(kCount, 0.0F);
  Rng rng(70);
  for (std::int32_t& product : products) product = static_cast<std::int32_t>(rng.Below(9)) * 100 - 400;
  products[3] = std::numeric_limits<std::int32_t>::max();
  products[60] = -std::numeric_limits<std::int32_t>::max();
  for (std::size_t j = 0; j < kCount; j += 5) weights[j] = j % 2 == 0 ? -1e-30F : 0.5F;
  weights[1] = -0.0F;  // is zero
  for (const std::int32_t bound : {-1, 0, 100, 399, 400, std::numeric_limits<std::int32_t>::max()}) {
    for (std::size_t begin = 0; begin <= kCount; begin += 3) {
      for (const std::size_t end : {begin, (begin + kCount) / 2, kCount - 1, kCount}) {
        if (end < begin) continue;
        std::vector<std::int32_t> expected;
        for (std::size_t j = begin; j < end; ++j) {
          if (std::abs(products[j]) > bound || weights[j] != 0.0F) expected.push_back(static_cast<std::int32_t>(j));
        }
        std::vector<std::int32_t> ids(end - begin + 1, kNoId);
        const std::size_t found =
            kernels_.find_doubtful(products.data(), weights.data(), begin, end, bound, ids.data());
        EXPECT_EQ(ids.back(), kNoId);
        ids.resize(found);
        ASSERT_EQ(ids, expected) << "from " << begin << " to " << end << ", bound " << bound;
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

TEST_P(KernelsTest, QuantisedProductsAreExact) {
  for (const std::size_t length : kLengths) {
    const PaddedRows x = RandomPaddedRows(34, length, 91);
    Shorts copies(34 * length);
    for (std::size_t j = 0; j < 34; ++j) kernels_.quantise(32000.0F, x.Row(j), copies.data() + j * length, length);
    const std::int16_t* q = copies.data() + 33 * length;
    for (const std::size_t count : kCounts) {
      std::vector<std::int32_t> out(count + 1, kNoId);
      kernels_.quantised_products(copies.data(), count, q, out.data(), length);
      for (std::size_t j = 0; j < count; ++j) {
        std::int64_t expected = 0;
        for (std::size_t i = 0; i < length; ++i) {
          expected += std::int64_t{copies[j * length + i]} * std::int64_t{q[i]};
        }
        ASSERT_EQ(out[j], expected) << "length " << length << ", atom " << j << " of " << count;
      }
      EXPECT_EQ(out.back(), kNoId);
    }
  }
}

TEST_P(KernelsTest, QuantisedProductsFillThirtyTwoBits) {
  for (const std::size_t length : kLengths) {
    for (std::size_t i = 0; i + 1 < length; ++i) {
      Shorts atoms(2 * length, 0);
      Shorts q(length, 0);
      for (const std::size_t at : {i, i + 1}) {
        atoms[at] = q[at] = 32767;
        atoms[length + at] = -32767;
      }
      std::int32_t out[2] = {};
      kernels_.quantised_products(atoms.data(), 2, q.data(), out, length);
      ASSERT_EQ(out[0], 2 * 32767 * 32767);
      ASSERT_EQ(out[1], -2 * 32767 * 32767);
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
