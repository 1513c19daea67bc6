// The kernels as plain loops: what runs where no vector instructions are known, and what the others are tested against.
#include "sparse/kernels.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

namespace flyscribe {
namespace {

constexpr std::size_t kLanes = kGroupLanes;

float Dot(const float* a, const float* b, std::size_t length) {
  std::array<float, kLaneMultiple> sums{};
  for (std::size_t i = 0; i < length; i += kLaneMultiple) {
    for (std::size_t lane = 0; lane < kLaneMultiple; ++lane) sums[lane] += a[i + lane] * b[i + lane];
  }
  for (std::size_t width = kLaneMultiple / 2; width > 0; width /= 2) {
    for (std::size_t lane = 0; lane < width; ++lane) sums[lane] += sums[lane + width];
  }
  return sums[0];
}

float SquaredDistance(const float* a, const float* b, std::size_t length) {
  float sum = 0.0F;
  for (std::size_t i = 0; i < length; ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return sum;
}

void AddScaled(float scale, const float* x, float* y, std::size_t length) {
  for (std::size_t i = 0; i < length; ++i) y[i] += scale * x[i];
}

const float* Atom(const float* atoms, std::int32_t id, std::size_t length) {
  return atoms + static_cast<std::size_t>(id) * length;
}

void Residual(const float* x,
              const float* atoms,
              const std::int32_t* ids,
              const float* weights,
              std::size_t count,
              float* r,
              std::size_t length) {
  if (r != x) std::copy_n(x, length, r);
  for (std::size_t k = 0; k < count; ++k) AddScaled(-weights[k], Atom(atoms, ids[k], length), r, length);
}

float Threshold(float value, float lambda, bool nonnegative) {
  if (value > lambda) return value - lambda;
  if (value < -lambda && !nonnegative) return value + lambda;
  return 0.0F;
}

std::size_t AtomOf(const DescentProblem& problem, std::size_t k) {
  return problem.ids == nullptr ? k : static_cast<std::size_t>(problem.ids[k]);
}

float UpdatedWeight(const DescentProblem& problem, std::size_t atom) {
  const float product = Dot(problem.atoms + atom * problem.length, problem.r, problem.length);
  return Threshold(product + problem.weights[atom], problem.lambda, problem.nonnegative);
}

std::size_t NextChange(const DescentProblem& problem, std::size_t begin, std::size_t end, float* updated) {
  for (std::size_t k = begin; k < end; ++k) {
    const std::size_t atom = AtomOf(problem, k);
    *updated = UpdatedWeight(problem, atom);
    if (*updated != problem.weights[atom]) return k;
  }
  return end;
}

void Descend(const DescentProblem& problem, std::size_t count) {
  for (std::size_t k = 0; k < count; ++k) {
    const std::size_t atom = AtomOf(problem, k);
    const float updated = UpdatedWeight(problem, atom);
    const float change = problem.weights[atom] - updated;
    if (change == 0.0F) continue;
    AddScaled(change, problem.atoms + atom * problem.length, problem.r, problem.length);
    problem.weights[atom] = updated;
  }
}

void ProductsOfList(
    const float* atoms, const std::int32_t* ids, std::size_t count, const float* r, float* out, std::size_t length) {
  for (std::size_t k = 0; k < count; ++k) out[k] = Dot(Atom(atoms, ids[k], length), r, length);
}

void Products(const float* atoms,
              std::size_t atom_count,
              const float* rows,
              std::size_t row_count,
              float* out,
              std::size_t out_stride,
              std::size_t length) {
  for (std::size_t i = 0; i < row_count; ++i) {
    for (std::size_t j = 0; j < atom_count; ++j) {
      out[i * out_stride + j] = Dot(atoms + j * length, rows + i * length, length);
    }
  }
}

void Gram(const float* atoms,
          const std::int32_t* ids,
          std::size_t count,
          float* gram,
          std::size_t capacity,
          std::size_t length) {
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      const float product = Dot(Atom(atoms, ids[i], length), Atom(atoms, ids[j], length), length);
      gram[(i * capacity + j) * kLanes] = product;
      gram[(j * capacity + i) * kLanes] = product;
    }
  }
}

float Size(float value, bool nonnegative) { return nonnegative ? value : std::abs(value); }

float Largest(const float* values, std::size_t count, bool nonnegative) {
  float largest = 0.0F;
  for (std::size_t i = 0; i < count; ++i) largest = std::max(largest, Size(values[i], nonnegative));
  return largest;
}

std::size_t FindAbove(const float* values, std::size_t count, float bound, bool nonnegative, std::int32_t* ids) {
  std::size_t found = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (Size(values[i], nonnegative) > bound) ids[found++] = static_cast<std::int32_t>(i);
  }
  return found;
}

