#include "pooling/pool.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>

#include "core/error.h"
#include "core/text.h"
#include "data/image.h"

namespace flyscribe {
namespace {

constexpr std::int64_t kMaxDivisions = 64;

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

std::size_t RegionCount(const std::vector<RegionGrid>& grids) {
  std::size_t count = 0;
  for (const RegionGrid& grid : grids) count += static_cast<std::size_t>(grid.columns * grid.rows);
  return count;
}

// Features before normalisation, filled patch by patch in rising order: so the first of equals keeps its place.
class Pooler {
 public:
  Pooler(std::size_t atoms, std::size_t bags, const PoolOptions& options)
      : grids_(ParseRegions(options.regions)),
        signs_(options.signs),
        atoms_(atoms),
        features_per_atom_(options.signs == PoolSigns::kApart ? 2 : 1) {
    const std::size_t features = RegionCount(grids_) * atoms_ * features_per_atom_;
    pooled_.values = FloatMatrix(bags, features, 0.0F);
    pooled_.argmax = Matrix<std::int32_t>(bags, features, -1);
  }

  void AddPatch(std::size_t bag, std::size_t patch, const PatchTable& patches, const SparseCodes& codes) {
    const std::span<const std::int32_t> indices = codes.RowIndices(patch);
    const std::span<const float> weights = codes.RowData(patch);
    std::size_t first_region = 0;
    for (const RegionGrid& grid : grids_) {
      const std::size_t column = Division(patches.x[patch], kEmbryoWidth, grid.columns);
      const std::size_t row = Division(patches.y[patch], kEmbryoHeight, grid.rows);
      const std::size_t region = first_region + row * static_cast<std::size_t>(grid.columns) + column;
      for (std::size_t k = 0; k < indices.size(); ++k) {
        const std::size_t feature = (region * atoms_ + static_cast<std::size_t>(indices[k])) * features_per_atom_;
        AddWeight(bag, feature, patch, weights[k]);
      }
      first_region += static_cast<std::size_t>(grid.columns * grid.rows);
    }
  }

  BagFeatures Take() { return std::move(pooled_); }

 private:
  void AddWeight(std::size_t bag, std::size_t feature, std::size_t patch, float weight) {
    if (signs_ == PoolSigns::kSigned) {
      Raise(bag, feature, patch, weight);
    } else if (signs_ == PoolSigns::kAbsolute) {
      Raise(bag, feature, patch, std::abs(weight));
    } else {
      Raise(bag, weight > 0.0F ? feature : feature + 1, patch, std::abs(weight));
    }
  }

  void Raise(std::size_t bag, std::size_t feature, std::size_t patch, float value) {
    if (value <= pooled_.values(bag, feature)) return;
    pooled_.values(bag, feature) = value;
    pooled_.argmax(bag, feature) = static_cast<std::int32_t>(patch);
  }

  std::vector<RegionGrid> grids_;
  PoolSigns signs_;
  std::size_t atoms_;
  std::size_t features_per_atom_;
  BagFeatures pooled_;
};

void ScaleToUnitNorm(std::span<float> values) {
  double squares = 0.0;
  for (const float value : values) squares += static_cast<double>(value) * static_cast<double>(value);
  if (squares == 0.0) return;
  const double scale = 1.0 / std::sqrt(squares);
  for (float& value : values) value = static_cast<float>(static_cast<double>(value) * scale);
}

}  // namespace

void PoolOptions::Fields(OptionsVisitor& visit) {
  visit.Words({.name = "regions",
               .doc = "Grids of regions, COLUMNSxROWS, that are pooled apart; [1x1] pools whole images. Several grids, "
                      "such as [1x1, 4x2], give a pyramid."},
              regions);
  visit.Choice({.name = "signs",
                .doc = "What is maximal: the weight as it is (signed), its absolute value (absolute), or positive and "
                       "negative weights as two features (apart).",
                .allowed = {"signed", "absolute", "apart"}},
               signs);
  visit.Choice({.name = "normalise",
                .doc = "Scale each bag's features to Euclidean norm 1 (l2), or leave them (none).",
                .allowed = {"none", "l2"}},
               normalise);
}

std::vector<RegionGrid> ParseRegions(const std::vector<std::string>& regions) {
  const std::string hint = "write for instance [1x1] for whole images or [1x1, 4x2] for a pyramid; 1 to 64 each way";
  if (regions.empty()) throw Error(ErrorCode::kUsage, "pool.regions: the list is empty", hint);
  std::vector<RegionGrid> grids;
  for (const std::string& text : regions) {
    const std::optional<RegionGrid> grid = ParseGrid(text);
    if (!grid) throw Error(ErrorCode::kUsage, "pool.regions: '" + text + "' is not COLUMNSxROWS", hint);
    if (std::find(grids.begin(), grids.end(), *grid) != grids.end()) {
      throw Error(ErrorCode::kUsage, "pool.regions: '" + text + "' is listed twice", hint);
    }
    grids.push_back(*grid);
  }
  return grids;
}

BagFeatures Pool(const SparseCodes& codes,
                 const PatchTable& patches,
                 std::span<const std::size_t> bag_of_image,
                 std::size_t bags,
                 const PoolOptions& options) {
  FLYSCRIBE_CHECK(codes.rows() == patches.size(), "one code per patch");
  FLYSCRIBE_CHECK(patches.size() <= static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()),
                  "argmax counts patches in 32 bits");
  Pooler pooler(codes.atoms, bags, options);
  for (std::size_t patch = 0; patch < patches.size(); ++patch) {
    const auto image = static_cast<std::size_t>(patches.image[patch]);
    FLYSCRIBE_CHECK(image < bag_of_image.size() && bag_of_image[image] < bags, "a patch belongs to no bag");
    pooler.AddPatch(bag_of_image[image], patch, patches, codes);
  }
  BagFeatures features = pooler.Take();
  if (options.normalise == PoolNormalise::kL2) {
    for (std::size_t bag = 0; bag < bags; ++bag) ScaleToUnitNorm(features.values.Row(bag));
  }
  return features;
}

}  // namespace flyscribe
