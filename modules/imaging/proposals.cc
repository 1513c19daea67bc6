#include "imaging/proposals.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>
#include <optional>
#include <set>

#include "imaging/ellipse_fit.h"
#include "imaging/image_file.h"

namespace flyscribe {
namespace {

constexpr float kForeground = 1.0F;
constexpr int kClosing = 3;  // radii, working pixels
constexpr int kOpening = 4;
constexpr float kMargin = 6.0F;
constexpr float kWaist = 0.8F;
constexpr double kSmallestShare = 0.01;  // of the picture

cv::Mat Disc(int radius) { return cv::getStructuringElement(cv::MORPH_ELLIPSE, {2 * radius + 1, 2 * radius + 1}); }

Matrix<std::uint8_t> Copy(const cv::Mat& mask) {
  Matrix<std::uint8_t> copy(static_cast<std::size_t>(mask.rows), static_cast<std::size_t>(mask.cols));
  std::copy_n(mask.ptr<std::uint8_t>(), mask.total(), copy.data());
  return copy;
}

cv::Mat FilledMask(const FloatMatrix& strength) {
  const cv::Mat source(static_cast<int>(strength.rows()),
                       static_cast<int>(strength.cols()),
                       CV_32F,
                       const_cast<float*>(strength.data()));
  cv::Mat mask = source > kForeground;
  cv::morphologyEx(mask, mask, cv::MORPH_CLOSE, Disc(kClosing));
  std::vector<std::vector<cv::Point>> contours;
  cv::findContours(mask, contours, cv::RETR_EXTERNAL, cv::CHAIN_APPROX_NONE);
  cv::drawContours(mask, contours, -1, cv::Scalar(255), cv::FILLED);
  cv::morphologyEx(mask, mask, cv::MORPH_OPEN, Disc(kOpening), {-1, -1}, 1, cv::BORDER_REPLICATE);
  return mask;
}

// Regions that grow together from the peaks of the distance down.
class Flood {
 public:
  explicit Flood(const cv::Mat& distance) : distance_(distance), region_(distance.total(), -1) {}

  void Run() {
    for (const std::vector<int>& level : Levels()) {
      for (const int pixel : level) Add(pixel);
    }
  }

  // The region of a pixel, -1 for background.
  int Root(int pixel) {
    int& region = region_[static_cast<std::size_t>(pixel)];
    while (region >= 0 && parent_[static_cast<std::size_t>(region)] != region) {
      region = parent_[static_cast<std::size_t>(region)];  // also shortens the next way
    }
    return region;
  }

  // Calls visit for the four or eight neighbours of a pixel.
  template <class Visit>
  void ForNeighbours(int pixel, Visit visit) const {
    const int x = pixel % distance_.cols;
    const int y = pixel / distance_.cols;
    for (int v = std::max(y - 1, 0); v <= std::min(y + 1, distance_.rows - 1); ++v) {
      for (int u = std::max(x - 1, 0); u <= std::min(x + 1, distance_.cols - 1); ++u) {
        if (u != x || v != y) visit(v * distance_.cols + u);
      }
    }
  }

 private:
  // Foreground pixels by falling distance, in steps of 1/8 pixel; by position within a step.
  std::vector<std::vector<int>> Levels() const {
    constexpr float kPerPixel = 8.0F;
    constexpr float kFarthest = 4096.0F;
    double highest = 0.0;
    cv::minMaxLoc(distance_, nullptr, &highest);
    const auto steps = static_cast<std::size_t>(kPerPixel * std::min(static_cast<float>(highest), kFarthest));
    std::vector<std::vector<int>> levels(steps + 1);
    for (int i = 0; i < static_cast<int>(distance_.total()); ++i) {
      if (At(i) <= 0.0F) continue;
      levels[steps - std::min(steps, static_cast<std::size_t>(kPerPixel * std::min(At(i), kFarthest)))].push_back(i);
    }
    return levels;
  }

  float At(int pixel) const { return distance_.ptr<float>()[pixel]; }

  void Add(int pixel) {
    int home = -1;
    ForNeighbours(pixel, [&](int neighbour) {
      const int other = Root(neighbour);
      if (other < 0 || other == home) return;
      home = home < 0 ? other : Meet(home, other, At(pixel));
    });
    if (home < 0) {
      home = static_cast<int>(parent_.size());
      parent_.push_back(home);
      peaks_.push_back(At(pixel));
    }
    region_[static_cast<std::size_t>(pixel)] = home;
  }

  // The region a pixel belongs to at which two regions meet: theirs if the waist is shallow, else the higher one's.
  int Meet(int a, int b, float level) {
    if (peaks_[static_cast<std::size_t>(a)] < peaks_[static_cast<std::size_t>(b)]) std::swap(a, b);
    if (level >= kWaist * peaks_[static_cast<std::size_t>(b)]) parent_[static_cast<std::size_t>(b)] = a;
    return a;
  }

