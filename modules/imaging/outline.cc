#include "imaging/outline.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "imaging/closed_path.h"

namespace flyscribe {
namespace {

constexpr int kRays = 144;
constexpr int kRadii = 81;
constexpr double kInnermost = 0.5;
constexpr double kStep = 0.0125;  // of the radius
constexpr int kMaxJump = 3;       // steps from ray to ray
constexpr int kRounds = 4;
constexpr std::array<double, kRounds> kStiffness = {0.2, 0.2, 0.5, 1.0};  // of the prior, round by round
constexpr double kReach = 0.2;                                            // r+ - r
constexpr double kGuard = 5.0;     // pixels beyond the outline that texture spreads to: not counted as outside
constexpr float kFaintest = 0.3F;  // gray levels a pixel: what is fainter is no edge at all
constexpr double kRegion = 4.0;
constexpr double kEdge = 1.0;
constexpr double kPrior = 8.0;
constexpr double kBend = 300.0;
constexpr double kStray = 0.12;  // radii beyond 1 +- this do not draw the ellipse
constexpr int kNearBand = 4;     // steps off the outline between which a point is judged
constexpr int kFarBand = 16;
constexpr double kPi = std::numbers::pi;

double RadiusAt(int index) { return kInnermost + kStep * index; }

// cos and sin of the rays' angles.
const std::array<OutlinePoint, kRays>& Directions() {
  static const std::array<OutlinePoint, kRays> directions = [] {
    std::array<OutlinePoint, kRays> all;
    for (int i = 0; i < kRays; ++i) {
      const double t = 2.0 * kPi * i / kRays;
      all[static_cast<std::size_t>(i)] = {std::cos(t), std::sin(t)};
    }
    return all;
  }();
  return directions;
}

// Places of an ellipse's own coordinates.
class Coordinates {
 public:
  explicit Coordinates(const Ellipse& e) : e_(e), c_(std::cos(e.angle)), s_(std::sin(e.angle)) {}

  OutlinePoint At(std::size_t ray, double radius) const {
    const OutlinePoint offset = Turned(e_.a * radius * Directions()[ray].x, e_.b * radius * Directions()[ray].y);
    return {e_.x + offset.x, e_.y + offset.y};
  }
  // Unit vector across the ellipse.
  OutlinePoint Normal(std::size_t ray) const {
    const OutlinePoint across = Turned(Directions()[ray].x / e_.a, Directions()[ray].y / e_.b);
    const double length = std::hypot(across.x, across.y);
    return {across.x / length, across.y / length};
  }
  // Pixels across the ellipse in one step of the radius.
  double StepLength(std::size_t ray) const {
    const OutlinePoint normal = Normal(ray);
    const OutlinePoint on = At(ray, 1.0);
    return std::max(kStep * (normal.x * (on.x - e_.x) + normal.y * (on.y - e_.y)), 0.05);
  }

 private:
  OutlinePoint Turned(double u, double v) const { return {c_ * u - s_ * v, s_ * u + c_ * v}; }

  Ellipse e_;
  double c_;
  double s_;
};

float Median(std::vector<float> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

std::vector<OutlinePoint> PointsOf(const Ellipse& ellipse, const std::vector<int>& radii) {
  const Coordinates coordinates(ellipse);
  std::vector<OutlinePoint> points;
  for (std::size_t i = 0; i < radii.size(); ++i) points.push_back(coordinates.At(i, RadiusAt(radii[i])));
  return points;
}

// The points with strays pulled in: what the next ellipse is drawn from.
Ellipse NextEllipse(const Ellipse& ellipse, const std::vector<int>& radii) {
  const Coordinates coordinates(ellipse);
  std::vector<OutlinePoint> points;
  for (std::size_t i = 0; i < radii.size(); ++i) {
    points.push_back(coordinates.At(i, std::clamp(RadiusAt(radii[i]), 1.0 - kStray, 1.0 + kStray)));
  }
  return EllipseOf(points);
}

// The least mean over a window of a closed row.
double WeakestWindow(const std::array<double, kRays>& values, std::size_t window) {
  double least = 1.0;
  for (std::size_t i = 0; i < kRays; ++i) {
    double sum = 0.0;
    for (std::size_t k = 0; k < window; ++k) sum += values[(i + k) % kRays];
    least = std::min(least, sum / static_cast<double>(window));
  }
  return least;
}

// Counts how many samples look like foreground.
struct Tally {
  double foreground = 0.0;
  double all = 0.0;

  void Add(float strength) {
    foreground += strength > 1.0F ? 1.0 : 0.0;
    all += 1.0;
  }
  double Share(double unknown) const { return all > 0.0 ? foreground / all : unknown; }
};

}  // namespace

// What the rays meet. [kRays, kRadii] each.
struct OutlineTracer::Rays {
  FloatMatrix strength = FloatMatrix(kRays, kRadii);
  FloatMatrix edge = FloatMatrix(kRays, kRadii);  // 0 to 1
  Matrix<std::uint8_t> known = Matrix<std::uint8_t>(kRays, kRadii);
  std::array<int, kRays> guard{};     // steps of kGuard pixels across the outline
  std::array<float, kRays> weight{};  // length of a step across the outline, against that at the flank

