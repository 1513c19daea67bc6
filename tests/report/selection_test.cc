#include "report/selection.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace flyscribe {
namespace {

std::vector<Bag> TenBags() {
  std::vector<Bag> bags(10);
  for (std::size_t i = 0; i < bags.size(); ++i) {
    bags[i].id = "FBgn" + std::to_string(i);
    bags[i].gene = "gene" + std::to_string(i / 2);
    bags[i].fold = static_cast<int>(i % 3);
  }
  return bags;
}

TEST(ChooseExamples, TakesOnlyTestedBagsAndNoMoreThanAsked) {
  const std::vector<Bag> bags = TenBags();
  const std::vector<std::size_t> all = ChooseExamples(bags, {1}, 100);
  EXPECT_THAT(all, testing::UnorderedElementsAre(1, 4, 7));
  const std::vector<std::size_t> two = ChooseExamples(bags, {1}, 2);
  EXPECT_THAT(two, testing::ElementsAre(all[0], all[1]));
  EXPECT_TRUE(ChooseExamples(bags, {}, 5).empty());
}

TEST(ChooseExamples, DoesNotDependOnTheOrderOfBags) {
  std::vector<Bag> bags = TenBags();
  const std::string first = bags[ChooseExamples(bags, {0, 1, 2}, 1).front()].id;
  std::reverse(bags.begin(), bags.end());
  EXPECT_EQ(bags[ChooseExamples(bags, {0, 1, 2}, 1).front()].id, first);
}

TEST(MostUsedAtoms, SortsByUse) {
  const FloatMatrix atoms(3, 2, std::vector<float>{0, 1, 10, 11, 20, 21});
  SparseCodes codes;
  codes.atoms = 3;
  codes.AppendDense(std::vector<float>{0, 0, 1});
  codes.AppendDense(std::vector<float>{0, 2, -1});
  EXPECT_EQ(MostUsedAtoms(atoms, codes, 2), FloatMatrix(2, 2, std::vector<float>{20, 21, 10, 11}));
  EXPECT_EQ(MostUsedAtoms(atoms, codes, 9).rows(), 3U);
}

TEST(CountGenes, CountsEachOnce) { EXPECT_EQ(CountGenes(TenBags()), 5U); }

}  // namespace
}  // namespace flyscribe
