// Photographs drawn with few lines: grainy ellipses with a dark rim on a bright, uneven, slightly noisy ground. All
// that matters is known; the simulator's photographs, which are harder, are tried in tests/pipeline.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

#include "core/rng.h"
#include "data/image.h"
#include "data/quality.h"

namespace flyscribe {

struct DrawnPhotograph {
  int width = 900;
  int height = 600;
  double ground = 205.0;
  double slope = 0.06;  // of the ground, from the middle to the right border and to the lower one
  double body = 0.8;    // of the ground
  double taper = 0.12;  // how much narrower the anterior end is
  std::vector<EmbryoPose> embryos = {{440.0, 310.0, 20.0, 270.0, 105.0}};  // later ones lie on top
};

// Share of the way from the centre to the outline: below 1 inside.
inline double DrawnRadius(const EmbryoPose& pose, double taper, double x, double y) {
  const double angle = pose.angle * std::numbers::pi / 180.0;
  const double dx = x - pose.centre_x;
  const double dy = y - pose.centre_y;
  const double u = (std::cos(angle) * dx + std::sin(angle) * dy) / pose.half_length;
  const double v = (std::cos(angle) * dy - std::sin(angle) * dx) / pose.half_height;
  return std::hypot(u, v / std::max(0.3, 1.0 + taper * u));
}

inline GrayImage Draw(const DrawnPhotograph& photograph) {
  GrayImage image(photograph.width, photograph.height);
  Rng rng(3);
  for (int y = 0; y < photograph.height; ++y) {
    for (int x = 0; x < photograph.width; ++x) {
      const double light = photograph.ground * (1.0 + photograph.slope * (2.0 * x / photograph.width - 1.0) +
                                                photograph.slope * (2.0 * y / photograph.height - 1.0));
      double gray = light;
      for (const EmbryoPose& pose : photograph.embryos) {
        const double radius = DrawnRadius(pose, photograph.taper, x, y);
        const double depth = (1.0 - radius) * pose.half_height;  // pixels, roughly
        if (depth < -1.0) continue;
        const double grain = 0.05 * std::sin(0.31 * x) * std::sin(0.29 * y);
        const double rim = depth < 4.0 ? 0.82 : 1.0;
        gray = light * photograph.body * rim * (1.0 + grain);
      }
      const double noise = rng.Uniform(-2.0, 2.0);
      image.At(x, y) = static_cast<std::uint8_t>(std::clamp(std::lround(gray + noise), 0L, 255L));
    }
  }
  return image;
}

}  // namespace flyscribe
