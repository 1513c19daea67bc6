// Stochastic Coordinate Coding, one patch at a time, as published. See docs/algorithms/scc.md.
//
// Start: H = 0, all codes zero. One visit of patch i (Algorithm 1 of the paper):
//   1. z_i starts where the last epoch left it. One cycle of coordinate descent over all atoms finds its support; then
//      cd_steps - 1 cycles over this support:   z_j <- h_lambda(d_j^T r + z_j),   r = x_i - D z_i.
//   2. h_jj += z_j^2.
//   3. For every atom of the support, all with the one residual r of step 1:   d_j += (1 / h_jj) z_j r   (or, with the
//      natural rate after t visits, a / (t + b) z_j r), then projected.
// An epoch visits every patch once, in a fresh seeded order or in the order of `rows`.
//
// The cycle over all atoms is the cost, m p multiplications. Most atoms stay at zero in it, and for most of them this
// is certain after a look at 16-bit copies, with a bound on their error, at half the price (atom_cycle.h); only the
// others are looked at in full. The result is the same to the last bit as looking at all of them in full.
//
// Sequential by nature: one thread.

#include "sparse/learner.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "core/progress.h"
#include "core/text.h"
#include "sparse/atom_cycle.h"

namespace flyscribe {
namespace {

// How often progress is told, a request to stop is looked for, and one visit is timed for the split of the time.
constexpr std::size_t kPatchesPerReport = 256;
constexpr std::size_t kVisitsPerSample = 32;

// Patches and their codes are fetched into the cache this many visits before they are needed.
constexpr std::size_t kAhead = 4;

class SccLearner : public Learner {
 public:
  explicit SccLearner(const LearnProblem& problem)
      : problem_(problem),
        options_(problem.options),
        random_(options_.coordinate_order == LearnOptions::CoordinateOrder::kRandom),
        lambda_(static_cast<float>(options_.lambda)) {}

  EpochReport RunEpoch(int epoch, LearnerMemory& memory, Progress& progress) override {
    Prepare(memory);
    if (random_) order_.StartEpoch(static_cast<std::uint64_t>(options_.seed), epoch, memory.atoms.rows());
    if (options_.curvature == LearnOptions::Curvature::kPreviousEpoch) memory.curvature = memory.epoch_curvature;
    std::ranges::fill(memory.epoch_curvature, 0.0);
    const std::vector<std::size_t> order =
        VisitOrder(problem_.size(), options_, kFirstEpochStream + static_cast<std::uint64_t>(epoch - 1));
    EpochReport report;
    const double start = SecondsNow();
    double sampled = 0.0;
    double sampled_dictionary = 0.0;
    for (std::size_t visit = 0; visit < order.size(); ++visit) {
      if (visit % kPatchesPerReport == 0) progress.ThrowIfStopped();
      Prefetch(order, visit, memory);
      const bool timed = visit % kVisitsPerSample == 0;
      const double begin = timed ? SecondsNow() : 0.0;
      report.objective += CodePatch(order[visit], memory);
      const double coded = timed ? SecondsNow() : 0.0;
      UpdateDictionary(memory);
      StoreCode(order[visit], memory);
      if (timed) {
        const double end = SecondsNow();
        sampled += end - begin;
        sampled_dictionary += end - coded;
      }
      if ((visit + 1) % kPatchesPerReport == 0) progress.Advance(kPatchesPerReport);
    }
    progress.Advance(order.size() % kPatchesPerReport);
    memory.codes.Flip();
    const double seconds = SecondsNow() - start;
    report.seconds_dictionary = sampled > 0.0 ? seconds * sampled_dictionary / sampled : 0.0;
    report.seconds_codes = seconds - report.seconds_dictionary;
    return report;
  }

 private:
  // Between epochs unused atoms may have been replaced: all copies are made anew.
  void Prepare(LearnerMemory& memory) {
    const std::size_t length = memory.atoms.length();
    vectors_ = PaddedRows(2, memory.atoms.cols());
    weights_.assign(PaddedLength(memory.atoms.rows()), 0.0F);
    all_.resize(memory.atoms.rows());
    screen_ = std::make_unique<Screen>(problem_.kernels, memory.atoms, lambda_);
    descent_ = {.atoms = memory.atoms.data(),
                .length = length,
                .ids = nullptr,
                .r = vectors_.Row(0),
                .weights = weights_.data(),
                .lambda = lambda_,
                .nonnegative = options_.nonnegative};
  }

  void Prefetch(std::span<const std::size_t> order, std::size_t visit, const LearnerMemory& memory) const {
    constexpr std::size_t kLine = 64 / sizeof(float);
    if (visit + 2 * kAhead < order.size()) memory.codes.PrefetchPlace(order[visit + 2 * kAhead]);
    if (visit + kAhead >= order.size()) return;
    const std::span<const float> x = problem_.Patch(order[visit + kAhead]);
    for (std::size_t i = 0; i < x.size(); i += kLine) __builtin_prefetch(x.data() + i);
    memory.codes.PrefetchCode(order[visit + kAhead]);
  }

  float* residual() { return vectors_.Row(0); }

