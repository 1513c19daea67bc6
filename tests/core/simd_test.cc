#include "core/simd.h"

#include <gtest/gtest.h>

#include "tests/support/expect_error.h"

namespace flyscribe {
namespace {

class SimdTest : public ::testing::Test {
 protected:
  void TearDown() override { UseSimd("auto"); }
};

TEST_F(SimdTest, AutoIsTheBestAndPlainIsAlwaysThere) {
  UseSimd("auto");
  EXPECT_EQ(SimdInUse(), SimdTargets().front());
  EXPECT_EQ(SimdTargets().back(), "plain");
}

TEST_F(SimdTest, EachCanBeChosen) {
  for (const std::string& name : SimdTargets()) {
    UseSimd(name);
    EXPECT_EQ(SimdInUse(), name);
  }
}

TEST_F(SimdTest, AnUnknownOneIsRefusedAndChangesNothing) {
  UseSimd("plain");
  const CaughtError error = ExpectError([] { UseSimd("MMX"); });
  EXPECT_EQ(error.code, ErrorCode::kUsage);
  EXPECT_NE(error.text.find("no instruction set 'MMX'"), std::string::npos) << error.text;
  EXPECT_NE(error.text.find("auto, "), std::string::npos) << error.text;
  EXPECT_EQ(SimdInUse(), "plain");
}

}  // namespace
}  // namespace flyscribe
