#include "data/step_state.h"

#include <gtest/gtest.h>

namespace flyscribe {
namespace {

TEST(StepState, NamesAndBack) {
  for (int i = 0; i <= static_cast<int>(StepState::kNotAsked); ++i) {
    const auto state = static_cast<StepState>(i);
    EXPECT_EQ(StateNamed(StateName(state)), state) << StateName(state);
  }
  EXPECT_EQ(StateName(StepState::kFailed), "failed");
  EXPECT_EQ(StateName(StepState::kNotRun), "not run");
  EXPECT_EQ(StateName(StepState::kHit), "hit");
  EXPECT_EQ(StateName(StepState::kNotAsked), "not asked");
  EXPECT_FALSE(StateNamed("asleep"));
  EXPECT_FALSE(StateNamed(""));
}

}  // namespace
}  // namespace flyscribe
