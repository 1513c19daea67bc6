// Times of the expensive steps, as ratios to a limit measured in the same run: this machine's own matrix-vector pass.
//
// One thread. Times on a shared machine move by 20 % from run to run: compare ratios, not seconds.
//   flyscribe_bench [repetitions]
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include "core/fs.h"
#include "core/linalg.h"
#include "core/rng.h"
#include "core/text.h"
#include "data/patch_codec.h"
#include "descriptors/normalise.h"
#include "features/dense_sift.h"
#include "imaging/decode.h"
#include "simulate/simulate.h"
#include "sparse/encoder.h"
#include "sparse/scc.h"

#include "core/file.h"

namespace flyscribe {
namespace {

// The shortest of several runs: the one least disturbed.
double BestSeconds(int repetitions, const std::function<void()>& body) {
  double best = 1e300;
  for (int i = 0; i < repetitions; ++i) {
    const auto start = std::chrono::steady_clock::now();
    body();
    best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  return best;
}

std::vector<GrayImage> SimulatedImages() {
  const fs::path folder = fs::temp_directory_path() / fs::unique_path("flyscribe-bench-%%%%%%%%");
  CreateFolder(folder);
  SimulateOptions options;
  options.genes = 40;
  const double seconds =
      BestSeconds(1, [&] { Simulate(options, {StageRange::FromName("13-16")}, folder, 1, NoProgress()); });
  std::vector<GrayImage> images;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder / "images")) {
    if (fs::is_regular_file(entry.path())) images.push_back(DecodeGray(ReadFile(entry.path()), entry.path().string()));
  }
  fs::remove_all(folder);
  fmt::print("simulate             {:8.1f} images/s\n", static_cast<double>(images.size()) / seconds);
  return images;
}

PatchSet Extract(const std::vector<GrayImage>& images, int repetitions) {
  std::vector<PatchSet> patches(images.size());
  for (const auto function : {ExtractOptions::WindowFunction::kGaussian, ExtractOptions::WindowFunction::kFlat}) {
    ExtractOptions options;
    options.stride = 8;
    options.window_function = function;
    const double seconds = BestSeconds(repetitions, [&] {
      for (std::size_t i = 0; i < images.size(); ++i) patches[i] = ExtractPatches(images[i], 0, options);
    });
    fmt::print("extract, {:<11} {:8.1f} images/s\n",
               function == ExtractOptions::WindowFunction::kFlat ? "flat" : "gaussian",
               static_cast<double>(images.size()) / seconds);
  }
  const PatchSet raw = JoinPatches(patches);
  return Normalise(raw.descriptors, raw.table, {}, nullptr);
}

// One pass of D^T x for every patch: no exact learner that looks at all atoms can be faster.
double MatrixVectorSeconds(const FloatMatrix& patches, const FloatMatrix& atoms, int repetitions) {
  float sink = 0.0F;
  const double seconds = BestSeconds(repetitions, [&] {
    for (std::size_t i = 0; i < patches.rows(); ++i) {
      for (std::size_t j = 0; j < atoms.rows(); ++j) {
        sink += Dot(atoms.Row(j).data(), patches.Row(i).data(), patches.cols());
      }
    }
  });
  if (sink == 1.0F) fmt::print("");  // keeps the work from being optimised away
  return seconds;
}

void CompareSparse(const FloatMatrix& patches, int repetitions) {
  std::vector<std::size_t> rows(patches.rows());
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  fmt::print("\n{} patches; microseconds per patch (ratio to one pass D^T x)\n", patches.rows());
  fmt::print("  atoms    D^T x    SCC, per visit    encode\n");
  for (const int atoms : {250, 500, 1000}) {
    LearnOptions options;
    options.atoms = atoms;
    options.epochs = 2;
    Dictionary dictionary;
    const double learn =
        BestSeconds(repetitions, [&] { dictionary = LearnScc(patches, rows, options, NoProgress()).dictionary; });
    const double encode =
        BestSeconds(repetitions, [&] { Encode(patches, dictionary.atoms, options.lambda, {}, 1, NoProgress()); });
    const double limit = MatrixVectorSeconds(patches, dictionary.atoms, repetitions);
    const double scale = 1e6 / static_cast<double>(patches.rows());
    fmt::print("  {:5}  {:7.2f}  {:7.2f} ({:4.1f})  {:7.2f} ({:4.1f})\n",
               atoms,
               limit * scale,
               learn * scale / options.epochs,
               learn / options.epochs / limit,
               encode * scale,
               encode / limit);
  }
}

}  // namespace
}  // namespace flyscribe

int main(int argc, char** argv) {
  const auto repetitions = argc > 1 ? flyscribe::ParseInteger(argv[1]) : std::optional<std::int64_t>(2);
  if (!repetitions || *repetitions < 1 || *repetitions > 1000) {
    fmt::print(stderr, "usage: flyscribe_bench [repetitions, 1 to 1000]\n");
    return 4;
  }
  const int count = static_cast<int>(*repetitions);
  const std::vector<flyscribe::GrayImage> images = flyscribe::SimulatedImages();
  flyscribe::CompareSparse(flyscribe::Extract(images, count).descriptors, count);
  return 0;
}
