#include "corpus/label_rules.h"

#include <gtest/gtest.h>

namespace flyscribe {
namespace {

TEST(LabelRules, TermsAbsenceAndNotes) {
  const LabelRules rules({"no staining"}, {"flag_for_volker", " Need new term*"});
  EXPECT_EQ(rules.KindOf("no staining"), LabelKind::kAbsence);
  EXPECT_EQ(rules.KindOf("No Staining"), LabelKind::kAbsence);
  EXPECT_EQ(rules.KindOf("no staining here"), LabelKind::kTerm);
  EXPECT_EQ(rules.KindOf("Flag_For_Volker"), LabelKind::kBookkeeping);
  EXPECT_EQ(rules.KindOf("flag_for_volker2"), LabelKind::kTerm);
  EXPECT_EQ(rules.KindOf("need new term"), LabelKind::kBookkeeping);
  EXPECT_EQ(rules.KindOf("need new term(localised)"), LabelKind::kBookkeeping);
  for (const char* term : {"ubiquitous", "faint ubiquitous", "maternal", "subset", "gap", "pair rule"}) {
    EXPECT_EQ(rules.KindOf(term), LabelKind::kTerm) << term;
  }
}

TEST(LabelRules, EmptyListsLeaveAllTerms) {
  EXPECT_EQ(LabelRules({}, {}).KindOf("no staining"), LabelKind::kTerm);
  EXPECT_EQ(LabelRules({}, {"*"}).KindOf("brain"), LabelKind::kBookkeeping);
}

}  // namespace
}  // namespace flyscribe
