// The FBdv classes of the stage ranges (data/stage_range.h), held against FlyBase's ontology of development itself.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "core/text.h"
#include "data/stage_range.h"
#include "ontology/obo.h"
#include "tests/support/real_data.h"

namespace flyscribe {
namespace {

// The numbered stages (1 to 17) that are, or are substages of, a class.
std::set<int> StagesOf(const Ontology& ontology, const std::string& id) {
  std::set<int> stages;
  for (int stage = 1; stage <= 17; ++stage) {
    const OntologyTerm* term = ontology.FindByName("embryonic stage " + std::to_string(stage));
    if (term == nullptr) continue;
    bool inside = term->id == id;
    for (const Ancestor& ancestor : ontology.Ancestors(term->id, Relations::kPartOf)) inside |= ancestor.id == id;
    if (inside) stages.insert(stage);
  }
  return stages;
}

std::set<int> StagesInName(const StageRange range) {
  const std::vector<std::string> ends = Split(range.name(), '-');
  std::set<int> stages;
  for (int stage = std::stoi(ends[0]); stage <= std::stoi(ends[1]); ++stage) stages.insert(stage);
  return stages;
}

class FbdvTest : public testing::Test {
 protected:
  static constexpr const char* kSubstageOf = "FBdv:00018001";
};

TEST_F(FbdvTest, TheClassesOfARangeAreExactlyItsStages) {
  const fs::path path = RealDataFile("ontology/fbdv.obo");
  FLYSCRIBE_SKIP_WITHOUT(path);
  const Ontology ontology = LoadObo(path, {.part_of = {kSubstageOf}});
  for (const StageRange range : StageRange::All()) {
    std::set<int> covered;
    for (const std::string& id : range.fbdv_ids()) {
      ASSERT_NE(ontology.Find(id), nullptr) << id;
      EXPECT_FALSE(ontology.Find(id)->obsolete) << id;
      for (const int stage : StagesOf(ontology, id)) EXPECT_TRUE(covered.insert(stage).second) << stage << " twice";
    }
    EXPECT_EQ(covered, StagesInName(range)) << range.name();
  }
}

TEST_F(FbdvTest, NoSmallerSetWouldDo) {
  const fs::path path = RealDataFile("ontology/fbdv.obo");
  FLYSCRIBE_SKIP_WITHOUT(path);
  const Ontology ontology = LoadObo(path, {.part_of = {kSubstageOf}});
  for (const StageRange range : StageRange::All()) {
    std::size_t alone = 0;  // classes that are the whole range by themselves
    for (const OntologyTerm& term : ontology.terms()) {
      alone += !term.obsolete && StagesOf(ontology, term.id) == StagesInName(range) ? 1U : 0U;
    }
    EXPECT_EQ(range.fbdv_ids().size(), alone > 0 ? 1U : 2U) << range.name();
  }
}

}  // namespace
}  // namespace flyscribe
