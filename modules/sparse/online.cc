// Online dictionary learning, patch by patch or in mini-batches: the baseline the paper compares with. See
// docs/algorithms/online.md.
//
// Patches are dealt to batches once; each epoch visits the batches in a new order. A visit of batch t, of eta patches:
//   1. Codes of its patches with the same D, from zero to the optimum: LARS on the Gram matrix of D (lars.h), as
//      published; or this program's own encoder (solver: descent), to a tolerance of 1e-4.
//   2. A <- beta A + sum_i z_i z_i^T,   B <- beta B + sum_i z_i x_i^T,   with beta = (theta + 1 - eta) / (theta + 1)
//   and
//      theta = t eta while t < eta, eta^2 + t - eta afterwards.
//   3. One pass of block coordinate descent on the dictionary, for j = 1 .. m with the atoms as they stand:
//        d_j <- projection onto the unit ball of  d_j + (b_j - sum_i a_ji d_i) / a_jj.
//
// Cost per patch: m p + LARS; per batch m^2 p for the Gram matrix and m^2 p for step 3. Memory: 3 m^2 floats.
// Step 1 and the matrix products run on all threads, in blocks of a fixed size.
// Reference: Mairal, Bach, Ponce, Sapiro: Online Dictionary Learning for Sparse Coding, ICML 2009 (longer: JMLR 11,
// 2010), Algorithm 1 with the mini-batch extension of its section 3.4.

#include "sparse/learner.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "core/parallel.h"
#include "core/progress.h"
#include "sparse/encoder.h"
#include "sparse/lars.h"

namespace flyscribe {
namespace {

constexpr int kMostAtoms = 16384;             // 3 GB of statistics
constexpr std::size_t kPatchesPerBlock = 32;  // that share a matrix product
constexpr std::size_t kAtomsPerBlock = 128;   // whose sums over the other atoms share a matrix product
constexpr std::size_t kRowsPerItem = 32;      // of a matrix product given to a thread
constexpr double kSmallestScale = 1e-6;       // below it, the common factor is multiplied into A and B
constexpr double kToleranceOfDescent = 1e-4;

// out_i = atoms^T row_i for all rows, on all threads.
void ParallelProducts(
    const LearnProblem& problem, const Panels& atoms, const float* rows, std::size_t count, PaddedRows& out) {
  const std::size_t items = (count + kRowsPerItem - 1) / kRowsPerItem;
  ParallelFor(problem.threads, items, [&](std::size_t item) {
    const std::size_t begin = item * kRowsPerItem;
    problem.kernels.products(atoms.data(),
                             atoms.panels(),
                             rows + begin * atoms.length(),
                             std::min(kRowsPerItem, count - begin),
                             out.Row(begin),
                             out.length(),
                             atoms.length());
  });
}

class OnlineLearner : public Learner {
 public:
  explicit OnlineLearner(const LearnProblem& problem) : problem_(problem), batches_(problem.size(), problem.options) {}

  EpochReport RunEpoch(int epoch, LearnerMemory& memory, Progress& progress) override {
    EpochReport report;
    Prepare(memory);
    for (const std::size_t batch : batches_.VisitOrder(epoch)) {
      progress.ThrowIfStopped();
      const std::span<const std::size_t> items = batches_.Batch(batch);
      const double start = SecondsNow();
      CodeBatch(items, memory.atoms);
      report.objective += Collect(items, memory);
      const double coded = SecondsNow();
      AddMoments(items, ++memory.steps);
      MoveAtoms(memory.atoms);
      report.seconds_codes += coded - start;
      report.seconds_dictionary += SecondsNow() - coded;
      progress.Advance(items.size());
    }
    memory.codes.Flip();
    FoldScale();
    StoreMoments(memory);
    return report;
  }

 private:
  void Prepare(const LearnerMemory& memory) {
    const std::size_t atoms = memory.atoms.rows();
    const std::size_t cols = memory.atoms.cols();
    a_ = PaddedRows(atoms, atoms);
    b_ = PaddedRows(atoms, cols);
    for (std::size_t j = 0; j < memory.moments.rows(); ++j) {
      a_.Set(j, memory.moments.Row(j).first(atoms));
      b_.Set(j, memory.moments.Row(j).subspan(atoms));
    }
    scale_ = 1.0;
    patches_ = PaddedRows(std::min(problem_.size(), static_cast<std::size_t>(problem_.options.batch)), cols);
    transposed_ = Panels(cols, a_.length());
    sums_ = PaddedRows(kAtomsPerBlock, cols);
    step_ = PaddedRows(1, cols);
    codes_.resize(patches_.rows());
    if (problem_.options.solver == LearnOptions::Solver::kLars) PrepareLars(atoms);
  }

