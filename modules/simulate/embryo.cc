#include "simulate/embryo.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/error.h"
#include "simulate/noise.h"

namespace flyscribe {
namespace {

constexpr std::size_t kRows = kEmbryoHeight;
constexpr std::size_t kCols = kEmbryoWidth;
constexpr std::size_t kPixels = kRows * kCols;
constexpr float kSaturation = 1.7F;  // density the stain cannot exceed

constexpr float kReliefGain = 19.0F;  // gray levels per unit of slope

// Streams of an image's seed: every part of the picture draws its own numbers.
enum Stream : std::uint64_t { kPoseStream, kTissueStream, kStainStream, kBackgroundStream, kLightStream };

// Noise shared by the stains of one image, so that neighbouring stains lie in the same cells.
struct StainNoise {
  FloatMatrix cells;   // spots of about 5 pixels
  FloatMatrix clumps;  // of about 10 pixels
  FloatMatrix drift;   // of about 80 pixels
};

StainNoise MakeStainNoise(std::uint64_t seed) {
  Rng rng(seed, kStainStream);
  StainNoise noise;
  noise.cells = SmoothNoise(kRows, kCols, 2.8F, rng);
  noise.clumps = SmoothNoise(kRows, kCols, 5.0F, rng);
  noise.drift = SmoothNoise(kRows, kCols, 40.0F, rng);
  return noise;
}

Frame FrameOf(const EmbryoSpec& spec) {
  Rng rng(spec.seed, kPoseStream);
  Frame frame = MakeFrame(RandomPose(spec.range, rng), spec.view);
  Roughen(frame, rng);
  return frame;
}

float Covered(float depth) { return std::clamp(depth + 0.5F, 0.0F, 1.0F); }

float Ramp(float value, float low, float high) {
  const float t = std::clamp((value - low) / (high - low), 0.0F, 1.0F);
  return t * t * (3.0F - 2.0F * t);
}

// Factor of the texture on a term's density at one pixel.
class TextureField {
 public:
  TextureField(Texture texture, float amount, const StainNoise& noise, const Frame& frame)
      : texture_(texture), amount_(amount), noise_(noise), frame_(frame) {}

  float At(std::size_t i) const {
    const float cells = noise_.cells.data()[i];
    const float clumps = noise_.clumps.data()[i];
    const float even = 1.0F + amount_ * (0.06F * cells + 0.12F * clumps);
    switch (texture_) {
      case Texture::kSmooth:
        return even;
      case Texture::kGrainy:
        return 0.92F + amount_ * (0.3F * cells + 0.12F * clumps);
      case Texture::kMottled:
        return 0.97F + amount_ * (0.06F * cells + 0.18F * clumps);
      case Texture::kSpeckled:
        return 1.3F * Ramp(cells + 0.35F * clumps, 0.7F, 2.0F);
      case Texture::kStriated:
        return even * Fibre(i);
    }
    return even;
  }

 private:
  // Fibres across the long axis, a little wavy, about seven pixels apart.
  float Fibre(std::size_t i) const {
    const float x = static_cast<float>(i % kCols) + 1.2F * noise_.clumps.data()[i];
    const float slope = 8.0F * frame_.v.data()[i];
    const float phase = (x + slope + 40.0F) * (1.0F / 7.0F);
    // The phase is positive: an integer conversion is its floor, and no function call.
    return 0.45F + 1.1F * std::abs(2.0F * (phase - static_cast<float>(static_cast<int>(phase))) - 1.0F);
  }

