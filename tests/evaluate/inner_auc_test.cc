#include "evaluate/inner_auc.h"

#include <gtest/gtest.h>

#include <string>

namespace flyscribe {
namespace {

// Eight genes of one bag each; "gut" in every other one. The last two are the outer fold's tested bags.
struct SomeBags {
  std::vector<Bag> bags;
  std::vector<int> inner_folds = {0, 0, 0, 0, 1, 1, -1, -1};
  TermModels models;

  explicit SomeBags(const std::vector<double>& scores) {
    for (std::size_t i = 0; i < scores.size(); ++i) {
      Bag bag;
      bag.id = bag.gene = "gene " + std::to_string(i);
      bag.fold = 3;
      if (i % 2 == 0) bag.terms = {"gut"};
      bags.push_back(bag);
    }
    models.terms.resize(1);
    models.terms[0].term = "gut";
    models.scores = Matrix<double>(scores.size(), 1);
    for (std::size_t i = 0; i < scores.size(); ++i) models.scores(i, 0) = scores[i];
  }
  std::optional<double> Auc() const {
    return InnerMacroAuc(bags, LabelTable::FromBags(bags), models, inner_folds, EvaluateOptions());
  }
};

TEST(InnerMacroAuc, IsTheMeanOverInnerFolds) {
  // Fold 0: of the four pairs (0 or 2 against 1 or 3) three are in order. Fold 1: the one pair is not.
  EXPECT_DOUBLE_EQ(*SomeBags({4, 1, 2, 3, -1, 1, 0, 0}).Auc(), (0.75 + 0.0) / 2.0);
}

TEST(InnerMacroAuc, KnowsNothingOfTheTestedBags) {
  const double auc = *SomeBags({4, 1, 2, 3, 1, -1, 0, 0}).Auc();
  EXPECT_DOUBLE_EQ(*SomeBags({4, 1, 2, 3, 1, -1, -99, 99}).Auc(), auc);
  EXPECT_DOUBLE_EQ(*SomeBags({4, 1, 2, 3, 1, -1, 99, -99}).Auc(), auc);
}

TEST(InnerMacroAuc, IsNothingWithoutATermToScore) {
  SomeBags some({4, 1, 2, 3, 1, -1, 0, 0});
  some.inner_folds = {0, -1, 0, -1, 1, -1, -1, -1};  // no inner fold has a bag without the term
  EXPECT_EQ(some.Auc(), std::nullopt);
  some.inner_folds.assign(8, -1);
  EXPECT_EQ(some.Auc(), std::nullopt);
}

}  // namespace
}  // namespace flyscribe
