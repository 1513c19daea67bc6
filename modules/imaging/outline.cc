#include "imaging/outline.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>

#include "core/error.h"

namespace flyscribe {
namespace {

AreaSums SumsOf(const std::vector<OutlinePoint>& p, const OutlinePoint& origin) {
  AreaSums sums;
  for (std::size_t i = 0; i < p.size(); ++i) {
    const OutlinePoint& next = p[(i + 1) % p.size()];
    const double x0 = p[i].x - origin.x;
    const double y0 = p[i].y - origin.y;
    const double x1 = next.x - origin.x;
    const double y1 = next.y - origin.y;
    const double cross = x0 * y1 - x1 * y0;
    sums.one += cross / 2.0;
    sums.x += cross * (x0 + x1) / 6.0;
    sums.y += cross * (y0 + y1) / 6.0;
    sums.xx += cross * (x0 * x0 + x0 * x1 + x1 * x1) / 12.0;
    sums.yy += cross * (y0 * y0 + y0 * y1 + y1 * y1) / 12.0;
    sums.xy += cross * (2.0 * x0 * y0 + x0 * y1 + x1 * y0 + 2.0 * x1 * y1) / 24.0;
  }
  return sums;
}

}  // namespace

Ellipse EllipseOf(const AreaSums& sums) {
  FLYSCRIBE_CHECK(sums.one != 0.0, "nothing has no ellipse");
  const double x = sums.x / sums.one;
  const double y = sums.y / sums.one;
  const double xx = sums.xx / sums.one - x * x;
  const double yy = sums.yy / sums.one - y * y;
  const double xy = sums.xy / sums.one - x * y;
  const double middle = 0.5 * (xx + yy);
  const double spread = std::hypot(0.5 * (xx - yy), xy);
  return {x,
          y,
          0.5 * std::atan2(2.0 * xy, xx - yy),
          2.0 * std::sqrt(std::max(middle + spread, 0.0)),
          2.0 * std::sqrt(std::max(middle - spread, 0.0))};
}

Ellipse EllipseOf(const std::vector<OutlinePoint>& polygon) {
  const OutlinePoint origin = polygon.front();  // squares of large coordinates would lose digits
  Ellipse ellipse = EllipseOf(SumsOf(polygon, origin));
  ellipse.x += origin.x;
  ellipse.y += origin.y;
  return ellipse;
}

double AreaOf(const std::vector<OutlinePoint>& polygon) { return std::abs(SumsOf(polygon, polygon.front()).one); }

double SkewnessAlong(const std::vector<OutlinePoint>& polygon, const Ellipse& ellipse) {
  const double c = std::cos(ellipse.angle);
  const double s = std::sin(ellipse.angle);
  double area = 0.0;
  double third = 0.0;
  // Triangles from the centre; over one with corners 0, u, v along the axis the mean of the cube is
  // (u^3 + u^2 v + u v^2 + v^3) / 10.
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const OutlinePoint& p = polygon[i];
    const OutlinePoint& q = polygon[(i + 1) % polygon.size()];
    const double part = 0.5 * ((p.x - ellipse.x) * (q.y - ellipse.y) - (q.x - ellipse.x) * (p.y - ellipse.y));
    const double u = c * (p.x - ellipse.x) + s * (p.y - ellipse.y);
    const double v = c * (q.x - ellipse.x) + s * (q.y - ellipse.y);
    area += part;
    third += part * (u * u * u + u * u * v + u * v * v + v * v * v) / 10.0;
  }
  return third / area / std::pow(ellipse.a / 2.0, 3);
}

double RadiusIn(const Ellipse& e, const OutlinePoint& point) {
  const double c = std::cos(e.angle);
  const double s = std::sin(e.angle);
  const double dx = point.x - e.x;
  const double dy = point.y - e.y;
  return std::hypot((c * dx + s * dy) / e.a, (c * dy - s * dx) / e.b);
}

double Likeness(const std::vector<OutlinePoint>& polygon, const Ellipse& ellipse) {
  double both = 0.0;
  double any = 0.0;
  for (const OutlinePoint& point : polygon) {
    const double radius = RadiusIn(ellipse, point);
    both += std::min(radius * radius, 1.0);
    any += std::max(radius * radius, 1.0);
  }
  return any > 0.0 ? both / any : 0.0;
}

namespace {

constexpr float kNever = std::numeric_limits<float>::max() / 4.0F;

// A ring of columns, walked from one of them all the way round.
class Ring {
 public:
  Ring(const FloatMatrix& costs, std::span<const float> bends, int max_jump)
      : costs_(costs),
        bends_(bends),
        max_jump_(max_jump),
        levels_(static_cast<int>(costs.cols())),
        from_(costs.rows() + 1, costs.cols()) {}