  Texture texture_;
  float amount_;
  const StainNoise& noise_;
  const Frame& frame_;
};

// Adds `shown`'s density to `density`.
void AddTerm(
    const EmbryoSpec& spec, const ShownTerm& shown, const Frame& frame, const StainNoise& noise, FloatMatrix& density) {
  Rng rng(spec.seed, shown.stream);
  MarkVariation variation;
  variation.du = shown.du + static_cast<float>(rng.Normal(0.0, 0.015));
  variation.dv = shown.dv + static_cast<float>(rng.Normal(0.0, 0.04));
  variation.grow = shown.grow + static_cast<float>(rng.Normal(0.0, 0.6));
  variation.softness = shown.softness;
  const float strength = shown.strength * shown.term->strength * static_cast<float>(rng.Uniform(0.85, 1.15));
  const float fading = static_cast<float>(rng.Uniform(0.0, 0.45)) * (rng.Chance(0.5) ? 1.0F : -1.0F);
  FloatMatrix membership(kRows, kCols);
  for (const Mark& mark : shown.term->marks) DrawMark(mark, variation, frame, membership);
  const TextureField texture(shown.term->texture, spec.stain_noise, noise, frame);
  for (std::size_t i = 0; i < kPixels; ++i) {
    const float m = membership.data()[i];
    if (m <= 0.0F) continue;
    const float faded = 1.0F - std::max(0.0F, fading * frame.u.data()[i]) - 0.15F * noise.drift.data()[i];
    density.data()[i] += strength * m * std::max(0.0F, faded * texture.At(i));
  }
}

// Grain of the tissue and its folds, and how light or dark the anatomy is.
struct TissueField {
  FloatMatrix relief;
  FloatMatrix tone;
};

TissueField MakeTissue(const EmbryoSpec& spec, const Frame& frame) {
  Rng rng(spec.seed, kTissueStream);
  TissueField tissue{SmoothNoise(kRows, kCols, 1.4F, rng), FloatMatrix(kRows, kCols)};
  // Grain of three sizes; before cells form there are only coarse lumps of yolk.
  const bool yolky = AtlasOf(spec.range).yolky;
  const FloatMatrix bumps = SmoothNoise(kRows, kCols, 2.4F, rng);
  const FloatMatrix lumps = SmoothNoise(kRows, kCols, yolky ? 5.0F : 7.0F, rng);
  const float lump_height = yolky ? 1.2F : 0.6F;
  for (std::size_t i = 0; i < kPixels; ++i) {
    float& grain = tissue.relief.data()[i];
    grain = 0.22F * grain + 0.5F * bumps.data()[i] + lump_height * lumps.data()[i];
  }
  FloatMatrix membership(kRows, kCols);
  for (const Anatomy& part : AtlasOf(spec.range).anatomy) {
    std::fill_n(membership.data(), kPixels, 0.0F);
    MarkVariation variation;
    variation.du = static_cast<float>(rng.Normal(0.0, 0.02));
    variation.dv = static_cast<float>(rng.Normal(0.0, 0.03));
    variation.softness = part.softness;
    variation.ragged = 0.8F;
    const auto clarity = static_cast<float>(rng.Uniform(0.3, 1.5));
    DrawMark(part.mark, variation, frame, membership);
    for (std::size_t i = 0; i < kPixels; ++i) {
      tissue.relief.data()[i] += clarity * part.height * membership.data()[i];
      tissue.tone.data()[i] += clarity * part.tone * membership.data()[i];
    }
  }
  return tissue;
}

struct Light {
  FloatMatrix uneven;
  float exposure = 1.0F;
  float slope_x = 0.0F;  // from the middle to the right, and down
  float slope_y = 0.0F;
  float shear_x = 0.0F;  // the direction relief is lit from
  float shear_y = 0.0F;
  float rim = 0.0F;        // how much darker the rim is
  float rim_width = 8.0F;  // pixels

  float Brightness(std::size_t i, float depth) const {
    const float x = static_cast<float>(i % kCols) / (0.5F * kCols) - 1.0F;
    const std::size_t row = i / kCols;
    const float y = static_cast<float>(row) / (0.5F * kRows) - 1.0F;
    const float dark = depth < 6.0F * rim_width ? rim * std::exp(-depth / rim_width) : 0.0F;
    return exposure + slope_x * x + slope_y * y + 0.035F * uneven.data()[i] - dark;
  }

