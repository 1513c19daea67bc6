#include "bench/limits.h"

#include <algorithm>
#include <limits>

#include "core/matrix.h"
#include "core/progress.h"
#include "sparse/learner.h"
#include "sparse/padded_rows.h"

namespace flyscribe {
namespace {

constexpr std::size_t kBatch = 512;
constexpr std::size_t kBlock = 32;
constexpr std::size_t kPatches = 8 * kBatch;

}  // namespace

double BestSeconds(int repetitions, const std::function<void()>& body) {
  double best = std::numeric_limits<double>::max();
  for (int i = 0; i < repetitions; ++i) {
    const double start = SecondsNow();
    body();
    best = std::min(best, SecondsNow() - start);
  }
  return best;
}

Limits MeasureLimits(const FloatMatrix& patches, std::size_t atoms, int repetitions) {
  const Kernels& kernels = KernelsFor("auto");
  const FloatView first(patches.data(), std::min(atoms, patches.rows()), patches.cols());
  PaddedRows dictionary(atoms, patches.cols());
  for (std::size_t j = 0; j < atoms; ++j) dictionary.Set(j, first.Row(j % first.rows()));
  const FloatMatrix plain = dictionary.ToMatrix();
  const std::size_t count = std::min(patches.rows(), kPatches);
  PaddedRows rows(FloatView(patches.data(), count, patches.cols()));
  const auto n = static_cast<double>(count);
  FloatMatrix out(kBatch, atoms);

  Limits limits;
  limits.matrix_matrix =
      BestSeconds(repetitions,
                  [&] {
                    for (std::size_t i = 0; i < count; i += kBatch) {
                      const std::size_t size = std::min(kBatch, count - i);
                      MultiplyTransposed({patches.Row(i).data(), size, patches.cols()}, plain, out.data());
                    }
                  }) /
      n;
  limits.our_products = BestSeconds(repetitions,
                                    [&] {
                                      for (std::size_t i = 0; i < count; i += kBlock) {
                                        kernels.products(dictionary.data(),
                                                         atoms,
                                                         rows.Row(i),
                                                         std::min(kBlock, count - i),
                                                         out.data(),
                                                         atoms,
                                                         dictionary.length());
                                      }
                                    }) /
                        n;
  // No weight changes below an infinite lambda: the pass looks at every atom and finds nothing.
  AlignedVector<float> weights(PaddedLength(atoms), 0.0F);
  DescentProblem pass = {.atoms = dictionary.data(),
                         .length = dictionary.length(),
                         .ids = nullptr,
                         .r = nullptr,
                         .weights = weights.data(),
                         .lambda = std::numeric_limits<float>::infinity(),
                         .nonnegative = false};
  limits.matrix_vector = BestSeconds(repetitions,
                                     [&] {
                                       float updated = 0.0F;
                                       for (std::size_t i = 0; i < count; ++i) {
                                         pass.r = rows.Row(i);
                                         kernels.next_change(pass, 0, atoms, &updated);
                                       }
                                     }) /
                         n;
  return limits;
}

}  // namespace flyscribe
