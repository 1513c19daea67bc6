#include "bench/yardsticks.h"

#include <cblas.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "core/file.h"
#include "core/gram.h"
#include "core/npy.h"
#include "core/progress.h"
#include "core/rng.h"
#include "core/text.h"
#include "data/patches.h"
#include "descriptors/dense_sift.h"
#include "descriptors/normalise.h"
#include "imaging/image_file.h"
#include "simulate/simulate.h"
#include "sparse/learner.h"
#include "sparse/padded_rows.h"

namespace flyscribe {
namespace {

constexpr int kStride = 4;
constexpr double kSmoothing = 2.8;
constexpr int kGenes = 120;

std::vector<GrayImage> SimulatedImages() {
  const fs::path folder = fs::temp_directory_path() / fs::unique_path("flyscribe-bench-%%%%%%%%");
  CreateFolder(folder);
  SimulateOptions options;
  options.genes = kGenes;
  Simulate(options, {StageRange::FromName("11-12"), StageRange::FromName("13-16")}, {folder}, 0, NoProgress());
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder / "images")) {
    if (fs::is_regular_file(entry.path())) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  std::vector<GrayImage> images;
  for (const fs::path& file : files) images.push_back(DecodeGray(ReadFile(file), file.string()));
  fs::remove_all(folder);
  return images;
}

FloatMatrix FirstRows(FloatView rows, const std::vector<std::size_t>& order) {
  FloatMatrix chosen(order.size(), rows.cols());
  for (std::size_t i = 0; i < order.size(); ++i) {
    std::copy(rows.Row(order[i]).begin(), rows.Row(order[i]).end(), chosen.Row(i).begin());
  }
  return chosen;
}

}  // namespace

FloatMatrix SimulatedPatches(std::size_t count) {
  ExtractOptions options;
  options.stride = kStride;
  options.smoothing = kSmoothing;
  options.window_function = ExtractOptions::WindowFunction::kFlat;
  std::vector<PatchSet> sets;
  for (const GrayImage& image : SimulatedImages()) sets.push_back(ExtractPatches(image, 0, options));
  const PatchSet raw = JoinPatches(sets);
  const PatchSet patches = Normalise(raw.descriptors, raw.table, {}, nullptr);
  std::vector<std::size_t> order(patches.descriptors.rows());
  std::iota(order.begin(), order.end(), std::size_t{0});
  Rng(1).Shuffle(order);
  order.resize(std::min(count, order.size()));
  return FirstRows(patches.descriptors, order);
}

FloatMatrix PatchesFromFile(const std::string& path, std::size_t count) {
  const FloatNpy file(path);
  std::vector<std::size_t> order(count == 0 ? file.view().rows() : std::min(count, file.view().rows()));
  std::iota(order.begin(), order.end(), std::size_t{0});
  return FirstRows(file.view(), order);
}

namespace {

constexpr std::size_t kBatch = 512;
constexpr std::size_t kBlock = 32;
constexpr std::size_t kPatches = 8 * kBatch;

// out = A B^T in single precision, row-major: `a` is n x d, `b` m x d, `out` n x m.
void MultiplyTransposed(FloatView a, FloatView b, float* out) {
  openblas_set_num_threads(1);
  const auto rows = static_cast<blasint>(a.rows());
  const auto cols = static_cast<blasint>(b.rows());
  const auto depth = static_cast<blasint>(a.cols());
  cblas_sgemm(CblasRowMajor,
              CblasNoTrans,
              CblasTrans,
              rows,
              cols,
              depth,
              1.0F,
              a.data(),
              depth,
              b.data(),
              depth,
              0.0F,
              out,
              cols);
}

}  // namespace

std::string BlasVersion() { return std::string(openblas_get_config()) + " " + openblas_get_corename(); }

