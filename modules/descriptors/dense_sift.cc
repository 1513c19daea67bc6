#include "descriptors/dense_sift.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

extern "C" {
#include <vl/dsift.h>
#include <vl/generic.h>
}

#include "core/error.h"
#include "core/text.h"

namespace flyscribe {
namespace {

constexpr int kBins = 4;  // along x, and along y

struct FilterDeleter {
  void operator()(VlDsiftFilter* filter) const { vl_dsift_delete(filter); }
};
using Filter = std::unique_ptr<VlDsiftFilter, FilterDeleter>;

// The left edges of the windows along one axis: first, first + stride, ..., count of them.
struct Axis {
  int first = 0;
  int count = 0;
  int stride = 1;

  int Start(int i) const { return first + i * stride; }
  int Last() const { return Start(count - 1); }
};

Axis MakeAxis(int length, int side, const ExtractOptions& options) {
  const int half = side / 2;
  Axis axis;
  axis.stride = options.stride;
  if (options.alignment == ExtractOptions::Alignment::kCentred) {
    // The smallest positive multiple of the stride that is at least half a window from the edge.
    axis.first = (half + options.stride - 1) / options.stride * options.stride - half;
  }
  const int room = length - side - axis.first;
  axis.count = room >= 0 ? room / options.stride + 1 : 0;
  return axis;
}

// The windows of one scale.
struct Grid {
  int scale = 0;
  int side = 0;
  Axis columns;
  Axis rows;

