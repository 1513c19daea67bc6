#include "imaging/tissue.h"

#include <algorithm>
#include <cmath>
#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>
#include <vector>

#include "core/error.h"
#include "imaging/blur.h"
#include "imaging/image_file.h"

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

// Reorders the values.
double TakeQuantile(std::vector<float>& values, double share) {
  const auto nth = values.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), nth, values.end());
  return *nth;
}

std::vector<Sample> SmoothPixels(const FloatMatrix& gray, const FloatMatrix& texture) {
  std::vector<float> all(texture.values().begin(), texture.values().end());
  const double limit = kSmoothFactor * TakeQuantile(all, kSmoothQuantile) + 1e-6;
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
  const bool any_edge = std::ranges::any_of(samples, [](const Sample& s) { return s.near_edge; });
  std::array<double, 256> counts{};
  for (const Sample& sample : samples) {
    if (any_edge && !sample.near_edge) continue;
    const int level = std::clamp(static_cast<int>(sample.gray), 0, 255);
    // A triangle of +-8 levels: uneven light spreads the peak.
    for (int i = std::max(level - 8, 0); i <= std::min(level + 8, 255); ++i) {
      counts[static_cast<std::size_t>(i)] += 9.0 - std::abs(i - level);
    }
  }
  return static_cast<double>(std::ranges::max_element(counts) - counts.begin());
}

