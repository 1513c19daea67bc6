// What the three learners have in common. Internal to modules/sparse.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/matrix.h"
#include "core/progress.h"
#include "sparse/code_store.h"
#include "sparse/learn_options.h"
#include "sparse/learn_state.h"
#include "sparse/padded_rows.h"

namespace flyscribe {

// The problem, as given.
struct LearnProblem {
  FloatView patches;
  std::span<const std::size_t> rows;
  const LearnOptions& options;
  const Kernels& kernels;
  int threads = 1;

  std::span<const float> Patch(std::size_t item) const { return patches.Row(rows[item]); }
  std::size_t size() const { return rows.size(); }
};

// What an epoch reports. The objective is the running one: each patch's after its code was updated, with the dictionary
// as it stood then.
struct EpochReport {
  double objective = 0.0;  // sum over the patches
  double seconds_codes = 0.0;
  double seconds_dictionary = 0.0;
};

// What all learners carry from one epoch to the next.
struct LearnerMemory {
  explicit LearnerMemory(const LearnState& state, std::size_t patches);

  PaddedRows atoms;
  std::vector<double> curvature;
  std::vector<double> epoch_curvature;
  FloatMatrix moments;
  std::uint64_t steps = 0;
  CodeStore codes;
  // The error 0.5 |r|^2 of each patch at its last visit, if unused atoms are to be replaced; else empty.
  std::vector<float> errors;
};

class Learner {
 public:
  virtual ~Learner() = default;
  // Visits every patch once. Epochs count from 1.
  virtual EpochReport RunEpoch(int epoch, LearnerMemory& memory, Progress& progress) = 0;
};

// 0 .. count - 1 in the order an epoch visits them: a fresh shuffle, or as they are.
std::vector<std::size_t> VisitOrder(std::size_t count, const LearnOptions& options, std::uint64_t stream);

// Streams of the seed: the first dictionary, what is dealt once, and one for each epoch.
inline constexpr std::uint64_t kInitialStream = 0;
inline constexpr std::uint64_t kFirstEpochStream = 1;
inline constexpr std::uint64_t kDealStream = std::uint64_t{1} << 40;
inline constexpr std::uint64_t kCoordinateStream = std::uint64_t{1} << 41;

}  // namespace flyscribe
