#include "imaging/ellipse_fit.h"

#include <cmath>
#include <opencv2/core.hpp>

namespace flyscribe {
namespace {

constexpr std::size_t kFewest = 5;
constexpr double kOnALine = 1e-12;  // determinant of the linear part, in units of the points' spread

// a x^2 + b x y + c y^2 + d x + e y + f = 0. REQUIRES: 4 a c > b^2.
std::optional<Ellipse> FromConic(cv::Vec3d quadratic, cv::Vec3d linear) {
  if (quadratic[0] < 0.0) {
    quadratic = -quadratic;
    linear = -linear;
  }
  const auto& [a, b, c] = quadratic.val;
  const auto& [d, e, f] = linear.val;
  const double det = 4.0 * a * c - b * b;
  Ellipse ellipse;
  ellipse.x = (b * e - 2.0 * c * d) / det;
  ellipse.y = (b * d - 2.0 * a * e) / det;
  const double level = -(f + 0.5 * (d * ellipse.x + e * ellipse.y));
  if (!(level > 0.0)) return std::nullopt;
  // The curvatures along the axes are (a + c -+ spread) / 2, the smaller one along the long axis.
  const double spread = std::hypot(a - c, b);
  ellipse.angle = 0.5 * std::atan2(-b, c - a);
  ellipse.a = std::sqrt(2.0 * level / (a + c - spread));
  ellipse.b = std::sqrt(2.0 * level / (a + c + spread));
  return ellipse;
}

}  // namespace

// With the sums S1 = sum q q^T, S2 = sum q l^T, S3 = sum l l^T of q = (x^2, x y, y^2) and l = (x, y, 1), the best
// linear part is T (a b c), T = -S3^-1 S2^T, and (a b c) is an eigenvector of C^-1 (S1 + S2 T), where (a b c) C (a b
// c)^T is 4 a c - b^2: the one for which that is positive.
std::optional<Ellipse> FitEllipse(std::span<const OutlinePoint> points) {
  if (points.size() < kFewest) return std::nullopt;
  const auto n = static_cast<double>(points.size());
  double x = 0.0;
  double y = 0.0;
  for (const OutlinePoint& point : points) {
    x += point.x / n;
    y += point.y / n;
  }
  double scale = 0.0;
  for (const OutlinePoint& point : points) scale += (std::abs(point.x - x) + std::abs(point.y - y)) / n;
  if (scale == 0.0) return std::nullopt;
  cv::Matx33d s1 = cv::Matx33d::zeros();
  cv::Matx33d s2 = cv::Matx33d::zeros();
  cv::Matx33d s3 = cv::Matx33d::zeros();
  for (const OutlinePoint& point : points) {
    const cv::Vec3d l((point.x - x) / scale, (point.y - y) / scale, 1.0);
    const cv::Vec3d q(l[0] * l[0], l[0] * l[1], l[1] * l[1]);
    s1 += q * q.t() * (1.0 / n);
    s2 += q * l.t() * (1.0 / n);
    s3 += l * l.t() * (1.0 / n);
  }
  if (cv::determinant(s3) < kOnALine) return std::nullopt;
  const cv::Matx33d t = s3.inv() * s2.t() * -1.0;
  const cv::Matx33d m = s1 + s2 * t;
  const cv::Matx33d reduced(
      m(2, 0) / 2, m(2, 1) / 2, m(2, 2) / 2, -m(1, 0), -m(1, 1), -m(1, 2), m(0, 0) / 2, m(0, 1) / 2, m(0, 2) / 2);
  cv::Mat values;
  cv::Mat vectors;
  cv::eigenNonSymmetric(reduced, values, vectors);
  for (int i = 0; i < 3; ++i) {
    const cv::Vec3d quadratic(vectors.at<double>(i, 0), vectors.at<double>(i, 1), vectors.at<double>(i, 2));
    if (!(4.0 * quadratic[0] * quadratic[2] - quadratic[1] * quadratic[1] > 0.0)) continue;
    std::optional<Ellipse> ellipse = FromConic(quadratic, t * quadratic);
    if (!ellipse) return std::nullopt;
    ellipse->x = x + scale * ellipse->x;
    ellipse->y = y + scale * ellipse->y;
    ellipse->a *= scale;
    ellipse->b *= scale;
    return ellipse;
  }
  return std::nullopt;
}

}  // namespace flyscribe
