#include "pooling/pool.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>

#include "core/error.h"
#include "core/matrix.h"
#include "core/text.h"
#include "data/image.h"

namespace flyscribe {
namespace {

constexpr std::int64_t kMaxDivisions = 64;

// A patch that would count less than this does not belong to a soft region.
constexpr double kLeastShare = 0.01;

std::optional<RegionGrid> ParseGrid(const std::string& text) {
  const std::vector<std::string> parts = Split(text, 'x');
  if (parts.size() != 2) return std::nullopt;
  const std::optional<std::int64_t> columns = ParseInteger(parts[0]);
  const std::optional<std::int64_t> rows = ParseInteger(parts[1]);
  if (!columns || !rows || *columns < 1 || *rows < 1) return std::nullopt;
  if (*columns > kMaxDivisions || *rows > kMaxDivisions) return std::nullopt;
  return RegionGrid{static_cast<int>(*columns), static_cast<int>(*rows)};
}

// Which of `divisions` equal parts of [0, length) holds the coordinate; coordinates outside go to the nearest part.
std::size_t Division(float coordinate, int length, int divisions) {
  const double part = std::floor(static_cast<double>(coordinate) * divisions / length);
  if (!(part > 0.0)) return 0;
  return static_cast<std::size_t>(std::min(part, static_cast<double>(divisions - 1)));
}

// How much of a soft region's weight is left at a distance, along one axis.
double Share(float coordinate, int length, int divisions, int division, double softness) {
  const double away = static_cast<double>(coordinate) * divisions / length - 0.5 - division;
  return std::exp(-away * away / (2.0 * softness * softness));
}

std::size_t RegionCount(const std::vector<RegionGrid>& grids) {
  std::size_t count = 0;
  for (const RegionGrid& grid : grids) count += static_cast<std::size_t>(grid.columns * grid.rows);
  return count;
}

// Those that come from codes.
std::size_t CodeFeatureCount(std::size_t atoms, std::size_t scales, const PoolOptions& options) {
  const std::size_t features_per_atom = options.signs == PoolSigns::kApart ? 2 : 1;
  return scales * RegionCount(ParseRegions(options.regions)) * atoms * features_per_atom;
}

// Features before normalisation, filled patch by patch in rising order: so the first of equals keeps its place.
class Pooler {
 public:
  Pooler(const PoolInput& input, const PoolOptions& options)
      : input_(input),
        options_(options),
        grids_(ParseRegions(options.regions)),
        regions_(RegionCount(grids_)),
        features_per_atom_(options.signs == PoolSigns::kApart ? 2 : 1) {
    const std::size_t features = FeatureCount(input.codes.atoms, input.scales, options);
    pooled_.values = FloatMatrix(input.bags, features, 0.0F);
    pooled_.argmax = Matrix<std::int32_t>(input.bags, features, -1);
    if (options.method == PoolMethod::kMax) return;
    largest_ = FloatMatrix(input.bags, features, 0.0F);
    patches_in_ = Matrix<std::uint32_t>(input.bags, input.scales * regions_, 0);
  }

  void AddPatch(std::size_t bag, std::size_t patch) {
    const auto scale = static_cast<std::size_t>(input_.patches.scale[patch]);
    FLYSCRIBE_CHECK(scale < input_.scales, "a patch belongs to no scale");
    std::size_t first_cell = scale * regions_;
    const float factor = options_.weight == PoolWeight::kStain ? input_.patches.stain[patch] : 1.0F;
    for (const RegionGrid& grid : grids_) {
      if (options_.softness > 0.0) {
        AddToSoftRegions(bag, first_cell, grid, patch, factor);
      } else {
        const std::size_t column = Division(input_.patches.x[patch], kEmbryoWidth, grid.columns);
        const std::size_t row = Division(input_.patches.y[patch], kEmbryoHeight, grid.rows);
        AddToCell(bag, first_cell + row * static_cast<std::size_t>(grid.columns) + column, patch, factor);
      }
      first_cell += static_cast<std::size_t>(grid.columns * grid.rows);
    }
  }

