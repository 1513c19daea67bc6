#include "pipeline/steps/step.h"

#include <gtest/gtest.h>

#include "tests/support/expect_error.h"

namespace flyscribe {
namespace {

TEST(Part, AllOrAllButOneFold) {
  Bag bag;
  bag.fold = 2;
  EXPECT_TRUE(Part{}.IsAll());
  EXPECT_EQ(Part{}.name(), "all");
  EXPECT_EQ(Part{3}.name(), "fold-3");
  EXPECT_TRUE(Part{}.TrainsOn(bag));
  EXPECT_TRUE(Part{1}.TrainsOn(bag));
  EXPECT_FALSE(Part{2}.TrainsOn(bag));
}

TEST(StepContext, UnknownInputIsABug) {
  const Config config;
  const StepContext context{.config = config,
                            .corpus = nullptr,
                            .range = "4-6",
                            .part = {},
                            .inputs = {{"4-6", {}, "learn", "/x"}},
                            .output = {},
                            .scratch = {},
                            .checkpoint = {},
                            .cache_root = {},
                            .key_text = {},
                            .progress = NoProgress(),
                            .facts = {}};
  EXPECT_EQ(context.Input(LearnStep()), "/x");
  EXPECT_EQ(ExpectError([&] { context.Input(PoolStep()); }).code, ErrorCode::kInternal);
}

TEST(Steps, AreFoundByName) {
  EXPECT_EQ(StepNames().size(), 14U);
  for (const Step& step : Steps()) {
    EXPECT_EQ(&StepNamed(step.name), &step);
    EXPECT_TRUE(step.code.describe && step.code.run && step.amount) << step.name;
  }
  EXPECT_EQ(&StepNamed("train-pixels"), &TrainPixelsStep());
  EXPECT_EQ(ExpectError([] { StepNamed("trian"); }).code, ErrorCode::kUsage);
}

TEST(StepKey, TheFormOfAnArtifactIsNotPartOfARecipe) {
  Step step = ExtractStep();
  step.form = 1;
  const std::string first = StepKey(step, Config(), "4-6", {}).text();
  step.form = 2;
  const std::string second = StepKey(step, Config(), "4-6", {}).text();
  EXPECT_NE(first, second);
  EXPECT_EQ(RecipeOf(first), RecipeOf(second));
}

// Two bags with three images, one of them outside fold 1.
Collection SomeCollection() {
  Collection collection;
  collection.bags = {{"a", "FBgn1", "abc", "FBgn1", 0, {"gut", "heart"}}, {"b", "FBgn2", "bcd", "FBgn2", 1, {"gut"}}};
  collection.images = {{"i1", 0, "1", "d1", 0}, {"i2", 0, "2", "d2", 1}, {"i3", 0, "3", "d3", 1}};
  return collection;
}

TEST(Workload, IsCountedFromTheCollection) {
  Config config;
  const Workload all(config, SomeCollection(), {});
  EXPECT_EQ(all.images, 3.0);
  EXPECT_EQ(all.bags, 2.0);
  EXPECT_EQ(all.terms, 2.0);
  EXPECT_EQ(all.patches, 3.0 * 20 * 8);
  EXPECT_EQ(all.training_patches, all.patches);
  EXPECT_EQ(Workload(config, SomeCollection(), {1}).training_patches, 1.0 * 20 * 8);
  config.extract.stride = 8;
  EXPECT_EQ(Workload(config, SomeCollection(), {}).patches, 3.0 * 39 * 15);
}

TEST(StepAmount, GrowsWithWhatThereIsToDo) {
  Config config;
  config.run.ranges = {"4-6"};  // simulate and report grow with them
  const Workload load(config, SomeCollection(), {});
  const double learn = LearnStep().amount(config, load).work;
  const double encode = EncodeStep().amount(config, load).work;
  const double extract = ExtractStep().amount(config, load).work;
  config.learn.epochs *= 2;
  EXPECT_EQ(LearnStep().amount(config, load).work, 2 * learn);
  EXPECT_EQ(EncodeStep().amount(config, load).work, encode);
  config.learn.atoms *= 3;
  EXPECT_EQ(LearnStep().amount(config, load).work, 6 * learn);
  EXPECT_EQ(EncodeStep().amount(config, load).work, 3 * encode);
  config.extract.window_function = ExtractOptions::WindowFunction::kFlat;
  EXPECT_LT(ExtractStep().amount(config, load).work, extract);
  for (const Step& step : Steps()) {
    EXPECT_GT(step.amount(config, load).work, 0.0) << step.name;
    EXPECT_GT(step.amount(config, load).size, 0.0) << step.name;
    if (step.scope == StepScope::kOnce) continue;
    EXPECT_EQ(step.amount(config, {}).work, 0.0) << step.name << " of nothing known";
  }
}

}  // namespace
}  // namespace flyscribe
