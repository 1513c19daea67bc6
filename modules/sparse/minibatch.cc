// Mini-batch stochastic coordinate coding: the paper's announced future work. See docs/algorithms/scc-minibatch.md.
//
// Patches are dealt to batches once; each epoch visits the batches in a new order. A visit of a batch:
//   1. Codes, for all patches of the batch with the same D, from where their last visit left them: one matrix product
//      gives c = d_j^T r for all atoms; atoms with |c_j| > lambda join the support; cd_steps cycles of coordinate
//      descent over it, or fewer where a cycle changes no c_j by a thousandth of lambda. (The first visit starts from
//      zero, where hundreds of atoms correlate: there the strongest join, are fitted, and a second product finds the
//      rest.)
//   2. h_jj <- f h_jj + sum over the batch of z_ij^2, with f = max(1 - forgetting, 1 - 1 / (memory * batches so far)).
//      H thus remembers a growing window: early, poor codes stop braking the atoms, late steps are calm.
//   3. Atom by atom:  d_j <- projection of d_j + (1 / h_jj) sum_i z_ij r_i,  and  r_i <- r_i - z_ij (change of d_j) for
//      the patches that use it, so that the next atom sees what is left (Gauss-Seidel).
//
// Cost per visit of a patch: m p + s^2 p / 2 + cd_steps s^2 + 4 s p multiplications, s = size of the support.
// The codes are found on all threads, in blocks of a fixed size; the dictionary moves on one.

#include "sparse/learner.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "core/parallel.h"
#include "core/progress.h"
#include "sparse/block_coder.h"

namespace flyscribe {
namespace {

// A visit admits at most this many atoms at once, or, where codes are longer, this share of a code's usual length: what
// does not fit has its turn in the next epoch.
constexpr std::size_t kMostAdmitted = 24;
constexpr double kMostOfUsual = 1.5;
// How fast the usual length follows that of the last batch.
constexpr double kFollow = 0.1;
// From zero, only atoms in the upper part of the range between lambda and the strongest product join at first; those in
// a wider part are looked at again once these are fitted.
constexpr std::size_t kMostAtFirst = 16;
constexpr float kShareAtFirst = 0.6F;
constexpr float kShareRevisited = 0.35F;
constexpr float kShareAfterwards = 0.2F;

// A code and its objective.
struct VisitedPatch {
  ActiveSet code;
  double objective = 0.0;
};

class MinibatchLearner : public Learner {
 public:
  explicit MinibatchLearner(const LearnProblem& problem)
      : problem_(problem),
        batches_(problem.size(), problem.options),
        lambda_(static_cast<float>(problem.options.lambda)),
        cd_steps_(problem.options.CdSteps()) {}

  EpochReport RunEpoch(int epoch, LearnerMemory& memory, Progress& progress) override {
    EpochReport report;
    Prepare(memory);
    usual_length_ = static_cast<double>(memory.codes.nonzeros()) / static_cast<double>(problem_.size());
    for (const std::size_t batch : batches_.VisitOrder(epoch)) {
      progress.ThrowIfStopped();
      const std::span<const std::size_t> items = batches_.Batch(batch);
      const double start = SecondsNow();
      ParallelFor(problem_.threads, panels_.panels(), [&](std::size_t panel) {
        panels_.Fill(problem_.kernels, memory.atoms, panel);
      });
      CodeBatch(items, memory);
      const double coded = SecondsNow();
      UpdateCurvature(items.size(), memory);
      MoveAtoms(memory);
      usual_length_ += kFollow * (MeanLength(items.size()) - usual_length_);
      report.seconds_codes += coded - start;
      report.seconds_dictionary += SecondsNow() - coded;
      for (std::size_t i = 0; i < items.size(); ++i) {
        report.objective += visited_[i].objective;
        memory.codes.Write(items[i], visited_[i].code.ids, visited_[i].code.weights);
      }
      progress.Advance(items.size());
    }
    memory.codes.Flip();
    return report;
  }

