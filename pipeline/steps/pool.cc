// pool: the codes of a bag's patches into one feature vector, with the patch each feature came from.
#include "pooling/pool.h"

#include "data/dictionary.h"
#include "data/patches.h"
#include "pipeline/steps/step.h"

namespace flyscribe {
namespace {

void Describe(const Config& config, ArtifactKey& key) { key.AddOptions("pool", KeyText(config.pool)); }

// Bags none of whose images left a patch: their features are all zero, and the user should know.
std::vector<Skipped> BagsWithoutPatches(const Collection& collection, const PatchTable& patches) {
  std::vector<bool> has_patch(collection.bags.size());
  for (const std::int32_t image : patches.image)
    has_patch[collection.images.at(static_cast<std::size_t>(image)).bag] = true;
  std::vector<Skipped> skipped;
  for (std::size_t bag = 0; bag < has_patch.size(); ++bag) {
    if (!has_patch[bag]) skipped.push_back({collection.bags[bag].id, "bag has no usable patch", true});
  }
  return skipped;
}

void Run(StepContext& context) {
  const Collection collection = context.LoadCollection();
  const PatchTable patches = PatchTable::Load(context.Input(NormaliseStep()));
  // With `learned` the dictionary was learned from all patches in their order (rows.npy), so its codes are theirs.
  const bool learned = context.config.pool.codes == PoolOptions::Codes::kLearned;
  const std::size_t atoms = Dictionary::Load(context.Input(LearnStep())).atoms.rows();
  const SparseCodes codes = SparseCodes::Load(context.Input(learned ? LearnStep() : EncodeStep()), atoms);
  std::vector<std::size_t> bag_of_image;
  for (const ImageRecord& image : collection.images) bag_of_image.push_back(image.bag);
  const PoolInput input = {
      codes, patches, bag_of_image, collection.bags.size(), context.config.extract.WindowSides().size()};
  const BagFeatures features = Pool(input, context.config.pool);
  features.Save(context.output);
  SaveSkipped(context.output, BagsWithoutPatches(collection, patches));
  context.AddFact("bags", std::to_string(features.values.rows()));
  context.AddFact("features", std::to_string(features.values.cols()));
}

}  // namespace

StepCode PoolCode() { return {Describe, Run}; }

}  // namespace flyscribe
