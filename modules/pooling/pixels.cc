#include "pooling/pixels.h"

#include <cmath>
#include <cstdint>

#include "core/error.h"
#include "core/matrix.h"

namespace flyscribe {
namespace {

constexpr int kBlock = kEmbryoWidth / kPixelColumns;
constexpr std::size_t kFeatures = std::size_t{kPixelColumns} * kPixelRows;
static_assert(kBlock * kPixelColumns == kEmbryoWidth && kBlock * kPixelRows == kEmbryoHeight, "blocks are whole");

// Adds up the gray values of each block. A bag of 2^40 images would not overflow.
void AddBlocks(const GrayImage& image, std::span<std::uint64_t> sums) {
  FLYSCRIBE_CHECK(image.width == kEmbryoWidth && image.height == kEmbryoHeight, "images are standardised");
  for (int y = 0; y < kEmbryoHeight; ++y) {
    const std::span<std::uint64_t> row = sums.subspan(static_cast<std::size_t>(y / kBlock) * kPixelColumns);
    for (int x = 0; x < kEmbryoWidth; ++x) row[static_cast<std::size_t>(x / kBlock)] += image.At(x, y);
  }
}

// Sums serve as well as means: pixels of a block and images of a bag are factors that the norm takes out again.
void CentreAndScale(std::span<const std::uint64_t> sums, std::span<float> values) {
  double mean = 0.0;
  for (const std::uint64_t sum : sums) mean += static_cast<double>(sum);
  mean /= static_cast<double>(sums.size());
  double squares = 0.0;
  for (const std::uint64_t sum : sums) {
    const double difference = static_cast<double>(sum) - mean;
    squares += difference * difference;
  }
  if (squares == 0.0) return;
  const double scale = 1.0 / std::sqrt(squares);
  for (std::size_t i = 0; i < sums.size(); ++i) {
    values[i] = static_cast<float>((static_cast<double>(sums[i]) - mean) * scale);
  }
}

}  // namespace

BagFeatures PoolPixels(const ImageStack& images, std::span<const std::size_t> bag_of_image, std::size_t bags) {
  Matrix<std::uint64_t> sums(bags, kFeatures, 0);
  for (std::size_t i = 0; i < images.size(); ++i) {
    const std::size_t image = images.source(i);
    FLYSCRIBE_CHECK(image < bag_of_image.size() && bag_of_image[image] < bags, "an image belongs to no bag");
    AddBlocks(images.Get(i), sums.Row(bag_of_image[image]));
  }
  BagFeatures features{FloatMatrix(bags, kFeatures, 0.0F), Matrix<std::int32_t>(bags, kFeatures, -1)};
  for (std::size_t bag = 0; bag < bags; ++bag) CentreAndScale(sums.Row(bag), features.values.Row(bag));
  return features;
}

}  // namespace flyscribe
