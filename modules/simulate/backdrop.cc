#include "simulate/backdrop.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "simulate/noise.h"

namespace flyscribe {
namespace {

constexpr float kPi = std::numbers::pi_v<float>;

float Draw(Rng& rng, double low, double high) { return static_cast<float>(rng.Uniform(low, high)); }

// Grays to beiges met in transmitted light.
std::array<float, 3> DrawColour(Rng& rng) {
  const float gray = Draw(rng, 158.0, 230.0);
  const float warmth = Draw(rng, -0.025, 0.07);
  const float green = Draw(rng, -0.01, 0.015);
  return {gray * (1.0F + 0.4F * warmth), gray * (1.0F + green), gray * (1.0F - warmth)};
}

struct Unevenness {
  float slope_x = 0.0F;  // from the middle to the border
  float slope_y = 0.0F;
  float vignette = 0.0F;  // how much darker the corners are
  float clouds = 0.0F;
  float mottling = 0.0F;
};

Unevenness DrawUnevenness(float noise, Rng& rng) {
  return {noise * static_cast<float>(rng.Normal(0.0, 0.035)),
          noise * static_cast<float>(rng.Normal(0.0, 0.035)),
          noise * std::max(0.0F, Draw(rng, -0.05, 0.2)),
          noise * Draw(rng, 0.004, 0.022),
          noise * Draw(rng, 0.002, 0.012)};
}

FloatMatrix MakeLight(std::size_t rows, std::size_t cols, float noise, Rng& rng) {
  const Unevenness uneven = DrawUnevenness(noise, rng);
  const auto across = static_cast<float>(cols);
  const auto down = static_cast<float>(rows);
  FloatMatrix light = SmoothNoise(rows, cols, std::max(1.0F, Draw(rng, 0.04, 0.15) * across), rng);
  const FloatMatrix fine = SmoothNoise(rows, cols, std::max(1.5F, Draw(rng, 0.003, 0.012) * across), rng);
  for (std::size_t row = 0; row < rows; ++row) {
    const float y = 2.0F * static_cast<float>(row) / down - 1.0F;
    for (std::size_t col = 0; col < cols; ++col) {
      const float x = 2.0F * static_cast<float>(col) / across - 1.0F;
      const float smooth = uneven.slope_x * x + uneven.slope_y * y - 0.5F * uneven.vignette * (x * x + y * y);
      light(row, col) = 1.0F + smooth + uneven.clouds * light(row, col) + uneven.mottling * fine(row, col);
    }
  }
  return light;
}

// A round speck, dark or bright, with a ring of the other kind if it is out of focus.
struct Speck {
  float x = 0.0F;
  float y = 0.0F;
  float radius = 1.0F;
  float depth = 0.0F;  // how much light it takes away
  float ring = 0.0F;   // how much of this the ring gives back
};

void AddSpeck(const Speck& speck, FloatMatrix& light) {
  const float reach = 4.0F * speck.radius;
  const auto first = [&](float at) { return static_cast<std::size_t>(std::max(0.0F, std::ceil(at - reach))); };
  const auto behind = [&](float at, std::size_t size) {
    return static_cast<std::size_t>(std::clamp(std::floor(at + reach) + 1.0F, 0.0F, static_cast<float>(size)));
  };
  for (std::size_t row = first(speck.y); row < behind(speck.y, light.rows()); ++row) {
    for (std::size_t col = first(speck.x); col < behind(speck.x, light.cols()); ++col) {
      const float dx = (static_cast<float>(col) - speck.x) / speck.radius;
      const float dy = (static_cast<float>(row) - speck.y) / speck.radius;
      const float distance = std::sqrt(dx * dx + dy * dy);
      const float ring = speck.ring * std::exp(-3.0F * (distance - 1.9F) * (distance - 1.9F));
      light(row, col) *= 1.0F - speck.depth * (std::exp(-distance * distance) - ring);
    }
  }
}

void AddDust(float noise, Rng& rng, FloatMatrix& light) {
  const auto across = static_cast<float>(light.cols());
  const auto down = static_cast<float>(light.rows());
  const auto count = static_cast<int>(noise * 45.0F * Draw(rng, 0.0, 1.0) * Draw(rng, 0.0, 1.0));
  for (int i = 0; i < count; ++i) {
    Speck speck;
    speck.x = Draw(rng, 0.0, 1.0) * across;
    speck.y = Draw(rng, 0.0, 1.0) * down;
    const float size = Draw(rng, 0.0, 1.0);
    speck.radius = std::max(0.8F, (0.001F + 0.012F * size * size * size) * across);
    speck.depth = (rng.Chance(0.8) ? Draw(rng, 0.04, 0.45) : -Draw(rng, 0.03, 0.15)) * (1.0F - 0.6F * size);
    speck.ring = rng.Chance(0.4) ? Draw(rng, 0.1, 0.5) : 0.0F;
    AddSpeck(speck, light);
  }
}

// A bent thread, as a row of specks.
void AddFibre(Rng& rng, FloatMatrix& light) {
  const auto across = static_cast<float>(light.cols());
  Speck speck;
  speck.x = Draw(rng, 0.0, 1.0) * across;
  speck.y = Draw(rng, 0.0, 1.0) * static_cast<float>(light.rows());
  speck.radius = std::max(0.8F, Draw(rng, 0.0008, 0.002) * across);
  speck.depth = Draw(rng, 0.03, 0.14);
  float direction = Draw(rng, 0.0, 2.0 * kPi);
  const float bend = static_cast<float>(rng.Normal(0.0, 6.0)) / across;
  const auto specks = static_cast<int>(Draw(rng, 0.03, 0.2) * across / speck.radius);
  for (int i = 0; i < specks; ++i) {
    AddSpeck(speck, light);
    speck.x += speck.radius * std::cos(direction);
    speck.y += speck.radius * std::sin(direction);
    direction += bend * speck.radius;
  }
}

}  // namespace

Backdrop MakeBackdrop(int width, int height, float noise, Rng& rng) {
  Backdrop backdrop;
  backdrop.colour = DrawColour(rng);
  backdrop.light = MakeLight(static_cast<std::size_t>(height), static_cast<std::size_t>(width), noise, rng);
  AddDust(noise, rng, backdrop.light);
  if (rng.Chance(std::min(1.0, 0.25 * static_cast<double>(noise)))) AddFibre(rng, backdrop.light);
  return backdrop;
}

}  // namespace flyscribe