// One least-squares fit, weighted by Tukey's biweight, of the first `terms` terms; keeps the old surface if too few
// pixels are left.
void Refit(const std::vector<Sample>& samples, double window, int terms, Background& background) {
  cv::Mat normal = cv::Mat::zeros(terms, terms, CV_64F);
  cv::Mat right = cv::Mat::zeros(terms, 1, CV_64F);
  double total = 0.0;
  for (const Sample& sample : samples) {
    const auto& [x, y, gray, near_edge] = sample;
    const double t = (gray - background.At(x, y)) / window;
    const double weight = std::abs(t) < 1.0 ? (1.0 - t * t) * (1.0 - t * t) : 0.0;
    if (weight <= 0.0) continue;
    const std::array<double, 6> phi = {1.0, x, y, x * x, x * y, y * y};
    total += weight;
    for (int i = 0; i < terms; ++i) {
      const double w = weight * phi[static_cast<std::size_t>(i)];
      right.at<double>(i) += w * gray;
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
  return residuals.empty() ? 1.0 : kPerMad * TakeQuantile(residuals, 0.5);
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

namespace {

constexpr double kGrayUnits = 5.0;     // kd
constexpr double kTextureUnits = 5.0;  // kt
constexpr int kTextureWindow = 5;
constexpr double kFine = 2.0;
constexpr double kHalo = 0.1;  // of the background's gray
constexpr float kSolid = 1.5F;
constexpr double kShortestSide = 48.0;
constexpr double kSmoothing = 0.8;  // of the gray, working pixels

cv::Mat View(const FloatMatrix& matrix) {
  // OpenCV takes no pointer to const; sources are only read.
  return {static_cast<int>(matrix.rows()), static_cast<int>(matrix.cols()), CV_32F, const_cast<float*>(matrix.data())};
}

FloatMatrix Copy(const cv::Mat& mat) {
  FloatMatrix matrix(static_cast<std::size_t>(mat.rows), static_cast<std::size_t>(mat.cols));
  mat.copyTo(View(matrix));
  return matrix;
}

// The part, reduced by area average and smoothed a little.
FloatMatrix Reduced(const GrayImage& photograph, const PhotoPart& part, double shrink) {
  const cv::Mat source(
      photograph.height, photograph.width, CV_8UC1, const_cast<std::uint8_t*>(photograph.pixels.data()));
  const cv::Size size(cvRound(part.width / shrink), cvRound(part.height / shrink));
  cv::Mat reduced;
  cv::resize(source(cv::Rect(part.x, part.y, part.width, part.height)), reduced, size, 0.0, 0.0, cv::INTER_AREA);
  cv::Mat gray;
  reduced.convertTo(gray, CV_32F);
  return GaussianBlur(Copy(gray), kSmoothing, BlurBorder::kMirrored);
}

// Root mean square of what is finer than kFine pixels.
FloatMatrix Texture(const FloatMatrix& gray) {
  const FloatMatrix smooth = GaussianBlur(gray, kFine, BlurBorder::kMirrored);
  cv::Mat energy = View(gray) - View(smooth);
  energy = energy.mul(energy);
  cv::blur(energy, energy, {kTextureWindow, kTextureWindow}, {-1, -1}, cv::BORDER_REFLECT_101);
  cv::Mat texture;
  cv::sqrt(energy, texture);
  return Copy(texture);
}

// d of every pixel. The part's place in the photograph is that of `tissue`.
FloatMatrix GrayDistance(const TissueMap& tissue, const GrayImage& photograph) {
  const FloatMatrix& gray = tissue.gray;
  FloatMatrix distance(gray.rows(), gray.cols());
  const double unit = kGrayUnits * std::max(tissue.background.deviation, 1.0);
  for (std::size_t row = 0; row < gray.rows(); ++row) {
    const double y = EdgeToEdge(tissue.ToPhotoY(static_cast<double>(row)), photograph.height);
    for (std::size_t col = 0; col < gray.cols(); ++col) {
      const double x = EdgeToEdge(tissue.ToPhotoX(static_cast<double>(col)), photograph.width);
      const double light = std::min(tissue.background.At(x, y), 255.0);  // as the camera clips it
      distance(row, col) = static_cast<float>(std::abs(gray(row, col) - light) / std::max(unit, kHalo * light));
    }
  }
  return distance;
}

// e of every pixel; `calm` is the texture of pixels that are probably background. Tissue as bright as the background
// has more texture and may be the larger part of them: so median and deviation are those of the normal distribution
// with the same 5 % and 20 % quantiles, which lie 1.645 and 0.842 deviations below the median.
FloatMatrix Strength(const FloatMatrix& distance, const FloatMatrix& texture, std::vector<float> calm) {
  float median = 0.0F;
  float deviation = 0.1F;
  if (!calm.empty()) {
    const double low = TakeQuantile(calm, 0.05);
    const double high = TakeQuantile(calm, 0.2);
    const double spread = std::max((high - low) / (1.645 - 0.842), 0.05);
    median = static_cast<float>(high + 0.842 * spread);
    deviation = static_cast<float>(spread);
  }
  FloatMatrix strength(distance.rows(), distance.cols());
  const float unit = static_cast<float>(kTextureUnits) * deviation;
  for (std::size_t i = 0; i < distance.values().size(); ++i) {
    const float d = distance.values()[i];
    const float t = std::max(texture.values()[i] - median, 0.0F) / unit;
    strength.data()[i] = std::sqrt(d * d + t * t);
  }
  return strength;
}

}  // namespace

void EnforceSolid(TissueMap& tissue) {
  for (std::size_t i = 0; i < tissue.solid.values().size(); ++i) {
    if (tissue.solid.values()[i] != 0) tissue.strength.data()[i] = std::max(tissue.strength.data()[i], kSolid);
  }
}

TissueMap MapTissue(const GrayImage& photograph) {
  SetUpOpenCv();
  TissueMap tissue;
  tissue.part = {0, 0, photograph.width, photograph.height};
  // Long side to kWorkingSide, but a strip keeps kShortestSide pixels across.
  const double longer = std::max(photograph.width, photograph.height);
  const double shorter = std::min(photograph.width, photograph.height);
  const double shrink = std::max(1.0, std::min(longer / kWorkingSide, shorter / kShortestSide));
  tissue.gray = Reduced(photograph, tissue.part, shrink);
  const FloatMatrix texture = Texture(tissue.gray);
  tissue.background = FitBackground(tissue.gray, texture);
  const FloatMatrix distance = GrayDistance(tissue, photograph);
  std::vector<float> calm;  // where the gray is the background's
  for (std::size_t i = 0; i < distance.values().size(); ++i) {
    if (distance.values()[i] < 0.5F) calm.push_back(texture.values()[i]);
  }
  tissue.strength = Strength(distance, texture, std::move(calm));
  return tissue;
}

TissueMap MapTissue(const GrayImage& photograph, const PhotoPart& part, double shrink, const TissueMap& whole) {
  SetUpOpenCv();
  TissueMap tissue;
  tissue.part = part;
  tissue.gray = Reduced(photograph, part, shrink);
  const FloatMatrix texture = Texture(tissue.gray);
  tissue.background = whole.background;
  const bool has_solid = whole.solid.rows() > 0;
  if (has_solid) tissue.solid = Matrix<std::uint8_t>(texture.rows(), texture.cols());
  std::vector<float> calm;  // where `whole` saw background
  const auto clipped = [](double at, std::size_t size) {
    return static_cast<std::size_t>(std::clamp(std::round(at), 0.0, static_cast<double>(size) - 1.0));
  };
  for (std::size_t row = 0; row < texture.rows(); ++row) {
    // The pixel of `whole` that shows the same place.
    const std::size_t there = clipped(whole.FromPhotoY(tissue.ToPhotoY(static_cast<double>(row))), whole.gray.rows());
    for (std::size_t col = 0; col < texture.cols(); ++col) {
      const std::size_t at = clipped(whole.FromPhotoX(tissue.ToPhotoX(static_cast<double>(col))), whole.gray.cols());
      if (whole.strength(there, at) < 0.6F) calm.push_back(texture(row, col));
      if (has_solid) tissue.solid(row, col) = whole.solid(there, at);
    }
  }
  tissue.strength = Strength(GrayDistance(tissue, photograph), texture, std::move(calm));
  EnforceSolid(tissue);
  return tissue;
}

}  // namespace flyscribe
