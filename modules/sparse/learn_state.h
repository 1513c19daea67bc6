// Where learning stands between two epochs: enough to go on later, in another process, to the same bytes.
//
//   atoms.npy       float32 [m, p]      the dictionary
//   curvature.npy   float64 [2, m]      the diagonal of H, and its part from the last epoch
//   moments.npy     float32 [m, m + p]  online only: its statistics A and B, side by side
//   codes.*.npy     the codes the last epoch left, one row a patch
//   state.json      epochs done, steps taken, and what the summary needs
// A state is of use only to the problem it came from: the caller sees to that.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/fs.h"
#include "core/matrix.h"
#include "data/dictionary.h"

namespace flyscribe {

struct LearnState {
  int epochs_done = 0;
  std::uint64_t steps = 0;  // dictionary updates so far
  FloatMatrix atoms;
  std::vector<double> curvature;        // h_jj
  std::vector<double> epoch_curvature;  // its part from the epoch just done
  FloatMatrix moments;                  // empty unless online
  SparseCodes codes;
  std::vector<double> objective_per_epoch;
  std::size_t replaced_atoms = 0;

  void Save(const fs::path& folder) const;
  // Throws Error(kCorrupt) if the files do not belong together.
  static LearnState Load(const fs::path& folder);

  friend bool operator==(const LearnState&, const LearnState&) = default;
};

}  // namespace flyscribe
