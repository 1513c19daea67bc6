#include "imaging/background.h"

#include <algorithm>
#include <cmath>
#include <opencv2/core.hpp>
#include <vector>

#include "core/error.h"

namespace flyscribe {
namespace {

constexpr double kEdgeShare = 0.12;      // of width and height: where the first guess is taken from
constexpr double kSmoothQuantile = 0.1;  // of the texture: surely background ...
constexpr double kSmoothFactor = 2.0;    // ... and up to this much more may be
constexpr double kTukey = 4.685;
constexpr double kPerMad = 1.4826;
constexpr double kLeastWindow = 4.0;  // gray levels
constexpr std::array<double, 4> kWindows = {40.0, 28.0, 20.0, 14.0};
constexpr int kFinalRounds = 3;
constexpr std::size_t kStride = 3;  // every third pixel of every third row is enough

struct Sample {
  double x = 0.0;
  double y = 0.0;
  double gray = 0.0;
  bool near_edge = false;
};

double QuantileOf(std::vector<float> values, double share) {
  const auto nth = values.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), nth, values.end());
  return *nth;
}

std::vector<Sample> SmoothPixels(const FloatMatrix& gray, const FloatMatrix& texture) {
  const std::vector<float> all(texture.values().begin(), texture.values().end());
  const double limit = kSmoothFactor * QuantileOf(all, kSmoothQuantile) + 1e-6;
  std::vector<Sample> samples;
  for (std::size_t row = 0; row < gray.rows(); row += kStride) {
    for (std::size_t col = 0; col < gray.cols(); col += kStride) {
      if (texture(row, col) > limit) continue;
      const double x = EdgeToEdge(static_cast<double>(col), static_cast<double>(gray.cols()));
      const double y = EdgeToEdge(static_cast<double>(row), static_cast<double>(gray.rows()));
      const bool near_edge = std::max(std::abs(x), std::abs(y)) > 1.0 - 2.0 * kEdgeShare;
      samples.push_back({x, y, gray(row, col), near_edge});
    }
  }
  return samples;
}

// The most frequent gray level near the edges, or anywhere if nothing there is smooth.
double CommonGray(const std::vector<Sample>& samples) {
  const bool any_edge = std::any_of(samples.begin(), samples.end(), [](const Sample& s) { return s.near_edge; });
  std::array<double, 256> counts{};
  for (const Sample& sample : samples) {
    if (any_edge && !sample.near_edge) continue;
    const int level = std::clamp(static_cast<int>(sample.gray), 0, 255);
    // A triangle of +-8 levels: uneven light spreads the peak.
    for (int i = std::max(level - 8, 0); i <= std::min(level + 8, 255); ++i) {
      counts[static_cast<std::size_t>(i)] += 9.0 - std::abs(i - level);
    }
  }
  return static_cast<double>(std::max_element(counts.begin(), counts.end()) - counts.begin());
}

std::array<double, 6> Terms(const Sample& s) { return {1.0, s.x, s.y, s.x * s.x, s.x * s.y, s.y * s.y}; }

double Tukey(double residual, double window) {
  const double t = residual / window;
  return std::abs(t) < 1.0 ? (1.0 - t * t) * (1.0 - t * t) : 0.0;
}

// One weighted least-squares fit of the first `terms` terms; keeps the old surface if too few pixels are left.
void Refit(const std::vector<Sample>& samples, double window, int terms, Background& background) {
  cv::Mat normal = cv::Mat::zeros(terms, terms, CV_64F);
  cv::Mat right = cv::Mat::zeros(terms, 1, CV_64F);
  double total = 0.0;
  for (const Sample& sample : samples) {
    const double weight = Tukey(sample.gray - background.At(sample.x, sample.y), window);
    if (weight <= 0.0) continue;
    const std::array<double, 6> phi = Terms(sample);
    total += weight;
    for (int i = 0; i < terms; ++i) {
      const double w = weight * phi[static_cast<std::size_t>(i)];
      right.at<double>(i) += w * sample.gray;
      for (int j = 0; j <= i; ++j) normal.at<double>(i, j) += w * phi[static_cast<std::size_t>(j)];
    }
  }
  if (total < 20.0) return;
  cv::completeSymm(normal, true);
  // Where background is seen on one side only, slopes are held back a little.
  for (int i = 1; i < terms; ++i) normal.at<double>(i, i) += (i < 3 ? 1e-4 : 1e-3) * total;
  cv::Mat solution;
  if (!cv::solve(normal, right, solution, cv::DECOMP_CHOLESKY)) return;
  background.coefficients.fill(0.0);
  for (int i = 0; i < terms; ++i) background.coefficients[static_cast<std::size_t>(i)] = solution.at<double>(i);
}

// Robust deviation of the pixels within the window.
double Deviation(const std::vector<Sample>& samples, double window, const Background& background) {
  std::vector<float> residuals;
  for (const Sample& sample : samples) {
    const double residual = std::abs(sample.gray - background.At(sample.x, sample.y));
    if (residual < window) residuals.push_back(static_cast<float>(residual));
  }
  return residuals.empty() ? 1.0 : kPerMad * QuantileOf(std::move(residuals), 0.5);
}

}  // namespace

Background FitBackground(const FloatMatrix& gray, const FloatMatrix& texture) {
  FLYSCRIBE_CHECK(gray.rows() >= 16 && gray.cols() >= 16, "a picture for a background is too small");
  const std::vector<Sample> samples = SmoothPixels(gray, texture);
  Background background;
  background.coefficients[0] = CommonGray(samples);
  for (const double window : kWindows) Refit(samples, window, window > 20.0 ? 3 : 6, background);
  double window = kWindows.back();
  for (int round = 0; round < kFinalRounds; ++round) {
    background.deviation = Deviation(samples, window, background);
    window = std::max(kLeastWindow, kTukey * background.deviation);
    Refit(samples, window, 6, background);
  }
  background.deviation = Deviation(samples, window, background);
  return background;
}

}  // namespace flyscribe