  FloatMatrix Costs(double stiffness) const;
  std::array<float, kRays> Bends() const;
};

std::array<float, kRays> OutlineTracer::Rays::Bends() const {
  std::array<float, kRays> bends{};
  for (std::size_t i = 0; i < kRays; ++i) bends[i] = static_cast<float>(kBend * kStep * kStep) * weight[i];
  return bends;
}

// The cost of ending each ray at each radius.
FloatMatrix OutlineTracer::Rays::Costs(double stiffness) const {
  FloatMatrix costs(kRays, kRadii);
  const int reach = static_cast<int>(kReach / kStep);
  for (std::size_t i = 0; i < kRays; ++i) {
    std::array<double, kRadii + 1> in{};  // sums up to, but without, a radius
    std::array<double, kRadii + 1> out{};
    for (std::size_t j = 0; j < kRadii; ++j) {
      const double e = strength(i, j);
      const bool is_known = known(i, j) != 0;
      in[j + 1] = in[j] + (is_known ? std::clamp(1.5 - e, 0.0, 1.0) : 0.0);
      out[j + 1] = out[j] + (is_known ? std::clamp(e - 0.5, 0.0, 1.0) : 0.0);
    }
    for (int j = 0; j < kRadii; ++j) {
      const auto at = static_cast<std::size_t>(j);
      const auto begin = static_cast<std::size_t>(std::min(j + guard[i], kRadii));
      const auto end = static_cast<std::size_t>(std::min(j + guard[i] + reach, kRadii));
      const double off = RadiusAt(j) - 1.0;
      const double region = kStep * (in[at] + out[end] - out[begin]);
      costs(i, at) =
          static_cast<float>(kRegion * region - kEdge * edge(i, at) + stiffness * kPrior * weight[i] * off * off);
    }
  }
  return costs;
}

OutlineTracer::OutlineTracer(const PhotoEvidence& evidence) : pixels_(evidence.gray.rows(), evidence.gray.cols()) {
  const FloatMatrix& gray = evidence.gray;
  for (std::size_t row = 0; row < gray.rows(); ++row) {
    const std::size_t above = row > 0 ? row - 1 : row;
    const std::size_t below = std::min(row + 1, gray.rows() - 1);
    for (std::size_t col = 0; col < gray.cols(); ++col) {
      const std::size_t left = col > 0 ? col - 1 : col;
      const std::size_t right = std::min(col + 1, gray.cols() - 1);
      pixels_(row, col) = {evidence.strength(row, col),
                           0.5F * (gray(row, right) - gray(row, left)),
                           0.5F * (gray(below, col) - gray(above, col))};
    }
  }
}

// Bilinear. REQUIRES: Within(x, y).
OutlineTracer::Pixel OutlineTracer::At(double x, double y) const {
  const auto col = static_cast<std::size_t>(x);
  const auto row = static_cast<std::size_t>(y);
  const auto fx = static_cast<float>(x - static_cast<double>(col));
  const auto fy = static_cast<float>(y - static_cast<double>(row));
  const auto mix = [](const Pixel& p, const Pixel& q, float t) {
    return Pixel{p.strength + t * (q.strength - p.strength),
                 p.slope_x + t * (q.slope_x - p.slope_x),
                 p.slope_y + t * (q.slope_y - p.slope_y)};
  };
  const Pixel above = mix(pixels_(row, col), pixels_(row, col + 1), fx);
  const Pixel below = mix(pixels_(row + 1, col), pixels_(row + 1, col + 1), fx);
  return mix(above, below, fy);
}

bool OutlineTracer::Within(double x, double y) const {
  return x >= 0.5 && y >= 0.5 && x <= static_cast<double>(pixels_.cols()) - 1.5 &&
         y <= static_cast<double>(pixels_.rows()) - 1.5;
}

OutlineTracer::Rays OutlineTracer::Sample(const Ellipse& ellipse) const {
  const Coordinates coordinates(ellipse);
  Rays rays;
  std::vector<float> strongest;
  for (std::size_t i = 0; i < kRays; ++i) {
    const OutlinePoint normal = coordinates.Normal(i);
    const double step = coordinates.StepLength(i);
    rays.guard[i] = static_cast<int>(std::lround(kGuard / step));
    rays.weight[i] = static_cast<float>(step / (kStep * ellipse.b));
    float most = 0.0F;
    for (int j = 0; j < kRadii; ++j) {
      const auto at = static_cast<std::size_t>(j);
      const OutlinePoint p = coordinates.At(i, RadiusAt(j));
      if (!Within(p.x, p.y)) continue;
      const Pixel pixel = At(p.x, p.y);
      rays.known(i, at) = 1;
      rays.strength(i, at) = pixel.strength;
      rays.edge(i, at) = static_cast<float>(std::abs(normal.x * pixel.slope_x + normal.y * pixel.slope_y));
      if (std::abs(RadiusAt(j) - 1.0) < 0.2) most = std::max(most, rays.edge(i, at));
    }
    strongest.push_back(most);
  }
  const float half = std::max(0.5F * Median(strongest), kFaintest);
  for (std::size_t i = 0; i < rays.edge.values().size(); ++i) {
    float& edge = rays.edge.data()[i];
    edge = edge / (edge + half);
  }
  return rays;
}

void OutlineTracer::Judge(const Rays& rays, const std::vector<int>& radii, Outline& outline) const {
  std::array<double, kRays> edges{};
  int cut = 0;
  for (std::size_t i = 0; i < kRays; ++i) {
    const OutlinePoint& p = outline.points[i];
    cut += Within(p.x - 0.5, p.y - 0.5) && Within(p.x + 0.5, p.y + 0.5) ? 0 : 1;
    Tally within;
    Tally beyond;
    for (int j = 0; j < kRadii; ++j) {
      const auto at = static_cast<std::size_t>(j);
      const int off = j - radii[i];
      if (rays.known(i, at) == 0 || std::abs(off) < kNearBand || std::abs(off) > kFarBand) continue;
      (off < 0 ? within : beyond).Add(rays.strength(i, at));
    }
    const double edge = rays.edge(i, static_cast<std::size_t>(radii[i]));
    edges[i] = edge;
    outline.edge += edge / kRays;
    outline.support += within.Share(1.0) * std::max(edge, 1.0 - beyond.Share(0.5)) / kRays;
  }
  outline.weakest = WeakestWindow(edges, kRays / 12);
  outline.border = static_cast<double>(cut) / kRays;
  outline.likeness = Likeness(outline.points, outline.ellipse);
}

Outline OutlineTracer::Trace(const Ellipse& start) const {
  Ellipse ellipse = start;
  Outline outline;
  for (int round = 0;; ++round) {
    const Rays rays = Sample(ellipse);
    const std::vector<int> radii =
        LeastClosedPath(rays.Costs(kStiffness[static_cast<std::size_t>(round)]), rays.Bends(), kMaxJump);
    if (round + 1 < kRounds) {
      ellipse = NextEllipse(ellipse, radii);
      continue;
    }
    outline.points = PointsOf(ellipse, radii);
    outline.ellipse = EllipseOf(outline.points);
    Judge(rays, radii, outline);
    return outline;
  }
}

}  // namespace flyscribe
