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
  for (const char* aspect : {"images", "labels", "folds", "terms", "bookkeeping", "normalise"}) {
    EXPECT_EQ(CorpusChanges(aspect, Sample(), Sample()), "") << aspect;
  }
}

TEST(CorpusChanges, Images) {
  Collection after = Sample();
  after.images = {{"i1", 0, "1.jpe", "other", 0}, {"i3", 0, "3.jpe", "d3", 1}, {"i4", 0, "4.jpe", "d4", 2}};
  EXPECT_EQ(CorpusChanges("images", Sample(), after),
            "1 image added, 1 image removed, 1 image changed, 1 image in another bag");
  after = Sample();
  after.bags[0].id = "FBgn0000001";
  EXPECT_EQ(CorpusChanges("images", Sample(), after), "1 image in another bag");
  EXPECT_EQ(CorpusChanges("labels", Sample(), after), "");
}

TEST(CorpusChanges, Labels) {
  Collection after = Sample();
  after.bags[0].terms = {"gut", "muscle"};
  after.bags[1].terms = {"gut"};
  EXPECT_EQ(CorpusChanges("labels", Sample(), after), "3 labels changed in 2 bags");
  EXPECT_EQ(CorpusChanges("images", Sample(), after), "");
  after = Sample();
  after.bags[2].terms = {};
  EXPECT_EQ(CorpusChanges("labels", Sample(), after), "1 label changed in 1 bag");
  after.bags.pop_back();
  EXPECT_EQ(CorpusChanges("labels", Sample(), after), "") << "a bag goes with its images";
  EXPECT_EQ(CorpusChanges("labels", after, Sample()), "");
}

TEST(CorpusChanges, Folds) {
  Collection after = Sample();
  after.bags[0].fold = 2;
  after.bags.push_back({"d", "FBgn4", "def", "FBgn4", 0, {}});
  EXPECT_EQ(CorpusChanges("folds", Sample(), after), "1 bag in another fold");
  after.bags[1].fold = 0;
  EXPECT_EQ(CorpusChanges("folds", Sample(), after), "2 bags in another fold");
}

TEST(CorpusChanges, Bookkeeping) {
  Collection after = Sample();
  after.bags[0].symbol = "renamed";
  after.images[0].file = "moved/1.jpe";
  after.skipped.push_back({"4.jpe", "no such file", true});
  EXPECT_EQ(CorpusChanges("bookkeeping", Sample(), after), "1 bag renamed, 1 file moved, 1 skipped input added");
  EXPECT_EQ(CorpusChanges("bookkeeping", after, Sample()), "1 bag renamed, 1 file moved, 1 skipped input removed");
  EXPECT_EQ(CorpusChanges("images", Sample(), after), "");
  after = Sample();
  after.images.push_back({"i4", 0, "4.jpe", "d4", 2});
  EXPECT_EQ(CorpusChanges("bookkeeping", Sample(), after), "") << "a file comes with its image";
}

TEST(CorpusChanges, Terms) {
  Collection before = Sample();
  before.terms = {{"gut", "FBbt:1"}, {"heart", ""}};
  Collection after = Sample();
  after.terms = {{"gut", "FBbt:2"}, {"heart", ""}, {"muscle", "FBbt:3"}};
  EXPECT_EQ(CorpusChanges("terms", before, after), "1 term with another FBbt id");
}

}  // namespace
}  // namespace flyscribe
