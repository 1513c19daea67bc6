#include "evaluate/gene_numbers.h"

#include <gtest/gtest.h>

#include "tests/support/expect_error.h"

namespace flyscribe {
namespace {

TEST(GeneNumbers, NumbersGenesInTheOrderTheyAreMet) {
  GeneNumbers genes;
  EXPECT_EQ(genes.Of("b"), 0U);
  EXPECT_EQ(genes.Of("a"), 1U);
  EXPECT_EQ(genes.Of("b"), 0U);
  EXPECT_EQ(genes.size(), 2U);
}

TEST(FoldOfEachGene, RefusesAGeneInTwoFolds) {
  FoldOfEachGene folds;
  folds.Add("FBgn0000001", 0);
  folds.Add("FBgn0000002", 1);
  folds.Add("FBgn0000001", 0);
  const CaughtError error = ExpectError([&] { folds.Add("FBgn0000001", 3); });
  EXPECT_EQ(error.code, ErrorCode::kInput);
  EXPECT_EQ(error.text,
            "error: gene FBgn0000001 has bags in fold 0 and in fold 3: models are tested on a gene they were trained "
            "on\n  hint: folds must be given by gene, as ingest does");
}

}  // namespace
}  // namespace flyscribe
