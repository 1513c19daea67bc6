#include "sparse/block_coder.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/error.h"

namespace flyscribe {
namespace {

// Plain descent ends early where a cycle changes no product by more than this share of lambda.
constexpr float kRest = 1e-3F;

}  // namespace

BlockCoder::BlockCoder(const Kernels& kernels, const PaddedRows& atoms, LassoTerms terms)
    : kernels_(kernels),
      atoms_(atoms),
      terms_(terms),
      group_(kernels, terms),
      x_(kBlockPatches, atoms.cols()),
      r_(kBlockPatches, atoms.cols()),
      searched_(kBlockPatches, atoms.cols()),
      products_(kBlockPatches, atoms.rows()),
      row_of_place_(kBlockPatches, 0),
      sets_(kBlockPatches),
      considered_(kBlockPatches),
      considered_products_(kBlockPatches),
      cycles_(kBlockPatches, 0),
      found_(products_.length() + 1) {}

std::size_t BlockCoder::Add(std::span<const float> x,
                            std::span<const std::int32_t> indices,
                            std::span<const float> weights) {
  FLYSCRIBE_CHECK(patches_ < kBlockPatches, "a block has room for this many patches only");
  const std::size_t place = patches_++;
  x_.Set(place, x);
  ActiveSet& set = sets_[place];
  set.ids.assign(indices.begin(), indices.end());
  set.weights.assign(weights.begin(), weights.end());
  set.products.assign(indices.size(), 0.0F);
  considered_[place].clear();  // of the patch that was here before
  cycles_[place] = 0;
  ComputeResidual(place);
  return place;
}

void BlockCoder::ComputeResidual(std::size_t place) {
  const ActiveSet& set = sets_[place];
  kernels_.residual(
      x_.Row(place), atoms_.data(), set.ids.data(), set.weights.data(), set.size(), r_.Row(place), atoms_.length());
}

void BlockCoder::Search(std::span<const std::size_t> places) {
  bool in_order = true;  // then the residuals already lie side by side
  for (std::size_t row = 0; row < places.size(); ++row) {
    in_order = in_order && places[row] == row;
    row_of_place_[places[row]] = row;
  }
  for (std::size_t row = 0; !in_order && row < places.size(); ++row) {
    std::copy_n(r_.Row(places[row]), r_.length(), searched_.Row(row));
  }
  kernels_.products(atoms_.data(),
                    atoms_.rows(),
                    in_order ? r_.data() : searched_.data(),
                    places.size(),
                    products_.data(),
                    products_.length(),
                    atoms_.length());
  for (std::size_t row = 0; row < places.size(); ++row) {
    ActiveSet& set = sets_[places[row]];
    const float* c = products_.Row(row);
    for (std::size_t k = 0; k < set.size(); ++k) set.products[k] = c[set.ids[k]];
  }
}

float BlockCoder::Size(float product) const { return terms_.nonnegative ? product : std::abs(product); }

float BlockCoder::LargestOutside(std::size_t place) {
  BlankMembers(place);
  const float largest = kernels_.largest(products_.Row(row_of_place_[place]), products_.length(), terms_.nonnegative);
  RestoreMembers(place);
  return largest;
}

void BlockCoder::Admit(std::size_t place, float bound, std::size_t most) {
  BlankMembers(place);
  const float* c = products_.Row(row_of_place_[place]);
  const std::size_t count = kernels_.find_above(c, products_.length(), bound, terms_.nonnegative, found_.data());
  RestoreMembers(place);
  admitted_.clear();
  for (std::size_t k = 0; k < count; ++k) admitted_.push_back({found_[k], c[found_[k]]});
  InsertLargest(sets_[place], most);
}

// Members have products near lambda, and are few: a search that does not want them is quicker without.
void BlockCoder::BlankMembers(std::size_t place) {
  float* c = products_.Row(row_of_place_[place]);
  for (const std::int32_t id : sets_[place].ids) c[id] = 0.0F;
}

void BlockCoder::RestoreMembers(std::size_t place) {
  float* c = products_.Row(row_of_place_[place]);
  const ActiveSet& set = sets_[place];
  for (std::size_t k = 0; k < set.size(); ++k) c[set.ids[k]] = set.products[k];
}

void BlockCoder::Consider(std::size_t place, float bound) {
  const float* c = products_.Row(row_of_place_[place]);
  const std::size_t count = kernels_.find_above(c, products_.length(), bound, terms_.nonnegative, found_.data());
  std::vector<std::int32_t>& ids = considered_[place];
  std::vector<float>& products = considered_products_[place];
  ids.assign(found_.begin(), found_.begin() + static_cast<std::ptrdiff_t>(count));
  // The padding behind the last atom is found by a bound below zero.
  while (!ids.empty() && static_cast<std::size_t>(ids.back()) >= atoms_.rows()) ids.pop_back();
  products.resize(ids.size());
  for (std::size_t k = 0; k < ids.size(); ++k) products[k] = c[ids[k]];
}

float BlockCoder::Revisit(std::size_t place) {
  const auto compute = [&](const std::vector<std::int32_t>& ids, std::vector<float>& out) {
    out.resize(ids.size());
    if (ids.empty()) return;
    kernels_.products_of_list(atoms_.data(), ids.data(), ids.size(), r_.Row(place), out.data(), atoms_.length());
  };
  compute(sets_[place].ids, sets_[place].products);
  compute(considered_[place], considered_products_[place]);
  // Both lists rise: members are skipped in passing.
  const std::vector<std::int32_t>& members = sets_[place].ids;
  auto member = members.begin();
  float largest = 0.0F;
  for (std::size_t k = 0; k < considered_[place].size(); ++k) {
    const std::int32_t id = considered_[place][k];
    while (member != members.end() && *member < id) ++member;
    if (member != members.end() && *member == id) continue;
    largest = std::max(largest, Size(considered_products_[place][k]));
  }
  return largest;
}

void BlockCoder::AdmitConsidered(std::size_t place, float bound, std::size_t most) {
  ActiveSet& set = sets_[place];
  admitted_.clear();
  for (std::size_t k = 0; k < considered_[place].size(); ++k) {
    const float product = considered_products_[place][k];
    if (Size(product) > bound && !set.Contains(considered_[place][k])) {
      admitted_.push_back({considered_[place][k], product});
    }
  }
  InsertLargest(set, most);
}

void BlockCoder::InsertLargest(ActiveSet& set, std::size_t most) {
  if (admitted_.size() > most) {
    // The larger product first; of equal ones the lower number. A strict order, so there is one choice only.
    const auto before = [](const AtomProduct& a, const AtomProduct& b) {
      const float size_a = std::abs(a.product);
      const float size_b = std::abs(b.product);
      return size_a != size_b ? size_a > size_b : a.id < b.id;
    };
    std::nth_element(admitted_.begin(), admitted_.begin() + static_cast<std::ptrdiff_t>(most), admitted_.end(), before);
    admitted_.resize(most);
    std::ranges::sort(admitted_, {}, &AtomProduct::id);
  }
  set.Insert(admitted_);
}

void BlockCoder::Descend(std::span<const std::size_t> places, int max_cycles) {
  InGroups(places, &LassoGroup::Descend, max_cycles, kRest * terms_.lambda);
}

void BlockCoder::Solve(std::span<const std::size_t> places, int max_cycles, float rest) {
  InGroups(places, &LassoGroup::Solve, max_cycles, rest);
}

void BlockCoder::InGroups(std::span<const std::size_t> places, GroupSolver solver, int max_cycles, float rest) {
  for (std::size_t first = 0; first < places.size(); first += kGroupLanes) {
    const std::size_t count = std::min(kGroupLanes, places.size() - first);
    std::array<ActiveSet*, kGroupLanes> group{};
    for (std::size_t lane = 0; lane < count; ++lane) group[lane] = &sets_[places[first + lane]];
    const std::span<const int> cycles = (group_.*solver)(atoms_, {group.data(), count}, max_cycles, rest);
    for (std::size_t lane = 0; lane < count; ++lane) {
      const std::size_t place = places[first + lane];
      cycles_[place] += cycles[lane];
      sets_[place].DropZeros();
      ComputeResidual(place);
    }
  }
}

double BlockCoder::Objective(std::size_t place) const {
  double weights = 0.0;
  for (const float weight : sets_[place].weights) weights += std::abs(static_cast<double>(weight));
  const double squares = kernels_.dot(r_.Row(place), r_.Row(place), r_.length());
  return 0.5 * squares + static_cast<double>(terms_.lambda) * weights;
}

}  // namespace flyscribe
