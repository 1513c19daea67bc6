#include "sparse/lars.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"

namespace flyscribe {
namespace {

// Of an atom's squared norm: what is left of it across the active atoms is noise of a single precision Gram matrix.
constexpr double kSmallestPivotShare = 1e-6;

// Of the optimality conditions, on the scale of max |c_j|: scaling c and lambda scales the whole path.
constexpr float kTolerance = 1e-4F;

constexpr int kMostCycles = 1000;
constexpr float kShareOfTolerance = 0.5F;  // cycles go on until no update exceeds this share

// In four partial sums, which fit into vectors.
double DotOfDoubles(const double* a, const double* b, std::size_t length) {
  std::array<double, 4> sums = {};
  std::size_t i = 0;
  for (; i + 4 <= length; i += 4) {
    for (std::size_t lane = 0; lane < 4; ++lane) sums[lane] += a[i + lane] * b[i + lane];
  }
  for (; i < length; ++i) sums[0] += a[i] * b[i];
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

// All atoms' correlations r and how they fall with the level: r_j - t u_j when the level l has fallen by t.
struct CorrelationLines {
  const float* correlations;
  const float* slopes;
  std::size_t length;
  float level;
};

// The first correlation to reach the level. sign == 0: none does before `step`.
struct Crossing {
  float step = 0.0F;
  std::size_t atom = 0;
  float sign = 0.0F;
};

// Whether one of the correlations, all inside the level, is outside of `level` after a step. Without branches and
// divisions, so that the compiler makes it vector instructions: this is nearly all the search does.
template <bool kNonnegative>
bool AnyCrosses(const float* correlations, const float* slopes, std::size_t length, float step, float level) {
  std::int32_t crosses = 0;
  for (std::size_t i = 0; i < length; ++i) {
    const float moved = correlations[i] - step * slopes[i];
    crosses |= (kNonnegative ? moved : std::abs(moved)) > level ? 1 : 0;
  }
  return crosses != 0;
}

// Takes up atom j if r_j - t u_j = sign (l - t) for a t before the crossing known so far.
void Consider(const CorrelationLines& lines, std::size_t atom, float sign, Crossing& first) {
  const float distance = lines.level - sign * lines.correlations[atom];
  const float approach = 1.0F - sign * lines.slopes[atom];
  if (approach <= 0.0F || distance >= first.step * approach) return;
  const float step = std::max(0.0F, distance / approach);
  if (step < first.step) first = {.step = step, .atom = atom, .sign = sign};
}

// The first crossing before `step`; of several at once the lowest atom's.
template <bool kNonnegative>
Crossing FirstCrossing(const CorrelationLines& lines, float step) {
  constexpr std::size_t kBlock = 32;
  Crossing first = {.step = step};
  for (std::size_t begin = 0; begin < lines.length; begin += kBlock) {
    const std::size_t end = std::min(begin + kBlock, lines.length);
    const float level = lines.level - first.step;
    if (!AnyCrosses<kNonnegative>(lines.correlations + begin, lines.slopes + begin, end - begin, first.step, level)) {
      continue;
    }
    for (std::size_t atom = begin; atom < end; ++atom) {
      Consider(lines, atom, 1.0F, first);
      if (!kNonnegative) Consider(lines, atom, -1.0F, first);
    }
  }
  return first;
}

}  // namespace

bool CholeskyFactor::Append(std::span<const double> cross, double diagonal) {
  const std::size_t needed = (size_ + 1) * (size_ + 2) / 2;
  if (rows_.size() < needed) rows_.resize(needed);
  double* row = Row(size_);
  std::ranges::copy(cross, row);
  SolveLower({row, size_});
  const double pivot = diagonal - DotOfDoubles(row, row, size_);
  if (!(pivot > kSmallestPivotShare * diagonal)) return false;
  row[size_] = std::sqrt(pivot);
  ++size_;
  return true;
}

void CholeskyFactor::Remove(std::size_t position) {
  // Without row `position`, row t + 1 becomes row t and reaches one beyond the diagonal. A rotation of the columns t
  // and t + 1 takes that value away; the product L L^T does not notice.
  for (std::size_t t = position; t + 1 < size_; ++t) {
    const double* row = Row(t + 1);
    const double radius = std::sqrt(row[t] * row[t] + row[t + 1] * row[t + 1]);
    const double cosine = row[t] / radius;
    const double sine = row[t + 1] / radius;
    for (std::size_t below = t + 1; below < size_; ++below) {
      double* pair = Row(below) + t;
      const double left = pair[0];
      pair[0] = cosine * left + sine * pair[1];
      pair[1] = cosine * pair[1] - sine * left;
    }
    std::copy_n(row, t + 1, Row(t));
  }
  --size_;
}

void CholeskyFactor::SolveLower(std::span<double> values, std::size_t solved) const {
  for (std::size_t i = solved; i < values.size(); ++i) {
    const double* row = Row(i);
    values[i] = (values[i] - DotOfDoubles(row, values.data(), i)) / row[i];
  }
}

void CholeskyFactor::SolveUpper(std::span<double> values) const {
  for (std::size_t i = values.size(); i-- > 0;) {
    const double* row = Row(i);
    const double value = values[i] / row[i];
    values[i] = value;
    for (std::size_t j = 0; j < i; ++j) values[j] -= row[j] * value;
  }
}

LarsSolver::LarsSolver(const Kernels& kernels, std::size_t atoms, std::size_t most_steps)
    : kernels_(kernels), atoms_(atoms), most_steps_(most_steps) {}

LarsTrace LarsSolver::Solve(const LarsProblem& problem,
                            std::vector<std::int32_t>& indices,
                            std::vector<float>& weights) {
  Begin(problem);
  if (level_ > static_cast<double>(problem.lambda)) {
    WalkPath();
    if (Limited()) problem_.lambda = static_cast<float>(level_);
    TakeCodeFromActive();
    trace_.largest_violation = LargestViolation();
    if (trace_.largest_violation > tolerance_) Descend();
  }
  WriteCode(indices, weights);
  trace_.level = std::max(level_, static_cast<double>(problem.lambda));
  return trace_;
}

void LarsSolver::Begin(const LarsProblem& problem) {
  FLYSCRIBE_CHECK(problem.stride >= atoms_ && problem.stride % kLaneMultiple == 0,
                  "rows of the Gram matrix must be at least " + std::to_string(atoms_) + " floats, and padded");
  FLYSCRIBE_CHECK(problem.lambda >= 0.0F, "lambda must not be negative");
  problem_ = problem;
  trace_ = {};
  zeros_.resize(problem.stride);
  dense_.resize(problem.stride);
  slopes_.resize(problem.stride);
  correlations_.assign(problem.correlations, problem.correlations + problem.stride);
  active_.clear();
  signs_.clear();
  weights_.clear();
  half_solved_.clear();
  factor_.Clear();
  just_left_ = {};
  passed_over_.clear();
  code_atoms_.clear();
  code_weights_.clear();
  const float largest = kernels_.largest(problem.correlations, problem.stride, problem.nonnegative);
  tolerance_ = kTolerance * largest;
  level_ = static_cast<double>(largest);
}

void LarsSolver::WalkPath() {
  bool active_changed = true;
  for (std::size_t step = 0; step < most_steps_; ++step) {
    if (active_changed) ComputeDirection();
    const Event event = NextEvent();
    Advance(event.step);
    if (event.kind == EventKind::kEnd) return;
    if (event.kind == EventKind::kJoin) {
      active_changed = Join(event.position, event.sign);
    } else {
      Leave(event.position);
      active_changed = true;
    }
  }
}

void LarsSolver::ComputeDirection() {
  direction_ = half_solved_;
  factor_.SolveUpper(direction_);
  scratch_.resize(direction_.size());
  for (std::size_t k = 0; k < direction_.size(); ++k) scratch_[k] = -static_cast<float>(direction_[k]);
  kernels_.residual(
      zeros_.data(), problem_.gram, active_.data(), scratch_.data(), active_.size(), slopes_.data(), problem_.stride);
  for (const std::int32_t atom : active_) slopes_[static_cast<std::size_t>(atom)] = 0.0F;
  for (const std::int32_t atom : passed_over_) slopes_[static_cast<std::size_t>(atom)] = 0.0F;
  // An atom that has just left is at the level and moves inside of it; rounding must not let it join again at once.
  if (just_left_.sign != 0.0F) {
    float& slope = slopes_[just_left_.atom];
    if (just_left_.sign * slope < 1.0F) slope = just_left_.sign;
  }
}

bool LarsSolver::Limited() const { return problem_.error >= 0.0 || std::isfinite(problem_.budget); }

double LarsSolver::StepToLimits() const {
  double step = std::numeric_limits<double>::infinity();
  double correlation = 0.0;  // z^T c
  double sum = 0.0;          // |z|_1
  double growth = 0.0;       // W
  for (std::size_t k = 0; k < active_.size(); ++k) {
    const auto sign = static_cast<double>(signs_[k]);
    correlation += weights_[k] * static_cast<double>(problem_.correlations[active_[k]]);
    sum += weights_[k] * sign;
    growth += direction_[k] * sign;
  }
  if (problem_.error >= 0.0) {
    const double excess = problem_.squared_norm - correlation - level_ * sum - problem_.error * problem_.error;
    if (excess <= 0.0) return 0.0;
    const double left = level_ * level_ - excess / growth;  // of the level, squared; negative: not reached in this step
    if (growth > 0.0 && left >= 0.0) step = excess / growth / (level_ + std::sqrt(left));
  }
  if (growth > 0.0) step = std::min(step, std::max(0.0, (problem_.budget - sum) / growth));
  return step;
}

LarsSolver::Event LarsSolver::NextEvent() const {
  Event event = {.step = level_ - static_cast<double>(problem_.lambda)};
  if (Limited()) event.step = std::min(event.step, StepToLimits());
  for (std::size_t k = 0; k < active_.size(); ++k) {
    if (direction_[k] * static_cast<double>(signs_[k]) >= 0.0) continue;
    const double step = std::max(0.0, -weights_[k] / direction_[k]);
    if (step < event.step) event = {.kind = EventKind::kLeave, .step = step, .position = k};
  }
  const CorrelationLines lines = {.correlations = correlations_.data(),
                                  .slopes = slopes_.data(),
                                  .length = problem_.stride,
                                  .level = static_cast<float>(level_)};
  const auto before = static_cast<float>(event.step);
  const Crossing first =
      problem_.nonnegative ? FirstCrossing<true>(lines, before) : FirstCrossing<false>(lines, before);
  if (first.sign == 0.0F) return event;
  return {
      .kind = EventKind::kJoin, .step = static_cast<double>(first.step), .position = first.atom, .sign = first.sign};
}

void LarsSolver::Advance(double step) {
  level_ -= step;
  for (std::size_t k = 0; k < weights_.size(); ++k) weights_[k] += step * direction_[k];
  kernels_.add_scaled(-static_cast<float>(step), slopes_.data(), correlations_.data(), problem_.stride);
}

bool LarsSolver::Join(std::size_t atom, float sign) {
  const float* row = GramRow(atom);
  correlations_[atom] = 0.0F;
  cross_.resize(active_.size());
  for (std::size_t k = 0; k < active_.size(); ++k) {
    cross_[k] = static_cast<double>(row[static_cast<std::size_t>(active_[k])]);
  }
  if (!factor_.Append(cross_, static_cast<double>(row[atom]))) {
    passed_over_.push_back(static_cast<std::int32_t>(atom));
    slopes_[atom] = 0.0F;
    ++trace_.passed_over;
    return false;
  }
  active_.push_back(static_cast<std::int32_t>(atom));
  signs_.push_back(sign);
  weights_.push_back(0.0);
  half_solved_.push_back(static_cast<double>(sign));
  factor_.SolveLower(half_solved_, half_solved_.size() - 1);
  just_left_ = {};
  ++trace_.joins;
  return true;
}

void LarsSolver::Leave(std::size_t position) {
  just_left_ = {.atom = static_cast<std::size_t>(active_[position]), .sign = signs_[position]};
  correlations_[just_left_.atom] = just_left_.sign * static_cast<float>(level_);
  const auto at = static_cast<std::ptrdiff_t>(position);
  active_.erase(active_.begin() + at);
  signs_.erase(signs_.begin() + at);
  weights_.erase(weights_.begin() + at);
  factor_.Remove(position);
  half_solved_.resize(active_.size());
  for (std::size_t k = position; k < active_.size(); ++k) half_solved_[k] = static_cast<double>(signs_[k]);
  factor_.SolveLower(half_solved_, position);
  ++trace_.leaves;
  // Those passed over may join again.
  for (const std::int32_t index : passed_over_) {
    const auto atom = static_cast<std::size_t>(index);
    const float* row = GramRow(atom);
    auto correlation = static_cast<double>(problem_.correlations[atom]);
    for (std::size_t k = 0; k < active_.size(); ++k) {
      correlation -= static_cast<double>(row[static_cast<std::size_t>(active_[k])]) * weights_[k];
    }
    correlations_[atom] = static_cast<float>(correlation);
  }
  passed_over_.clear();
}

void LarsSolver::TakeCodeFromActive() {
  code_atoms_.clear();
  code_weights_.clear();
  for (std::size_t k = 0; k < active_.size(); ++k) {
    const auto weight = static_cast<float>(weights_[k]);
    // Rounding may bring a weight that is about to leave to the other side of zero.
    if (weight * signs_[k] <= 0.0F) continue;
    code_atoms_.push_back(active_[k]);
    code_weights_.push_back(weight);
  }
}

void LarsSolver::TakeCodeFromDense() {
  code_atoms_.clear();
  code_weights_.clear();
  for (std::size_t atom = 0; atom < atoms_; ++atom) {
    if (dense_[atom] == 0.0F) continue;
    code_atoms_.push_back(static_cast<std::int32_t>(atom));
    code_weights_.push_back(dense_[atom]);
  }
}

float LarsSolver::LargestViolation() {
  kernels_.residual(problem_.correlations,
                    problem_.gram,
                    code_atoms_.data(),
                    code_weights_.data(),
                    code_atoms_.size(),
                    correlations_.data(),
                    problem_.stride);
  // Those with a weight are looked at one by one, and hidden while a kernel looks at the others.
  scratch_.resize(code_atoms_.size());
  float worst = 0.0F;
  for (std::size_t k = 0; k < code_atoms_.size(); ++k) {
    float& correlation = correlations_[static_cast<std::size_t>(code_atoms_[k])];
    worst = std::max(worst, std::abs(correlation - std::copysign(problem_.lambda, code_weights_[k])));
    scratch_[k] = std::exchange(correlation, 0.0F);
  }
  const float others = kernels_.largest(correlations_.data(), problem_.stride, problem_.nonnegative);
  for (std::size_t k = 0; k < code_atoms_.size(); ++k) {
    correlations_[static_cast<std::size_t>(code_atoms_[k])] = scratch_[k];
  }
  return std::max(worst, others - problem_.lambda);
}

void LarsSolver::ScatterCode() {
  for (std::size_t k = 0; k < code_atoms_.size(); ++k) {
    dense_[static_cast<std::size_t>(code_atoms_[k])] = code_weights_[k];
  }
}

void LarsSolver::Descend() {
  ScatterCode();
  while (trace_.largest_violation > tolerance_ && trace_.descent_cycles < kMostCycles) {
    float change = 0.0F;
    do {
      change = DescendOneCycle();
      ++trace_.descent_cycles;
    } while (change > kShareOfTolerance * tolerance_ && trace_.descent_cycles < kMostCycles);
    TakeCodeFromDense();
    trace_.largest_violation = LargestViolation();
  }
}

float LarsSolver::DescendOneCycle() {
  float largest = 0.0F;
  for (std::size_t atom = 0; atom < atoms_; ++atom) {
    const float correlation = correlations_[atom];
    const float size = problem_.nonnegative ? correlation : std::abs(correlation);
    if (dense_[atom] != 0.0F || size > problem_.lambda) largest = std::max(largest, UpdateCoordinate(atom));
  }
  return largest;
}

float LarsSolver::UpdateCoordinate(std::size_t atom) {
  const float* row = GramRow(atom);
  const float curvature = row[atom];
  if (curvature <= 0.0F) return 0.0F;
  const float old = dense_[atom];
  const float target = correlations_[atom] + curvature * old;
  const float size = (problem_.nonnegative ? target : std::abs(target)) - problem_.lambda;
  const float updated = size > 0.0F ? std::copysign(size, target) / curvature : 0.0F;
  if (updated == old) return 0.0F;
  kernels_.add_scaled(old - updated, row, correlations_.data(), problem_.stride);
  dense_[atom] = updated;
  return std::abs(updated - old) * curvature;
}

void LarsSolver::WriteCode(std::vector<std::int32_t>& indices, std::vector<float>& weights) {
  indices = code_atoms_;
  std::ranges::sort(indices);
  ScatterCode();
  weights.clear();
  for (const std::int32_t index : indices) {
    weights.push_back(std::exchange(dense_[static_cast<std::size_t>(index)], 0.0F));
  }
}

}  // namespace flyscribe
