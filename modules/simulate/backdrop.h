// What a photograph shows where no embryo lies: uneven light, mottling, dust and fibres on a gray to beige ground.
//
// light(x, y) = 1 + slope - vignette + mottling, times what dust and fibres let through; it multiplies whatever lies in
// the photograph. Thread-safe; the same generator state gives the same backdrop.
#pragma once

#include <array>

#include "core/matrix.h"
#include "core/rng.h"

namespace flyscribe {

struct Backdrop {
  std::array<float, 3> colour = {200.0F, 200.0F, 196.0F};  // gray levels of unit light
  FloatMatrix light;                                       // [height, width]
};

// `noise` is a factor on everything uneven; 0 gives plain colour.
Backdrop MakeBackdrop(int width, int height, float noise, Rng& rng);

}  // namespace flyscribe
