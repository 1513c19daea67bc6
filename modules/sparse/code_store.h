// The codes of n patches between two visits: sparse, written in any order, each row once an epoch.
//
// An epoch reads the rows the last one left and writes new ones beside them; Flip ends it. Memory: 8 bytes a weight and
// 12 a row, twice during an epoch. Internal to modules/sparse. Not thread-safe for writing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "data/dictionary.h"

namespace flyscribe {

class CodeStore {
 public:
  // All rows are empty.
  explicit CodeStore(std::size_t rows) : current_(rows), next_(rows) {}
  // Rows as in `codes`.
  explicit CodeStore(const SparseCodes& codes);

  std::size_t rows() const { return current_.places.size(); }
  // As the last epoch left it.
  std::span<const std::int32_t> Indices(std::size_t row) const;
  std::span<const float> Weights(std::size_t row) const;
  std::size_t nonzeros() const { return current_.nonzeros; }
  // Hints that a row will be read soon: first where it lies, then the row itself.
  void PrefetchPlace(std::size_t row) const { __builtin_prefetch(&current_.places[row]); }
  void PrefetchCode(std::size_t row) const {
    __builtin_prefetch(Indices(row).data());
    __builtin_prefetch(Weights(row).data());
  }

  // For the next epoch. REQUIRES: as many indices as weights.
  void Write(std::size_t row, std::span<const std::int32_t> indices, std::span<const float> weights);
  // What was written becomes what is read. Rows that were not written become empty.
  void Flip();

  // REQUIRES: the indices were written in rising order.
  SparseCodes ToCodes(std::size_t atoms) const;

 private:
  struct Place {
    std::uint32_t block = 0;
    std::uint32_t begin = 0;
    std::uint32_t count = 0;
  };
  // Weights are stored in blocks, because one growing array would for a moment need twice its size.
  struct Block {
    std::vector<std::int32_t> indices;
    std::vector<float> weights;
  };
  struct Generation {
    explicit Generation(std::size_t rows) : places(rows) {}
    std::vector<Place> places;
    std::vector<Block> blocks;
    std::size_t nonzeros = 0;
  };

  Generation current_;
  Generation next_;
};

}  // namespace flyscribe
