// Finds the central embryo of a photograph.
//
//   tissue           what is foreground
//   proposals         pieces of foreground, pairs of pieces that touch (an embryo may have a waist), ellipses
//                    through arcs of their outlines (embryos that touch along their sides)
//   outline          the outline of each, and how well the picture supports it
//   choice           the best by score = centrality * size * support * shape * wholeness, each 0 to 1
//   refinement       its outline again, at a scale at which every embryo is as large
//
// The pose is the ellipse with the moments of the outline's area, in photograph pixels. Which end is anterior:
// photographs are taken with the anterior end on the left, so the angle is within +-90 degrees. Only nearly upright
// (beyond 70 degrees) the outline decides, if its ends differ: the anterior one is more pointed (negative skewness
// along the axis). If they do not, it is a guess, and doubtful.
//
// confidence = product of six factors, each 0 to 1: off the border, shaped like an embryo, clear outline (mean edge,
// weakest stretch, tissue inside and ground outside), no other outline that fits as well, ends told apart, enough
// pixels. Its limits were chosen on simulated photographs (seeds 1 and 2): half of the wrong ones and more fall below
// 1/2, and less than a tenth of the right ones.
//
// Thread-safe and deterministic.
#pragma once

#include <optional>
#include <vector>

#include "data/image.h"
#include "data/quality.h"
#include "imaging/outline.h"
#include "imaging/proposals.h"
#include "imaging/tissue.h"

namespace flyscribe {

// Phrases of ImageQuality::doubts.
inline constexpr const char* kDoubtBorder = "touches the border";
inline constexpr const char* kDoubtEnds = "which end is anterior is a guess";
inline constexpr const char* kDoubtShape = "shape unlike an embryo";
inline constexpr const char* kDoubtOutline = "outline unclear";
inline constexpr const char* kDoubtRival = "another outline fits as well";
inline constexpr const char* kDoubtSmall = "few pixels";

// A hypothesis: what an embryo would be.
struct OutlineCandidate {
  Outline outline;  // working scale
  double score = 0.0;
};

// All that was decided on the way, for a picture of it.
struct PhotoTrace {
  TissueMap tissue;
  Blobs blobs;
  std::vector<OutlineCandidate> candidates;  // best first
  Outline fine;                              // of the best, at its own scale
  std::vector<OutlinePoint> chosen;          // the same in photograph pixels
};

struct FoundEmbryo {
  ImageQuality quality;               // without the image's id
  std::vector<OutlinePoint> outline;  // photograph pixels
  Background background;
};

// Nothing if there is no foreground of an embryo's size. `trace`, if given, is filled in.
// REQUIRES: neither side of the photograph is below 48 pixels.
std::optional<FoundEmbryo> FindEmbryo(const GrayImage& photograph, PhotoTrace* trace = nullptr);

}  // namespace flyscribe
