#include "imaging/pictures.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/matrix.h"
#include "core/text.h"
#include "imaging/find_embryo.h"
#include "imaging/image_file.h"
#include "imaging/standardise.h"

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

namespace {

constexpr int kGap = 6;
constexpr int kWordsHeight = 18;
// Red, green, blue: pictures are RGB throughout this file.
const cv::Scalar kPaper(255, 255, 255);
const cv::Scalar kSure(0, 170, 60);
const cv::Scalar kDoubtful(230, 120, 0);
const cv::Scalar kOther(70, 110, 230);
const std::array<cv::Vec3b, 6> kBlobColours = {cv::Vec3b(215, 95, 80),
                                               cv::Vec3b(80, 160, 90),
                                               cv::Vec3b(80, 120, 205),
                                               cv::Vec3b(205, 165, 60),
                                               cv::Vec3b(150, 90, 170),
                                               cv::Vec3b(70, 170, 175)};

// A picture of a field: gray(row, col) is 0 to 255.
template <class Gray>
cv::Mat Paint(const FloatMatrix& shape, Gray gray) {
  cv::Mat panel(static_cast<int>(shape.rows()), static_cast<int>(shape.cols()), CV_8UC3);
  for (int row = 0; row < panel.rows; ++row) {
    for (int col = 0; col < panel.cols; ++col) {
      const double shown = gray(static_cast<std::size_t>(row), static_cast<std::size_t>(col));
      const auto value = static_cast<std::uint8_t>(std::clamp(shown, 0.0, 255.0));
      panel.at<cv::Vec3b>(row, col) = {value, value, value};
    }
  }
  return panel;
}

void DrawOutline(const std::vector<OutlinePoint>& points, const cv::Scalar& colour, cv::Mat& panel) {
  std::vector<cv::Point> polygon;
  for (const OutlinePoint& p : points) polygon.emplace_back(cvRound(16.0 * p.x), cvRound(16.0 * p.y));
  cv::polylines(panel, polygon, true, colour, 1, cv::LINE_AA, 4);
}

cv::Mat PhotographPanel(const PhotoTrace& trace, const Standardised* result, const cv::Scalar& chosen) {
  const TissueMap& tissue = trace.tissue;
  cv::Mat panel = Paint(tissue.gray, [&](std::size_t row, std::size_t col) { return tissue.gray(row, col); });
  for (std::size_t i = trace.candidates.size(); i-- > 1;) {
    DrawOutline(trace.candidates[i].outline.points, kOther, panel);
  }
  std::vector<OutlinePoint> outline;
  for (const OutlinePoint& p : trace.chosen) outline.push_back({tissue.FromPhotoX(p.x), tissue.FromPhotoY(p.y)});
  if (!outline.empty()) DrawOutline(outline, chosen, panel);
  if (result == nullptr) return panel;
  // The long axis from the anterior end, with a disc, to the posterior one.
  const EmbryoPose& pose = result->quality.pose;
  const double angle = pose.angle * std::numbers::pi / 180.0;
  const auto point = [&](double along) {
    return cv::Point(cvRound(tissue.FromPhotoX(pose.centre_x + along * pose.half_length * std::cos(angle))),
                     cvRound(tissue.FromPhotoY(pose.centre_y + along * pose.half_length * std::sin(angle))));
  };
  cv::line(panel, point(-1.0), point(1.0), chosen, 1, cv::LINE_AA);
  cv::circle(panel, point(-1.0), 4, chosen, cv::FILLED, cv::LINE_AA);
  return panel;
}

cv::Mat BlobPanel(const Blobs& blobs) {
  cv::Mat panel(
      static_cast<int>(blobs.labels.rows()), static_cast<int>(blobs.labels.cols()), CV_8UC3, cv::Scalar::all(30));
  for (int row = 0; row < panel.rows; ++row) {
    for (int col = 0; col < panel.cols; ++col) {
      const std::int32_t label = blobs.labels(static_cast<std::size_t>(row), static_cast<std::size_t>(col));
      if (label > 0)
        panel.at<cv::Vec3b>(row, col) = kBlobColours[static_cast<std::size_t>(label - 1) % kBlobColours.size()];
    }
  }
  return panel;
}

std::vector<std::string> WordsOf(const Standardised& result) {
  const ImageQuality& q = result.quality;
  if (q.way == ImageQuality::Way::kPassed) return {"already standardised: passed unchanged"};
  if (q.way == ImageQuality::Way::kEnlarged) return {"80x32: enlarged"};
  std::vector<std::string> words = {
      "confidence " + FormatFixed(q.confidence, 2) + ", aspect " + FormatFixed(q.aspect, 2) + ", area " +
          FormatFixed(100.0 * q.area, 0) + " %, on the border " + FormatFixed(100.0 * q.border, 0) + " %",
      "angle " + FormatFixed(q.pose.angle, 1) + ", half axes " + FormatFixed(q.pose.half_length, 0) + " x " +
          FormatFixed(q.pose.half_height, 0) + " pixels"};
  words.insert(words.end(), q.doubts.begin(), q.doubts.end());
  return words;
}

cv::Mat ResultPanel(const Standardised* result) {
  cv::Mat panel(kEmbryoHeight, kEmbryoWidth, CV_8UC3, kPaper);
  if (result == nullptr) return panel;
  const GrayImage& image = result->image;
  cv::cvtColor(cv::Mat(image.height, image.width, CV_8UC1, const_cast<std::uint8_t*>(image.pixels.data())),
               panel,
               cv::COLOR_GRAY2RGB);
  return panel;
}

void Paste(const cv::Mat& panel, int x, int y, cv::Mat& page) {
  panel.copyTo(page(cv::Rect(x, y, panel.cols, panel.rows)));
}

}  // namespace

