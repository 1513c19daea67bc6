// pixels: the standardised images of a bag as 40x16 raw pixels, for the baseline.
#include "pooling/pool.h"

#include "data/dictionary.h"
#include "data/image.h"
#include "pipeline/steps/step.h"

namespace flyscribe {
namespace {

// No option decides how it is done.
void Describe(const Config& /*config*/, ArtifactKey& /*key*/) {}

void Run(StepContext& context) {
  const Collection collection = context.LoadCollection();
  std::vector<std::size_t> bag_of_image;
  for (const ImageRecord& image : collection.images) bag_of_image.push_back(image.bag);
  const ImageStack images(context.Input(StandardiseStep()));
  const BagFeatures features = PoolPixels(images, bag_of_image, collection.bags.size());
  features.Save(context.output);
  context.AddFact("bags", std::to_string(features.values.rows()));
  context.AddFact("features", std::to_string(features.values.cols()));
}

}  // namespace

StepCode PixelsCode() { return {Describe, Run}; }

}  // namespace flyscribe
