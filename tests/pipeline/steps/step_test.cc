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
  const StepContext context{
      config, nullptr, "4-6", {}, {{"4-6", {}, "learn", "/x"}}, 1, {}, {}, {}, {}, {}, {}, NoProgress(), {}};
  EXPECT_EQ(context.Input("learn"), "/x");
  EXPECT_EQ(ExpectError([&] { context.Input("pool"); }).code, ErrorCode::kInternal);
}

}  // namespace
}  // namespace flyscribe
