#include "simulate/photograph.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string>

#include "core/error.h"
#include "simulate/noise.h"
#include "simulate/scene.h"

namespace flyscribe {
namespace {

constexpr double kPi = std::numbers::pi;

float Draw(Rng& rng, double low, double high) { return static_cast<float>(rng.Uniform(low, high)); }

FloatMatrix MakeLight(std::size_t rows, std::size_t cols, float noise, Rng& rng) {
  const float slope_x = noise * static_cast<float>(rng.Normal(0.0, 0.035));  // from the middle to the border
  const float slope_y = noise * static_cast<float>(rng.Normal(0.0, 0.035));
  const float vignette = noise * std::max(0.0F, Draw(rng, -0.05, 0.2));  // how much darker the corners are
  const float clouds = noise * Draw(rng, 0.004, 0.022);
  const float mottling = noise * Draw(rng, 0.002, 0.012);
  const auto across = static_cast<float>(cols);
  const auto down = static_cast<float>(rows);
  FloatMatrix light = SmoothNoise(rows, cols, std::max(1.0F, Draw(rng, 0.04, 0.15) * across), rng);
  const FloatMatrix fine = SmoothNoise(rows, cols, std::max(1.5F, Draw(rng, 0.003, 0.012) * across), rng);
  for (std::size_t row = 0; row < rows; ++row) {
    const float y = 2.0F * static_cast<float>(row) / down - 1.0F;
    for (std::size_t col = 0; col < cols; ++col) {
      const float x = 2.0F * static_cast<float>(col) / across - 1.0F;
      const float smooth = slope_x * x + slope_y * y - 0.5F * vignette * (x * x + y * y);
      light(row, col) = 1.0F + smooth + clouds * light(row, col) + mottling * fine(row, col);
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
  float direction = Draw(rng, 0.0, 2.0 * std::numbers::pi_v<float>);
  const float bend = static_cast<float>(rng.Normal(0.0, 6.0)) / across;
  const auto specks = static_cast<int>(Draw(rng, 0.03, 0.2) * across / speck.radius);
  for (int i = 0; i < specks; ++i) {
    AddSpeck(speck, light);
    speck.x += speck.radius * std::cos(direction);
    speck.y += speck.radius * std::sin(direction);
    direction += bend * speck.radius;
  }
}

// Streams of a photograph's seed.
enum Stream : std::uint64_t { kSceneStream, kBackdropStream, kOpticsStream, kGrainStream, kSensorStream };

std::uint64_t SeedOf(const PhotographSpec& spec) { return HashText(spec.embryo.seed, "photograph"); }

Scene SetScene(const PhotographSpec& spec) {
  Rng rng(SeedOf(spec), kSceneStream);
  Scene scene = PlaceCentral(Cutout(spec.embryo), spec.max_turn, rng);
  const auto count = static_cast<int>(rng.Below(static_cast<std::uint64_t>(spec.neighbours) + 1));
  for (int i = 0; i < count; ++i) {
    EmbryoSpec neighbour = spec.embryo;  // another embryo of the same slide
    neighbour.seed = HashText(SeedOf(spec), fmt::format("neighbour {}", i));
    neighbour.view = Rng(neighbour.seed, kSceneStream).Chance(0.4) ? View::kDorsal : View::kLateral;
    PlaceNeighbour(scene, Cutout(neighbour), spec.touching, rng);
  }
  return scene;
}

// What all embryos of a photograph share. Widths in pixels of an embryo of scale 1.
struct Optics {
  float through = 1.0F;  // t / e
  float softness = 1.0F;
  float rim = 0.0F;
  float rim_width = 2.0F;
  float halo = 0.0F;
  float halo_width = 4.0F;
  float relief = 0.0F;
  float relief_width = 3.0F;
  Point lit_from;
};

Optics DrawOptics(const PhotographSpec& spec, Rng& rng) {
  Optics optics;
  const bool faint = rng.Chance(0.35);
  const auto& body = spec.embryo.look.body;
  const float mean_gray = (body[0] + body[1] + body[2]) / 3.0F;
  optics.through = (faint ? Draw(rng, 0.97, 1.08) : Draw(rng, 0.7, 0.97)) / (0.95F * mean_gray);
  optics.softness = Draw(rng, 0.5, 1.6);
  // Against a ground of its own brightness an embryo without rim would be lost.
  optics.rim = rng.Chance(0.8) ? Draw(rng, faint ? 0.12 : 0.03, 0.32) : -Draw(rng, faint ? 0.06 : 0.02, 0.12);
  optics.rim_width = Draw(rng, 0.8, 2.6);
  optics.halo = rng.Chance(0.65) ? Draw(rng, 0.0, 0.1) : -Draw(rng, 0.0, 0.12);
  optics.halo_width = Draw(rng, 2.0, 9.0);
  optics.relief = Draw(rng, 0.0, 0.16);
  optics.relief_width = Draw(rng, 1.5, 4.0);
  const double direction = rng.Uniform(0.0, 2.0 * kPi);
  optics.lit_from = {std::cos(direction), std::sin(direction)};
  return optics;
}

// The photograph in the making.
struct Canvas {
  Backdrop ground;
  FloatMatrix grain;
  std::vector<float> colours;  // [height * width * 3]

  std::size_t rows() const { return ground.light.rows(); }
  std::size_t cols() const { return ground.light.cols(); }
};

Canvas MakeCanvas(const Scene& scene, const PhotographSpec& spec) {
  Canvas canvas;
  Rng rng(SeedOf(spec), kBackdropStream);
  canvas.ground = MakeBackdrop(scene.width, scene.height, spec.noise, rng);
  Rng grain(SeedOf(spec), kGrainStream);
  const auto scale = static_cast<float>(scene.embryos.front().placement.Scale());
  canvas.grain = SmoothNoise(canvas.rows(), canvas.cols(), std::max(1.0F, 0.6F * scale), grain);
  canvas.colours.resize(3 * canvas.rows() * canvas.cols());
  for (std::size_t i = 0; i < canvas.rows() * canvas.cols(); ++i) {
    for (std::size_t c = 0; c < 3; ++c) {
      canvas.colours[3 * i + c] = canvas.ground.colour[c] * canvas.ground.light.data()[i];
    }
  }
  return canvas;
}

// The part of the photograph that an embryo and its halo can reach.
struct Box {
  std::size_t first_row = 0;
  std::size_t rows_end = 0;
  std::size_t first_col = 0;
  std::size_t cols_end = 0;
};

Box BoxOf(const LaidEmbryo& laid, std::size_t rows, std::size_t cols) {
  const PlaneMap map = laid.placement.ToPhotograph();
  const Point middle = laid.placement.centre;
  Point low = middle;
  Point high = middle;
  for (const Point& point : laid.cutout.outline()) {
    const Point p = map(point);
    low = {std::min(low.x, p.x), std::min(low.y, p.y)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y)};
  }
  const double reach = kCutoutMargin * laid.placement.Scale();
  const auto clipped = [](double at, std::size_t size) {
    return static_cast<std::size_t>(std::clamp(at, 0.0, static_cast<double>(size)));
  };
  return {clipped(low.y - reach, rows),
          clipped(high.y + reach, rows),
          clipped(low.x - reach, cols),
          clipped(high.x + reach, cols)};
}

// Lays one embryo into the canvas.
class Layer {
 public:
  Layer(const LaidEmbryo& laid, const Optics& optics)
      : laid_(laid),
        optics_(optics),
        to_embryo_(laid.placement.ToEmbryo()),
        lit_from_(laid.placement.TurnedBack(optics.lit_from)),
        scale_(static_cast<float>(laid.placement.Scale())),
        softness_(std::max(0.7F, optics.softness * scale_)) {}

  void AddTo(Canvas& canvas) const {
    const Box box = BoxOf(laid_, canvas.rows(), canvas.cols());
    for (std::size_t row = box.first_row; row < box.rows_end; ++row) {
      for (std::size_t col = box.first_col; col < box.cols_end; ++col) AddPixel(row, col, canvas);
    }
  }

 private:
  void AddPixel(std::size_t row, std::size_t col, Canvas& canvas) const {
    const Point q = to_embryo_({static_cast<double>(col), static_cast<double>(row)});
    const Cutout::Edge edge = laid_.cutout.EdgeAt(q);
    if (edge.depth < -3.0F * optics_.halo_width - 4.0F) return;
    const std::size_t i = row * canvas.cols() + col;
    float* pixel = &canvas.colours[3 * i];
    const float covered = SoftStep(edge.depth * scale_ / softness_);
    if (covered > 0.0F) {
      const std::array<float, 3> colour = laid_.cutout.ColourAt(q);
      const float through = canvas.ground.light.data()[i] * optics_.through * (1.0F + 0.018F * canvas.grain.data()[i]);
      for (std::size_t c = 0; c < 3; ++c) {
        pixel[c] += covered * (canvas.ground.colour[c] * through * colour[c] - pixel[c]);
      }
    }
    const float factor = EdgeFactor(edge, covered);
    for (std::size_t c = 0; c < 3; ++c) pixel[c] *= factor;
  }

  float EdgeFactor(const Cutout::Edge& edge, float covered) const {
    const float away = std::abs(edge.depth);
    if (away > 30.0F) return 1.0F;
    const float line = away / optics_.rim_width;
    const float rim = optics_.rim * std::exp(-line * line);
    const float halo = (1.0F - covered) * optics_.halo * std::exp(-away / optics_.halo_width);
    const auto lit = static_cast<float>(edge.slope_x * lit_from_.x + edge.slope_y * lit_from_.y);
    const float relief = optics_.relief * std::exp(-away / optics_.relief_width) * std::clamp(lit, -1.0F, 1.0F);
    return (1.0F - rim) * (1.0F + halo) * (1.0F + relief);
  }

  const LaidEmbryo& laid_;
  const Optics& optics_;
  PlaneMap to_embryo_;
  Point lit_from_;
  float scale_;
  float softness_;
};

// Two bytes' or four bytes' sum is near enough to a normal number, and a photograph needs millions.
float Bell(std::uint64_t bits, int bytes) {
  int sum = 0;
  for (int i = 0; i < bytes; ++i) sum += static_cast<int>((bits >> (8 * i)) & 0xff);
  const auto mean = 127.5F * static_cast<float>(bytes);
  return (static_cast<float>(sum) - mean) / (73.9F * std::sqrt(static_cast<float>(bytes)));
}

// Brightness noise for all colours together, a little colour noise for two of them.
RgbImage Develop(const Canvas& canvas, float noise, Rng& rng) {
  RgbImage image(static_cast<int>(canvas.cols()), static_cast<int>(canvas.rows()));
  const float gray = noise * Draw(rng, 0.5, 4.5);
  const float tint = 0.4F * gray;
  for (std::size_t i = 0; i < canvas.rows() * canvas.cols(); ++i) {
    const std::uint64_t bits = rng.Next();
    const float even = gray * Bell(bits, 4);
    const std::array<float, 3> error = {even + tint * Bell(bits >> 32, 2), even, even + tint * Bell(bits >> 48, 2)};
    for (std::size_t c = 0; c < 3; ++c) {
      const float value = std::clamp(canvas.colours[3 * i + c] + error[c], 0.0F, 255.0F);
      image.pixels[3 * i + c] = static_cast<std::uint8_t>(std::lround(value));
    }
  }
  return image;
}

FloatMatrix MaskOf(const Scene& scene) {
  const LaidEmbryo& laid = scene.embryos.front();
  const PlaneMap to_embryo = laid.placement.ToEmbryo();
  const auto scale = static_cast<float>(laid.placement.Scale());
  FloatMatrix mask(static_cast<std::size_t>(scene.height), static_cast<std::size_t>(scene.width));
  const Box box = BoxOf(laid, mask.rows(), mask.cols());
  for (std::size_t row = box.first_row; row < box.rows_end; ++row) {
    for (std::size_t col = box.first_col; col < box.cols_end; ++col) {
      const Point q = to_embryo({static_cast<double>(col), static_cast<double>(row)});
      mask(row, col) = std::clamp(laid.cutout.EdgeAt(q).depth * scale + 0.5F, 0.0F, 1.0F);
    }
  }
  return mask;
}

}  // namespace

Backdrop MakeBackdrop(int width, int height, float noise, Rng& rng) {
  // Grays to beiges met in transmitted light.
  const float gray = Draw(rng, 158.0, 230.0);
  const float warmth = Draw(rng, -0.025, 0.07);
  const float green = Draw(rng, -0.01, 0.015);
  Backdrop backdrop;
  backdrop.colour = {gray * (1.0F + 0.4F * warmth), gray * (1.0F + green), gray * (1.0F - warmth)};
  backdrop.light = MakeLight(static_cast<std::size_t>(height), static_cast<std::size_t>(width), noise, rng);
  AddDust(noise, rng, backdrop.light);
  if (rng.Chance(std::min(1.0, 0.25 * static_cast<double>(noise)))) AddFibre(rng, backdrop.light);
  return backdrop;
}

EmbryoPose PoseOfMask(const FloatMatrix& mask, double turn) {
  // Sums of m0, m0 x, ... about the middle of the picture, where squares lose few digits.
  const Point origin = {0.5 * static_cast<double>(mask.cols()), 0.5 * static_cast<double>(mask.rows())};
  double mass = 0.0;
  double sum_x = 0.0;
  double sum_y = 0.0;
  double sum_xx = 0.0;
  double sum_xy = 0.0;
  double sum_yy = 0.0;
  for (std::size_t row = 0; row < mask.rows(); ++row) {
    const double y = static_cast<double>(row) - origin.y;
    for (std::size_t col = 0; col < mask.cols(); ++col) {
      const double m = mask(row, col);
      if (m <= 0.0) continue;
      const double x = static_cast<double>(col) - origin.x;
      mass += m;
      sum_x += m * x;
      sum_y += m * y;
      sum_xx += m * x * x;
      sum_xy += m * x * y;
      sum_yy += m * y * y;
    }
  }
  FLYSCRIBE_CHECK(mass > 0.0, "an empty mask has no pose");
  const double x = sum_x / mass;
  const double y = sum_y / mass;
  const double xx = sum_xx / mass - x * x;
  const double xy = sum_xy / mass - x * y;
  const double yy = sum_yy / mass - y * y;
  const double middle = 0.5 * (xx + yy);
  const double spread = std::hypot(0.5 * (xx - yy), xy);
  const double axis = 0.5 * std::atan2(2.0 * xy, xx - yy) * 180.0 / kPi;
  // Of the two ends of the axis the one nearer to `turn`.
  const double off = std::remainder(axis - turn, 360.0);
  const double directed = std::remainder(std::abs(off) > 90.0 ? axis + 180.0 : axis, 360.0);
  return {origin.x + x,
          origin.y + y,
          directed <= -180.0 ? directed + 360.0 : directed,
          2.0 * std::sqrt(middle + spread),
          2.0 * std::sqrt(std::max(0.0, middle - spread))};
}

FloatMatrix PhotographMask(const PhotographSpec& spec) { return MaskOf(SetScene(spec)); }

Photograph TakePhotograph(const PhotographSpec& spec) {
  const Scene scene = SetScene(spec);
  Rng optics_rng(SeedOf(spec), kOpticsStream);
  const Optics optics = DrawOptics(spec, optics_rng);
  Canvas canvas = MakeCanvas(scene, spec);
  // The central embryo comes last: it lies on top of those that touch it.
  for (std::size_t i = scene.embryos.size(); i-- > 0;) Layer(scene.embryos[i], optics).AddTo(canvas);
  Rng sensor(SeedOf(spec), kSensorStream);
  return {Develop(canvas, spec.noise, sensor),
          PoseOfMask(MaskOf(scene), scene.embryos.front().placement.turn * 180.0 / kPi),
          static_cast<int>(scene.embryos.size()) - 1};
}

}  // namespace flyscribe
