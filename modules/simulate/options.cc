#include "simulate/options.h"

#include <string>

#include "core/error.h"

namespace flyscribe {

void SimulateOptions::Fields(OptionsVisitor& visit) {
  visit.Integer({.name = "genes", .doc = "Number of simulated genes.", .min = 1, .max = 9999}, genes);
  visit.Real({.name = "range_share",
              .doc = "Chance that a gene has a bag in a stage range; every gene has one in at least one of them.",
              .min = 0,
              .max = 1},
             range_share);
  visit.Integer({.name = "images_min", .doc = "Fewest images of a bag.", .min = 1, .max = 20}, images_min);
  visit.Integer({.name = "images_max",
                 .doc = "Most images of a bag; all counts between are equally likely.",
                 .min = 1,
                 .max = 20},
                images_max);
  visit.Real(
      {.name = "visibility",
       .doc = "Chance that an image of the bag shows a given term of it; at least one lateral image always does.",
       .min = 0,
       .max = 1},
      visibility);
  visit.Real(
      {.name = "cooccurrence",
       .doc = "How strongly terms of one tissue occur together: 0 not at all, 1 a gene keeps to its two tissues.",
       .min = 0,
       .max = 1},
      cooccurrence);
  visit.Real(
      {.name = "long_tail",
       .doc = "How unequal term frequencies are: within a tissue the r-th term of a range has weight r^-long_tail.",
       .min = 0,
       .max = 3},
      long_tail);
  visit.Real({.name = "no_staining", .doc = "Share of bags that show nothing and say so.", .min = 0, .max = 1},
             no_staining);
  visit.Real(
      {.name = "label_noise",
       .doc = "Chance that a true label is not written, and that a bag gets one false label. The pictures stay true.",
       .min = 0,
       .max = 1},
      label_noise);
  visit.Real({.name = "contrast", .doc = "Factor on the strength of all stains.", .min = 0.1, .max = 3}, contrast);
  visit.Real({.name = "stain_noise",
              .doc = "Factor on the texture of stains and on background stain; 0 gives clean ones.",
              .min = 0,
              .max = 3},
             stain_noise);
  visit.Real(
      {.name = "other_views",
       .doc = "Chance that an image is not a plain lateral one: mostly a dorsal view, sometimes no view is named. "
              "The first image of a bag is always lateral.",
       .min = 0,
       .max = 1},
      other_views);
  visit.Flag({.name = "photographs",
              .doc = "Write photographs (JPEG, an embryo at any angle and size among others) in place of registered "
                     "embryos, and poses.tsv with the truth."},
             photographs);
  visit.Real(
      {.name = "max_turn",
       .doc = "Photographs: the long axis is turned by up to so many degrees either way, uniformly. Below 90 the "
              "anterior end stays on the left, as in BDGP's.",
       .min = 0,
       .max = 180},
      max_turn);
  visit.Integer({.name = "neighbours",
                 .doc = "Photographs: most other embryos at the border; all counts from 0 on are equally likely.",
                 .min = 0,
                 .max = 6},
                neighbours);
  visit.Real({.name = "touching",
              .doc = "Photographs: share of the neighbours that are meant to touch the central embryo, where there is "
                     "room for it.",
              .min = 0,
              .max = 1},
             touching);
  visit.Real({.name = "photograph_noise",
              .doc = "Photographs: factor on dust, mottling, uneven light and sensor noise; 0 gives clean ones.",
              .min = 0,
              .max = 3},
             photograph_noise);
  visit.Integer({.name = "seed", .doc = "Seed of everything random.", .min = 0, .max = 9007199254740992.0}, seed);
}

void SimulateOptions::Check() const {
  if (images_min <= images_max) return;
  throw Error(ErrorCode::kUsage,
              "images_min is " + std::to_string(images_min) + " but images_max is " + std::to_string(images_max),
              "raise images_max or lower images_min");
}

}  // namespace flyscribe
