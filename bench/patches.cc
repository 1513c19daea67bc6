#include "bench/patches.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "core/file.h"
#include "core/npy.h"
#include "core/rng.h"
#include "data/patches.h"
#include "descriptors/normalise.h"
#include "features/dense_sift.h"
#include "imaging/decode.h"
#include "simulate/simulate.h"

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

}  // namespace flyscribe
