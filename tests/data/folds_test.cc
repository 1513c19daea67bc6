#include "data/folds.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/rng.h"
#include "tests/support/expect_error.h"

namespace flyscribe {
namespace {

TEST(FoldOfGene, IsTheSeededHashModuloTheFolds) {
  for (const std::string gene : {"FBgn0015524", "CG7993", "otp", ""}) {
    EXPECT_EQ(FoldOfGene(gene, 5, 42), static_cast<int>(HashText(42, gene) % 5));
    EXPECT_EQ(FoldOfGene(gene, 1, 42), 0);
  }
}

TEST(FoldOfGene, DependsOnTheSeedAndFillsAllFolds) {
  std::vector<int> sizes(5);
  int moved = 0;
  for (int i = 0; i < 2000; ++i) {
    const std::string gene = "FBgn" + std::to_string(i);
    ++sizes[static_cast<std::size_t>(FoldOfGene(gene, 5, 1))];
    if (FoldOfGene(gene, 5, 1) != FoldOfGene(gene, 5, 2)) ++moved;
  }
  for (const int size : sizes) EXPECT_NEAR(size, 400, 80);
  EXPECT_NEAR(moved, 1600, 100);
}

TEST(FoldOfGene, NegativeSeedsAreSeeds) {
  EXPECT_GE(FoldOfGene("otp", 5, -1), 0);
  EXPECT_LT(FoldOfGene("otp", 5, -1), 5);
}

TEST(FoldOfGene, NoFoldsIsABug) {
  EXPECT_EQ(ExpectError([] { FoldOfGene("otp", 0, 1); }).code, ErrorCode::kInternal);
}

}  // namespace
}  // namespace flyscribe
