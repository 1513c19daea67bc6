#include "data/labels.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace flyscribe {
namespace {

using ::testing::ElementsAre;

Bag WithTerms(std::vector<std::string> terms) {
  Bag bag;
  bag.terms = std::move(terms);
  return bag;
}

TEST(LabelTableTest, MostFrequentFirstThenByName) {
  const LabelTable table = LabelTable::FromBags(
      {WithTerms({"gut", "zeta"}), WithTerms({}), WithTerms({"brain", "gut", "zeta"}), WithTerms({"alpha", "gut"})});
  EXPECT_THAT(table.terms, ElementsAre("gut", "zeta", "alpha", "brain"));
  EXPECT_THAT(table.positives, ElementsAre(3U, 2U, 1U, 1U));
  ASSERT_EQ(table.values.rows(), 4U);
  EXPECT_THAT(table.values.Row(0), ElementsAre(1, 1, 0, 0));
  EXPECT_THAT(table.values.Row(1), ElementsAre(0, 0, 0, 0));
  EXPECT_THAT(table.values.Row(2), ElementsAre(1, 1, 0, 1));
  EXPECT_THAT(table.values.Row(3), ElementsAre(1, 0, 1, 0));
}

TEST(LabelTableTest, TheOrderOfBagsDoesNotChangeTheOrderOfTerms) {
  const std::vector<Bag> bags = {WithTerms({"b"}), WithTerms({"a", "c"}), WithTerms({"c"})};
  const std::vector<Bag> reversed(bags.rbegin(), bags.rend());
  EXPECT_THAT(LabelTable::FromBags(bags).terms, ElementsAre("c", "a", "b"));
  EXPECT_THAT(LabelTable::FromBags(reversed).terms, ElementsAre("c", "a", "b"));
}

TEST(LabelTableTest, ATermListedTwiceCountsOnce) {
  const LabelTable table = LabelTable::FromBags({WithTerms({"a", "a"}), WithTerms({"b"}), WithTerms({"b"})});
  EXPECT_THAT(table.terms, ElementsAre("b", "a"));
  EXPECT_THAT(table.positives, ElementsAre(2U, 1U));
}

TEST(LabelTableTest, NoBagsOrNoTerms) {
  EXPECT_TRUE(LabelTable::FromBags({}).terms.empty());
  const LabelTable table = LabelTable::FromBags({WithTerms({}), WithTerms({})});
  EXPECT_EQ(table.values.rows(), 2U);
  EXPECT_EQ(table.values.cols(), 0U);
}

}  // namespace
}  // namespace flyscribe
