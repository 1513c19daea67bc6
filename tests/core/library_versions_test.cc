#include "core/library_versions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace flyscribe {
namespace {

using ::testing::ContainsRegex;

TEST(CoreLibraryVersions, EachHasOne) {
  const auto versions = CoreLibraryVersions();
  EXPECT_GE(versions.size(), 6U);
  for (const auto& [name, version] : versions) EXPECT_THAT(version, ContainsRegex("[0-9]\\.[0-9]")) << name;
}

}  // namespace
}  // namespace flyscribe