// Lane `lane` of the group. Returns the cycles spent.
int DescendLane(const GroupProblem& problem, std::size_t lane) {
  const std::size_t row = problem.capacity * kLanes;
  for (int cycle = 1; cycle <= problem.max_cycles; ++cycle) {
    float worst = 0.0F;
    for (std::size_t k = 0; k < problem.width; ++k) {
      const float* gram = problem.gram + k * row + lane;
      float& weight = problem.weights[k * kLanes + lane];
      const float curvature = gram[k * kLanes];
      const float product = problem.correlations[k * kLanes + lane];
      const float updated = Threshold(product + curvature * weight, problem.lambda, problem.nonnegative) *
                            problem.inverse_curvatures[k * kLanes + lane];
      const float change = weight - updated;
      if (change == 0.0F) continue;
      worst = std::max(worst, std::abs(change * curvature));
      weight = updated;
      for (std::size_t t = 0; t < problem.width; ++t)
        problem.correlations[t * kLanes + lane] += change * gram[t * kLanes];
    }
    if (worst > problem.rest) continue;
    problem.awake[lane] = 0;
    return cycle;
  }
  return problem.max_cycles;
}

void DescendGroup(const GroupProblem& problem, int* cycles) {
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    cycles[lane] = problem.awake[lane] != 0 ? DescendLane(problem, lane) : 0;
  }
}

// The non-zero weights of one lane, and the lasso restricted to them.
struct LaneSystem {
  std::vector<std::size_t> used;
  std::vector<float> factor;  // Cholesky, used.size() squared
  std::vector<float> step;
};

// False if the atoms are too near to being dependent.
bool Factorise(const GroupProblem& problem, std::size_t lane, LaneSystem& system) {
  const std::size_t size = system.used.size();
  system.factor.assign(size * size, 0.0F);
  for (std::size_t k = 0; k < size; ++k) {
    for (std::size_t t = 0; t <= k; ++t) {
      float sum = problem.gram[(system.used[k] * problem.capacity + system.used[t]) * kLanes + lane];
      for (std::size_t s = 0; s < t; ++s) sum -= system.factor[k * size + s] * system.factor[t * size + s];
      if (t == k && !(sum > kSmallestPivot)) return false;
      system.factor[k * size + t] = t == k ? std::sqrt(sum) : sum / system.factor[t * size + t];
    }
  }
  return true;
}

// Solves factor factor^T step = step.
void Substitute(LaneSystem& system) {
  const std::size_t size = system.used.size();
  for (std::size_t k = 0; k < size; ++k) {
    for (std::size_t t = 0; t < k; ++t) system.step[k] -= system.factor[k * size + t] * system.step[t];
    system.step[k] /= system.factor[k * size + k];
  }
  for (std::size_t k = size; k-- > 0;) {
    for (std::size_t t = k + 1; t < size; ++t) system.step[k] -= system.factor[t * size + k] * system.step[t];
    system.step[k] /= system.factor[k * size + k];
  }
}

