// What can be chosen about learning a dictionary. The mathematics stands in learn.h and docs/algorithms/.
#pragma once

#include <cstdint>

#include "core/options.h"

namespace flyscribe {

struct LearnOptions {
  enum class Profile { kNone, kPaper, kRelease10 };
  enum class Method { kScc, kSccMinibatch, kOnline };
  enum class PatchOrder { kShuffled, kFile };
  enum class CoordinateOrder { kCyclic, kRandom };
  enum class Curvature { kAccumulate, kPreviousEpoch };
  enum class Projection { kBall, kSphere };
  enum class Rate { kAdaptive, kNatural };
  enum class UnusedAtoms { kKeep, kReplace };
  enum class Solver { kLars, kDescent };

  Profile profile = Profile::kNone;
  Method method = Method::kSccMinibatch;
  int atoms = 500;
  double lambda = 0.10;
  int epochs = 10;
  double tolerance = 0.0;
  std::int64_t seed = 1;
  int batch = 512;
  int cd_steps = 0;
  bool nonnegative = false;
  PatchOrder patch_order = PatchOrder::kShuffled;
  CoordinateOrder coordinate_order = CoordinateOrder::kCyclic;
  Curvature curvature = Curvature::kAccumulate;
  Projection projection = Projection::kBall;
  bool nonnegative_atoms = false;
  Rate rate = Rate::kAdaptive;
  double rate_a = 1.0;
  double rate_b = 1.0;
  double forgetting = 0.02;
  double memory = 0.2;
  UnusedAtoms unused_atoms = UnusedAtoms::kKeep;
  Solver solver = Solver::kLars;

  void Fields(OptionsVisitor& visit);
  // Sets the points in which a profile differs from the defaults; kNone changes nothing.
  void Apply(Profile chosen);
  // cd_steps, or the method's own number where it is 0.
  int CdSteps() const;
  // Whether atoms are brought onto the unit sphere, not into the ball.
  bool OnSphere() const { return projection == Projection::kSphere && method != Method::kOnline; }
};

}  // namespace flyscribe
