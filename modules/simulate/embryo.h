// Renders one synthetic embryo: a registered RGB picture of 320x128 pixels, white outside, anterior left, dorsal up.
//
// Light through a stained body (Beer and Lambert), with relief as differential interference contrast shows it:
//
//   I_c = L B_c exp(-k_c D) + g dR/ds
//
// c colour; L uneven light; B body colour, darker or lighter at the rim; D optical density of the stain, the sum of
// the shown terms and of background stain, saturating; k absorption of the dye (NBT/BCIP: blue to violet); R a relief
// of grain and anatomy, lit from direction s. D of a term = strength * membership of its marks * texture * a partial
// fading along u. Strength, place, extent and softness belong to the gene; a further shift, partial fading
// and pose to the image.
//
// Everything random comes from `seed` (of the image) and the terms' own streams: leaving a term out changes nothing
// but its own stain, so the difference of two renderings is that term's trace. Thread-safe; the same on any number of
// threads.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/matrix.h"
#include "data/image.h"
#include "data/stage_range.h"
#include "simulate/atlas.h"
#include "simulate/frame.h"

namespace flyscribe {

// What the pictures of one gene share: slide, dye, exposure.
struct GeneLook {
  std::array<float, 3> body = {212.0F, 214.0F, 226.0F};     // unstained colour
  std::array<float, 3> absorption = {1.12F, 1.05F, 0.32F};  // of unit density
  float background = 0.05F;                                 // density of stain everywhere
  float relief = 1.0F;                                      // gain of relief
};

GeneLook RandomLook(Rng& rng);

// A term as one gene shows it.
struct ShownTerm {
  const Term* term = nullptr;
  float strength = 1.0F;  // factor on the term's own
  float du = 0.0F;        // shift in the atlas
  float dv = 0.0F;
  float grow = 0.0F;         // pixels
  float softness = 2.0F;     // pixels
  std::uint64_t stream = 0;  // shift and fading in this image
};

struct EmbryoSpec {
  StageRange range;
  View view = View::kLateral;
  GeneLook look;
  std::vector<ShownTerm> terms;
  float stain_noise = 1.0F;  // factor on texture and background of the stain
  std::uint64_t seed = 1;    // of the image
};

RgbImage RenderEmbryo(const EmbryoSpec& spec);

// Optical density of one of spec.terms, as RenderEmbryo uses it: the ground truth of where the term shows.
// [height, width]; zero outside the embryo.
FloatMatrix TermDensity(const EmbryoSpec& spec, std::size_t term);

// Distance to the outline in pixels, positive inside, also where the embryo reaches beyond the picture:
// [height + 2 margin, width + 2 margin] (simulate/frame.h).
FloatMatrix EmbryoDepth(const EmbryoSpec& spec, int margin);

}  // namespace flyscribe
