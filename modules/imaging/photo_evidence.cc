#include "imaging/photo_evidence.h"

#include <algorithm>
#include <cmath>
#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>
#include <vector>

#include "core/error.h"
#include "imaging/opencv_setup.h"

namespace flyscribe {
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
cv::Mat Reduced(const GrayImage& photograph, const PhotoPart& part, double shrink) {
  const cv::Mat source(
      photograph.height, photograph.width, CV_8UC1, const_cast<std::uint8_t*>(photograph.pixels.data()));
  const cv::Size size(cvRound(part.width / shrink), cvRound(part.height / shrink));
  cv::Mat reduced;
  cv::resize(source(cv::Rect(part.x, part.y, part.width, part.height)), reduced, size, 0.0, 0.0, cv::INTER_AREA);
  cv::Mat gray;
  reduced.convertTo(gray, CV_32F);
  cv::GaussianBlur(gray, gray, {}, kSmoothing, kSmoothing, cv::BORDER_REFLECT_101);
  return gray;
}

// Root mean square of what is finer than kFine pixels.
cv::Mat Texture(const cv::Mat& gray) {
  cv::Mat smooth;
  cv::GaussianBlur(gray, smooth, {}, kFine, kFine, cv::BORDER_REFLECT_101);
  cv::Mat energy = gray - smooth;
  energy = energy.mul(energy);
  cv::blur(energy, energy, {kTextureWindow, kTextureWindow}, {-1, -1}, cv::BORDER_REFLECT_101);
  cv::Mat texture;
  cv::sqrt(energy, texture);
  return texture;
}

// Median and robust deviation of the background's texture.
struct Spread {
  float median = 0.0F;
  float deviation = 0.1F;
};

double TakeQuantile(std::vector<float>& values, double share) {
  const auto nth = values.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), nth, values.end());
  return *nth;
}

// Tissue as bright as the background has more texture and may be the larger part of `values`: so median and deviation
// are those of the normal distribution with the same 5 % and 20 % quantiles, which lie 1.645 and 0.842 deviations below
// the median.
Spread SpreadOf(std::vector<float> values) {
  if (values.empty()) return {};
  const double low = TakeQuantile(values, 0.05);
  const double high = TakeQuantile(values, 0.2);
  const double deviation = std::max((high - low) / (1.645 - 0.842), 0.05);
  return {static_cast<float>(high + 0.842 * deviation), static_cast<float>(deviation)};
}

// d of every pixel. The part's place in the photograph is that of `evidence`.
FloatMatrix GrayDistance(const PhotoEvidence& evidence, const GrayImage& photograph) {
  const FloatMatrix& gray = evidence.gray;
  FloatMatrix distance(gray.rows(), gray.cols());
  const double unit = kGrayUnits * std::max(evidence.background.deviation, 1.0);
  for (std::size_t row = 0; row < gray.rows(); ++row) {
    const double y = EdgeToEdge(evidence.ToPhotoY(static_cast<double>(row)), photograph.height);
    for (std::size_t col = 0; col < gray.cols(); ++col) {
      const double x = EdgeToEdge(evidence.ToPhotoX(static_cast<double>(col)), photograph.width);
      const double light = std::min(evidence.background.At(x, y), 255.0);  // as the camera clips it
      distance(row, col) = static_cast<float>(std::abs(gray(row, col) - light) / std::max(unit, kHalo * light));
    }
  }
  return distance;
}

FloatMatrix Combined(const FloatMatrix& distance, const FloatMatrix& texture, const Spread& calm) {
  FloatMatrix strength(distance.rows(), distance.cols());
  const float unit = static_cast<float>(kTextureUnits) * calm.deviation;
  for (std::size_t i = 0; i < distance.values().size(); ++i) {
    const float d = distance.values()[i];
    const float t = std::max(texture.values()[i] - calm.median, 0.0F) / unit;
    strength.data()[i] = std::sqrt(d * d + t * t);
  }
  return strength;
}

// Texture of the pixels whose gray is the background's.
std::vector<float> CalmTexture(const FloatMatrix& distance, const FloatMatrix& texture) {
  std::vector<float> values;
  for (std::size_t i = 0; i < distance.values().size(); ++i) {
    if (distance.values()[i] < 0.5F) values.push_back(texture.values()[i]);
  }
  return values;
}