RgbImage DrawTrace(const PhotoTrace& trace, const Standardised* result, const std::string& words) {
  SetUpOpenCv();
  const int height = static_cast<int>(trace.tissue.gray.rows());
  const int width = std::max(kWorkingSide, static_cast<int>(trace.tissue.gray.cols()));  // a strip is wider
  const int second = width + 2 * kGap;
  const int top = height > 0 ? 2 * (height + kGap) + kGap : kGap;
  const cv::Scalar colour = result != nullptr && !result->quality.IsDoubtful() ? kSure : kDoubtful;
  RgbImage picture(2 * width + 3 * kGap, top + kEmbryoHeight + kGap, 255);
  cv::Mat page(picture.height, picture.width, CV_8UC3, picture.pixels.data());
  if (height > 0) {
    Paste(PhotographPanel(trace, result, colour), kGap, kGap, page);
    const TissueMap& tissue = trace.tissue;
    const auto rows = static_cast<double>(tissue.gray.rows());
    const auto cols = static_cast<double>(tissue.gray.cols());
    const auto background = [&](std::size_t row, std::size_t col) {
      return tissue.background.At(EdgeToEdge(static_cast<double>(col), cols),
                                  EdgeToEdge(static_cast<double>(row), rows));
    };
    Paste(Paint(tissue.gray, background), second, kGap, page);
    const auto strength = [&](std::size_t row, std::size_t col) {
      const float e = tissue.strength(row, col);
      return e <= 1.0F ? 110.0F * e : 150.0F + 20.0F * e;
    };
    Paste(Paint(tissue.strength, strength), kGap, height + 2 * kGap, page);
    Paste(BlobPanel(trace.blobs), second, height + 2 * kGap, page);
  }
  Paste(ResultPanel(result), kGap, top, page);
  std::vector<std::string> lines = result != nullptr ? WordsOf(*result) : std::vector<std::string>{};
  if (!words.empty()) lines.push_back(words);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const cv::Point at(kGap + kEmbryoWidth + 2 * kGap, top + kWordsHeight * (static_cast<int>(i) + 1));
    cv::putText(page, lines[i], at, cv::FONT_HERSHEY_SIMPLEX, 0.42, colour, 1, cv::LINE_AA);
  }
  return picture;
}

}  // namespace flyscribe
