#include "imaging/arcs.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>

#include "imaging/opencv_setup.h"

namespace flyscribe {
namespace {

using Arc = std::vector<cv::Point2f>;

constexpr std::size_t kShortestOutline = 60;  // points
constexpr std::size_t kShortestArc = 24;
constexpr std::size_t kMostArcs = 6;  // of one piece, the longest
constexpr int kSmoothing = 4;         // points each side, for the outline
constexpr double kNotch = 0.7;        // pixels inside the chord
constexpr std::size_t kTrim = 3;      // points at either end of an arc: notches are rounded
constexpr double kLeastAspect = 1.5;
constexpr double kMostAspect = 4.0;
constexpr double kNearArc = 0.08;  // of the radius

Arc Smoothed(const std::vector<cv::Point>& outline) {
  const auto n = static_cast<int>(outline.size());
  Arc smooth;
  for (int i = 0; i < n; ++i) {
    cv::Point2f sum(0.0F, 0.0F);
    for (int k = -kSmoothing; k <= kSmoothing; ++k)
      sum += cv::Point2f(outline[static_cast<std::size_t>((i + k + n) % n)]);
    smooth.push_back(sum / static_cast<float>(2 * kSmoothing + 1));
  }
  return smooth;
}

// How far each point lies inside the chord of its neighbourhood. Outlines run counter-clockwise to the eye.
std::vector<double> Notches(const Arc& outline) {
  const auto n = static_cast<int>(outline.size());
  const int reach = std::clamp(n / 30, 8, 20);
  std::vector<double> depths;
  for (int i = 0; i < n; ++i) {
    const cv::Point2f& p = outline[static_cast<std::size_t>(i)];
    const cv::Point2f& before = outline[static_cast<std::size_t>((i + n - reach) % n)];
    const cv::Point2f& after = outline[static_cast<std::size_t>((i + reach) % n)];
    const cv::Point2f chord = after - before;
    const double length = std::max(std::hypot(chord.x, chord.y), 1.0F);
    depths.push_back((p - before).cross(chord) / length);
  }
  return depths;
}

// Whether a point cuts the outline: the deepest of its notch, or on the picture's border.
std::vector<bool> Cuts(const Arc& outline, const cv::Size& size) {
  const std::vector<double> depths = Notches(outline);
  const auto n = static_cast<int>(outline.size());
  std::vector<bool> cuts(outline.size());
  for (int i = 0; i < n; ++i) {
    const cv::Point2f& p = outline[static_cast<std::size_t>(i)];
    const float margin = 2.0F;
    bool cut = p.x < margin || p.y < margin || p.x > static_cast<float>(size.width) - 1.0F - margin ||
               p.y > static_cast<float>(size.height) - 1.0F - margin;
    const double depth = depths[static_cast<std::size_t>(i)];
    if (depth > kNotch) {
      bool deepest = true;
      for (int k = -4; k <= 4; ++k) deepest &= depths[static_cast<std::size_t>((i + k + n) % n)] <= depth;
      cut |= deepest;
    }
    cuts[static_cast<std::size_t>(i)] = cut;
  }
  return cuts;
}

// The arcs between cuts, longest first. None if nothing cuts: then there is nothing to take apart.
std::vector<Arc> ArcsOf(const Arc& outline, const cv::Size& size) {
  const std::vector<bool> cuts = Cuts(outline, size);
  const auto first = std::find(cuts.begin(), cuts.end(), true);
  if (first == cuts.end()) return {};
  const auto start = static_cast<std::size_t>(first - cuts.begin());
  std::vector<Arc> arcs(1);
  for (std::size_t i = 1; i <= outline.size(); ++i) {
    const std::size_t at = (start + i) % outline.size();
    if (cuts[at]) {
      arcs.emplace_back();
    } else {
      arcs.back().push_back(outline[at]);
    }
  }
  std::erase_if(arcs, [](const Arc& arc) { return arc.size() < kShortestArc; });
  for (Arc& arc : arcs) arc = Arc(arc.begin() + kTrim, arc.end() - kTrim);
  std::stable_sort(arcs.begin(), arcs.end(), [](const Arc& a, const Arc& b) { return a.size() > b.size(); });
  arcs.resize(std::min(arcs.size(), kMostArcs));
  return arcs;
}

double ShareNear(const Arc& points, const Ellipse& ellipse) {
  const auto near = std::count_if(points.begin(), points.end(), [&](const cv::Point2f& p) {
    return std::abs(RadiusIn(ellipse, {p.x, p.y}) - 1.0) < kNearArc;
  });
  return static_cast<double>(near) / static_cast<double>(points.size());
}

// Share of the ellipse, as far as it lies in the picture, that is foreground.
double Coverage(const Matrix<std::uint8_t>& mask, const Ellipse& e) {
  const auto low = [](double at) { return static_cast<std::size_t>(std::max(at, 0.0)); };
  double all = 0.0;
  double covered = 0.0;
  for (std::size_t row = low(e.y - e.a); row < mask.rows() && static_cast<double>(row) <= e.y + e.a; row += 2) {
    for (std::size_t col = low(e.x - e.a); col < mask.cols() && static_cast<double>(col) <= e.x + e.a; col += 2) {
      if (RadiusIn(e, {static_cast<double>(col), static_cast<double>(row)}) > 1.0) continue;
      all += 1.0;
      covered += mask(row, col) != 0 ? 1.0 : 0.0;
    }
  }
  return all > 0.0 ? covered / all : 0.0;
}

Ellipse FitEllipse(const Arc& points) {
  const cv::RotatedRect box = cv::fitEllipseDirect(points);
  double a = 0.5 * box.size.width;
  double b = 0.5 * box.size.height;
  double angle = box.angle * std::numbers::pi / 180.0;
  if (a < b) {
    std::swap(a, b);
    angle += 0.5 * std::numbers::pi;
  }
  return {box.center.x, box.center.y, angle, a, b};
}

void Propose(const Arc& points, const Matrix<std::uint8_t>& mask, std::vector<ArcEllipse>& proposals) {
  const Ellipse e = FitEllipse(points);
  const double side = static_cast<double>(std::max(mask.rows(), mask.cols()));
  const bool sensible = e.b > 4.0 && e.a < 0.8 * side && e.a >= kLeastAspect * e.b && e.a <= kMostAspect * e.b;
  if (!sensible || ShareNear(points, e) < 0.8 || Coverage(mask, e) < 0.9) return;
  const double around = std::numbers::pi * (e.a + e.b);
  proposals.push_back({e, std::min(1.0, static_cast<double>(points.size()) / around)});
}

}  // namespace

std::vector<ArcEllipse> EllipsesOfArcs(const Matrix<std::uint8_t>& mask) {
  SetUpOpenCv();
  const cv::Mat picture(
      static_cast<int>(mask.rows()), static_cast<int>(mask.cols()), CV_8UC1, const_cast<std::uint8_t*>(mask.data()));
  std::vector<std::vector<cv::Point>> outlines;
  cv::findContours(picture, outlines, cv::RETR_EXTERNAL, cv::CHAIN_APPROX_NONE);
  std::vector<ArcEllipse> proposals;
  for (const std::vector<cv::Point>& outline : outlines) {
    if (outline.size() < kShortestOutline) continue;
    const std::vector<Arc> arcs = ArcsOf(Smoothed(outline), picture.size());
    for (std::size_t i = 0; i < arcs.size(); ++i) {
      Propose(arcs[i], mask, proposals);
      for (std::size_t j = 0; j < i; ++j) {
        Arc both = arcs[i];
        both.insert(both.end(), arcs[j].begin(), arcs[j].end());
        Propose(both, mask, proposals);
      }
    }
  }
  return proposals;
}

}  // namespace flyscribe
