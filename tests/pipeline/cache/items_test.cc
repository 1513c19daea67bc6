#include "pipeline/cache/items.h"

#include <gtest/gtest.h>

#include "core/file.h"
#include "tests/support/temp_folder.h"

namespace flyscribe {
namespace {

TEST(ItemCache, MakesOnceThenReads) {
  const TempFolder folder;
  const ItemCache items(folder.path(), "extract", "recipe");
  int made = 0;
  const auto make = [&made] {
    ++made;
    return std::string("payload\0with zero", 17);
  };
  EXPECT_EQ(items.Get("digest", make), std::string("payload\0with zero", 17));
  EXPECT_EQ(items.Get("digest", make), std::string("payload\0with zero", 17));
  EXPECT_EQ(made, 1);
  EXPECT_EQ(items.Get("other", make).size(), 17U);
  EXPECT_EQ(made, 2);
}

TEST(ItemCache, AnotherRecipeIsAnotherItem) {
  const TempFolder folder;
  const ItemCache a(folder.path(), "extract", "recipe a");
  const ItemCache b(folder.path(), "extract", "recipe b");
  EXPECT_NE(a.PathOf("x"), b.PathOf("x"));
  EXPECT_NE(a.PathOf("x"), a.PathOf("y"));
}

TEST(ItemCache, DamagedItemIsMadeAgain) {
  const TempFolder folder;
  const ItemCache items(folder.path(), "extract", "recipe");
  const auto make = [] { return std::string("good"); };
  items.Get("d", make);
  for (const std::string& damage : {std::string(), std::string("short"), std::string(64, '0') + "good"}) {
    WriteFile(items.PathOf("d"), damage);
    EXPECT_EQ(items.Get("d", make), "good");
    EXPECT_EQ(items.Get("d", [] { return std::string("never called"); }), "good");
  }
}

TEST(ItemCache, EmptyPayload) {
  const TempFolder folder;
  const ItemCache items(folder.path(), "extract", "recipe");
  EXPECT_EQ(items.Get("d", [] { return std::string(); }), "");
  EXPECT_EQ(items.Get("d", [] { return std::string("x"); }), "");
}

}  // namespace
}  // namespace flyscribe
