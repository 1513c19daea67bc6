// What the three learners have in common: the problem, the codes between epochs, the dealing of batches. Internal to
// modules/sparse.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/matrix.h"
#include "core/progress.h"
#include "data/dictionary.h"
#include "sparse/learn.h"
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
  // d += step r, then onto the set of allowed atoms: see Kernels::move_atom.
  void MoveAtom(float step, const float* r, float* atom, std::size_t length) const {
    const auto move = options.nonnegative_atoms ? kernels.move_nonnegative_atom : kernels.move_atom;
    move(step, r, atom, options.OnSphere(), length);
  }
};

// What an epoch reports. The objective is the running one: each patch's after its code was updated, with the dictionary
// as it stood then.
struct EpochReport {
  double objective = 0.0;  // sum over the patches
  double seconds_codes = 0.0;
  double seconds_dictionary = 0.0;
};

// The codes of n patches between two visits: sparse, written in any order, each row once an epoch.
//
// An epoch reads the rows the last one left and writes new ones beside them; Flip ends it. Memory: 8 bytes a weight and
// 12 a row, twice during an epoch. Not thread-safe for writing.
class CodeStore {
 public:
  // All rows are empty.
  explicit CodeStore(std::size_t rows) : current_(rows), next_(rows) {}
  // Rows as in `codes`.
  explicit CodeStore(const SparseCodes& codes);

  std::size_t rows() const { return current_.places.size(); }
  // As the last epoch left it.
  std::span<const std::int32_t> Indices(std::size_t row) const;
  std::span<const float> Weights(std::size_t row) const;
  std::size_t nonzeros() const { return current_.nonzeros; }
  // Hints that a row will be read soon: first where it lies, then the row itself.
  void PrefetchPlace(std::size_t row) const { __builtin_prefetch(&current_.places[row]); }
  void PrefetchCode(std::size_t row) const {
    __builtin_prefetch(Indices(row).data());
    __builtin_prefetch(Weights(row).data());
  }

  // For the next epoch. REQUIRES: as many indices as weights.
  void Write(std::size_t row, std::span<const std::int32_t> indices, std::span<const float> weights);
  // What was written becomes what is read. Rows that were not written become empty.
  void Flip();

  // REQUIRES: the indices were written in rising order.
  SparseCodes ToCodes(std::size_t atoms) const;

 private:
  struct Place {
    std::uint32_t block = 0;
    std::uint32_t begin = 0;
    std::uint32_t count = 0;
  };
  // Weights are stored in blocks, because one growing array would for a moment need twice its size.
  struct Block {
    std::vector<std::int32_t> indices;
    std::vector<float> weights;
  };
  struct Generation {
    explicit Generation(std::size_t rows) : places(rows) {}
    std::vector<Place> places;
    std::vector<Block> blocks;
    std::size_t nonzeros = 0;
  };

  Generation current_;
  Generation next_;
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

bool AllFinite(std::span<const float> values);

// What coding asks of its input. Throws Error(kInput) if patches and atoms differ in length, Error(kCorrupt) if an atom
// is not finite.
void RequireCodable(FloatView patches, const FloatMatrix& atoms);
// Throws Error(kInput) if one of the patches begin .. end - 1 is not finite.
void RequireFinite(FloatView patches, std::size_t begin, std::size_t end);

// 0 .. count - 1 in the order an epoch visits them: a fresh shuffle, or as they are.
std::vector<std::size_t> VisitOrder(std::size_t count, const LearnOptions& options, std::uint64_t stream);

// Streams of the seed: the first dictionary, what is dealt once, and one for each epoch, atom or visit.
inline constexpr std::uint64_t kInitialStream = 0;
inline constexpr std::uint64_t kFirstEpochStream = 1;
inline constexpr std::uint64_t kDealStream = std::uint64_t{1} << 40;
inline constexpr std::uint64_t kCoordinateStream = std::uint64_t{1} << 41;
inline constexpr std::uint64_t kNonnegativeStream = std::uint64_t{1} << 42;  // an atom of which nothing was left

// How patches are dealt to batches: once and for all, so that a batch finds its codes together; epochs differ in the
// order of the batches.
class Batches {
 public:
  Batches(std::size_t patches, const LearnOptions& options);

  std::size_t count() const { return (order_.size() + size_ - 1) / size_; }
  std::span<const std::size_t> Batch(std::size_t batch) const;
  // The order of the batches in an epoch.
  std::vector<std::size_t> VisitOrder(int epoch) const;

 private:
  const LearnOptions& options_;
  std::size_t size_;
  std::vector<std::size_t> order_;
};

// The three learners: scc.cc, minibatch.cc and online.cc say what they do. MakeOnlineLearner throws Error(kUsage) if
// its m x m statistics would not fit in reasonable memory.
std::unique_ptr<Learner> MakeSccLearner(const LearnProblem& problem);
std::unique_ptr<Learner> MakeMinibatchLearner(const LearnProblem& problem);
std::unique_ptr<Learner> MakeOnlineLearner(const LearnProblem& problem);

}  // namespace flyscribe
