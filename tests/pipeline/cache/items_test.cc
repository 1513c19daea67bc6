#include "pipeline/cache/items.h"

#include <gtest/gtest.h>

#include "core/file.h"
#include "tests/support/expect_error.h"
#include "tests/support/temp_folder.h"

namespace flyscribe {
namespace {

TEST(ItemCache, MakesOnceThenReads) {
  const TempFolder folder;
  const ItemCache items(folder.path(), "extract", "recipe", folder.path());
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
  EXPECT_EQ(items.made(), 2U);
}

TEST(ItemCache, AnotherRecipeIsAnotherItem) {
  const TempFolder folder;
  const ItemCache a(folder.path(), "extract", "recipe a", folder.path());
  const ItemCache b(folder.path(), "extract", "recipe b", folder.path());
  EXPECT_NE(a.PathOf("x"), b.PathOf("x"));
  EXPECT_NE(a.PathOf("x"), a.PathOf("y"));
}

TEST(ItemCache, DamagedItemIsMadeAgain) {
  const TempFolder folder;
  const ItemCache items(folder.path(), "extract", "recipe", folder.path());
  const auto make = [] { return std::string("good"); };
  items.Get("d", make);
  for (const std::string& damage : {std::string(), std::string("short"), std::string(64, '0') + "good"}) {
    WriteFile(items.PathOf("d"), damage);
    EXPECT_EQ(items.Get("d", make), "good");
    EXPECT_EQ(items.Get("d", [] { return std::string("never called"); }), "good");
  }
}

TEST(ItemCache, TheRecipeIsKeptBesideItsItems) {
  const TempFolder folder;
  const ItemCache items(folder.path(), "extract", "recipe\n", folder.path());
  const fs::path group = ItemFolder(folder.path(), "extract", "recipe\n");
  EXPECT_EQ(ReadFile(group / "recipe.txt"), "recipe\n");
  items.Get("d", [] { return std::string("good"); });
  EXPECT_EQ(items.PathOf("d").parent_path().parent_path(), group);
  EXPECT_TRUE(ItemIsIntact(items.PathOf("d")));
  EXPECT_EQ(ExpectError([&] { ItemIsIntact(items.PathOf("e")); }).code, ErrorCode::kInput);
  WriteFile(items.PathOf("d"), std::string(64, '0') + "good");
  EXPECT_FALSE(ItemIsIntact(items.PathOf("d")));
}

TEST(ItemCache, UnfinishedItemsLieInTheScratchFolder) {
  const TempFolder folder;
  const ItemCache items(folder / "cache", "extract", "recipe", folder / "nowhere");
  EXPECT_EQ(ExpectError([&] { items.Get("d", [] { return std::string("x"); }); }).code, ErrorCode::kDisk);
  EXPECT_FALSE(fs::exists(items.PathOf("d")));
}

TEST(ItemCache, EmptyPayload) {
  const TempFolder folder;
  const ItemCache items(folder.path(), "extract", "recipe", folder.path());
  EXPECT_EQ(items.Get("d", [] { return std::string(); }), "");
  EXPECT_EQ(items.Get("d", [] { return std::string("x"); }), "");
}

}  // namespace
}  // namespace flyscribe