  void PrepareLars(std::size_t atoms) {
    gram_ = PaddedRows(atoms, atoms);
    const std::size_t blocks = (patches_.rows() + kPatchesPerBlock - 1) / kPatchesPerBlock;
    workers_.clear();
    for (std::size_t worker = 0; worker < WorkerCount(problem_.threads, blocks); ++worker) {
      workers_.push_back({LarsSolver(problem_.kernels, atoms), PaddedRows(kPatchesPerBlock, atoms)});
    }
  }

  // Step 1.
  void CodeBatch(std::span<const std::size_t> items, const PaddedRows& atoms) {
    for (std::size_t i = 0; i < items.size(); ++i) patches_.Set(i, problem_.Patch(items[i]));
    if (problem_.options.solver == LearnOptions::Solver::kDescent) return CodeByDescent(items.size(), atoms);
    const Panels panels(problem_.kernels, atoms);
    ParallelProducts(problem_, panels, atoms.data(), atoms.rows(), gram_);
    const std::size_t blocks = (items.size() + kPatchesPerBlock - 1) / kPatchesPerBlock;
    ParallelForWorkers(problem_.threads, blocks, [&](std::size_t block, std::size_t worker) {
      CodeBlock(
          block * kPatchesPerBlock, std::min(items.size(), (block + 1) * kPatchesPerBlock), panels, workers_[worker]);
    });
  }

  struct Worker {
    LarsSolver solver;
    PaddedRows correlations;
  };

  void CodeBlock(std::size_t begin, std::size_t end, const Panels& atoms, Worker& worker) {
    problem_.kernels.products(atoms.data(),
                              atoms.panels(),
                              patches_.Row(begin),
                              end - begin,
                              worker.correlations.data(),
                              worker.correlations.length(),
                              atoms.length());
    for (std::size_t i = begin; i < end; ++i) {
      worker.solver.Solve({.gram = gram_.data(),
                           .stride = gram_.length(),
                           .correlations = worker.correlations.Row(i - begin),
                           .lambda = static_cast<float>(problem_.options.lambda),
                           .nonnegative = problem_.options.nonnegative},
                          codes_[i].indices,
                          codes_[i].weights);
    }
  }

  void CodeByDescent(std::size_t count, const PaddedRows& atoms) {
    FloatMatrix patches(count, atoms.cols());
    for (std::size_t i = 0; i < count; ++i) std::copy_n(patches_.Row(i), atoms.cols(), patches.Row(i).begin());
    EncodeOptions options;
    options.kkt_tolerance = kToleranceOfDescent;
    const EncodeControl control = {problem_.options.lambda, problem_.options.nonnegative, problem_.threads};
    const SparseCodes codes = Encode(patches, atoms.ToMatrix(), control, options, NoProgress()).codes;
    for (std::size_t i = 0; i < count; ++i) {
      codes_[i].indices.assign(codes.RowIndices(i).begin(), codes.RowIndices(i).end());
      codes_[i].weights.assign(codes.RowData(i).begin(), codes.RowData(i).end());
    }
  }

  // Keeps the codes; returns the sum of the patches' objectives.
  double Collect(std::span<const std::size_t> items, LearnerMemory& memory) {
    double objective = 0.0;
    for (std::size_t i = 0; i < items.size(); ++i) {
      const Code& code = codes_[i];
      float* r = step_.Row(0);
      problem_.kernels.residual(patches_.Row(i),
                                memory.atoms.data(),
                                code.indices.data(),
                                code.weights.data(),
                                code.indices.size(),
                                r,
                                memory.atoms.length());
      const double error = 0.5 * static_cast<double>(problem_.kernels.dot(r, r, memory.atoms.length()));
      double weights = 0.0;
      for (const float weight : code.weights) weights += std::abs(static_cast<double>(weight));
      objective += error + problem_.options.lambda * weights;
      if (!memory.errors.empty()) memory.errors[items[i]] = static_cast<float>(error);
      memory.codes.Write(items[i], code.indices, code.weights);
    }
    return objective;
  }