// The pixel of `whole` that shows what each pixel of `part` shows.
class SamePlace {
 public:
  SamePlace(const PhotoEvidence& part, const PhotoEvidence& whole) : part_(part), whole_(whole) {}

  std::size_t Row(std::size_t row) const {
    return Clipped(whole_.FromPhotoY(part_.ToPhotoY(static_cast<double>(row))), whole_.gray.rows());
  }
  std::size_t Col(std::size_t col) const {
    return Clipped(whole_.FromPhotoX(part_.ToPhotoX(static_cast<double>(col))), whole_.gray.cols());
  }

 private:
  static std::size_t Clipped(double at, std::size_t size) {
    return static_cast<std::size_t>(std::clamp(std::round(at), 0.0, static_cast<double>(size) - 1.0));
  }
  const PhotoEvidence& part_;
  const PhotoEvidence& whole_;
};

// Texture of the pixels that are background for `whole`.
std::vector<float> CalmTexture(const PhotoEvidence& part, const FloatMatrix& texture, const PhotoEvidence& whole) {
  const SamePlace place(part, whole);
  std::vector<float> values;
  for (std::size_t row = 0; row < texture.rows(); ++row) {
    const std::size_t there = place.Row(row);
    for (std::size_t col = 0; col < texture.cols(); ++col) {
      if (whole.strength(there, place.Col(col)) < 0.6F) values.push_back(texture(row, col));
    }
  }
  return values;
}

Matrix<std::uint8_t> SolidPart(const PhotoEvidence& part, const PhotoEvidence& whole) {
  if (whole.solid.rows() == 0) return {};
  const SamePlace place(part, whole);
  Matrix<std::uint8_t> solid(part.gray.rows(), part.gray.cols());
  for (std::size_t row = 0; row < solid.rows(); ++row) {
    const std::size_t there = place.Row(row);
    for (std::size_t col = 0; col < solid.cols(); ++col) solid(row, col) = whole.solid(there, place.Col(col));
  }
  return solid;
}

// Long side to kWorkingSide, but a strip keeps kShortestSide pixels across.
double WorkingShrink(const GrayImage& photograph) {
  const double longer = std::max(photograph.width, photograph.height);
  const double shorter = std::min(photograph.width, photograph.height);
  return std::max(1.0, std::min(longer / kWorkingSide, shorter / kShortestSide));
}

}  // namespace

void EnforceSolid(PhotoEvidence& evidence) {
  for (std::size_t i = 0; i < evidence.solid.values().size(); ++i) {
    if (evidence.solid.values()[i] != 0) evidence.strength.data()[i] = std::max(evidence.strength.data()[i], kSolid);
  }
}

PhotoEvidence WeighPhotograph(const GrayImage& photograph) {
  SetUpOpenCv();
  PhotoEvidence evidence;
  evidence.part = {0, 0, photograph.width, photograph.height};
  const cv::Mat gray = Reduced(photograph, evidence.part, WorkingShrink(photograph));
  evidence.gray = Copy(gray);
  const FloatMatrix texture = Copy(Texture(gray));
  evidence.background = FitBackground(evidence.gray, texture);
  const FloatMatrix distance = GrayDistance(evidence, photograph);
  evidence.strength = Combined(distance, texture, SpreadOf(CalmTexture(distance, texture)));
  return evidence;
}

PhotoEvidence WeighPart(const GrayImage& photograph, const PhotoPart& part, double shrink, const PhotoEvidence& whole) {
  SetUpOpenCv();
  PhotoEvidence evidence;
  evidence.part = part;
  const cv::Mat gray = Reduced(photograph, part, shrink);
  evidence.gray = Copy(gray);
  const FloatMatrix texture = Copy(Texture(gray));
  evidence.background = whole.background;
  const FloatMatrix distance = GrayDistance(evidence, photograph);
  evidence.strength = Combined(distance, texture, SpreadOf(CalmTexture(evidence, texture, whole)));
  evidence.solid = SolidPart(evidence, whole);
  EnforceSolid(evidence);
  return evidence;
}

}  // namespace flyscribe
