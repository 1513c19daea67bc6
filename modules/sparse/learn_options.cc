#include "sparse/learn_options.h"

namespace flyscribe {
namespace {

constexpr int kStepsOfThePaper = 3;
constexpr int kStepsOfAMinibatch = 10;

// What to learn, and how long.
void ProblemFields(LearnOptions& options, OptionsVisitor& visit) {
  visit.Integer({.name = "atoms",
                 .doc = "Number of dictionary atoms, m. The paper uses 500, 1000 and 2000.",
                 .min = 1,
                 .max = 65536},
                options.atoms);
  visit.Real({.name = "lambda",
              .doc = "Weight of the l1 penalty: larger gives sparser codes. For patches of norm 1, all codes are zero "
                     "from 1 on.",
              .min = 1e-6,
              .max = 10.0},
             options.lambda);
  visit.Integer({.name = "epochs", .doc = "How often every patch is visited, at most.", .min = 1, .max = 10000},
                options.epochs);
  visit.Real({.name = "tolerance",
              .doc = "Learning stops when the objective has settled: after the third epoch or a later one that changed "
                     "it by no more than this share. 0 means that all epochs are run.",
              .min = 0.0,
              .max = 1.0},
             options.tolerance);
  visit.Integer({.name = "seed",
                 .doc = "Seed of the first dictionary and of the order of visits.",
                 .min = 0,
                 .max = 9007199254740992.0},
                options.seed);
}

// How the codes of a visit are found.
void CodeFields(LearnOptions& options, OptionsVisitor& visit) {
  visit.Integer({.name = "batch",
                 .doc = "Patches coded with one and the same dictionary before it moves (scc-minibatch and online; scc "
                        "always visits one at a time).",
                 .min = 1,
                 .max = 65536},
                options.batch);
  visit.Integer(
      {.name = "cd_steps",
       .doc = "Cycles of coordinate descent per visit (scc: one over all atoms, the others over the support). "
              "0 means the method's own number: 3 for scc, 10 for scc-minibatch.",
       .min = 0,
       .max = 1000},
      options.cd_steps);
  visit.Flag({.name = "nonnegative", .doc = "Weights may not be negative."}, options.nonnegative);
  visit.Choice({.name = "patch_order",
                .doc = "Visit patches in a new random order every epoch (shuffled), or as they are stored (file). "
                       "scc-minibatch and online deal shuffled patches to batches once, and shuffle the batches.",
                .allowed = {"shuffled", "file"}},
               options.patch_order);
  visit.Choice(
      {.name = "coordinate_order",
       .doc = "scc: the order of atoms in the cycle over all of them: as they are numbered (cyclic), or a fresh "
              "random one for every visit.",
       .allowed = {"cyclic", "random"}},
      options.coordinate_order);
}

// How the dictionary moves.
void DictionaryFields(LearnOptions& options, OptionsVisitor& visit) {
  visit.Choice(
      {.name = "curvature",
       .doc = "scc: whether H, which sets the step of each atom, sums over all visits (accumulate), or restarts "
              "at each epoch from the sum of the epoch before (previous-epoch).",
       .allowed = {"accumulate", "previous-epoch"}},
      options.curvature);
  visit.Choice({.name = "projection",
                .doc = "Atoms that moved are brought into the unit ball (norm at most 1) or onto the unit sphere (norm "
                       "exactly 1). online always uses the ball.",
                .allowed = {"ball", "sphere"}},
               options.projection);
  visit.Flag(
      {.name = "nonnegative_atoms",
       .doc = "Values of atoms may not be negative: what is, becomes 0, before the atom is brought into the ball."},
      options.nonnegative_atoms);
  visit.Choice({.name = "rate",
                .doc = "scc: the step of an atom: 1 / h_jj (adaptive), or a / (t + b) after t visits (natural).",
                .allowed = {"adaptive", "natural"}},
               options.rate);
  visit.Real({.name = "rate_a", .doc = "a of the natural rate.", .min = 1e-9, .max = 1e9}, options.rate_a);
  visit.Real({.name = "rate_b", .doc = "b of the natural rate.", .min = 0.0, .max = 1e9}, options.rate_b);
  visit.Real(
      {.name = "forgetting",
       .doc = "scc-minibatch: the largest share of H that is forgotten with a batch, as long as few batches have "
              "been seen; 0 never forgets.",
       .min = 0.0,
       .max = 0.999},
      options.forgetting);
  visit.Real({.name = "memory",
              .doc = "scc-minibatch: later H remembers about this share of all batches seen so far.",
              .min = 0.001,
              .max = 1.0},
             options.memory);
  visit.Choice({.name = "unused_atoms",
                .doc = "What becomes of an atom that no patch used in an epoch: keep it, or replace it by one of the "
                       "worst reconstructed patches (not after the last epoch).",
                .allowed = {"keep", "replace"}},
               options.unused_atoms);
  visit.Choice({.name = "solver",
                .doc = "online: how codes are found: lars, the published way, or descent, this program's own encoder, "
                       "which is faster and gives the same codes to a tolerance of 1e-4.",
                .allowed = {"lars", "descent"}},
               options.solver);
}

}  // namespace

void LearnOptions::Fields(OptionsVisitor& visit) {
  visit.Choice({.name = "profile",
                .doc = "A set of defaults for the options below; those given beside it win. paper: exact SCC as "
                       "published; release-1.0: as the authors' later program.",
                .allowed = {"none", "paper", "release-1.0"},
                .effect = Effect::kSpeed},
               profile);
  if (visit.Reads()) Apply(profile);
  visit.Choice(
      {.name = "method",
       .doc = "scc: stochastic coordinate coding, one patch at a time; scc-minibatch: the same in batches, much "
              "faster and better; online: Mairal's online dictionary learning, the baseline.",
       .allowed = {"scc", "scc-minibatch", "online"}},
      method);
  ProblemFields(*this, visit);
  CodeFields(*this, visit);
  DictionaryFields(*this, visit);
}

void LearnOptions::Apply(Profile chosen) {
  profile = chosen;
  if (chosen == Profile::kNone) return;
  const bool paper = chosen == Profile::kPaper;
  method = Method::kScc;
  lambda = paper ? 0.10 : 0.13;
  cd_steps = kStepsOfThePaper;
  patch_order = paper ? PatchOrder::kShuffled : PatchOrder::kFile;
  coordinate_order = paper ? CoordinateOrder::kCyclic : CoordinateOrder::kRandom;
  curvature = paper ? Curvature::kAccumulate : Curvature::kPreviousEpoch;
  projection = paper ? Projection::kBall : Projection::kSphere;
  rate = Rate::kAdaptive;
}

int LearnOptions::CdSteps() const {
  if (cd_steps > 0) return cd_steps;
  return method == Method::kScc ? kStepsOfThePaper : kStepsOfAMinibatch;
}

}  // namespace flyscribe