  BagFeatures Take() {
    if (options_.method != PoolMethod::kMax) SumsToMeans();
    return std::move(pooled_);
  }

 private:
  void AddToSoftRegions(
      std::size_t bag, std::size_t first_cell, const RegionGrid& grid, std::size_t patch, float factor) {
    std::size_t cell = first_cell;
    for (int row = 0; row < grid.rows; ++row) {
      const double share_y = Share(input_.patches.y[patch], kEmbryoHeight, grid.rows, row, options_.softness);
      for (int column = 0; column < grid.columns; ++column, ++cell) {
        if (share_y < kLeastShare) continue;
        const double share =
            share_y * Share(input_.patches.x[patch], kEmbryoWidth, grid.columns, column, options_.softness);
        if (share >= kLeastShare) AddToCell(bag, cell, patch, factor * static_cast<float>(share));
      }
    }
  }

  void AddToCell(std::size_t bag, std::size_t cell, std::size_t patch, float factor) {
    if (options_.method != PoolMethod::kMax) ++patches_in_(bag, cell);
    const std::span<const std::int32_t> indices = input_.codes.RowIndices(patch);
    const std::span<const float> weights = input_.codes.RowData(patch);
    for (std::size_t k = 0; k < indices.size(); ++k) {
      const auto atom = static_cast<std::size_t>(indices[k]);
      const std::size_t feature = (cell * input_.codes.atoms + atom) * features_per_atom_;
      AddWeight(bag, feature, patch, factor * weights[k]);
    }
  }

  void AddWeight(std::size_t bag, std::size_t feature, std::size_t patch, float weight) {
    if (options_.signs == PoolSigns::kSigned) {
      AddValue(bag, feature, patch, weight);
    } else if (options_.signs == PoolSigns::kAbsolute) {
      AddValue(bag, feature, patch, std::abs(weight));
    } else {
      AddValue(bag, weight > 0.0F ? feature : feature + 1, patch, std::abs(weight));
    }
  }

  void AddValue(std::size_t bag, std::size_t feature, std::size_t patch, float value) {
    if (value <= 0.0F) return;
    float& pooled = pooled_.values(bag, feature);
    float& largest = options_.method == PoolMethod::kMax ? pooled : largest_(bag, feature);
    if (value > largest) {
      largest = value;
      pooled_.argmax(bag, feature) = static_cast<std::int32_t>(patch);
    }
    if (options_.method == PoolMethod::kAverage) pooled += value;
    if (options_.method == PoolMethod::kRoot) pooled += value * value;
  }

  void SumsToMeans() {
    const std::size_t features_per_cell = input_.codes.atoms * features_per_atom_;
    for (std::size_t bag = 0; bag < pooled_.values.rows(); ++bag) {
      const std::span<float> values = pooled_.values.Row(bag);
      for (std::size_t f = 0; f < values.size(); ++f) {
        if (values[f] == 0.0F) continue;
        const float mean = values[f] / static_cast<float>(patches_in_(bag, f / features_per_cell));
        values[f] = options_.method == PoolMethod::kRoot ? std::sqrt(mean) : mean;
      }
    }
  }