GramTimes MeasureGram(std::size_t rows, std::size_t cols, int repetitions) {
  Rng rng(1);
  FloatMatrix a(rows, cols);
  for (std::size_t i = 0; i < rows; ++i) {
    for (float& value : a.Row(i)) value = static_cast<float>(rng.Normal());
  }
  const std::vector<double> wide(a.values().begin(), a.values().end());
  Matrix<double> gram(rows, rows);
  const auto order = static_cast<blasint>(rows);
  const auto depth = static_cast<blasint>(cols);
  openblas_set_num_threads(1);
  GramTimes times{std::numeric_limits<double>::max(), std::numeric_limits<double>::max()};
  for (int i = 0; i < repetitions; ++i) {
    times.ours = std::min(times.ours, BestSeconds(1, [&] { gram = GramMatrix(a); }));
    times.blas = std::min(
        times.blas, BestSeconds(1, [&] {
          cblas_dsyrk(
              CblasRowMajor, CblasLower, CblasNoTrans, order, depth, 1.0, wide.data(), depth, 0.0, gram.data(), order);
        }));
  }
  return times;
}

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
  const Kernels& kernels = ActiveKernels();
  const FloatView first(patches.data(), std::min(atoms, patches.rows()), patches.cols());
  PaddedRows dictionary(atoms, patches.cols());
  for (std::size_t j = 0; j < atoms; ++j) dictionary.Set(j, first.Row(j % first.rows()));
  const FloatMatrix plain = dictionary.ToMatrix();
  const std::size_t count = std::min(patches.rows(), kPatches);
  PaddedRows rows(FloatView(patches.data(), count, patches.cols()));
  const auto n = static_cast<double>(count);
  const Panels panels(kernels, dictionary);
  PaddedRows products(kBlock, atoms);
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
                                        kernels.products(panels.data(),
                                                         panels.panels(),
                                                         rows.Row(i),
                                                         std::min(kBlock, count - i),
                                                         products.data(),
                                                         products.length(),
                                                         dictionary.length());
                                      }
                                    }) /
                        n;
  std::vector<std::int32_t> ids(atoms);
  std::iota(ids.begin(), ids.end(), 0);
  limits.matrix_vector =
      BestSeconds(repetitions,
                  [&] {
                    for (std::size_t i = 0; i < count; ++i) {
                      kernels.products_of_list(
                          dictionary.data(), ids.data(), atoms, rows.Row(i), products.data(), dictionary.length());
                    }
                  }) /
      n;
  return limits;
}

namespace {

constexpr int kCycles = 3;

float Dot(std::span<const float> a, std::span<const float> b) {
  float sum = 0.0F;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

void Update(std::span<const float> atom, float lambda, float& weight, std::vector<float>& r) {
  const float b = Dot(atom, r) + weight;
  const float updated = std::copysign(std::max(0.0F, std::abs(b) - lambda), b);
  if (updated == weight) return;
  for (std::size_t i = 0; i < r.size(); ++i) r[i] -= (updated - weight) * atom[i];
  weight = updated;
}

}  // namespace

double NaiveSccEpoch(const FloatMatrix& patches, double lambda, FloatMatrix& atoms) {
  const auto threshold = static_cast<float>(lambda);
  std::vector<double> h(atoms.rows(), 0.0);
  std::vector<float> z(atoms.rows());
  double objective = 0.0;
  for (std::size_t i = 0; i < patches.rows(); ++i) {
    std::vector<float> r(patches.Row(i).begin(), patches.Row(i).end());
    std::fill(z.begin(), z.end(), 0.0F);
    for (std::size_t j = 0; j < z.size(); ++j) Update(atoms.Row(j), threshold, z[j], r);
    for (int cycle = 1; cycle < kCycles; ++cycle) {
      for (std::size_t j = 0; j < z.size(); ++j) {
        if (z[j] != 0.0F) Update(atoms.Row(j), threshold, z[j], r);
      }
    }
    objective += 0.5 * static_cast<double>(Dot(r, r));
    for (std::size_t j = 0; j < z.size(); ++j) {
      if (z[j] == 0.0F) continue;
      const double weight = z[j];
      objective += lambda * std::abs(weight);
      h[j] += weight * weight;
      const std::span<float> atom = atoms.Row(j);
      for (std::size_t k = 0; k < r.size(); ++k) atom[k] += static_cast<float>(weight / h[j]) * r[k];
      const float norm = std::sqrt(Dot(atom, atom));
      if (norm > 1.0F) std::for_each(atom.begin(), atom.end(), [norm](float& value) { value /= norm; });
    }
  }
  return objective / static_cast<double>(patches.rows());
}

}  // namespace flyscribe