  // Step 1. Returns the patch's objective.
  double CodePatch(std::size_t item, LearnerMemory& memory) {
    const std::span<const std::int32_t> indices = memory.codes.Indices(item);
    const std::span<const float> weights = memory.codes.Weights(item);
    const std::span<const float> x = problem_.Patch(item);
    std::ranges::copy(x, vectors_.Row(1));
    const Kernels& kernels = problem_.kernels;
    kernels.residual(vectors_.Row(1),
                     memory.atoms.data(),
                     indices.data(),
                     weights.data(),
                     indices.size(),
                     residual(),
                     memory.atoms.length());
    for (std::size_t k = 0; k < indices.size(); ++k) weights_[static_cast<std::size_t>(indices[k])] = weights[k];
    CycleOverAll(memory);
    FindSupport(indices);
    descent_.ids = support_.data();
    for (int step = 1; step < options_.CdSteps(); ++step) kernels.descend(descent_, support_.size());
    double sum = 0.0;
    for (const std::int32_t atom : support_)
      sum += std::abs(static_cast<double>(weights_[static_cast<std::size_t>(atom)]));
    const double error = 0.5 * static_cast<double>(kernels.dot(residual(), residual(), memory.atoms.length()));
    if (!memory.errors.empty()) memory.errors[item] = static_cast<float>(error);
    return error + options_.lambda * sum;
  }

  // One cycle over all atoms. Those that may change are looked at in full; after a change the rest is screened anew.
  void CycleOverAll(LearnerMemory& memory) {
    changed_.clear();
    if (random_) order_.Visit(memory.steps, all_);
    ++memory.steps;
    const std::int32_t* ids = random_ ? all_.data() : nullptr;
    std::uint32_t which = 0;
    screen_->Aim(residual());
    std::size_t k = screen_->Next(ids, weights_.data(), 0, &which);
    while (k < all_.size()) {
      const std::size_t place = k + static_cast<std::size_t>(std::countr_zero(which));
      which &= which - 1;
      const std::size_t atom = random_ ? static_cast<std::size_t>(all_[place]) : place;
      const float old = weights_[atom];
      const float updated = UpdatedWeight(atom, memory);
      if (updated != old) {
        Change(atom, updated, memory);
        screen_->Follow(residual(), std::abs(old - updated));
        k = screen_->Next(ids, weights_.data(), place + 1, &which);
      } else if (which == 0) {
        k = screen_->Next(ids, weights_.data(), k + 8, &which);
      }
    }
  }

  // h_lambda(d_j^T r + z_j).
  float UpdatedWeight(std::size_t atom, const LearnerMemory& memory) {
    const float* d = memory.atoms.Row(atom);
    const float target = problem_.kernels.dot(d, residual(), memory.atoms.length()) + weights_[atom];
    if (target > lambda_) return target - lambda_;
    if (target < -lambda_ && !options_.nonnegative) return target + lambda_;
    return 0.0F;
  }

  void Change(std::size_t atom, float updated, const LearnerMemory& memory) {
    problem_.kernels.add_scaled(weights_[atom] - updated, memory.atoms.Row(atom), residual(), memory.atoms.length());
    weights_[atom] = updated;
    changed_.push_back(static_cast<std::int32_t>(atom));
  }

  // The atoms with a weight, rising: among those that had one before and those that changed.
  void FindSupport(std::span<const std::int32_t> before) {
    if (random_) std::ranges::sort(changed_);
    touched_.resize(before.size() + changed_.size());
    const auto end = std::set_union(before.begin(), before.end(), changed_.begin(), changed_.end(), touched_.begin());
    support_.clear();
    for (auto atom = touched_.begin(); atom != end; ++atom) {
      if (weights_[static_cast<std::size_t>(*atom)] != 0.0F) support_.push_back(*atom);
    }
  }

  // Steps 2 and 3.
  void UpdateDictionary(LearnerMemory& memory) {
    const bool natural = options_.rate == LearnOptions::Rate::kNatural;
    const double rate = options_.rate_a / (static_cast<double>(memory.steps) + options_.rate_b);
    for (const std::int32_t index : support_) {
      const auto atom = static_cast<std::size_t>(index);
      const double weight = weights_[atom];
      if (weight == 0.0) continue;
      memory.curvature[atom] += weight * weight;
      memory.epoch_curvature[atom] += weight * weight;
      const double step = weight * (natural ? rate : 1.0 / memory.curvature[atom]);
      problem_.MoveAtom(static_cast<float>(step), residual(), memory.atoms.Row(atom), memory.atoms.length());
      screen_->Copy(atom);
    }
  }

  void StoreCode(std::size_t item, LearnerMemory& memory) {
    code_.clear();
    std::size_t kept = 0;
    for (const std::int32_t atom : support_) {
      float& weight = weights_[static_cast<std::size_t>(atom)];
      if (weight != 0.0F) {
        support_[kept++] = atom;
        code_.push_back(weight);
        weight = 0.0F;
      }
    }
    memory.codes.Write(item, {support_.data(), kept}, code_);
  }

  const LearnProblem& problem_;
  const LearnOptions& options_;
  bool random_;
  float lambda_;
  PaddedRows vectors_;            // the residual, the patch
  AlignedVector<float> weights_;  // z of the patch being visited, zero between visits
  DescentProblem descent_;
  std::unique_ptr<Screen> screen_;
  AtomOrder order_;
  std::vector<std::int32_t> all_;
  std::vector<std::int32_t> changed_;
  std::vector<std::int32_t> touched_;
  std::vector<std::int32_t> support_;  // rising
  std::vector<float> code_;
};

}  // namespace

std::unique_ptr<Learner> MakeSccLearner(const LearnProblem& problem) { return std::make_unique<SccLearner>(problem); }

}  // namespace flyscribe
