#include "classify/inner_folds.h"

#include <algorithm>
#include <optional>

#include "core/error.h"
#include "core/parallel.h"
#include "core/statistics.h"

namespace flyscribe {
namespace {

// The model of one term, fold and candidate, and how well it ranks the fold; nothing if a class is missing there.
struct Solution {
  InnerModel model;
  std::optional<double> auc;
};

class InnerRun {
 public:
  InnerRun(const InnerTask& task, const TrainOptions& options)
      : kernel_(task.kernel), terms_(task.terms), options_(options), candidates_(options.Candidates()) {
    FLYSCRIBE_CHECK(task.fold_of.size() == kernel_.size(), "one fold per row");
    inside_.resize(Folds());
    outside_.resize(Folds());
    for (std::size_t row = 0; row < task.fold_of.size(); ++row) {
      for (std::size_t fold = 0; fold < Folds(); ++fold) {
        const bool held_out = static_cast<std::size_t>(task.fold_of[row]) == fold;
        (held_out ? inside_ : outside_)[fold].push_back(row);
      }
    }
    solutions_.resize(terms_.size() * Folds() * candidates_.size());
  }

  void Solve(int threads, Progress& progress) {
    ParallelFor(threads, solutions_.size(), [&](std::size_t item) {
      progress.ThrowIfStopped();
      const std::size_t candidate = item % candidates_.size();
      const std::size_t fold = item / candidates_.size() % Folds();
      const std::size_t term = item / candidates_.size() / Folds();
      solutions_[item] = SolveOne(terms_[term], fold, candidates_[candidate]);
      progress.Advance();
    });
  }

  std::vector<InnerResult> Choose() {
    const std::optional<std::size_t> common = BestOf(MeanOverTerms());
    std::vector<InnerResult> results;
    for (std::size_t term = 0; term < terms_.size(); ++term) {
      const std::optional<std::size_t> chosen =
          options_.choose_c == ChooseC::kTerm ? BestOf(MeanOverFolds(term)) : common;
      results.push_back(Take(term, chosen));
    }
    return results;
  }

 private:
  using Means = std::vector<std::optional<double>>;  // by candidate

  std::size_t Folds() const { return static_cast<std::size_t>(options_.inner_folds); }

  Solution& At(std::size_t term, std::size_t fold, std::size_t candidate) {
    return solutions_[(term * Folds() + fold) * candidates_.size() + candidate];
  }

  Solution SolveOne(const TermClasses& term, std::size_t fold, double c) const {
    Solution solution;
    if (inside_[fold].empty()) return solution;
    const SvmProblem problem = MakeProblem(term, outside_[fold], c, options_);
    const auto positives = std::ranges::count(problem.y, 1.0);
    if (positives == 0 || static_cast<std::size_t>(positives) == problem.y.size()) {
      solution.model.vectors.bias = positives == 0 ? -1.0 : 1.0;
      return solution;
    }
    solution.model = {SolveSvm(kernel_, problem), true};
    std::vector<double> values;
    std::vector<std::uint8_t> labels;
    for (const std::size_t row : inside_[fold]) {
      values.push_back(solution.model.vectors.Decision(kernel_, row));
      labels.push_back(term.labels[row]);
    }
    const std::vector<Above> counts = CountsByThreshold(values, labels);
    if (Total(counts).positives > 0 && Total(counts).negatives > 0) solution.auc = Auc(counts);
    return solution;
  }

  Means MeanOverFolds(std::size_t term) {
    Means means;
    for (std::size_t candidate = 0; candidate < candidates_.size(); ++candidate) {
      double sum = 0.0;
      int folds = 0;
      for (std::size_t fold = 0; fold < Folds(); ++fold) {
        const std::optional<double> auc = At(term, fold, candidate).auc;
        if (!auc) continue;
        sum += *auc;
        ++folds;
      }
      means.push_back(folds > 0 ? std::optional(sum / folds) : std::nullopt);
    }
    return means;
  }

  // Whether a term has a mean does not depend on the candidate.
  Means MeanOverTerms() {
    std::vector<double> sums(candidates_.size(), 0.0);
    int voters = 0;
    for (std::size_t term = 0; term < terms_.size(); ++term) {
      const Means means = MeanOverFolds(term);
      if (!means[0]) continue;
      for (std::size_t candidate = 0; candidate < sums.size(); ++candidate) sums[candidate] += *means[candidate];
      ++voters;
    }
    Means means;
    for (const double sum : sums) means.push_back(voters > 0 ? std::optional(sum / voters) : std::nullopt);
    return means;
  }

  static std::optional<std::size_t> BestOf(const Means& means) {
    std::optional<std::size_t> best;
    for (std::size_t candidate = 0; candidate < means.size(); ++candidate) {
      if (!means[candidate]) continue;
      if (!best || *means[candidate] > *means[*best]) best = candidate;
    }
    return best;
  }

  InnerResult Take(std::size_t term, std::optional<std::size_t> chosen) {
    InnerResult result;
    result.c = chosen ? candidates_[*chosen] : options_.c;
    for (std::size_t fold = 0; fold < Folds(); ++fold) {
      // Without a vote c need not be among the candidates.
      result.folds.push_back(chosen ? std::move(At(term, fold, *chosen).model)
                                    : SolveOne(terms_[term], fold, options_.c).model);
    }
    return result;
  }

  const SharedKernel& kernel_;
  std::span<const TermClasses> terms_;
  const TrainOptions& options_;
  std::vector<double> candidates_;
  std::vector<std::vector<std::size_t>> inside_;   // rows of each fold
  std::vector<std::vector<std::size_t>> outside_;  // rows of all others
  std::vector<Solution> solutions_;
};

}  // namespace

SvmProblem MakeProblem(const TermClasses& term, std::vector<std::size_t> rows, double c, const TrainOptions& options) {
  SvmProblem problem;
  double positives = 0.0;
  for (const std::size_t row : rows) {
    problem.y.push_back(term.labels[row] != 0 ? 1.0 : -1.0);
    positives += term.labels[row] != 0 ? 1.0 : 0.0;
  }
  const auto bags = static_cast<double>(rows.size());
  if (options.class_weight == ClassWeight::kBalanced && positives > 0.0 && positives < bags) {
    problem.positive_weight = bags / (2.0 * positives);
    problem.negative_weight = bags / (2.0 * (bags - positives));
  }
  problem.rows = std::move(rows);
  problem.c = c;
  problem.tolerance = options.tolerance;
  return problem;
}

std::vector<InnerResult> RunInnerFolds(const InnerTask& task,
                                       const TrainOptions& options,
                                       int threads,
                                       Progress& progress) {
  InnerRun run(task, options);
  run.Solve(threads, progress);
  return run.Choose();
}

}  // namespace flyscribe
