#include "imaging/heat_map.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>
#include <string>

#include "core/error.h"
#include "core/matrix.h"
#include "core/text.h"
#include "imaging/image_file.h"

namespace flyscribe {
namespace {

// Red, green, blue.
constexpr std::array<double, 3> kFor = {226, 74, 10};
constexpr std::array<double, 3> kAgainst = {0, 92, 200};
constexpr double kStrongest = 0.8;  // opacity at the scale's end
constexpr double kOpacityPower = 0.7;
constexpr double kFaintest = 0.02;  // of the scale
constexpr double kSpread = 6.0;     // pixels
constexpr int kBarHeight = 8;

// A Gaussian along one axis: weights of the pixels from `first` on, of those within `length` that lie in reach.
struct Profile {
  std::size_t first = 0;
  std::vector<double> weights;
};

Profile ProfileAt(double centre, int length) {
  const int begin = std::max(0, static_cast<int>(std::ceil(centre - 3.0 * kSpread)));
  const int end = std::min(length - 1, static_cast<int>(std::floor(centre + 3.0 * kSpread)));
  Profile profile{static_cast<std::size_t>(begin), {}};
  for (int i = begin; i <= end; ++i) {
    const double distance = (i - centre) / kSpread;
    profile.weights.push_back(std::exp(-0.5 * distance * distance));
  }
  return profile;
}

// Spread patches, one row a row of pixels. The two-dimensional Gaussian is the product of two profiles.
FloatMatrix HeatField(const std::vector<PatchEvidence>& patches, int width, int height) {
  FloatMatrix field(static_cast<std::size_t>(height), static_cast<std::size_t>(width), 0.0F);
  for (const PatchEvidence& patch : patches) {
    if (!std::isfinite(patch.contribution)) continue;
    const Profile across = ProfileAt(double{patch.x}, width);
    const Profile down = ProfileAt(double{patch.y}, height);
    if (across.weights.empty()) continue;
    for (std::size_t row = 0; row < down.weights.size(); ++row) {
      const double height_here = double{patch.contribution} * down.weights[row];
      float* pixels = field.Row(down.first + row).data() + across.first;
      for (std::size_t i = 0; i < across.weights.size(); ++i) {
        pixels[i] += static_cast<float>(height_here * across.weights[i]);
      }
    }
  }
  return field;
}

double Largest(const FloatMatrix& field) {
  double largest = 0.0;
  for (const float value : field.values()) largest = std::max(largest, std::abs(double{value}));
  return largest;
}

// `share` is h / scale, in [-1, 1].
void Blend(double gray, double share, std::uint8_t* pixel) {
  const double strength = std::min(1.0, std::abs(share));
  const double opacity = strength < kFaintest ? 0.0 : kStrongest * std::pow(strength, kOpacityPower);
  const std::array<double, 3>& colour = share > 0.0 ? kFor : kAgainst;
  for (std::size_t c = 0; c < 3; ++c) {
    pixel[c] = static_cast<std::uint8_t>(std::lround(gray + opacity * (colour[c] - gray)));
  }
}

// "+0.0123", with three digits that count.
std::string ScaleText(double scale) {
  const int digits = scale > 0.0 ? std::clamp(2 - static_cast<int>(std::floor(std::log10(scale))), 0, 9) : 0;
  return FormatFixed(scale, digits);
}

void Write(const std::string& words, int x, int y, RgbImage& picture) {
  cv::Mat page(picture.height, picture.width, CV_8UC3, picture.pixels.data());
  cv::putText(page, words, {x, y}, cv::FONT_HERSHEY_SIMPLEX, 0.34, cv::Scalar(40, 40, 40), 1, cv::LINE_AA);
}

// "against -0.012 [blue ... gray ... red] +0.012 for".
void DrawLegend(double scale, int top, RgbImage& picture) {
  const int left = picture.width / 3;
  const int right = picture.width - left;
  const int bar = top + (kLegendHeight - kBarHeight) / 2;
  for (int x = left; x < right; ++x) {
    const double share = 2.0 * (x - left) / (right - left - 1) - 1.0;
    for (int y = bar; y < bar + kBarHeight; ++y) Blend(200.0, share, picture.At(x, y));
  }
  const int base = top + kLegendHeight / 2 + 4;
  Write("against -" + ScaleText(scale), 2, base, picture);
  Write("+" + ScaleText(scale) + " for", right + 4, base, picture);
}

}  // namespace

RgbImage DrawHeatMap(const GrayImage& embryo, const std::vector<PatchEvidence>& patches) {
  FLYSCRIBE_CHECK(embryo.width > 0 && embryo.height > 0, "an embryo has pixels");
  SetUpOpenCv();
  const FloatMatrix field = HeatField(patches, embryo.width, embryo.height);
  const double scale = Largest(field);
  RgbImage picture(embryo.width, embryo.height + kLegendHeight, 255);
  for (int y = 0; y < embryo.height; ++y) {
    for (int x = 0; x < embryo.width; ++x) {
      const auto value = double{field(static_cast<std::size_t>(y), static_cast<std::size_t>(x))};
      Blend(static_cast<double>(embryo.At(x, y)), scale > 0.0 ? value / scale : 0.0, picture.At(x, y));
    }
  }
  DrawLegend(scale, embryo.height, picture);
  return picture;
}

}  // namespace flyscribe
