#include "core/slug.h"

#include <gtest/gtest.h>

namespace flyscribe {
namespace {

TEST(SlugMaker, FileNamesOfTheirOwn) {
  SlugMaker slugs;
  EXPECT_EQ(slugs.Make("FBgn0000001_4-6"), "FBgn0000001_4-6");
  EXPECT_EQ(slugs.Make("a/b c"), "a-b-c");
  EXPECT_EQ(slugs.Make("A/B c"), "A-B-c-2") << "some file systems know no case";
  EXPECT_EQ(slugs.Make("../x"), "-.-x");
  EXPECT_EQ(slugs.Make(""), "-");
  EXPECT_EQ(slugs.Make(std::string(500, 'x')).size(), 80U);
}

}  // namespace
}  // namespace flyscribe