  // Slope of the relief along the shear.
  float Shade(const FloatMatrix& relief, std::size_t i) const {
    const std::size_t col = i % kCols;
    const std::size_t row = i / kCols;
    const float* r = relief.data() + i;
    const float across = (col + 1 < kCols ? r[1] : r[0]) - (col > 0 ? *(r - 1) : r[0]);
    const float down = (row + 1 < kRows ? r[kCols] : r[0]) - (row > 0 ? *(r - kCols) : r[0]);
    return shear_x * across + shear_y * down;
  }
};

Light MakeLight(std::uint64_t seed) {
  Rng rng(seed, kLightStream);
  Light light;
  light.uneven = SmoothNoise(kRows, kCols, 45.0F, rng);
  light.exposure = static_cast<float>(rng.Uniform(0.88, 1.05));
  light.slope_x = static_cast<float>(rng.Normal(0.0, 0.03));
  light.slope_y = static_cast<float>(rng.Normal(0.0, 0.04));
  const double angle = rng.Uniform(0.0, 2.0 * std::numbers::pi);
  light.shear_x = static_cast<float>(std::cos(angle));
  light.shear_y = static_cast<float>(std::sin(angle));
  light.rim = static_cast<float>(rng.Chance(0.75) ? rng.Uniform(0.05, 0.3) : rng.Uniform(-0.12, 0.0));
  light.rim_width = static_cast<float>(rng.Uniform(2.0, 8.0));
  return light;
}

FloatMatrix StainDensity(const EmbryoSpec& spec, const Frame& frame) {
  const StainNoise noise = MakeStainNoise(spec.seed);
  Rng rng(spec.seed, kBackgroundStream);
  const float background = spec.look.background * spec.stain_noise * static_cast<float>(std::exp(rng.Normal(0.0, 0.6)));
  FloatMatrix density(kRows, kCols);
  for (std::size_t i = 0; i < kPixels; ++i) {
    const float patchy = 1.0F + 0.5F * noise.drift.data()[i] + 0.2F * noise.clumps.data()[i];
    density.data()[i] = background * std::max(0.0F, patchy);
  }
  for (const ShownTerm& shown : spec.terms) AddTerm(spec, shown, frame, noise, density);
  return density;
}

}  // namespace

GeneLook RandomLook(Rng& rng) {
  // Unstained colours met in BDGP's pictures: gray-blue, ivory, violet-gray, near white, greenish gray.
  static constexpr std::array<std::array<float, 3>, 5> kBodies = {{{212.0F, 214.0F, 226.0F},
                                                                   {216.0F, 213.0F, 190.0F},
                                                                   {190.0F, 184.0F, 190.0F},
                                                                   {224.0F, 226.0F, 222.0F},
                                                                   {192.0F, 198.0F, 194.0F}}};
  GeneLook look;
  const auto& body = kBodies[rng.Below(kBodies.size())];
  const auto exposure = static_cast<float>(rng.Uniform(0.92, 1.04));
  for (std::size_t c = 0; c < 3; ++c) look.body[c] = exposure * (body[c] + static_cast<float>(rng.Uniform(-4.0, 4.0)));
  const auto violet = static_cast<float>(rng.Uniform(0.0, 1.0));
  look.absorption = {1.12F - 0.08F * violet, 1.05F + 0.08F * violet, 0.32F + 0.28F * violet * violet};
  look.background = static_cast<float>(rng.Uniform(0.02, 0.16));
  look.relief = static_cast<float>(rng.Uniform(0.6, 1.2));
  return look;
}

RgbImage RenderEmbryo(const EmbryoSpec& spec) {
  const Frame frame = FrameOf(spec);
  const TissueField tissue = MakeTissue(spec, frame);
  const Light light = MakeLight(spec.seed);
  const FloatMatrix density = StainDensity(spec, frame);
  RgbImage image(kEmbryoWidth, kEmbryoHeight, 255);
  for (std::size_t i = 0; i < kPixels; ++i) {
    const float covered = Covered(frame.depth.data()[i]);
    if (covered <= 0.0F) continue;
    const float brightness = light.Brightness(i, frame.depth.data()[i]) + tissue.tone.data()[i];
    const float shade = kReliefGain * spec.look.relief * light.Shade(tissue.relief, i);
    const float stain = kSaturation * (1.0F - std::exp(-density.data()[i] / kSaturation));
    for (std::size_t c = 0; c < 3; ++c) {
      const float through = spec.look.body[c] * brightness * std::exp(-spec.look.absorption[c] * stain);
      // Dark stain hides part of the relief.
      const float value = through + shade * (0.35F + 0.65F * through / 255.0F);
      const float blended = std::clamp(255.0F + covered * (value - 255.0F), 0.0F, 255.0F);
      image.pixels[3 * i + c] = static_cast<std::uint8_t>(std::lround(blended));
    }
  }
  return image;
}

FloatMatrix TermDensity(const EmbryoSpec& spec, std::size_t term) {
  FLYSCRIBE_CHECK(term < spec.terms.size(), "no such term in this embryo");
  const Frame frame = FrameOf(spec);
  FloatMatrix density(kRows, kCols);
  AddTerm(spec, spec.terms[term], frame, MakeStainNoise(spec.seed), density);
  for (std::size_t i = 0; i < kPixels; ++i) density.data()[i] *= Covered(frame.depth.data()[i]);
  return density;
}

FloatMatrix EmbryoDepth(const EmbryoSpec& spec, int margin) {
  Rng rng(spec.seed, kPoseStream);
  return DepthAround(RandomPose(spec.range, rng), margin);
}

}  // namespace flyscribe
