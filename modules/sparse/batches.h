// How patches are dealt to batches: once and for all, so that a batch finds its codes together; epochs differ in the
// order of the batches. Internal to modules/sparse.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sparse/learner.h"

namespace flyscribe {

class Batches {
 public:
  Batches(std::size_t patches, const LearnOptions& options);

  std::size_t count() const { return (order_.size() + size_ - 1) / size_; }
  std::span<const std::size_t> Batch(std::size_t batch) const;
  // The order of the batches in an epoch.
  std::vector<std::size_t> VisitOrder(int epoch) const;

 private:
  const LearnOptions& options_;
  std::size_t size_;
  std::vector<std::size_t> order_;
};

}  // namespace flyscribe
