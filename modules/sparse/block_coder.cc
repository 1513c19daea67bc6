#include "sparse/block_coder.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "core/error.h"

namespace flyscribe {
namespace {

// Plain descent ends early where a cycle changes no product by more than this share of lambda.
constexpr float kRest = 1e-3F;

}  // namespace

BlockCoder::BlockCoder(const Kernels& kernels, const PaddedRows& atoms, const Panels& panels, LassoTerms terms)
    : kernels_(kernels),
      atoms_(atoms),
      panels_(panels),
      terms_(terms),
      group_(kernels, terms),
      x_(kBlockPatches, atoms.cols()),
      r_(kBlockPatches, atoms.cols()),
      searched_(kBlockPatches, atoms.cols()),
      products_(kBlockPatches, atoms.rows()),
      row_of_place_(kBlockPatches, 0),
      sets_(kBlockPatches),
      revisited_(kBlockPatches),
      revisited_products_(kBlockPatches),
      cycles_(kBlockPatches, 0),
      found_(products_.length() + kLaneMultiple) {}

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
  kernels_.products(panels_.data(),
                    panels_.panels(),
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
  const std::size_t count = FindOutside(place, bound);
  const float* c = products_.Row(row_of_place_[place]);
  found_products_.assign(PaddedLength(count), 0.0F);
  for (std::size_t k = 0; k < count; ++k) found_products_[k] = c[found_[k]];
  LetIn(place, found_, found_products_, bound, most);
}

std::size_t BlockCoder::FindOutside(std::size_t place, float bound) {
  BlankMembers(place);
  const float* c = products_.Row(row_of_place_[place]);
  std::size_t count = kernels_.find_above(c, products_.length(), bound, terms_.nonnegative, found_.data());
  RestoreMembers(place);
  if (bound >= 0.0F) return count;
  // The padding behind the last atom is found by a bound below zero, and so are the members.
  while (count > 0 && static_cast<std::size_t>(found_[count - 1]) >= atoms_.rows()) --count;
  const auto member = [&](std::int32_t id) {
    return std::ranges::find(sets_[place].ids, id) != sets_[place].ids.end();
  };
  return static_cast<std::size_t>(
      std::remove_if(found_.begin(), found_.begin() + static_cast<std::ptrdiff_t>(count), member) - found_.begin());
}

// Members have products near lambda, and are few: a search that does not want them is quicker without.
void BlockCoder::BlankMembers(std::size_t place) {
  float* c = products_.Row(row_of_place_[place]);
  ActiveSet& set = sets_[place];
  blanked_.resize(set.size());
  for (std::size_t k = 0; k < set.size(); ++k) blanked_[k] = std::exchange(c[set.ids[k]], 0.0F);
}

void BlockCoder::RestoreMembers(std::size_t place) {
  float* c = products_.Row(row_of_place_[place]);
  const ActiveSet& set = sets_[place];
  for (std::size_t k = 0; k < set.size(); ++k) c[set.ids[k]] = blanked_[k];
}

float BlockCoder::Revisit(std::size_t place, float bound) {
  const std::size_t count = FindOutside(place, bound);
  revisited_[place].assign(found_.begin(), found_.begin() + static_cast<std::ptrdiff_t>(count));
  revisited_products_[place].assign(PaddedLength(count), 0.0F);
  const auto compute = [&](const std::vector<std::int32_t>& ids, float* products) {
    if (ids.empty()) return;
    kernels_.products_of_list(atoms_.data(), ids.data(), ids.size(), r_.Row(place), products, atoms_.length());
  };
  compute(sets_[place].ids, sets_[place].products.data());
  compute(revisited_[place], revisited_products_[place].data());
  return kernels_.largest(revisited_products_[place].data(), PaddedLength(count), terms_.nonnegative);
}

void BlockCoder::AdmitRevisited(std::size_t place, float bound, std::size_t most) {
  LetIn(place, revisited_[place], revisited_products_[place], bound, most);
}

// Sorting short lists would cost more than it is worth.
void BlockCoder::LetIn(std::size_t place,
                       std::span<const std::int32_t> ids,
                       std::span<const float> products,
                       float bound,
                       std::size_t most) {
  constexpr int kSteps = 8;
  chosen_.resize(products.size() + kLaneMultiple);
  const auto choose = [&](float above) {
    return kernels_.find_above(products.data(), products.size(), above, terms_.nonnegative, chosen_.data());
  };
  std::size_t count = choose(bound);
  if (count > most) {
    const float largest = kernels_.largest(products.data(), products.size(), terms_.nonnegative);
    for (int step = 1; step < kSteps && count > most; ++step) {
      count = choose(bound + (largest - bound) * static_cast<float>(step) / kSteps);
    }
    if (count == 0) count = choose(bound);  // bound and largest are neighbours
  }
  admitted_.clear();
  for (std::size_t k = 0; k < std::min(count, most); ++k) {
    const auto at = static_cast<std::size_t>(chosen_[k]);
    admitted_.push_back({ids[at], products[at]});
  }
  sets_[place].Insert(admitted_);
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
  return 0.5 * (squares + Ridge(place)) + static_cast<double>(terms_.lambda) * weights;
}

double BlockCoder::Ridge(std::size_t place) const {
  const ActiveSet& set = sets_[place];
  double sum = 0.0;
  for (std::size_t k = 0; !terms_.ridge.empty() && k < set.size(); ++k) {
    const double weight = set.weights[k];
    sum += static_cast<double>(terms_.ridge[static_cast<std::size_t>(set.ids[k])]) * weight * weight;
  }
  return sum;
}

}  // namespace flyscribe
