#include "sparse/batches.h"

#include <algorithm>

namespace flyscribe {

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

}  // namespace flyscribe