  int size() const { return columns.count * rows.count; }
};

// A Gaussian in whole pixels, cut at three standard deviations; its weights sum to 1.
std::vector<float> GaussianWeights(double sigma) {
  const auto reach = static_cast<std::size_t>(std::ceil(3.0 * sigma));
  std::vector<float> weights(2 * reach + 1, 1.0F);
  float sum = 1.0F;
  for (std::size_t i = 1; i <= reach; ++i) {
    const double distance = static_cast<double>(i) / sigma;
    const double weight = std::exp(-0.5 * distance * distance);
    sum = static_cast<float>(double{sum} + (weight + weight));
    weights[reach - i] = weights[reach + i] = static_cast<float>(weight);
  }
  for (float& weight : weights) weight /= sum;
  return weights;
}

// Along the columns of a picture with rows of `width`; beyond its edges it goes on as at them. Given back transposed,
// so that doing it twice smooths both ways. Rows are added from the top down, a row at a time, which compilers do many
// pixels at once: the bits are those of VLFeat's vl_imsmooth_f, which takes three times as long.
std::vector<float> SmoothedDown(const std::vector<float>& image, std::size_t width, const std::vector<float>& weights) {
  const std::size_t height = image.size() / width;
  const auto reach = static_cast<std::ptrdiff_t>(weights.size() / 2);
  std::vector<float> turned(image.size());
  std::vector<float> sums(width);
  for (std::size_t y = 0; y < height; ++y) {
    std::fill(sums.begin(), sums.end(), 0.0F);
    for (std::size_t k = 0; k < weights.size(); ++k) {
      const std::ptrdiff_t row = static_cast<std::ptrdiff_t>(y + k) - reach;
      const auto inside =
          static_cast<std::size_t>(std::clamp(row, std::ptrdiff_t{0}, static_cast<std::ptrdiff_t>(height) - 1));
      const float* pixels = &image[inside * width];
      for (std::size_t x = 0; x < width; ++x) sums[x] += pixels[x] * weights[k];
    }
    for (std::size_t x = 0; x < width; ++x) turned[x * height + y] = sums[x];
  }
  return turned;
}

std::vector<float> SmoothedUnitGray(const GrayImage& image, double sigma) {
  std::vector<float> gray(image.pixels.size());
  for (std::size_t i = 0; i < gray.size(); ++i) gray[i] = static_cast<float>(image.pixels[i]) / 255.0F;
  if (sigma <= 0.0) return gray;
  const std::vector<float> weights = GaussianWeights(sigma);
  const auto width = static_cast<std::size_t>(image.width);
  const auto height = static_cast<std::size_t>(image.height);
  return SmoothedDown(SmoothedDown(gray, width, weights), height, weights);
}

// Places, contrast and darkness of the windows; gray values are summed in whole numbers.
void AppendWindows(const GrayImage& image, std::int32_t image_row, const Grid& grid, PatchTable& table) {
  const int side = grid.side;
  const float half = static_cast<float>(side) / 2.0F;
  const std::int64_t count = std::int64_t{side} * side;
  for (int j = 0; j < grid.rows.count; ++j) {
    for (int i = 0; i < grid.columns.count; ++i) {
      const int left = grid.columns.Start(i);
      const int top = grid.rows.Start(j);
      std::int64_t sum = 0;
      std::int64_t squares = 0;
      for (int y = top; y < top + side; ++y) {
        for (int x = left; x < left + side; ++x) {
          const std::int64_t gray = image.At(x, y);
          sum += gray;
          squares += gray * gray;
        }
      }
      const double deviation = std::sqrt(static_cast<double>(count * squares - sum * sum)) / static_cast<double>(count);
      const double stain = 1.0 - static_cast<double>(sum) / static_cast<double>(255 * count);
      table.Append({image_row,
                    static_cast<float>(left) + half,
                    static_cast<float>(top) + half,
                    grid.scale,
                    static_cast<float>(deviation),
                    static_cast<float>(stain)});
    }
  }
}

// VLFeat's descriptors of one grid, one after the other.
void AppendDescriptors(const GrayImage& image,
                       const std::vector<float>& smoothed,
                       const Grid& grid,
                       const ExtractOptions& options,
                       std::vector<float>& values) {
  const int bin = grid.side / kBins;
  // VLFeat's frame begins at the centre of its first bin, which lies half a bin inside the window; its bounds are on
  // the centres of the first and last bins.
  const int inset = bin / 2;
  const int reach = inset + (kBins - 1) * bin;
  const Filter filter(vl_dsift_new_basic(image.width, image.height, options.stride, bin));
  vl_dsift_set_bounds(filter.get(),
                      grid.columns.first + inset,
                      grid.rows.first + inset,
                      grid.columns.Last() + reach,
                      grid.rows.Last() + reach);
  const bool flat = options.window_function == ExtractOptions::WindowFunction::kFlat;
  vl_dsift_set_flat_window(filter.get(), flat ? VL_TRUE : VL_FALSE);
  vl_dsift_process(filter.get(), smoothed.data());
  FLYSCRIBE_CHECK(vl_dsift_get_keypoint_num(filter.get()) == grid.size() &&
                      vl_dsift_get_descriptor_size(filter.get()) == static_cast<int>(kSiftLength),
                  "VLFeat laid out another grid than asked for");
  const float* descriptors = vl_dsift_get_descriptors(filter.get());
  values.insert(values.end(), descriptors, descriptors + static_cast<std::size_t>(grid.size()) * kSiftLength);
}

}  // namespace

std::vector<int> ExtractOptions::WindowSides() const {
  FLYSCRIBE_CHECK(window > 0 && stride > 0, "window and stride must be positive");
  if (window % kBins != 0) {
    throw Error(ErrorCode::kUsage,
                fmt::format("extract.window: {} is no multiple of 4", window),
                "a window is cut into 4 x 4 bins of whole pixels; 16 is usual");
  }
  const std::string hint =
      fmt::format("write for instance [1] or [1, 2, 3]; windows may have up to {} pixels a side", kLargestWindow);
  if (scales.empty()) throw Error(ErrorCode::kUsage, "extract.scales: the list is empty", hint);
  std::vector<int> sides;
  for (const std::string& text : scales) {
    const std::optional<std::int64_t> scale = ParseInteger(text);
    if (!scale || *scale < 1 || *scale > kLargestWindow / window) {
      throw Error(ErrorCode::kUsage, "extract.scales: '" + text + "' is no usable multiple of the window", hint);
    }
    sides.push_back(static_cast<int>(*scale) * window);
    if (std::ranges::count(sides, sides.back()) > 1) {
      throw Error(ErrorCode::kUsage, "extract.scales: '" + text + "' is listed twice", hint);
    }
  }
  return sides;
}

PatchSet ExtractPatches(const GrayImage& image, std::int32_t image_row, const ExtractOptions& options) {
  static std::once_flag once;
  std::call_once(once, [] { vl_set_num_threads(1); });
  std::vector<Grid> grids;
  int scale = 0;
  for (const int side : options.WindowSides()) {
    const Grid grid = {scale++, side, MakeAxis(image.width, side, options), MakeAxis(image.height, side, options)};
    if (grid.size() > 0) grids.push_back(grid);
  }
  const std::vector<float> smoothed = grids.empty() ? std::vector<float>() : SmoothedUnitGray(image, options.smoothing);
  PatchTable table;
  std::vector<float> values;
  for (const Grid& grid : grids) {
    AppendWindows(image, image_row, grid, table);
    AppendDescriptors(image, smoothed, grid, options, values);
  }
  const std::size_t count = table.size();
  return {std::move(table), FloatMatrix(count, kSiftLength, std::move(values))};
}

std::string SiftLibraryVersion() { return vl_get_version_string(); }

}  // namespace flyscribe