 private:
  void Prepare(const LearnerMemory& memory) {
    const std::size_t batch = std::min(problem_.size(), static_cast<std::size_t>(problem_.options.batch));
    if (residuals_.rows() == batch) return;
    residuals_ = PaddedRows(batch, memory.atoms.cols());
    visited_.resize(batch);
    moved_ = PaddedRows(2, memory.atoms.cols());
    panels_ = Panels(memory.atoms.rows(), memory.atoms.length());
    const std::size_t blocks = (batch + kBlockPatches - 1) / kBlockPatches;
    const LassoTerms terms = {lambda_, problem_.options.nonnegative};
    for (std::size_t worker = 0; worker < WorkerCount(problem_.threads, blocks); ++worker) {
      coders_.push_back(std::make_unique<BlockCoder>(problem_.kernels, memory.atoms, panels_, terms));
    }
  }

  void CodeBatch(std::span<const std::size_t> items, LearnerMemory& memory) {
    const std::size_t blocks = (items.size() + kBlockPatches - 1) / kBlockPatches;
    ParallelForWorkers(problem_.threads, blocks, [&](std::size_t block, std::size_t worker) {
      CodeBlock(items, block * kBlockPatches, *coders_[worker], memory);
    });
  }

  void CodeBlock(std::span<const std::size_t> items, std::size_t begin, BlockCoder& coder, LearnerMemory& memory) {
    const std::size_t end = std::min(items.size(), begin + kBlockPatches);
    std::vector<std::size_t> warm;
    std::vector<std::size_t> cold;
    coder.Clear();
    for (std::size_t i = begin; i < end; ++i) {
      const std::span<const std::int32_t> indices = memory.codes.Indices(items[i]);
      const std::size_t place = coder.Add(problem_.Patch(items[i]), indices, memory.codes.Weights(items[i]));
      (indices.empty() ? cold : warm).push_back(place);
    }
    if (!cold.empty()) Begin(coder, cold);
    if (!warm.empty()) {
      coder.Search(warm);
      for (const std::size_t place : warm) coder.Admit(place, lambda_, AtMost(kMostAdmitted));
      coder.Descend(warm, cd_steps_);
    }
    for (std::size_t i = begin; i < end; ++i) Collect(coder, i - begin, i, items[i], memory);
  }

  std::size_t AtMost(std::size_t most) const {
    return std::max(most, static_cast<std::size_t>(kMostOfUsual * usual_length_));
  }

  double MeanLength(std::size_t patches) const {
    std::size_t length = 0;
    for (std::size_t i = 0; i < patches; ++i) length += visited_[i].code.size();
    return static_cast<double>(length) / static_cast<double>(patches);
  }

  // Codes from zero.
  void Begin(BlockCoder& coder, std::span<const std::size_t> places) {
    const auto above = [this](float share, float largest) {
      return lambda_ + share * std::max(0.0F, largest - lambda_);
    };
    std::array<float, kBlockPatches> largest{};
    coder.Search(places);
    for (const std::size_t place : places) {
      largest[place] = coder.LargestOutside(place);
      coder.Admit(place, above(kShareAtFirst, largest[place]), AtMost(kMostAtFirst));
    }
    coder.Descend(places, cd_steps_);
    for (const std::size_t place : places) {
      const float left = coder.Revisit(place, above(kShareRevisited, largest[place]));
      coder.AdmitRevisited(place, above(kShareAfterwards, left), AtMost(kMostAtFirst));
    }
    coder.Descend(places, cd_steps_);
  }

