#include "sparse/kernels.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/rng.h"
#include "sparse/padded_rows.h"
#include "tests/sparse/every_set.h"

namespace flyscribe {
namespace {

using ::testing::ElementsAre;

// Small whole numbers, and one atom a row: every sum is exact, so there is one right answer.
PaddedRows WholeNumbers(std::size_t rows, std::size_t length, std::uint64_t seed) {
  PaddedRows numbers(rows, length);
  Rng rng(seed);
  for (std::size_t i = 0; i < rows * length; ++i) numbers.data()[i] = static_cast<float>(rng.Below(9)) - 4.0F;
  return numbers;
}

PaddedRows Row(std::span<const float> values) {
  PaddedRows row(1, kLaneMultiple);
  row.Set(0, values);
  return row;
}

const Kernels& Plain() { return PlainKernels(); }

TEST(KernelsPlainTest, IsWhatThePlainSetStandsFor) {
  EXPECT_EQ(std::string(Plain().name), "plain");
  EXPECT_EQ(KernelsFor("plain").dot, Plain().dot);
  EXPECT_EQ(KernelsFor("plain").finish_group, Plain().finish_group);
}

TEST(KernelsPlainTest, Vectors) {
  const PaddedRows a = Row(std::vector<float>{1, 2, 3});
  const PaddedRows b = Row(std::vector<float>{4, -5, 6});
  EXPECT_EQ(Plain().dot(a.data(), b.data(), 16), 12.0F);
  EXPECT_EQ(Plain().squared_distance(a.data(), b.data(), 16), 9.0F + 49.0F + 9.0F);
  PaddedRows y = b;
  Plain().add_scaled(2.0F, a.data(), y.data(), 16);
  EXPECT_THAT(std::vector<float>(y.data(), y.data() + 4), ElementsAre(6, -1, 12, 0));
}

TEST(KernelsPlainTest, ListsOfAtoms) {
  PaddedRows atoms(3, 16);
  atoms.Set(0, std::vector<float>{1, 0, 2});
  atoms.Set(1, std::vector<float>{0, 3, 0});
  atoms.Set(2, std::vector<float>{-1, 1, 1});
  const PaddedRows x = Row(std::vector<float>{5, 6, 7});
  const std::int32_t ids[] = {2, 0};
  float out[2];
  Plain().products_of_list(atoms.data(), ids, 2, x.data(), out, 16);
  EXPECT_THAT(out, ElementsAre(8, 19));
  const float weights[] = {2, -1};
  PaddedRows r(1, 16);
  Plain().residual(x.data(), atoms.data(), ids, weights, 2, r.data(), 16);
  EXPECT_THAT(std::vector<float>(r.data(), r.data() + 3), ElementsAre(8, 4, 7));
  std::vector<float> gram(4 * kGroupLanes, -1.0F);
  Plain().gram(atoms.data(), ids, 2, gram.data(), 2, 16);
  EXPECT_EQ(gram[0], 3.0F);
  EXPECT_EQ(gram[kGroupLanes], 1.0F);
  EXPECT_EQ(gram[2 * kGroupLanes], 1.0F);
  EXPECT_EQ(gram[3 * kGroupLanes], 5.0F);
}

// Two atoms along one axis each: a cycle solves the lasso.
TEST(KernelsPlainTest, Descend) {
  PaddedRows atoms(2, 16);
  atoms.Row(0)[0] = 1.0F;
  atoms.Row(1)[1] = 1.0F;
  PaddedRows r = Row(std::vector<float>{2, -0.75F});
  float weights[] = {0.0F, 0.5F};
  const DescentProblem problem = {
      .atoms = atoms.data(), .length = 16, .r = r.data(), .weights = weights, .lambda = 0.5F};
  float updated = 0.0F;
  EXPECT_EQ(Plain().next_change(problem, 0, 2, &updated), 0U);
  EXPECT_EQ(updated, 1.5F);
  Plain().descend(problem, 2);
  EXPECT_THAT(weights, ElementsAre(1.5F, 0.0F));  // -0.75 + 0.5 lies within lambda
  EXPECT_THAT(std::vector<float>(r.data(), r.data() + 2), ElementsAre(0.5F, -0.25F));
  EXPECT_EQ(Plain().next_change(problem, 0, 2, &updated), 2U) << "nothing changes any more";
}

TEST(KernelsPlainTest, MoveAtom) {
  PaddedRows atom = Row(std::vector<float>{0.25F, 0.0F});
  const PaddedRows r = Row(std::vector<float>{0.0F, 1.0F});
  Plain().move_atom(0.5F, r.data(), atom.data(), false, 16);
  EXPECT_THAT(std::vector<float>(atom.data(), atom.data() + 2), ElementsAre(0.25F, 0.5F));
  const PaddedRows long_step = Row(std::vector<float>{-0.25F, 3.5F});
  Plain().move_atom(1.0F, long_step.data(), atom.data(), false, 16);
  EXPECT_THAT(std::vector<float>(atom.data(), atom.data() + 2), ElementsAre(0.0F, 1.0F));
}

// On whole numbers rounding has no say: every set gives what plain loops give.
class WholeNumbersTest : public EverySetTest {};
INSTANTIATE_TEST_SUITE_P(EverySet, WholeNumbersTest, ::testing::ValuesIn(SimdTargets()), SetName);

TEST_P(WholeNumbersTest, EverySetAgreesWithPlain) {
  for (const std::size_t length : kLengths) {
    const PaddedRows a = WholeNumbers(33, length, 1);
    const PaddedRows b = WholeNumbers(5, length, 2);
    EXPECT_EQ(kernels_.dot(a.data(), b.data(), length), Plain().dot(a.data(), b.data(), length));
    EXPECT_EQ(kernels_.squared_distance(a.data(), b.data(), length),
              Plain().squared_distance(a.data(), b.data(), length));
    FloatMatrix products(5, 33);
    FloatMatrix expected(5, 33);
    kernels_.products(a.data(), 33, b.data(), 5, products.data(), 33, length);
    Plain().products(a.data(), 33, b.data(), 5, expected.data(), 33, length);
    EXPECT_EQ(products, expected);
    PaddedRows r = b;
    PaddedRows plain_r = b;
    const std::vector<std::int32_t> ids = {32, 0, 7};
    const std::vector<float> weights = {2, -1, 3};
    kernels_.residual(b.data(), a.data(), ids.data(), weights.data(), 3, r.data(), length);
    Plain().residual(b.data(), a.data(), ids.data(), weights.data(), 3, plain_r.data(), length);
    EXPECT_EQ(r.ToMatrix(), plain_r.ToMatrix());
  }
}

TEST_P(WholeNumbersTest, DescendAgreesWithPlain) {
  for (const std::size_t length : kLengths) {
    const PaddedRows atoms = WholeNumbers(7, length, 3);
    PaddedRows r = WholeNumbers(1, length, 4);
    PaddedRows plain_r = r;
    std::vector<float> weights(7, 0.0F);
    std::vector<float> plain_weights(7, 0.0F);
    // Whole numbers grow fast when atoms are this long: two coordinates stay far below 2^24.
    const std::int32_t ids[] = {5, 2};
    DescentProblem problem = {.atoms = atoms.data(), .length = length, .ids = ids, .lambda = 3.0F};
    problem.r = r.data();
    problem.weights = weights.data();
    kernels_.descend(problem, 2);
    problem.r = plain_r.data();
    problem.weights = plain_weights.data();
    Plain().descend(problem, 2);
    EXPECT_EQ(weights, plain_weights);
    EXPECT_EQ(r.ToMatrix(), plain_r.ToMatrix());
  }
}

}  // namespace
}  // namespace flyscribe
