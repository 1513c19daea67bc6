#include "features/dense_sift.h"

#include <cmath>
#include <memory>
#include <mutex>
#include <vector>

extern "C" {
#include <vl/dsift.h>
#include <vl/generic.h>
#include <vl/imopv.h>
}

#include "core/error.h"

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

Axis MakeAxis(int length, const ExtractOptions& options) {
  const int half = options.window / 2;
  Axis axis;
  axis.stride = options.stride;
  if (options.alignment == ExtractOptions::Alignment::kCentred) {
    // The smallest positive multiple of the stride that is at least half a window from the edge.
    axis.first = (half + options.stride - 1) / options.stride * options.stride - half;
  }
  const int room = length - options.window - axis.first;
  axis.count = room >= 0 ? room / options.stride + 1 : 0;
  return axis;
}

std::vector<float> SmoothedUnitGray(const GrayImage& image, double sigma) {
  std::vector<float> gray(image.pixels.size());
  for (std::size_t i = 0; i < gray.size(); ++i) gray[i] = static_cast<float>(image.pixels[i]) / 255.0F;
  if (sigma <= 0.0) return gray;
  std::vector<float> smoothed(gray.size());
  const auto width = static_cast<vl_size>(image.width);
  const auto height = static_cast<vl_size>(image.height);
  vl_imsmooth_f(smoothed.data(), width, gray.data(), width, height, width, sigma, sigma);
  return smoothed;
}

Filter MakeFilter(const GrayImage& image, const Axis& columns, const Axis& rows, const ExtractOptions& options) {
  const int bin = options.window / kBins;
  // VLFeat's frame begins at the centre of its first bin, which lies half a bin inside the window; its bounds are on
  // the centres of the first and last bins.
  const int inset = bin / 2;
  const int reach = inset + (kBins - 1) * bin;
  Filter filter(vl_dsift_new_basic(image.width, image.height, options.stride, bin));
  vl_dsift_set_bounds(
      filter.get(), columns.first + inset, rows.first + inset, columns.Last() + reach, rows.Last() + reach);
  const bool flat = options.window_function == ExtractOptions::WindowFunction::kFlat;
  vl_dsift_set_flat_window(filter.get(), flat ? VL_TRUE : VL_FALSE);
  return filter;
}

// Standard deviation of the gray values of one window, by whole numbers until the last step.
float WindowDeviation(const GrayImage& image, int left, int top, int side) {
  std::int64_t sum = 0;
  std::int64_t squares = 0;
  for (int y = top; y < top + side; ++y) {
    for (int x = left; x < left + side; ++x) {
      const std::int64_t gray = image.At(x, y);
      sum += gray;
      squares += gray * gray;
    }
  }
  const std::int64_t count = std::int64_t{side} * side;
  return static_cast<float>(std::sqrt(static_cast<double>(count * squares - sum * sum)) / static_cast<double>(count));
}

PatchTable MakeTable(const GrayImage& image, std::int32_t image_row, const Axis& columns, const Axis& rows, int side) {
  PatchTable table;
  const float half = static_cast<float>(side) / 2.0F;
  for (int j = 0; j < rows.count; ++j) {
    for (int i = 0; i < columns.count; ++i) {
      const int left = columns.Start(i);
      const int top = rows.Start(j);
      table.Append(image_row,
                   static_cast<float>(left) + half,
                   static_cast<float>(top) + half,
                   WindowDeviation(image, left, top, side));
    }
  }
  return table;
}

}  // namespace

void ExtractOptions::Check() const {
  FLYSCRIBE_CHECK(window > 0 && stride > 0, "window and stride must be positive");
  if (window % kBins == 0) return;
  throw Error(ErrorCode::kUsage,
              "extract.window: " + std::to_string(window) + " is no multiple of 4",
              "a window is cut into 4 x 4 bins of whole pixels; 16 is usual");
}

PatchSet ExtractPatches(const GrayImage& image, std::int32_t image_row, const ExtractOptions& options) {
  static std::once_flag once;
  std::call_once(once, [] { vl_set_num_threads(1); });
  options.Check();
  const Axis columns = MakeAxis(image.width, options);
  const Axis rows = MakeAxis(image.height, options);
  const auto count = static_cast<std::size_t>(columns.count) * static_cast<std::size_t>(rows.count);
  if (count == 0) return {{}, FloatMatrix(0, kSiftLength)};

  const Filter filter = MakeFilter(image, columns, rows, options);
  vl_dsift_process(filter.get(), SmoothedUnitGray(image, options.smoothing).data());
  FLYSCRIBE_CHECK(vl_dsift_get_keypoint_num(filter.get()) == columns.count * rows.count &&
                      vl_dsift_get_descriptor_size(filter.get()) == static_cast<int>(kSiftLength),
                  "VLFeat laid out another grid than asked for");
  const float* values = vl_dsift_get_descriptors(filter.get());
  return {MakeTable(image, image_row, columns, rows, options.window),
          FloatMatrix(count, kSiftLength, std::vector<float>(values, values + count * kSiftLength))};
}

std::string SiftLibraryVersion() { return vl_get_version_string(); }

}  // namespace flyscribe