  // Takes over what the coder found for its patch `place`, patch i of the batch.
  void Collect(BlockCoder& coder, std::size_t place, std::size_t i, std::size_t item, LearnerMemory& memory) {
    std::swap(visited_[i].code, coder.set(place));
    std::copy_n(coder.residual(place), residuals_.length(), residuals_.Row(i));
    const float* r = residuals_.Row(i);
    const double error = 0.5 * static_cast<double>(problem_.kernels.dot(r, r, residuals_.length()));
    double weights = 0.0;
    for (const float weight : visited_[i].code.weights) weights += std::abs(static_cast<double>(weight));
    visited_[i].objective = error + problem_.options.lambda * weights;
    if (!memory.errors.empty()) memory.errors[item] = static_cast<float>(error);
  }

  // Sorts the batch's weights by atom, and adds their squares to H.
  void UpdateCurvature(std::size_t patches, LearnerMemory& memory) {
    const std::size_t atoms = memory.atoms.rows();
    ++memory.steps;
    const double window = problem_.options.memory * static_cast<double>(memory.steps);
    const double kept = std::max(1.0 - problem_.options.forgetting, 1.0 - 1.0 / std::max(1.0, window));
    begin_of_atom_.assign(atoms + 1, 0);
    for (std::size_t i = 0; i < patches; ++i) {
      for (const std::int32_t id : visited_[i].code.ids) ++begin_of_atom_[static_cast<std::size_t>(id) + 1];
    }
    std::partial_sum(begin_of_atom_.begin(), begin_of_atom_.end(), begin_of_atom_.begin());
    uses_.resize(begin_of_atom_.back());
    std::vector<std::size_t> next(begin_of_atom_.begin(), begin_of_atom_.end() - 1);
    for (double& h : memory.curvature) h *= kept;
    for (std::size_t i = 0; i < patches; ++i) {
      const ActiveSet& code = visited_[i].code;
      for (std::size_t k = 0; k < code.size(); ++k) {
        const auto atom = static_cast<std::size_t>(code.ids[k]);
        const double weight = code.weights[k];
        uses_[next[atom]++] = {i, code.weights[k]};
        memory.curvature[atom] += weight * weight;
      }
    }
  }

  void MoveAtoms(LearnerMemory& memory) {
    const std::size_t length = memory.atoms.length();
    const Kernels& kernels = problem_.kernels;
    float* gradient = moved_.Row(0);
    float* before = moved_.Row(1);
    for (std::size_t atom = 0; atom < memory.atoms.rows(); ++atom) {
      const std::span<const Use> uses = {uses_.data() + begin_of_atom_[atom],
                                         begin_of_atom_[atom + 1] - begin_of_atom_[atom]};
      if (uses.empty()) continue;
      float* d = memory.atoms.Row(atom);
      std::fill_n(gradient, length, 0.0F);
      for (const Use& use : uses) kernels.add_scaled(use.weight, residuals_.Row(use.patch), gradient, length);
      std::copy_n(d, length, before);
      problem_.MoveAtom(static_cast<float>(1.0 / memory.curvature[atom]), gradient, d, length);
      for (std::size_t i = 0; i < length; ++i) before[i] -= d[i];
      for (const Use& use : uses) kernels.add_scaled(use.weight, before, residuals_.Row(use.patch), length);
    }
  }

  struct Use {
    std::size_t patch;
    float weight;
  };

  const LearnProblem& problem_;
  Batches batches_;
  float lambda_;
  int cd_steps_;
  std::vector<std::unique_ptr<BlockCoder>> coders_;  // one a worker
  std::vector<VisitedPatch> visited_;                // one a patch of the batch
  double usual_length_ = 0.0;                        // of a code: of the last epoch, then following the batches
  PaddedRows residuals_;                             // alike
  PaddedRows moved_;
  Panels panels_;                           // the dictionary at the start of the batch
  std::vector<Use> uses_;                   // the weights of the batch, atom by atom
  std::vector<std::size_t> begin_of_atom_;  // in uses_
};

}  // namespace

std::unique_ptr<Learner> MakeMinibatchLearner(const LearnProblem& problem) {
  return std::make_unique<MinibatchLearner>(problem);
}

}  // namespace flyscribe