  const cv::Mat& distance_;
  std::vector<int> region_;
  std::vector<int> parent_;
  std::vector<float> peaks_;
};

Blobs Collect(const cv::Mat& distance, Flood& flood) {
  const auto rows = static_cast<std::size_t>(distance.rows);
  const auto cols = static_cast<std::size_t>(distance.cols);
  std::vector<std::size_t> sizes(rows * cols);  // by root
  for (std::size_t i = 0; i < rows * cols; ++i) {
    const int root = flood.Root(static_cast<int>(i));
    if (root >= 0) ++sizes[static_cast<std::size_t>(root)];
  }
  const double smallest = kSmallestShare * static_cast<double>(rows * cols);
  std::vector<std::int32_t> label_of(sizes.size());
  Blobs blobs;
  blobs.labels = Matrix<std::int32_t>(rows, cols);
  for (std::size_t root = 0; root < sizes.size(); ++root) {
    if (static_cast<double>(sizes[root]) < std::max(smallest, 1.0)) continue;
    blobs.areas.push_back(sizes[root]);
    label_of[root] = static_cast<std::int32_t>(blobs.areas.size());
  }
  for (std::size_t i = 0; i < rows * cols; ++i) {
    const int root = flood.Root(static_cast<int>(i));
    if (root >= 0) blobs.labels.data()[i] = label_of[static_cast<std::size_t>(root)];
  }
  return blobs;
}

}  // namespace

Blobs FindBlobs(const FloatMatrix& strength) {
  SetUpOpenCv();
  const cv::Mat mask = FilledMask(strength);
  cv::Mat distance;
  cv::distanceTransform(mask, distance, cv::DIST_L2, cv::DIST_MASK_5);
  Flood flood(distance);
  flood.Run();
  Blobs blobs = Collect(distance, flood);
  std::set<std::pair<std::size_t, std::size_t>> contacts;
  for (std::size_t i = 0; i < blobs.labels.values().size(); ++i) {
    const std::int32_t label = blobs.labels.values()[i];
    flood.ForNeighbours(static_cast<int>(i), [&](int neighbour) {
      const std::int32_t other = blobs.labels.values()[static_cast<std::size_t>(neighbour)];
      if (label > 0 && other > label) contacts.emplace(label - 1, other - 1);
    });
  }
  blobs.contacts.assign(contacts.begin(), contacts.end());
  blobs.mask = Copy(mask);
  blobs.solid = Copy(distance > kMargin);
  return blobs;
}

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

// Whether a point cuts the outline: the deepest of its notch, or on the picture's border. Outlines run
// counter-clockwise to the eye.
std::vector<bool> Cuts(const Arc& outline, const cv::Size& size) {
  const auto n = static_cast<int>(outline.size());
  const int reach = std::clamp(n / 30, 8, 20);
  std::vector<double> depths;  // of each point inside the chord of its neighbourhood
  for (int i = 0; i < n; ++i) {
    const cv::Point2f& p = outline[static_cast<std::size_t>(i)];
    const cv::Point2f& before = outline[static_cast<std::size_t>((i + n - reach) % n)];
    const cv::Point2f& after = outline[static_cast<std::size_t>((i + reach) % n)];
    const cv::Point2f chord = after - before;
    const double length = std::max(std::hypot(chord.x, chord.y), 1.0F);
    depths.push_back((p - before).cross(chord) / length);
  }
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
  std::ranges::stable_sort(arcs, [](const Arc& a, const Arc& b) { return a.size() > b.size(); });
  arcs.resize(std::min(arcs.size(), kMostArcs));
  return arcs;
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

// Adds the ellipse through the points, if an embryo could have it.
void Propose(const Arc& arc, const Matrix<std::uint8_t>& mask, std::vector<ArcEllipse>& proposals) {
  std::vector<OutlinePoint> points;
  for (const cv::Point2f& point : arc) points.push_back({point.x, point.y});
  const std::optional<Ellipse> fitted = FitEllipse(points);
  if (!fitted) return;
  const Ellipse& e = *fitted;
  const double side = static_cast<double>(std::max(mask.rows(), mask.cols()));
  const bool sensible = e.b > 4.0 && e.a < 0.8 * side && e.a >= kLeastAspect * e.b && e.a <= kMostAspect * e.b;
  if (!sensible) return;
  const auto near =
      std::ranges::count_if(points, [&](const OutlinePoint& p) { return std::abs(RadiusIn(e, p) - 1.0) < kNearArc; });
  const auto count = static_cast<double>(points.size());
  if (static_cast<double>(near) / count < 0.8 || Coverage(mask, e) < 0.9) return;
  const double around = std::numbers::pi * (e.a + e.b);
  proposals.push_back({e, std::min(1.0, count / around)});
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
