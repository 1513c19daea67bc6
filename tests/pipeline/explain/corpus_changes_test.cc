#include "pipeline/explain/corpus_changes.h"

#include <gtest/gtest.h>

namespace flyscribe {
namespace {

// Three bags of one image each.
Collection Sample() {
  Collection collection;
  collection.bags = {{"a", "FBgn1", "abc", "FBgn1", 0, {"gut", "heart"}},
                     {"b", "FBgn2", "bcd", "FBgn2", 1, {}},
                     {"c", "FBgn3", "cde", "FBgn3", 2, {"gut"}}};
  collection.images = {{"i1", 0, "1.jpe", "d1", 0}, {"i2", 0, "2.jpe", "d2", 1}, {"i3", 0, "3.jpe", "d3", 2}};
  return collection;
}

TEST(CorpusChanges, NothingIfNothingDiffers) {
  for (const char* aspect : {"images", "labels", "folds", "bookkeeping", "normalise"}) {
    EXPECT_EQ(CorpusChanges(aspect, Sample(), Sample()), "") << aspect;
  }
}

TEST(CorpusChanges, Images) {
  Collection after = Sample();
  after.images = {{"i1", 0, "1.jpe", "other", 0}, {"i3", 0, "3.jpe", "d3", 1}, {"i4", 0, "4.jpe", "d4", 2}};
  EXPECT_EQ(CorpusChanges("images", Sample(), after), "1 added, 1 removed, 2 changed") << "content, and bag";
  EXPECT_EQ(CorpusChanges("labels", Sample(), after), "");
}

TEST(CorpusChanges, Labels) {
  Collection after = Sample();
  after.bags[0].terms = {"gut", "muscle"};
  after.bags[1].terms = {"gut"};
  EXPECT_EQ(CorpusChanges("labels", Sample(), after), "3 changed in 2 bags");
  EXPECT_EQ(CorpusChanges("images", Sample(), after), "");
  after = Sample();
  after.bags[2].terms = {};
  EXPECT_EQ(CorpusChanges("labels", Sample(), after), "1 changed in 1 bag");
  after.bags.pop_back();
  EXPECT_EQ(CorpusChanges("labels", Sample(), after), "1 bag removed");
  EXPECT_EQ(CorpusChanges("labels", after, Sample()), "1 bag added");
}

TEST(CorpusChanges, Folds) {
  Collection after = Sample();
  after.bags[0].fold = 2;
  after.bags.push_back({"d", "FBgn4", "def", "FBgn4", 0, {}});
  EXPECT_EQ(CorpusChanges("folds", Sample(), after), "1 bag added, 1 bag changed");
  after.bags[1].fold = 0;
  EXPECT_EQ(CorpusChanges("folds", Sample(), after), "1 bag added, 2 bags changed");
}

TEST(CorpusChanges, Bookkeeping) {
  Collection after = Sample();
  after.bags[0].symbol = "renamed";
  after.images[0].file = "moved/1.jpe";
  after.skipped.push_back({"4.jpe", "no such file", true});
  EXPECT_EQ(CorpusChanges("bookkeeping", Sample(), after), "1 bag changed, 1 file changed, 1 skipped input added");
  EXPECT_EQ(CorpusChanges("images", Sample(), after), "");
}

}  // namespace
}  // namespace flyscribe
