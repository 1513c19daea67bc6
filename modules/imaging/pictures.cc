#include "imaging/pictures.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
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
constexpr std::array<int, 3> kFor = {226, 74, 10};
constexpr std::array<int, 3> kAgainst = {0, 92, 200};
constexpr double kStrongest = 0.8;  // opacity at the scale's end
constexpr double kOpacityPower = 0.7;
constexpr double kFaintest = 0.02;  // of the scale
constexpr double kSpread = 6.0;     // pixels
constexpr int kReach = 18;          // pixels: where the spread is cut
constexpr int kSteps = 8;           // of a pixel, in which places count
constexpr int kLevels = 4096;       // of strength, from nothing to the scale's end
constexpr int kOpaque = 1 << 16;    // an opacity of 1
constexpr int kBarHeight = 8;
constexpr float kEndless = 1e30F;   // contributions beyond it would overflow when they are added
constexpr float kNothing = 1e-30F;  // no scale can be made of less

// What is left of a window at a distance along one axis, in steps. The two-dimensional Gaussian is the product of two.
const std::vector<float>& SpreadTable() {
  static const std::vector<float> table = [] {
    std::vector<float> shares;
    for (int steps = 0; steps <= kReach * kSteps; ++steps) {
      const double distance = steps / (kSteps * kSpread);
      shares.push_back(static_cast<float>(std::exp(-0.5 * distance * distance)));
    }
    return shares;
  }();
  return table;
}

// Calls `at(i, share)` with the pixels of [0, length) that a window at `centre` (in steps) reaches.
template <class At>
void Spread(int centre, int length, const At& at) {
  const std::vector<float>& shares = SpreadTable();
  const int first = std::max(0, centre / kSteps - kReach);
  const int last = std::min(length - 1, centre / kSteps + kReach);
  for (int i = first; i <= last; ++i) {
    const auto distance = static_cast<std::size_t>(std::abs(kSteps * i - centre));
    if (distance < shares.size()) at(static_cast<std::size_t>(i), shares[distance]);
  }
}

// Windows spread over a picture, in two passes: first along the lines on which windows lie, then up and down from
// these.
class HeatField {
 public:
  HeatField(const std::vector<PatchEvidence>& patches, int width, int height) : width_(width), height_(height) {
    const auto reaches = [](float place, int length) {  // false for what is no number
      return place > -2.0F * kReach && place < static_cast<float>(length + 2 * kReach);
    };
    const auto steps = [](float place) { return static_cast<int>(std::lround(kSteps * place)); };
    for (const PatchEvidence& patch : patches) {
      const bool is_number = std::abs(patch.contribution) < kEndless;  // not so for NaN
      if (!is_number || !reaches(patch.x, width) || !reaches(patch.y, height)) continue;
      std::vector<float>& line = lines_[steps(patch.y)];
      line.resize(static_cast<std::size_t>(width));
      Spread(steps(patch.x), width, [&](std::size_t x, float share) { line[x] += share * patch.contribution; });
    }
  }

  // The field in one row of pixels.
  void Row(int y, std::vector<float>& row) const {
    row.assign(static_cast<std::size_t>(width_), 0.0F);
    ForEachLine(lines_, y, [&row](float share, const std::vector<float>& line) {
      for (std::size_t x = 0; x < row.size(); ++x) row[x] += share * line[x];
    });
  }

  // The largest magnitude. Rows are looked at by what they could reach at most, until the rest cannot reach more.
  float Scale() const {
    std::map<int, float> largest_of;  // by line
    for (const auto& [centre, line] : lines_) largest_of[centre] = Largest(line);
    std::vector<std::pair<float, int>> bounds;
    for (int y = 0; y < height_; ++y) {
      float bound = 0.0F;
      ForEachLine(largest_of, y, [&](float share, float largest) { bound += share * largest; });
      bounds.emplace_back(bound, y);
    }
    std::ranges::sort(bounds, std::ranges::greater{});
    float scale = 0.0F;
    std::vector<float> row;
    for (const auto& [bound, y] : bounds) {
      if (bound <= scale) break;
      Row(y, row);
      scale = std::max(scale, Largest(row));
    }
    return scale;
  }

 private:
  // Without their sign, floats lie in the order of their bits, which compilers compare many at a time.
  static float Largest(const std::vector<float>& values) {
    std::int32_t largest = 0;
    for (const float value : values) {
      largest = std::max(largest, std::bit_cast<std::int32_t>(value) & std::numeric_limits<std::int32_t>::max());
    }
    return std::bit_cast<float>(largest);
  }