void FinishLane(const GroupProblem& problem, std::size_t lane) {
  LaneSystem system;
  for (std::size_t k = 0; k < problem.width; ++k) {
    const float weight = problem.weights[k * kLanes + lane];
    if (weight == 0.0F) continue;
    system.used.push_back(k);
    system.step.push_back(problem.correlations[k * kLanes + lane] - std::copysign(problem.lambda, weight));
  }
  if (system.used.size() > kMostFinished || !Factorise(problem, lane, system)) return;
  Substitute(system);
  float reach = 1.0F;
  for (std::size_t i = 0; i < system.used.size(); ++i) {
    const float weight = problem.weights[system.used[i] * kLanes + lane];
    if (weight * (weight + system.step[i]) < 0.0F) reach = std::min(reach, -weight / system.step[i]);
  }
  for (std::size_t i = 0; i < system.used.size(); ++i) {
    float& weight = problem.weights[system.used[i] * kLanes + lane];
    float moved = weight + reach * system.step[i];
    // The one that reaches zero first is zero, whatever rounding says.
    if (!(moved * weight > 0.0F) || -weight / system.step[i] == reach) moved = 0.0F;
    const float* gram = problem.gram + system.used[i] * problem.capacity * kLanes + lane;
    for (std::size_t t = 0; t < problem.width; ++t) {
      problem.correlations[t * kLanes + lane] += (weight - moved) * gram[t * kLanes];
    }
    weight = moved;
  }
}

void FinishGroup(const GroupProblem& problem) {
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    if (problem.awake[lane] != 0) FinishLane(problem, lane);
  }
}

void MoveAtom(float step, const float* r, float* atom, bool sphere, std::size_t length) {
  AddScaled(step, r, atom, length);
  const float squared_norm = Dot(atom, atom, length);
  if (!(squared_norm > 1.0F) && (!sphere || squared_norm == 0.0F)) return;
  const float scale = 1.0F / std::sqrt(squared_norm);
  for (std::size_t i = 0; i < length; ++i) atom[i] *= scale;
}

void Quantise(float scale, const float* x, std::int16_t* q, std::size_t length) {
  constexpr float kLimit = std::numeric_limits<std::int16_t>::max();
  for (std::size_t i = 0; i < length; ++i) {
    q[i] = static_cast<std::int16_t>(std::nearbyint(std::clamp(scale * x[i], -kLimit, kLimit)));
  }
}

void QuantisedProducts(
    const std::int16_t* atoms, std::size_t atom_count, const std::int16_t* q, std::int32_t* out, std::size_t length) {
  for (std::size_t j = 0; j < atom_count; ++j) {
    std::int32_t sum = 0;
    for (std::size_t i = 0; i < length; ++i) sum += std::int32_t{atoms[j * length + i]} * std::int32_t{q[i]};
    out[j] = sum;
  }
}

std::size_t FindDoubtful(const std::int32_t* products,
                         const float* weights,
                         std::size_t begin,
                         std::size_t end,
                         std::int32_t bound,
                         std::int32_t* ids) {
  std::size_t found = 0;
  for (std::size_t j = begin; j < end; ++j) {
    if (std::abs(products[j]) > bound || weights[j] != 0.0F) ids[found++] = static_cast<std::int32_t>(j);
  }
  return found;
}

}  // namespace

const Kernels& PlainKernels() {
  static const Kernels kernels = {.name = "plain",
                                  .dot = Dot,
                                  .squared_distance = SquaredDistance,
                                  .add_scaled = AddScaled,
                                  .residual = Residual,
                                  .next_change = NextChange,
                                  .descend = Descend,
                                  .products_of_list = ProductsOfList,
                                  .products = Products,
                                  .gram = Gram,
                                  .largest = Largest,
                                  .find_above = FindAbove,
                                  .descend_group = DescendGroup,
                                  .finish_group = FinishGroup,
                                  .move_atom = MoveAtom,
                                  .quantise = Quantise,
                                  .quantised_products = QuantisedProducts,
                                  .find_doubtful = FindDoubtful};
  return kernels;
}

}  // namespace flyscribe
