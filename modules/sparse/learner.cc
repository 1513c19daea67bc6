#include "sparse/learner.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/error.h"
#include "core/rng.h"

namespace flyscribe {

LearnerMemory::LearnerMemory(const LearnState& state, std::size_t patches)
    : atoms(state.atoms),
      curvature(state.curvature),
      epoch_curvature(state.epoch_curvature),
      moments(state.moments),
      steps(state.steps),
      codes(state.codes.rows() == patches ? CodeStore(state.codes) : CodeStore(patches)) {}

bool AllFinite(std::span<const float> values) {
  return std::ranges::all_of(values, [](float value) { return std::isfinite(value); });
}

void RequireCodable(FloatView patches, const FloatMatrix& atoms) {
  if (patches.cols() != atoms.cols()) {
    throw Error(ErrorCode::kInput,
                fmt::format("the patches have {} values each, the dictionary's atoms {}", patches.cols(), atoms.cols()),
                "code patches with a dictionary learned from descriptors of the same kind");
  }
  for (std::size_t atom = 0; atom < atoms.rows(); ++atom) {
    if (AllFinite(atoms.Row(atom))) continue;
    throw Error(ErrorCode::kCorrupt,
                fmt::format("atom {} of the dictionary holds a value that is not a finite number", atom),
                "learn the dictionary again");
  }
}

void RequireFinite(FloatView patches, std::size_t begin, std::size_t end) {
  for (std::size_t row = begin; row < end; ++row) {
    if (AllFinite(patches.Row(row))) continue;
    throw Error(ErrorCode::kInput,
                fmt::format("patch {} holds a value that is not a finite number", row),
                "patches count from 0; compute the descriptors again");
  }
}

std::vector<std::size_t> VisitOrder(std::size_t count, const LearnOptions& options, std::uint64_t stream) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (options.patch_order == LearnOptions::PatchOrder::kShuffled) {
    Rng(static_cast<std::uint64_t>(options.seed), stream).Shuffle(order);
  }
  return order;
}

Batches::Batches(std::size_t patches, const LearnOptions& options)
    : options_(options),
      size_(static_cast<std::size_t>(options.batch)),
      order_(flyscribe::VisitOrder(patches, options, kDealStream)) {}

std::span<const std::size_t> Batches::Batch(std::size_t batch) const {
  const std::size_t begin = batch * size_;
  return {order_.data() + begin, std::min(size_, order_.size() - begin)};
}

std::vector<std::size_t> Batches::VisitOrder(int epoch) const {
  return flyscribe::VisitOrder(count(), options_, kFirstEpochStream + static_cast<std::uint64_t>(epoch - 1));
}

namespace {

constexpr std::size_t kWeightsPerBlock = 1 << 18;

}  // namespace

CodeStore::CodeStore(const SparseCodes& codes) : CodeStore(codes.rows()) {
  for (std::size_t row = 0; row < codes.rows(); ++row) Write(row, codes.RowIndices(row), codes.RowData(row));
  Flip();
}

std::span<const std::int32_t> CodeStore::Indices(std::size_t row) const {
  const Place& place = current_.places[row];
  if (place.count == 0) return {};
  return {current_.blocks[place.block].indices.data() + place.begin, place.count};
}

std::span<const float> CodeStore::Weights(std::size_t row) const {
  const Place& place = current_.places[row];
  if (place.count == 0) return {};
  return {current_.blocks[place.block].weights.data() + place.begin, place.count};
}

void CodeStore::Write(std::size_t row, std::span<const std::int32_t> indices, std::span<const float> weights) {
  FLYSCRIBE_CHECK(indices.size() == weights.size(), "a code has as many indices as weights");
  if (next_.blocks.empty() || next_.blocks.back().indices.size() + indices.size() > kWeightsPerBlock) {
    Block& block = next_.blocks.emplace_back();
    block.indices.reserve(std::max(kWeightsPerBlock, indices.size()));
    block.weights.reserve(std::max(kWeightsPerBlock, weights.size()));
  }
  Block& block = next_.blocks.back();
  next_.places[row] = {static_cast<std::uint32_t>(next_.blocks.size() - 1),
                       static_cast<std::uint32_t>(block.indices.size()),
                       static_cast<std::uint32_t>(indices.size())};
  block.indices.insert(block.indices.end(), indices.begin(), indices.end());
  block.weights.insert(block.weights.end(), weights.begin(), weights.end());
  next_.nonzeros += indices.size();
}

void CodeStore::Flip() {
  const std::size_t count = rows();
  current_ = std::move(next_);
  next_ = Generation(count);
}

SparseCodes CodeStore::ToCodes(std::size_t atoms) const {
  SparseCodes codes;
  codes.atoms = atoms;
  codes.indptr.reserve(rows() + 1);
  codes.indices.reserve(nonzeros());
  codes.data.reserve(nonzeros());
  for (std::size_t row = 0; row < rows(); ++row) {
    codes.indices.insert(codes.indices.end(), Indices(row).begin(), Indices(row).end());
    codes.data.insert(codes.data.end(), Weights(row).begin(), Weights(row).end());
    codes.indptr.push_back(static_cast<std::int64_t>(codes.indices.size()));
  }
  return codes;
}

}  // namespace flyscribe