  // Calls `at(share, line)` with what is left of each line in a row of pixels, from the top down.
  template <class Line, class At>
  static void ForEachLine(const std::map<int, Line>& lines, int y, const At& at) {
    const int reach = kReach * kSteps;
    const auto end = lines.upper_bound(kSteps * y + reach);
    for (auto line = lines.lower_bound(kSteps * y - reach); line != end; ++line) {
      at(SpreadTable()[static_cast<std::size_t>(std::abs(kSteps * y - line->first))], line->second);
    }
  }

  int width_;
  int height_;
  std::map<int, std::vector<float>> lines_;  // by height, in steps
};

// Opacities by level of strength, in parts of kOpaque.
const std::vector<int>& OpacityTable() {
  static const std::vector<int> table = [] {
    std::vector<int> opacities;
    for (int level = 0; level <= kLevels; ++level) {
      const double strength = static_cast<double>(level) / kLevels;
      const double opacity = strength < kFaintest ? 0.0 : kStrongest * std::pow(strength, kOpacityPower);
      opacities.push_back(static_cast<int>(std::lround(kOpaque * opacity)));
    }
    return opacities;
  }();
  return table;
}

// `share` is h / scale, in [-1, 1], times kLevels.
void Blend(int gray, float share, std::uint8_t* pixel) {
  const auto level = static_cast<int>(std::min(static_cast<float>(kLevels), std::abs(share)));
  const int opacity = OpacityTable()[static_cast<std::size_t>(level)];
  const std::array<int, 3>& colour = share > 0.0F ? kFor : kAgainst;
  for (std::size_t c = 0; c < 3; ++c) {
    pixel[c] = static_cast<std::uint8_t>((kOpaque * gray + opacity * (colour[c] - gray) + kOpaque / 2) / kOpaque);
  }
}

// "0.0123", with three digits that count.
std::string ScaleText(double scale) {
  const int digits = scale > 0.0 ? std::clamp(2 - static_cast<int>(std::floor(std::log10(scale))), 0, 9) : 0;
  return FormatFixed(scale, digits);
}

void Write(const std::string& words, int x, int y, RgbImage& picture) {
  cv::Mat page(picture.height, picture.width, CV_8UC3, picture.pixels.data());
  cv::putText(page, words, {x, y}, cv::FONT_HERSHEY_SIMPLEX, 0.34, cv::Scalar(40, 40, 40), 1, cv::LINE_AA);
}

// "against -0.012 [blue ... gray ... red] +0.012 for".
void DrawLegend(const std::string& scale, int top, RgbImage& picture) {
  const int left = picture.width / 3;
  const int right = picture.width - left;
  const int bar = top + (kLegendHeight - kBarHeight) / 2;
  for (int x = left; x < right; ++x) {
    const float share = kLevels * (2.0F * static_cast<float>(x - left) / static_cast<float>(right - left - 1) - 1.0F);
    for (int y = bar; y < bar + kBarHeight; ++y) Blend(200, share, picture.At(x, y));
  }
  const int base = top + kLegendHeight / 2 + 4;
  Write("against -" + scale, 2, base, picture);
  Write("+" + scale + " for", right + 4, base, picture);
}

}  // namespace

RgbImage DrawHeatMap(const GrayImage& embryo, const std::vector<PatchEvidence>& patches) {
  FLYSCRIBE_CHECK(embryo.width > 0 && embryo.height > 0, "an embryo has pixels");
  SetUpOpenCv();
  const HeatField field(patches, embryo.width, embryo.height);
  const float scale = field.Scale();
  const float to_levels = scale > kNothing ? kLevels / scale : 0.0F;
  RgbImage picture(embryo.width, embryo.height + kLegendHeight, 255);
  std::vector<float> row;
  for (int y = 0; y < embryo.height; ++y) {
    field.Row(y, row);
    for (int x = 0; x < embryo.width; ++x) {
      Blend(embryo.At(x, y), to_levels * row[static_cast<std::size_t>(x)], picture.At(x, y));
    }
  }
  DrawLegend(ScaleText(scale), embryo.height, picture);
  return picture;
}

std::string HeatMapScale(const std::vector<PatchEvidence>& patches, int width, int height) {
  return ScaleText(HeatField(patches, width, height).Scale());
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