  // Costs of the best ways from `best` (cost of each level of column `first`) over `steps` further columns.
  std::vector<float> Walk(std::size_t first, std::size_t steps, std::vector<float> best) {
    std::vector<float> next(best.size());
    for (std::size_t step = 1; step <= steps; ++step) {
      const std::size_t column = (first + step) % costs_.rows();
      for (int level = 0; level < levels_; ++level) {
        const auto [cost, jump] = Cheapest(best, level, bends_[column]);
        next[static_cast<std::size_t>(level)] = cost + costs_(column, static_cast<std::size_t>(level));
        from_(step, static_cast<std::size_t>(level)) = static_cast<std::int8_t>(jump);
      }
      best.swap(next);
    }
    return best;
  }

  // The level `steps` columns after the first of Walk, and all those before it, given the last.
  std::vector<int> Retrace(std::size_t steps, int level) const {
    std::vector<int> levels(steps + 1);
    for (std::size_t step = steps + 1; step-- > 0;) {
      levels[step] = level;
      if (step > 0) level += from_(step, static_cast<std::size_t>(level));
    }
    return levels;
  }

 private:
  std::pair<float, int> Cheapest(const std::vector<float>& best, int level, float bend) const {
    std::pair<float, int> cheapest = {kNever, 0};
    const int last = std::min(level + max_jump_, levels_ - 1);
    for (int k = std::max(level - max_jump_, 0); k <= last; ++k) {
      const auto jump = static_cast<float>(k - level);
      const float cost = best[static_cast<std::size_t>(k)] + bend * jump * jump;
      if (cost < cheapest.first) cheapest = {cost, k - level};
    }
    return cheapest;
  }

  const FloatMatrix& costs_;
  std::span<const float> bends_;
  int max_jump_;
  int levels_;
  Matrix<std::int8_t> from_;
};

}  // namespace

std::vector<int> LeastClosedPath(const FloatMatrix& costs, std::span<const float> bends, int max_jump) {
  const std::size_t columns = costs.rows();
  FLYSCRIBE_CHECK(columns >= 2 && bends.size() == columns && max_jump > 0 && max_jump < 128,
                  "a closed path needs two columns");
  Ring ring(costs, bends, max_jump);
  const std::vector<float> open = ring.Walk(0, columns - 1, {costs.Row(0).begin(), costs.Row(0).end()});
  const auto last = static_cast<int>(std::ranges::min_element(open) - open.begin());
  const std::size_t anchor = columns / 2;
  const int kept = ring.Retrace(columns - 1, last)[anchor];
  std::vector<float> start(costs.cols(), kNever);
  start[static_cast<std::size_t>(kept)] = 0.0F;  // its own cost comes when the walk is back
  ring.Walk(anchor, columns, start);
  const std::vector<int> levels = ring.Retrace(columns, kept);
  std::vector<int> path(columns);
  for (std::size_t i = 0; i < columns; ++i) path[(anchor + i) % columns] = levels[i];
  return path;
}

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
constexpr double kStray = 0.12;    // radii beyond 1 +- this do not draw the ellipse
constexpr double kAnywhere = 1.0;  // no radius is farther off
constexpr int kNearBand = 4;       // steps off the outline between which a point is judged
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

// The points of an outline; radii beyond 1 +- `stray` are pulled in.
std::vector<OutlinePoint> PointsOf(const Ellipse& ellipse, const std::vector<int>& radii, double stray) {
  const Coordinates coordinates(ellipse);
  std::vector<OutlinePoint> points;
  for (std::size_t i = 0; i < radii.size(); ++i) {
    points.push_back(coordinates.At(i, std::clamp(RadiusAt(radii[i]), 1.0 - stray, 1.0 + stray)));
  }
  return points;
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

OutlineTracer::OutlineTracer(const TissueMap& tissue) : pixels_(tissue.gray.rows(), tissue.gray.cols()) {
  const FloatMatrix& gray = tissue.gray;
  for (std::size_t row = 0; row < gray.rows(); ++row) {
    const std::size_t above = row > 0 ? row - 1 : row;
    const std::size_t below = std::min(row + 1, gray.rows() - 1);
    for (std::size_t col = 0; col < gray.cols(); ++col) {
      const std::size_t left = col > 0 ? col - 1 : col;
      const std::size_t right = std::min(col + 1, gray.cols() - 1);
      pixels_(row, col) = {tissue.strength(row, col),
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
  const auto median = strongest.begin() + kRays / 2;
  std::nth_element(strongest.begin(), median, strongest.end());
  const float half = std::max(0.5F * *median, kFaintest);
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
  outline.weakest = 1.0;
  for (std::size_t i = 0; i < kRays; ++i) {
    constexpr std::size_t kWindow = kRays / 12;
    double sum = 0.0;
    for (std::size_t k = 0; k < kWindow; ++k) sum += edges[(i + k) % kRays];
    outline.weakest = std::min(outline.weakest, sum / static_cast<double>(kWindow));
  }
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
      ellipse = EllipseOf(PointsOf(ellipse, radii, kStray));
      continue;
    }
    outline.points = PointsOf(ellipse, radii, kAnywhere);
    outline.ellipse = EllipseOf(outline.points);
    Judge(rays, radii, outline);
    return outline;
  }
}

}  // namespace flyscribe
