#include "classify/train_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "data/collection.h"
#include "tests/support/expect_error.h"

namespace flyscribe {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(TrainOptions, KeyTextNamesEveryField) {
  EXPECT_EQ(KeyText(TrainOptions{}),
            "c: 1\nchoose_c: \"range\"\nc_grid: [\"0.01\", \"0.1\", \"1\", \"10\"]\ninner_folds: 5\ninner_seed: 1\n"
            "class_weight: \"balanced\"\nmin_positives: 10\nexclude_terms: []\ncalibration: \"platt\"\n"
            "threshold: \"f1\"\nthreshold_value: 0.5\ntolerance: 0.001\n");
}

TEST(TrainOptions, CandidatesRise) {
  TrainOptions options;
  options.c_grid = {"10", "1e-2", "1"};
  EXPECT_THAT(options.Candidates(), ElementsAre(0.01, 1.0, 10.0));
  options.choose_c = ChooseC::kNone;
  options.c = 3.0;
  EXPECT_THAT(options.Candidates(), ElementsAre(3.0));
}

TEST(TrainOptions, AGridThatIsNoneIsRefused) {
  const auto refused = [](const std::vector<std::string>& grid) {
    TrainOptions options;
    options.c_grid = grid;
    const CaughtError error = ExpectError([&] { options.Check(); });
    EXPECT_EQ(error.code, ErrorCode::kUsage);
    EXPECT_THAT(error.text, HasSubstr("hint: write for instance [0.01, 0.1, 1, 10]; from 1e-06 to 1e+06 each"));
    return error.text;
  };
  EXPECT_THAT(refused({}), HasSubstr("train.c_grid: the list is empty"));
  EXPECT_THAT(refused({"1", "ten"}), HasSubstr("train.c_grid: 'ten' is not a number"));
  EXPECT_THAT(refused({"1", "-1"}), HasSubstr("train.c_grid: -1 is out of range"));
  EXPECT_THAT(refused({"1e7"}), HasSubstr("train.c_grid: 1e7 is out of range"));
  EXPECT_THAT(refused({"1", "0.1", "1.0"}), HasSubstr("train.c_grid: 1.0 is listed twice"));
  TrainOptions fine;
  fine.Check();
}

// With the same seed and number, the genes outside an outer fold must still fill all inner folds.
TEST(TrainOptions, InnerFoldsDoNotFollowTheOuter) {
  for (const std::int64_t seed : {0, 1, 2, 7}) {
    TrainOptions options;
    options.inner_seed = seed;
    std::set<std::pair<int, int>> pairs;
    for (int gene = 0; gene < 300; ++gene) {
      const std::string name = "FBgn" + std::to_string(gene);
      const int inner = options.InnerFoldOf(name);
      ASSERT_TRUE(inner >= 0 && inner < options.inner_folds);
      pairs.insert({FoldOfGene(name, options.inner_folds, seed), inner});
    }
    EXPECT_EQ(pairs.size(), 25U) << "seed " << seed;
  }
}

}  // namespace
}  // namespace flyscribe
