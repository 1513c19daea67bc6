// One arithmetic: every instruction set this processor runs gives the bytes of the plain one.
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "core/simd.h"
#include "sparse/encoder.h"
#include "sparse/learn.h"
#include "tests/sparse/every_set.h"
#include "tests/sparse/random_patches.h"

namespace flyscribe {
namespace {

// Descriptors are 128 long; 40 and 100 leave the last vector or panel half filled.
constexpr std::size_t kPatchLengths[] = {40, 100, 128};

FloatMatrix Patches(std::size_t length) { return ClusteredPatches(600, length, 30, 0.15, length); }

LearnResult LearnWith(const std::string& set, const FloatMatrix& patches, const LearnOptions& options) {
  const SimdChoice choice(set);
  return Learn(patches, AllRows(patches), options, {}, NoProgress());
}

class SameBytesTest : public EverySetTest {
 protected:
  void ExpectSameLearning(const std::function<void(LearnOptions&)>& choose) const {
    for (const std::size_t length : kPatchLengths) {
      LearnOptions options;
      choose(options);
      options.atoms = 70;
      options.epochs = 3;
      options.batch = 100;
      const FloatMatrix patches = Patches(length);
      const LearnResult expected = LearnWith("plain", patches, options);
      const LearnResult result = LearnWith(GetParam(), patches, options);
      EXPECT_EQ(result.dictionary.atoms, expected.dictionary.atoms) << "patches of " << length;
      EXPECT_EQ(result.codes, expected.codes) << "patches of " << length;
      EXPECT_EQ(result.dictionary.summary, expected.dictionary.summary) << "patches of " << length;
      EXPECT_GT(expected.dictionary.summary.nonzeros_per_code, 1.0) << "there is something to compare";
    }
  }
};
INSTANTIATE_TEST_SUITE_P(EverySet, SameBytesTest, ::testing::ValuesIn(SimdTargets()), SetName);

TEST_P(SameBytesTest, OfMinibatchScc) {
  ExpectSameLearning([](LearnOptions& /*options*/) {});
}

TEST_P(SameBytesTest, OfExactSccInBothProfiles) {
  for (const LearnOptions::Profile profile : {LearnOptions::Profile::kPaper, LearnOptions::Profile::kRelease10}) {
    ExpectSameLearning([&](LearnOptions& options) { options.Apply(profile); });
  }
}

TEST_P(SameBytesTest, OfOnlineLearningWithBothSolvers) {
  for (const LearnOptions::Solver solver : {LearnOptions::Solver::kLars, LearnOptions::Solver::kDescent}) {
    ExpectSameLearning([&](LearnOptions& options) {
      options.method = LearnOptions::Method::kOnline;
      options.solver = solver;
    });
  }
}

TEST_P(SameBytesTest, OfNonnegativeAtoms) {
  for (const auto method :
       {LearnOptions::Method::kScc, LearnOptions::Method::kSccMinibatch, LearnOptions::Method::kOnline}) {
    ExpectSameLearning([&](LearnOptions& options) {
      options.method = method;
      options.nonnegative_atoms = true;
    });
  }
}

TEST_P(SameBytesTest, OfCodes) {
  for (const std::size_t length : kPatchLengths) {
    for (const bool nonnegative : {false, true}) {
      const FloatMatrix patches = Patches(length);
      const FloatMatrix atoms = LearnWith("plain", patches, {.atoms = 90, .epochs = 2}).dictionary.atoms;
      const auto encode = [&](const std::string& set) {
        const SimdChoice choice(set);
        return Encode(patches, atoms, {.lambda = 0.05, .nonnegative = nonnegative}, {}, NoProgress());
      };
      const EncodeResult expected = encode("plain");
      const EncodeResult result = encode(GetParam());
      EXPECT_EQ(result.codes, expected.codes);
      EXPECT_EQ(result.objective, expected.objective);
      EXPECT_EQ(result.worst_kkt, expected.worst_kkt);
      EXPECT_EQ(result.worst_gap, expected.worst_gap);
      EXPECT_GT(expected.nonzeros_per_code, 1.0) << "there is something to compare";
    }
  }
}

TEST_P(SameBytesTest, OfWeightedElasticNetCodes) {
  const FloatMatrix patches = Patches(100);
  const FloatMatrix atoms = RandomUnitRows(90, 100, 3);
  std::vector<double> weights(90, 1.0);
  for (std::size_t atom = 0; atom < 90; atom += 2) weights[atom] = 1.7;
  const auto encode = [&](const std::string& set) {
    const SimdChoice choice(set);
    return Encode(patches, atoms, {.lambda = 0.05, .ridge = 0.3, .weights = weights}, {}, NoProgress());
  };
  const EncodeResult expected = encode("plain");
  const EncodeResult result = encode(GetParam());
  EXPECT_EQ(result.codes, expected.codes);
  EXPECT_EQ(result.objective, expected.objective);
  EXPECT_EQ(result.worst_gap, expected.worst_gap);
  EXPECT_GT(expected.nonzeros_per_code, 1.0) << "there is something to compare";
}

}  // namespace
}  // namespace flyscribe