  const PoolInput& input_;
  const PoolOptions& options_;
  std::vector<RegionGrid> grids_;
  std::size_t regions_;
  std::size_t features_per_atom_;
  BagFeatures pooled_;
  FloatMatrix largest_;               // of average and root: the value that argmax has
  Matrix<std::uint32_t> patches_in_;  // of average and root: [bags, cells]
};

// Features [bags, cells of kStainGrid], behind the others.
void AddStainMap(const PoolInput& input, double weight, std::size_t first_feature, BagFeatures& features) {
  const PatchTable& patches = input.patches;
  for (std::size_t patch = 0; patch < patches.size(); ++patch) {
    if (patches.scale[patch] != 0) continue;
    const std::size_t bag = input.bag_of_image[static_cast<std::size_t>(patches.image[patch])];
    const std::size_t column = Division(patches.x[patch], kEmbryoWidth, kStainGrid.columns);
    const std::size_t row = Division(patches.y[patch], kEmbryoHeight, kStainGrid.rows);
    const std::size_t feature = first_feature + row * static_cast<std::size_t>(kStainGrid.columns) + column;
    const auto value = static_cast<float>(weight * static_cast<double>(patches.stain[patch]));
    if (value <= features.values(bag, feature)) continue;
    features.values(bag, feature) = value;
    features.argmax(bag, feature) = static_cast<std::int32_t>(patch);
  }
}

void ScaleToUnitNorm(std::span<float> values) {
  double squares = 0.0;
  for (const float value : values) squares += static_cast<double>(value) * static_cast<double>(value);
  if (squares == 0.0) return;
  const double scale = 1.0 / std::sqrt(squares);
  for (float& value : values) value = static_cast<float>(static_cast<double>(value) * scale);
}

}  // namespace

void PoolOptions::Fields(OptionsVisitor& visit) {
  visit.Choice({.name = "codes",
                .doc = "encoded: all patches coded with the final dictionary, as new images are; learned: the codes "
                       "each patch's last visit in learning left, as in the paper, for its tables only (needs "
                       "protocol.dictionary: all). An exported model always uses encoded.",
                .allowed = {"encoded", "learned"}},
               codes);
  visit.Words({.name = "regions",
               .doc = "Grids of regions, COLUMNSxROWS, that are pooled apart; [1x1] pools whole images. Several grids, "
                      "such as [1x1, 4x2], give a pyramid."},
              regions);
  visit.Real(
      {.name = "softness",
       .doc = "Regions without hard borders: a patch counts less the farther it lies from a region's centre, by a "
              "Gaussian with this standard deviation in units of the region's size; 0: hard borders.",
       .min = 0,
       .max = 100},
      softness);
  visit.Choice({.name = "weight",
                .doc = "plain: codes as they are; stain: each patch's code is multiplied by how dark its window is, so "
                       "that what is seen in stained places counts more.",
                .allowed = {"plain", "stain"}},
               weight);
  visit.Choice({.name = "method",
                .doc = "What becomes of the weights of a region's patches: the largest (max, as in the paper), their "
                       "mean (average), or the root of their mean square (root).",
                .allowed = {"max", "average", "root"}},
               method);
  visit.Choice({.name = "signs",
                .doc = "What is pooled: positive weights only (signed), absolute values (absolute), or positive and "
                       "negative weights as two features (apart).",
                .allowed = {"signed", "absolute", "apart"}},
               signs);
  visit.Choice({.name = "normalise",
                .doc = "Scale each bag's features to Euclidean norm 1 (l2), take their square roots first (root), or "
                       "leave them (none).",
                .allowed = {"none", "l2", "root"}},
               normalise);
  visit.Real(
      {.name = "stain_map",
       .doc = "Weight of a map of 20x8 numbers that say where the embryo is dark, appended to the features of the "
              "codes; 0: none.",
       .min = 0,
       .max = 1000},
      stain_map);
}

std::vector<RegionGrid> ParseRegions(const std::vector<std::string>& regions) {
  const std::string hint = "write for instance [1x1] for whole images or [1x1, 4x2] for a pyramid; 1 to 64 each way";
  if (regions.empty()) throw Error(ErrorCode::kUsage, "pool.regions: the list is empty", hint);
  std::vector<RegionGrid> grids;
  for (const std::string& text : regions) {
    const std::optional<RegionGrid> grid = ParseGrid(text);
    if (!grid) throw Error(ErrorCode::kUsage, "pool.regions: '" + text + "' is not COLUMNSxROWS", hint);
    if (std::ranges::find(grids, *grid) != grids.end()) {
      throw Error(ErrorCode::kUsage, "pool.regions: '" + text + "' is listed twice", hint);
    }
    grids.push_back(*grid);
  }
  return grids;
}

std::size_t FeatureCount(std::size_t atoms, std::size_t scales, const PoolOptions& options) {
  return CodeFeatureCount(atoms, scales, options) + (options.stain_map > 0.0 ? RegionCount({kStainGrid}) : 0);
}

BagFeatures Pool(const PoolInput& input, const PoolOptions& options) {
  const PatchTable& patches = input.patches;
  FLYSCRIBE_CHECK(input.codes.rows() == patches.size(), "one code per patch");
  FLYSCRIBE_CHECK(patches.size() <= static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()),
                  "argmax counts patches in 32 bits");
  Pooler pooler(input, options);
  for (std::size_t patch = 0; patch < patches.size(); ++patch) {
    const auto image = static_cast<std::size_t>(patches.image[patch]);
    FLYSCRIBE_CHECK(image < input.bag_of_image.size() && input.bag_of_image[image] < input.bags,
                    "a patch belongs to no bag");
    pooler.AddPatch(input.bag_of_image[image], patch);
  }
  BagFeatures features = pooler.Take();
  for (std::size_t bag = 0; bag < input.bags; ++bag) {
    if (options.normalise == PoolNormalise::kRoot) {
      for (float& value : features.values.Row(bag)) value = std::sqrt(value);
    }
    if (options.normalise != PoolNormalise::kNone) ScaleToUnitNorm(features.values.Row(bag));
  }
  if (options.stain_map > 0.0) {
    AddStainMap(input, options.stain_map, CodeFeatureCount(input.codes.atoms, input.scales, options), features);
  }
  return features;
}

