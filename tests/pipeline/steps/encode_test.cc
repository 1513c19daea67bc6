#include <gtest/gtest.h>

#include <cmath>

#include "data/dictionary.h"
#include "data/patches.h"
#include "tests/pipeline/tiny_run.h"

namespace flyscribe {
namespace {

TEST(EncodeStep, CodesSatisfyTheLassoConditions) {
  const TinyRun& run = SharedTinyRun();
  const Dictionary dictionary = Dictionary::Load(run.FolderOf("learn"));
  const MappedPatchSet patches(run.FolderOf("normalise"));
  const SparseCodes codes = SparseCodes::Load(run.FolderOf("encode"), dictionary.atoms.rows());
  ASSERT_EQ(codes.rows(), patches.table().size());
  for (std::size_t row = 0; row < codes.rows(); row += 97) {
    std::vector<double> residual(patches.descriptors().Row(row).begin(), patches.descriptors().Row(row).end());
    std::vector<double> code(dictionary.atoms.rows());
    for (std::size_t k = 0; k < codes.RowIndices(row).size(); ++k) {
      const auto atom = static_cast<std::size_t>(codes.RowIndices(row)[k]);
      code[atom] = codes.RowData(row)[k];
      for (std::size_t d = 0; d < residual.size(); ++d) residual[d] -= code[atom] * dictionary.atoms(atom, d);
    }
    for (std::size_t atom = 0; atom < code.size(); ++atom) {
      double correlation = 0.0;
      for (std::size_t d = 0; d < residual.size(); ++d) correlation += dictionary.atoms(atom, d) * residual[d];
      if (code[atom] == 0.0) {
        ASSERT_LE(std::abs(correlation), 0.1 + 2e-4);
      } else {
        ASSERT_NEAR(correlation, std::copysign(0.1, code[atom]), 2e-4);
      }
    }
  }
}

}  // namespace
}  // namespace flyscribe
