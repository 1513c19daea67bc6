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
// The cycle over all atoms is the cost, m p multiplications. Most atoms stay at zero in it, and it is known beforehand
// of which this is certain: with c_j = d_j^T r at the start of the cycle and u = |r - r at the start|,
//   |d_j^T r| <= |c_j| + u <= lambda   means that z_j = 0 stays 0.
// c_j is computed from 16-bit copies of atoms and residual, with a bound on its error, at half the price; only doubtful
// atoms are looked at in full (atom_cycle.h). The result is the same to the last bit as looking at all of them.
//
// Sequential by nature: one thread.

#include "sparse/learner.h"

#include <algorithm>
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

// Screening pays if it leaves less than the first share of the atoms, and no longer if more than the second: it is not
// worth going to and fro, because it begins with a copy of the whole dictionary.
constexpr float kShareToBegin = 0.10F;
constexpr float kShareToEnd = 0.25F;
// While it does not pay, one visit in this many tries it, to see whether it would by now.
constexpr std::size_t kVisitsPerTrial = 128;
// How fast the averages below follow.
constexpr float kFollow = 1.0F / 256.0F;
constexpr float kFollowTrials = 1.0F / 8.0F;
// The reach asked of the screen, in units of how far residuals usually move in a cycle.
constexpr float kUsualReach = 2.0F;
// A little more than computed, for what rounding may hide.
constexpr float kRoundingUp = 1.0001F;

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
    vectors_ = PaddedRows(3, memory.atoms.cols());
    weights_.assign(PaddedLength(memory.atoms.rows()), 0.0F);
    all_.resize(memory.atoms.rows());
    screen_ = std::make_unique<Screen>(problem_.kernels, memory.atoms);
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
  float* start() { return vectors_.Row(1); }

  // Step 1. Returns the patch's objective.
  double CodePatch(std::size_t item, LearnerMemory& memory) {
    const std::span<const std::int32_t> indices = memory.codes.Indices(item);
    const std::span<const float> weights = memory.codes.Weights(item);
    const std::span<const float> x = problem_.Patch(item);
    std::ranges::copy(x, vectors_.Row(2));
    const Kernels& kernels = problem_.kernels;
    kernels.residual(vectors_.Row(2),
                     memory.atoms.data(),
                     indices.data(),
                     weights.data(),
                     indices.size(),
                     residual(),
                     memory.atoms.length());
    for (std::size_t k = 0; k < indices.size(); ++k) weights_[static_cast<std::size_t>(indices[k])] = weights[k];
    CycleOverAll(memory, indices.empty());
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

  void CycleOverAll(LearnerMemory& memory, bool from_zero) {
    changed_.clear();
    if (random_) order_.StartVisit(memory.steps);
    ++memory.steps;
    const bool trial = memory.steps % kVisitsPerTrial == 0;
    const bool screened = !from_zero && (screening_ || trial);
    std::copy_n(residual(), memory.atoms.length(), start());
    float moved = 0.0F;
    if (screened) {
      moved = ScreenedCycle(memory);
    } else {
      moved = PlainCycle(memory);
      screen_->TouchAll();
    }
    if (!from_zero) usual_move_ += kFollow * (moved - usual_move_);
  }

  float Moved(const LearnerMemory& memory) {
    return std::sqrt(problem_.kernels.squared_distance(residual(), start(), memory.atoms.length()));
  }

  // Looks at every atom. Returns how far the residual has moved.
  float PlainCycle(LearnerMemory& memory) {
    descent_.ids = nullptr;
    if (random_) {
      order_.All(all_);
      descent_.ids = all_.data();
    }
    float updated = 0.0F;
    std::size_t k = 0;
    while ((k = problem_.kernels.next_change(descent_, k, all_.size(), &updated)) < all_.size()) {
      Change(random_ ? static_cast<std::size_t>(all_[k]) : k, updated, memory);
      ++k;
    }
    return Moved(memory);
  }

  // Looks at the atoms that may change; if the residual moves further than the screen was asked for, asks again.
  float ScreenedCycle(LearnerMemory& memory) {
    screen_->Start(residual());
    float reach = kUsualReach * usual_move_;
    float moved = 0.0F;  // no less than the true distance
    std::size_t looked_at = 0;
    std::span<std::int32_t> atoms = Doubtful(0, reach);
    float updated = 0.0F;
    std::size_t k = 0;
    while (true) {
      descent_.ids = atoms.data();
      k = problem_.kernels.next_change(descent_, k, atoms.size(), &updated);
      if (k == atoms.size()) break;
      const std::int32_t atom = atoms[k++];
      moved += std::abs(weights_[static_cast<std::size_t>(atom)] - updated) * kRoundingUp;
      Change(static_cast<std::size_t>(atom), updated, memory);
      if (moved <= reach) continue;
      moved = kRoundingUp * Moved(memory);
      if (moved <= reach) continue;
      reach = kUsualReach * moved;
      looked_at += k;
      atoms = Doubtful((random_ ? order_.Place(atom) : static_cast<std::size_t>(atom)) + 1, reach);
      k = 0;
    }
    looked_at += atoms.size();
    const float share = static_cast<float>(looked_at) / static_cast<float>(all_.size());
    usual_share_ += (screening_ ? kFollow : kFollowTrials) * (share - usual_share_);
    screening_ = usual_share_ < (screening_ ? kShareToEnd : kShareToBegin);
    return Moved(memory);
  }

  // In the order of the cycle, those at places from `begin` on.
  std::span<std::int32_t> Doubtful(std::size_t begin, float reach) {
    const std::span<std::int32_t> atoms = screen_->Doubtful(random_ ? 0 : begin, reach, lambda_, weights_.data());
    return random_ ? order_.Sort(atoms, begin) : atoms;
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
    const bool sphere = options_.projection == LearnOptions::Projection::kSphere;
    const bool natural = options_.rate == LearnOptions::Rate::kNatural;
    const double rate = options_.rate_a / (static_cast<double>(memory.steps) + options_.rate_b);
    for (const std::int32_t index : support_) {
      const auto atom = static_cast<std::size_t>(index);
      const double weight = weights_[atom];
      if (weight == 0.0) continue;
      memory.curvature[atom] += weight * weight;
      memory.epoch_curvature[atom] += weight * weight;
      const double step = weight * (natural ? rate : 1.0 / memory.curvature[atom]);
      problem_.kernels.move_atom(
          static_cast<float>(step), residual(), memory.atoms.Row(atom), sphere, memory.atoms.length());
      screen_->Touch(atom);
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
  PaddedRows vectors_;            // the residual, the residual at the start of the cycle, the patch
  AlignedVector<float> weights_;  // z of the patch being visited, zero between visits
  DescentProblem descent_;
  std::unique_ptr<Screen> screen_;
  AtomOrder order_;
  std::vector<std::int32_t> all_;
  std::vector<std::int32_t> changed_;
  std::vector<std::int32_t> touched_;
  std::vector<std::int32_t> support_;  // rising
  std::vector<float> code_;
  // How far a residual usually moves in a cycle, and which share of the atoms screening usually leaves. They decide how
  // a cycle is done, not what comes out.
  float usual_move_ = 0.1F;
  float usual_share_ = 1.0F;
  bool screening_ = false;
};

}  // namespace

std::unique_ptr<Learner> MakeSccLearner(const LearnProblem& problem) { return std::make_unique<SccLearner>(problem); }

}  // namespace flyscribe
