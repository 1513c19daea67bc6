// Which terms exist in each stage range, where in the embryo their stain lies and what it looks like; the anatomy that
// shows without any stain, and the shape of the body.
//
// The names are BDGP's own, in the order of how often BDGP uses them; places and shapes are simplified from lateral
// views of the atlas of Campos-Ortega and Hartenstein (The Embryonic Development of Drosophila melanogaster, 1997).
// They are caricatures: good for testing a method, not for biology. Immutable; thread-safe.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "data/stage_range.h"
#include "simulate/frame.h"

namespace flyscribe {

// Terms of one tissue occur together: a gene has favourite tissues (simulate/genes.h).
enum class Tissue { kBroad, kGut, kNeural, kMesoderm, kEpidermis, kGerm };
inline constexpr int kTissues = 6;

enum class Texture {
  kSmooth,    // even
  kGrainy,    // salt and pepper of single cells
  kMottled,   // clumps of a dozen pixels
  kSpeckled,  // scattered cells on clear ground
  kStriated   // fine parallel fibres
};

struct Term {
  std::string name;
  Tissue tissue = Tissue::kBroad;
  Texture texture = Texture::kSmooth;
  float strength = 1.0F;  // optical density in the middle, before a gene's own strength
  std::vector<Mark> marks;
  bool rare = false;
};

// Relief and tone of the unstained body.
struct Anatomy {
  Mark mark;
  float softness = 3.0F;  // pixels
  float height = 0.0F;    // raised (positive) or sunk; shows as a bright and a dark flank
  float tone = 0.0F;      // lighter (positive) or darker
};

// BDGP's name for a bag that shows nothing. No term of the atlas.
inline constexpr std::string_view kNoStaining = "no staining";

// The interval a number of an embryo's outline is drawn from.
struct DrawnFrom {
  double low = 0.0;
  double high = 0.0;
};

// A dent of the upper side (simulate/frame.h).
struct DrawnDent {
  DrawnFrom u;
  float width = 0.1F;
  DrawnFrom depth;
};

// What outlines are like: the members of a Pose (simulate/frame.h) that differ between ranges.
struct BodyShape {
  DrawnFrom bend = {-3.0, 3.0};
  DrawnFrom taper = {0.0, 0.13};
  DrawnFrom blunt_front = {1.9, 2.6};
  DrawnFrom scallops = {};  // where it is empty, there are none and nothing is drawn
  float wobble = 0.022F;    // the most
  std::vector<DrawnDent> dents = {};
};

// All that the simulator knows of one stage range.
struct RangeAtlas {
  std::string range;        // its name
  double mean_terms = 0.0;  // of a bag in BDGP's tables
  bool yolky = false;       // before cells form there are only coarse lumps of yolk
  BodyShape body;
  std::vector<Term> terms;
  std::vector<Anatomy> anatomy;
};

// REQUIRES: a range of BDGP.
const RangeAtlas& AtlasOf(StageRange range);

}  // namespace flyscribe
