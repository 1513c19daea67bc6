#include "pipeline/paper/patches.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/error.h"
#include "core/file.h"
#include "core/hash.h"
#include "core/parallel.h"
#include "corpus/image_files.h"
#include "data/patches.h"
#include "descriptors/dense_sift.h"
#include "descriptors/normalise.h"
#include "imaging/image_file.h"
#include "imaging/standardise.h"
#include "simulate/embryo.h"
#include "simulate/genes.h"

namespace flyscribe {
namespace {

// Genes whose images are in memory at a time.
constexpr int kGenesAtATime = 64;
// So many embryos without a single patch mean that there will never be one.
constexpr std::size_t kHopeless = 2000;

PatchSet NormalisedPatches(const GrayImage& image, std::size_t row, const Config& config) {
  const PatchSet raw = ExtractPatches(image, static_cast<std::int32_t>(row), config.extract);
  return Normalise(raw.descriptors, raw.table, config.normalise);
}

PatchSet FirstPatches(const PatchSet& patches, std::size_t count) {
  const FloatView rows = FloatView(patches.descriptors).Rows(0, count);
  return {patches.table.Slice(0, count), FloatMatrix(count, rows.cols(), {rows.values().begin(), rows.values().end()})};
}

struct LateralImage {
  std::size_t bag = 0;  // of the bags at hand
  std::size_t image = 0;
};

// The bags of some genes, and their lateral images.
struct GeneBlock {
  std::vector<PlannedBag> bags;
  std::vector<LateralImage> images;

  GeneBlock(const SimulateOptions& options, int first_gene, StageRange range) {
    for (int gene = first_gene; gene < first_gene + kGenesAtATime; ++gene) {
      std::optional<PlannedBag> bag = PlanBag(options, gene, range);
      if (!bag) continue;
      for (std::size_t image = 0; image < bag->images.size(); ++image) {
        if (bag->images[image].view == View::kLateral) images.push_back({bags.size(), image});
      }
      bags.push_back(std::move(*bag));
    }
  }
};

// Through the bytes of a file, as a real image: the same gray values.
GrayImage DrawGray(const SimulateOptions& options, const GeneBlock& block, const LateralImage& at) {
  return DecodeGray(EncodeBmp(RenderEmbryo(SpecOf(options, block.bags[at.bag], at.image))), "simulated embryo");
}

}  // namespace

PatchesSummary WriteSimulatedPatches(const Config& config,
                                     StageRange range,
                                     std::size_t count,
                                     const fs::path& folder,
                                     int threads,
                                     Progress& progress) {
  PatchWriter writer(folder);
  PatchesSummary summary;
  progress.Begin(count, "patches");
  for (int gene = 0; writer.size() < count; gene += kGenesAtATime) {
    const GeneBlock block(config.simulate, gene, range);
    std::vector<PatchSet> sets(block.images.size());
    ParallelFor(threads, sets.size(), [&](std::size_t i) {
      progress.ThrowIfStopped();
      sets[i] = NormalisedPatches(DrawGray(config.simulate, block, block.images[i]), summary.images + i, config);
    });
    for (std::size_t i = 0; i < sets.size() && writer.size() < count; ++i, ++summary.images) {
      const std::size_t wanted = std::min(sets[i].table.size(), count - writer.size());
      writer.Append(wanted == sets[i].table.size() ? sets[i] : FirstPatches(sets[i], wanted));
      progress.Advance(wanted);
    }
    if (writer.size() == 0 && summary.images > kHopeless) {
      throw Error(ErrorCode::kInput, "no window of these simulated embryos is kept", "lower normalise.min_deviation");
    }
  }
  writer.Finish();
  summary.patches = writer.size();
  return summary;
}

std::vector<fs::path> EmbryoFiles(const fs::path& folder) {
  std::vector<fs::path> files;
  boost::system::error_code error;
  const fs::file_type type = fs::status(folder, error).type();
  if (type != fs::directory_file) {
    const bool missing = type == fs::file_not_found || type == fs::status_error;
    throw Error(ErrorCode::kInput,
                missing ? "there is no such folder" : "this is no folder",
                "see reproduce.embryos",
                {folder.string()});
  }
  for (const std::string& name : FilesBelow(folder)) {
    if (HasImageExtension(name)) files.push_back(folder / name);
  }
  if (files.empty()) {
    throw Error(ErrorCode::kInput,
                "there are no image files in this folder",
                "reproduce.embryos names a folder of embryos of 320x128 pixels; leave it out if there is none",
                {folder.string()});
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::string EmbryosDigest(const std::vector<fs::path>& files) {
  Sha256 hash;
  for (const fs::path& file : files) hash.Update(Sha256OfFile(file) + "\n");
  return hash.HexDigest();
}

PatchesSummary WriteEmbryoPatches(
    const Config& config, const std::vector<fs::path>& files, const fs::path& folder, int threads, Progress& progress) {
  PatchWriter writer(folder);
  progress.Begin(files.size(), "images");
  const auto extract = [&](std::size_t i) {
    progress.ThrowIfStopped();
    const std::string place = files[i].string();
    const GrayImage image = Standardise(DecodeGray(ReadFile(files[i]), place), config.standardise, place).image;
    PatchSet patches = NormalisedPatches(image, i, config);
    progress.Advance();
    return patches;
  };
  ParallelInOrder(
      threads, files.size(), extract, [&](std::size_t, const PatchSet& patches) { writer.Append(patches); });
  writer.Finish();
  return {writer.size(), files.size()};
}

}  // namespace flyscribe