namespace {

constexpr int kBlock = kEmbryoWidth / kPixelColumns;
constexpr std::size_t kFeatures = std::size_t{kPixelColumns} * kPixelRows;
static_assert(kBlock * kPixelColumns == kEmbryoWidth && kBlock * kPixelRows == kEmbryoHeight, "blocks are whole");

// Sums serve as well as means: pixels of a block and images of a bag are factors that the norm takes out again.
void CentreAndScale(std::span<const std::uint64_t> sums, std::span<float> values) {
  double mean = 0.0;
  for (const std::uint64_t sum : sums) mean += static_cast<double>(sum);
  mean /= static_cast<double>(sums.size());
  double squares = 0.0;
  for (const std::uint64_t sum : sums) {
    const double difference = static_cast<double>(sum) - mean;
    squares += difference * difference;
  }
  if (squares == 0.0) return;
  const double scale = 1.0 / std::sqrt(squares);
  for (std::size_t i = 0; i < sums.size(); ++i) {
    values[i] = static_cast<float>((static_cast<double>(sums[i]) - mean) * scale);
  }
}

}  // namespace

BagFeatures PoolPixels(const ImageStack& images, std::span<const std::size_t> bag_of_image, std::size_t bags) {
  Matrix<std::uint64_t> sums(bags, kFeatures, 0);  // a bag of 2^40 images would not overflow
  for (std::size_t i = 0; i < images.size(); ++i) {
    const std::size_t image = images.source(i);
    FLYSCRIBE_CHECK(image < bag_of_image.size() && bag_of_image[image] < bags, "an image belongs to no bag");
    const GrayImage gray = images.Get(i);
    FLYSCRIBE_CHECK(gray.width == kEmbryoWidth && gray.height == kEmbryoHeight, "images are standardised");
    for (int y = 0; y < kEmbryoHeight; ++y) {
      const auto blocks = sums.Row(bag_of_image[image]).subspan(static_cast<std::size_t>(y / kBlock) * kPixelColumns);
      for (int x = 0; x < kEmbryoWidth; ++x) blocks[static_cast<std::size_t>(x / kBlock)] += gray.At(x, y);
    }
  }
  BagFeatures features{FloatMatrix(bags, kFeatures, 0.0F), Matrix<std::int32_t>(bags, kFeatures, -1)};
  for (std::size_t bag = 0; bag < bags; ++bag) CentreAndScale(sums.Row(bag), features.values.Row(bag));
  return features;
}

}  // namespace flyscribe
