// A photograph of one embryo as BDGP's curators take them: at any angle and size, near the middle, among neighbours
// that the border cuts, on an uneven ground, with the embryo's true pose. For scoring how well embryos are found.
//
// With B the ground (Backdrop), E the embryo's registered picture laid into the photograph
// (simulate/scene.h), d the distance to its outline in pixels (positive inside) and g the slope of d,
//
//   I = ((1 - m) I' + m B t E / e) (1 - rim(d)) (1 + halo(d)) (1 + relief(d) g.s),   m = soft step of d,
//
// I' what was there before (ground, neighbours), e the mean gray of an unstained embryo and t how much light it lets
// through against the ground: near 1 in a third of the photographs, where only rim and texture show the embryo. rim is
// a thin dark or bright line, halo a wider one outside, relief the light and dark sides of differential interference
// contrast, lit from s. Grain of the tissue and sensor noise come on top.
//
// The pose is that of an ellipse with the second moments of the true mask m0 (m0 = share of the pixel inside the
// outline, 0 to 1; neighbours do not count): with w = m0 / sum m0, pixel centres at whole numbers, y down,
//
//   centre = sum w p,   C = sum w (p - centre)(p - centre)',   half_length = 2 sqrt(l1),   half_height = 2 sqrt(l2),
//
// l1 >= l2 the eigenvalues of C (a full ellipse of half axes a, b has l1 = a^2 / 4, l2 = b^2 / 4). angle is that of the
// first eigenvector from the anterior to the posterior end: 0 is anterior left, positive clockwise to the eye, in
// degrees, above -180 and up to 180. Dorsal is up at angle 0.
//
// Everything random comes from the embryo's seed. Thread-safe; the same on any number of threads. Cost: O(pixels);
// 0.1 to 0.2 s and 25 bytes a pixel for an average photograph of half a megapixel.
#pragma once

#include <array>

#include "core/matrix.h"
#include "core/rng.h"
#include "data/image.h"
#include "data/quality.h"
#include "simulate/embryo.h"

namespace flyscribe {

struct PhotographSpec {
  EmbryoSpec embryo;
  double max_turn = 75.0;  // degrees
  int neighbours = 3;      // at most
  double touching = 0.3;   // chance that a neighbour touches the embryo, if there is room
  float noise = 1.0F;      // factor on all that is uneven or dirty
};

struct Photograph {
  RgbImage image;
  EmbryoPose pose;
  int neighbours = 0;  // as many as there are
};

Photograph TakePhotograph(const PhotographSpec& spec);

// The true mask of the photograph's central embryo. [height, width].
FloatMatrix PhotographMask(const PhotographSpec& spec);

// `turn`, in degrees, says roughly where the posterior end points: a mask has two ends.
// REQUIRES: the mask is not empty.
EmbryoPose PoseOfMask(const FloatMatrix& mask, double turn);

// What a photograph shows where no embryo lies: uneven light, mottling, dust and fibres on a gray to beige ground.
//
// light(x, y) = 1 + slope - vignette + mottling, times what dust and fibres let through; it multiplies whatever lies in
// the photograph. The same generator state gives the same backdrop.
struct Backdrop {
  std::array<float, 3> colour = {200.0F, 200.0F, 196.0F};  // gray levels of unit light
  FloatMatrix light;                                       // [height, width]
};

// `noise` is a factor on everything uneven; 0 gives plain colour.
Backdrop MakeBackdrop(int width, int height, float noise, Rng& rng);

}  // namespace flyscribe
