#include "core/differences.h"

#include <gtest/gtest.h>

namespace flyscribe {
namespace {

using Values = std::map<std::string, int>;

TEST(Differences, ChangedAddedAndRemoved) {
  const auto found = Differences(Values{{"same", 1}, {"changed", 2}, {"removed", 3}},
                                 Values{{"same", 1}, {"changed", 4}, {"added", 5}});
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found.at("changed"), (std::pair{std::optional(2), std::optional(4)}));
  EXPECT_EQ(found.at("removed"), (std::pair{std::optional(3), std::optional<int>()}));
  EXPECT_EQ(found.at("added"), (std::pair{std::optional<int>(), std::optional(5)}));
}

TEST(Differences, EqualMapsHaveNone) { EXPECT_TRUE(Differences(Values{{"a", 1}}, Values{{"a", 1}}).empty()); }

}  // namespace
}  // namespace flyscribe