  // Step 2. A and B share the factor scale_, so that forgetting does not touch m^2 values: step 3 needs their ratio
  // only.
  void AddMoments(std::span<const std::size_t> items, std::uint64_t step) {
    const auto eta = static_cast<double>(problem_.options.batch);
    const auto t = static_cast<double>(step);
    const double theta = t < eta ? t * eta : eta * eta + t - eta;
    scale_ *= (theta + 1.0 - eta) / (theta + 1.0);
    if (scale_ < kSmallestScale) FoldScale();
    for (std::size_t i = 0; i < items.size(); ++i) {
      const Code& code = codes_[i];
      for (std::size_t k = 0; k < code.indices.size(); ++k) {
        const auto atom = static_cast<std::size_t>(code.indices[k]);
        const auto weight = static_cast<float>(static_cast<double>(code.weights[k]) / scale_);
        float* row = a_.Row(atom);
        for (std::size_t l = 0; l < code.indices.size(); ++l) row[code.indices[l]] += weight * code.weights[l];
        problem_.kernels.add_scaled(weight, patches_.Row(i), b_.Row(atom), b_.length());
      }
    }
  }

  void FoldScale() {
    const auto factor = static_cast<float>(scale_);
    for (PaddedRows* rows : {&a_, &b_}) {
      std::for_each(rows->data(), rows->data() + rows->rows() * rows->length(), [=](float& value) { value *= factor; });
    }
    scale_ = 1.0;
  }

  // Step 3. The sums over all atoms of a block's rows of A are one matrix product; what moves within the block is
  // added.
  void MoveAtoms(PaddedRows& atoms) {
    for (std::size_t j = 0; j < atoms.rows(); ++j) transposed_.SetColumn(j, atoms.Values(j));
    for (std::size_t begin = 0; begin < atoms.rows(); begin += kAtomsPerBlock) {
      const std::size_t end = std::min(atoms.rows(), begin + kAtomsPerBlock);
      ParallelProducts(problem_, transposed_, a_.Row(begin), end - begin, sums_);
      for (std::size_t j = begin; j < end; ++j) MoveAtom(j, begin, end, atoms);
    }
  }

  void MoveAtom(std::size_t j, std::size_t begin, std::size_t end, PaddedRows& atoms) {
    const float own = a_.Row(j)[j];
    if (!(own > 0.0F)) return;  // never used
    const std::size_t length = atoms.length();
    float* d = atoms.Row(j);
    float* change = step_.Row(0);
    std::copy_n(d, length, change);
    problem_.kernels.add_scaled(-1.0F, b_.Row(j), sums_.Row(j - begin), length);
    problem_.MoveAtom(-1.0F / own, sums_.Row(j - begin), d, length);
    for (std::size_t i = 0; i < length; ++i) change[i] = d[i] - change[i];
    for (std::size_t later = j + 1; later < end; ++later) {
      const float weight = a_.Row(later)[j];
      if (weight != 0.0F) problem_.kernels.add_scaled(weight, change, sums_.Row(later - begin), length);
    }
    transposed_.SetColumn(j, atoms.Values(j));
  }

  void StoreMoments(LearnerMemory& memory) const {
    const std::size_t atoms = a_.rows();
    memory.moments = FloatMatrix(atoms, atoms + b_.cols());
    for (std::size_t j = 0; j < atoms; ++j) {
      std::copy_n(a_.Row(j), atoms, memory.moments.Row(j).begin());
      std::copy_n(b_.Row(j), b_.cols(), memory.moments.Row(j).subspan(atoms).begin());
    }
  }

  struct Code {
    std::vector<std::int32_t> indices;
    std::vector<float> weights;
  };

  const LearnProblem& problem_;
  Batches batches_;
  PaddedRows patches_;       // of the batch
  std::vector<Code> codes_;  // alike
  PaddedRows gram_;          // of the dictionary
  std::vector<Worker> workers_;
  PaddedRows a_;  // A / scale_
  PaddedRows b_;  // B / scale_
  double scale_ = 1.0;
  Panels transposed_;  // the dictionary, p x m
  PaddedRows sums_;    // sum_i a_ji d_i, for the atoms j of a block
  PaddedRows step_;
};

}  // namespace

std::unique_ptr<Learner> MakeOnlineLearner(const LearnProblem& problem) {
  if (problem.options.atoms > kMostAtoms) {
    throw Error(ErrorCode::kUsage,
                "online learning keeps statistics of atoms x atoms numbers: " + std::to_string(problem.options.atoms) +
                    " atoms are too many",
                "use at most " + std::to_string(kMostAtoms) + " atoms, or learn.method: scc-minibatch");
  }
  return std::make_unique<OnlineLearner>(problem);
}

}  // namespace flyscribe
