#include "imaging/ellipse.h"

#include <algorithm>
#include <cmath>

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

}  // namespace flyscribe
