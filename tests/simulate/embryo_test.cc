#include "simulate/embryo.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "core/rng.h"
#include "tests/support/expect_error.h"

namespace flyscribe {
namespace {

// How much of a pixel the embryo covers: 1 inside, 0 outside.
FloatMatrix EmbryoMask(const EmbryoSpec& spec) {
  FloatMatrix mask = EmbryoDepth(spec, 0);
  for (std::size_t i = 0; i < mask.values().size(); ++i) mask.data()[i] = std::clamp(mask.data()[i] + 0.5F, 0.0F, 1.0F);
  return mask;
}

const Term& TermNamed(StageRange range, const std::string& name) {
  const auto& terms = AtlasOf(range).terms;
  return *std::ranges::find(terms, name, &Term::name);
}

ShownTerm Show(const Term& term) { return {.term = &term, .stream = HashText(0, term.name)}; }

EmbryoSpec PlainSpec(const char* range, std::uint64_t seed = 5) {
  EmbryoSpec spec;
  spec.range = StageRange::FromName(range);
  spec.seed = seed;
  return spec;
}

double Gray(const RgbImage& image, std::size_t i) {
  return (image.pixels[3 * i] + image.pixels[3 * i + 1] + image.pixels[3 * i + 2]) / 3.0;
}

TEST(RenderEmbryo, IsWhiteOutsideAndBodyColouredInside) {
  for (const StageRange range : StageRange::All()) {
    const EmbryoSpec spec = PlainSpec(range.name().c_str());
    const RgbImage image = RenderEmbryo(spec);
    ASSERT_EQ(image.width, kEmbryoWidth);
    ASSERT_EQ(image.height, kEmbryoHeight);
    const FloatMatrix mask = EmbryoMask(spec);
    double sum = 0.0;
    double count = 0.0;
    for (std::size_t i = 0; i < mask.values().size(); ++i) {
      if (mask.data()[i] <= 0.0F) {
        ASSERT_EQ(Gray(image, i), 255.0) << range.name() << " at " << i;
      } else if (mask.data()[i] < 0.02F) {
        ASSERT_GT(Gray(image, i), 251.0) << "the edge blends into white";
      } else if (mask.data()[i] >= 1.0F) {
        sum += Gray(image, i);
        ++count;
      }
    }
    EXPECT_GT(sum / count, 150.0) << range.name();
    EXPECT_LT(sum / count, 235.0) << range.name();
    EXPECT_EQ(Gray(image, 0), 255.0);
  }
}

TEST(RenderEmbryo, EveryTermDarkensItsPlace) {
  for (const StageRange range : StageRange::All()) {
    EmbryoSpec spec = PlainSpec(range.name().c_str());
    const RgbImage bare = RenderEmbryo(spec);
    for (const Term& term : AtlasOf(range).terms) {
      spec.terms = {Show(term)};
      const RgbImage stained = RenderEmbryo(spec);
      const FloatMatrix density = TermDensity(spec, 0);
      int visible = 0;
      for (std::size_t i = 0; i < density.values().size(); ++i) {
        const double darker = Gray(bare, i) - Gray(stained, i);
        if (density.data()[i] == 0.0F) {
          ASSERT_EQ(darker, 0.0) << term.name << " reaches beyond its density";
        }
        if (darker > 20.0) ++visible;
      }
      EXPECT_GT(visible, 60) << range.name() << ' ' << term.name;
    }
  }
}

TEST(RenderEmbryo, LeavingATermOutChangesOnlyItsOwnPlace) {
  EmbryoSpec spec = PlainSpec("13-16");
  spec.terms = {Show(TermNamed(spec.range, "embryonic brain")), Show(TermNamed(spec.range, "embryonic anal pad"))};
  const RgbImage both = RenderEmbryo(spec);
  const FloatMatrix brain = TermDensity(spec, 0);
  spec.terms.erase(spec.terms.begin());
  const RgbImage one = RenderEmbryo(spec);
  for (std::size_t i = 0; i < brain.values().size(); ++i) {
    if (brain.data()[i] == 0.0F) {
      ASSERT_EQ(Gray(both, i), Gray(one, i)) << i;
    }
  }
  EXPECT_NE(both.pixels, one.pixels);
}

TEST(RenderEmbryo, StainIsBlue) {
  EmbryoSpec spec = PlainSpec("4-6");
  spec.terms = {Show(TermNamed(spec.range, "gap"))};
  const RgbImage image = RenderEmbryo(spec);
  const std::uint8_t* rgb = image.At(160, 64);
  EXPECT_GT(rgb[2], rgb[0] + 30);
  EXPECT_GT(rgb[2], rgb[1] + 30);
}

TEST(RenderEmbryo, StrongerStainIsDarkerAndSaturates) {
  EmbryoSpec spec = PlainSpec("4-6");
  double last = 256.0;
  for (const float strength : {0.0F, 0.5F, 1.0F, 2.0F, 100.0F}) {
    spec.terms = {Show(TermNamed(spec.range, "gap"))};
    spec.terms[0].strength = strength;
    const RgbImage image = RenderEmbryo(spec);
    const double gray = Gray(image, 64 * 320 + 160);
    EXPECT_LT(gray, last) << strength;
    last = gray;
  }
  EXPECT_GT(last, 20.0);
}

TEST(RenderEmbryo, NoiseFreeStainHasNoBackground) {
  EmbryoSpec spec = PlainSpec("9-10");
  spec.look.background = 0.3F;
  const RgbImage noisy = RenderEmbryo(spec);
  spec.stain_noise = 0.0F;
  const RgbImage clean = RenderEmbryo(spec);
  spec.look.background = 0.0F;
  EXPECT_EQ(clean.pixels, RenderEmbryo(spec).pixels);
  EXPECT_LT(Gray(noisy, 64 * 320 + 160), Gray(clean, 64 * 320 + 160));
}

TEST(RenderEmbryo, SameSeedSamePixelsOtherSeedOtherPixels) {
  const EmbryoSpec spec = PlainSpec("11-12", 9);
  EXPECT_EQ(RenderEmbryo(spec).pixels, RenderEmbryo(spec).pixels);
  EXPECT_NE(RenderEmbryo(spec).pixels, RenderEmbryo(PlainSpec("11-12", 10)).pixels);
}

TEST(RenderEmbryo, DorsalViewShowsPairedPatterns) {
  EmbryoSpec spec = PlainSpec("11-12");
  spec.view = View::kDorsal;
  spec.terms = {Show(TermNamed(spec.range, "brain primordium"))};
  const FloatMatrix density = TermDensity(spec, 0);
  double upper = 0.0;
  double lower = 0.0;
  for (std::size_t i = 0; i < density.values().size(); ++i) (i / 320 < 64 ? upper : lower) += density.data()[i];
  EXPECT_GT(upper, 100.0);
  EXPECT_GT(lower, 100.0);
  spec.view = View::kLateral;
  EXPECT_NE(density, TermDensity(spec, 0));
}

TEST(RenderEmbryo, BodyHasReliefAndUnevenLight) {
  const RgbImage image = RenderEmbryo(PlainSpec("13-16"));
  double fine = 0.0;
  for (std::size_t x = 100; x < 220; ++x) fine += std::abs(Gray(image, 64 * 320 + x) - Gray(image, 64 * 320 + x + 1));
  EXPECT_GT(fine / 120.0, 1.5);
  EXPECT_LT(fine / 120.0, 25.0);
}

TEST(TermDensity, IsZeroOutsideTheEmbryo) {
  EmbryoSpec spec = PlainSpec("4-6");
  spec.terms = {Show(TermNamed(spec.range, "mesoderm anlage in statu nascendi"))};
  const FloatMatrix density = TermDensity(spec, 0);
  const FloatMatrix mask = EmbryoMask(spec);
  for (std::size_t i = 0; i < mask.values().size(); ++i) {
    if (mask.data()[i] == 0.0F) {
      ASSERT_EQ(density.data()[i], 0.0F);
    }
  }
}

TEST(TermDensity, RefusesATermThatIsNotThere) {
  const CaughtError error = ExpectError([] { TermDensity(PlainSpec("4-6"), 0); });
  EXPECT_EQ(error.code, ErrorCode::kInternal);
  EXPECT_NE(error.text.find("no such term in this embryo"), std::string::npos) << error.text;
}

TEST(RandomLook, StaysWithinWhatMicroscopesShow) {
  for (std::uint64_t i = 0; i < 50; ++i) {
    Rng rng(3, i);
    const GeneLook look = RandomLook(rng);
    for (const float colour : look.body) EXPECT_TRUE(colour > 150.0F && colour < 245.0F) << colour;
    EXPECT_GT(look.absorption[0], look.absorption[2]);
    EXPECT_TRUE(look.background > 0.0F && look.background < 0.2F);
  }
}

TEST(EmbryoDepth, IsTheSameWhateverTheMargin) {
  const EmbryoSpec spec = PlainSpec("13-16", 8);
  const FloatMatrix inner = EmbryoDepth(spec, 0);
  const FloatMatrix depth = EmbryoDepth(spec, 2);
  ASSERT_EQ(depth.cols(), inner.cols() + 4);
  for (std::size_t y = 0; y < inner.rows(); ++y) {
    for (std::size_t x = 0; x < inner.cols(); ++x) ASSERT_EQ(inner(y, x), depth(y + 2, x + 2)) << x << ' ' << y;
  }
}

}  // namespace
}  // namespace flyscribe
