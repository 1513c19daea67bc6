#include "imaging/opencv_setup.h"

#include <gtest/gtest.h>

namespace flyscribe {
namespace {

TEST(SetUpOpenCv, OneThreadAndNoLog) {
  SetUpOpenCv();
  SetUpOpenCv();
  EXPECT_EQ(OpenCvThreads(), 1);
  EXPECT_TRUE(OpenCvIsSilent());
}

}  // namespace
}  // namespace flyscribe
