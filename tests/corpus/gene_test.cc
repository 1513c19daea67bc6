#include "corpus/gene.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "core/rng.h"

namespace flyscribe {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> Identities(const GeneIndex& index) {
  std::vector<std::string> identities;
  for (const Gene& gene : index.genes()) identities.push_back(gene.Identity());
  return identities;
}

TEST(Gene, IdentityIsTheBestIdThereIs) {
  EXPECT_EQ((Gene{"CG1", "a", "FBgn1"}).Identity(), "FBgn1");
  EXPECT_EQ((Gene{"CG1", "a", ""}).Identity(), "CG1");
  EXPECT_EQ((Gene{"", "a", ""}).Identity(), "a");
  EXPECT_EQ(Gene{}.Identity(), "");
}

TEST(Gene, ColumnsMayBeSwapped) {
  const Gene otp{"CG10036", "otp", "FBgn0015524"};
  EXPECT_EQ(GeneFromColumns("CG10036", "otp", "FBgn0015524"), otp);
  EXPECT_EQ(GeneFromColumns("otp", "CG10036", "FBgn0015524"), otp);
  EXPECT_EQ(GeneFromColumns("CR32730", "CR32730", "no id"), (Gene{"CR32730", "CR32730", ""}));
  EXPECT_EQ(GeneFromColumns("TE1", "", ""), (Gene{"", "TE1", ""}));
  EXPECT_EQ(GeneFromColumns("CGish", "CGish", "FBgnX"), (Gene{"", "CGish", ""}));
}

TEST(Gene, AnIdCountsInAnyColumn) {
  EXPECT_EQ(GeneFromColumns("", "FBgn1", ""), (Gene{"", "", "FBgn1"}));
  EXPECT_EQ(GeneFromColumns("FBgn1", "otp", ""), (Gene{"", "otp", "FBgn1"}));
  EXPECT_EQ(GeneFromColumns("otp", "FBgn1", "CG1"), (Gene{"CG1", "otp", "FBgn1"}));
  EXPECT_EQ(GeneFromColumns("CG1", "FBgn2", "FBgn1"), (Gene{"CG1", "", "FBgn1"})) << "its own column first";
}

TEST(Gene, AWordMayBeAnyOfTheThree) {
  EXPECT_EQ(GeneFromWord("FBgn0015524"), (Gene{"", "", "FBgn0015524"}));
  EXPECT_EQ(GeneFromWord("CG10036"), (Gene{"CG10036", "", ""}));
  EXPECT_EQ(GeneFromWord("otp"), (Gene{"", "otp", ""}));
}

TEST(Gene, IdsAreReadInAnyCaseAndWithBlanksAtTheEnds) {
  const Gene otp{"CG10036", "otp", "FBgn0015524"};
  EXPECT_EQ(GeneFromColumns("cg10036 ", " otp", "FBGN0015524"), otp);
  EXPECT_EQ(GeneFromColumns("otp", "Cg10036", " fbgn0015524"), otp);
  EXPECT_EQ(GeneFromColumns("cr32730", "cr32730", ""), (Gene{"CR32730", "CR32730", ""}));
  EXPECT_EQ(GeneFromWord("FBgn0015524 "), (Gene{"", "", "FBgn0015524"}));
  EXPECT_EQ(GeneFromWord("FBGN0015524"), (Gene{"", "", "FBgn0015524"}));
  EXPECT_EQ(GeneFromWord("cg10036"), (Gene{"CG10036", "", ""}));
  EXPECT_EQ(GeneFromWord("Cr32730"), (Gene{"CR32730", "", ""}));
  EXPECT_EQ(GeneFromWord("otp "), (Gene{"", "otp", ""}));
}

TEST(Gene, SymbolsKeepTheirCase) {
  EXPECT_EQ(GeneFromWord("Dl"), (Gene{"", "Dl", ""}));
  EXPECT_EQ(GeneFromWord("Cg25C"), (Gene{"", "Cg25C", ""})) << "a collagen, no CG id";
  EXPECT_EQ(GeneFromColumns("CG4145", "Cg25C", ""), (Gene{"CG4145", "Cg25C", ""}));
  EXPECT_EQ(GeneFromWord("cg"), (Gene{"", "cg", ""}));
  EXPECT_EQ(GeneFromWord("fbgn"), (Gene{"", "fbgn", ""}));
}

TEST(Gene, NamesAreThoseThatAreNotBlank) {
  EXPECT_EQ(NamesOf({"CG1", "a", "FBgn1"}), (GeneNames{{"CG1", "FBgn1"}, {"a"}}));
  EXPECT_EQ(NamesOf({"", "a", ""}), (GeneNames{{}, {"a"}}));
  EXPECT_EQ(NamesOf({}), GeneNames());
}

TEST(GeneIndex, RowsAreTiedByTheirIds) {
  const GeneIndex index({{"CG1", "a", "FBgn1"}, {"CG1", "a", ""}, {"", "", "FBgn1"}, {"CG2", "b", ""}});
  EXPECT_THAT(Identities(index), ElementsAre("CG2", "FBgn1"));
  EXPECT_EQ(index.genes()[1], (Gene{"CG1", "a", "FBgn1"}));
  EXPECT_EQ(index.Find({"CG1", "", ""}), 1U);
  EXPECT_EQ(index.Find({"", "", "FBgn1"}), 1U);
  EXPECT_EQ(index.Find({"", "a", ""}), 1U);
  EXPECT_EQ(index.Find({"CG2", "", ""}), 0U);
  EXPECT_THAT(index.Conflict({"CG1", "", ""}), IsEmpty());
}

TEST(GeneIndex, TwoIdsOfOneCgAreOneGene) {
  const GeneIndex index({{"CG1", "a", "FBgn2"}, {"CG1", "a", "FBgn1"}, {"CG1", "a", "FBgn2"}, {"CG9", "z", "FBgn9"}});
  EXPECT_THAT(Identities(index), ElementsAre("FBgn2", "FBgn9"));  // the more frequent one
  EXPECT_EQ(index.Find({"", "", "FBgn1"}), 0U);
  EXPECT_EQ(index.names()[0], (GeneNames{{"CG1", "FBgn1", "FBgn2"}, {"a"}}));
  EXPECT_EQ(index.Conflict({"", "", "FBgn1"}), "CG1 stands for FBgn1 and FBgn2");
  EXPECT_THAT(index.Conflict({"", "", "FBgn9"}), IsEmpty());
}

TEST(GeneIndex, ASymbolAloneIsEnoughIfItIsClear) {
  const GeneIndex index({{"CG1", "dl", "FBgn1"}, {"CG2", "Dl", "FBgn2"}, {"", "dl", ""}, {"", "new", ""}});
  EXPECT_THAT(Identities(index), ElementsAre("FBgn1", "FBgn2", "new"));
  EXPECT_EQ(index.Find({"", "dl", ""}), 0U);
  EXPECT_EQ(index.Find({"", "Dl", ""}), 1U);
  EXPECT_EQ(index.Find({"", "new", ""}), 2U);
  const GeneIndex renamed({{"CG1", "old", "FBgn1"}, {"CG1", "new", ""}});
  EXPECT_THAT(renamed.names(), ElementsAre(GeneNames{{"CG1", "FBgn1"}, {"new", "old"}}));
  const GeneIndex reused({{"CG1", "a", "FBgn1"}, {"CG2", "a", "FBgn2"}, {"", "a", ""}});
  EXPECT_THAT(Identities(reused), ElementsAre("FBgn1", "FBgn2"));
  EXPECT_EQ(reused.Find({"", "a", ""}), std::nullopt);
}

// The same by brute force: labels spread along shared ids until nothing changes.
std::vector<std::size_t> NaiveComponents(const std::vector<Gene>& rows) {
  std::vector<std::size_t> component(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) component[i] = i;
  const auto tied = [](const Gene& a, const Gene& b) {
    return (!a.fbgn.empty() && a.fbgn == b.fbgn) || (!a.cg.empty() && a.cg == b.cg);
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      for (std::size_t j = 0; j < rows.size(); ++j) {
        if (tied(rows[i], rows[j]) && component[i] < component[j]) {
          component[j] = component[i];
          changed = true;
        }
      }
    }
  }
  return component;
}

TEST(GeneIndex, AsByBruteForceAndInAnyOrder) {
  Rng rng(5);
  for (int trial = 0; trial < 30; ++trial) {
    std::vector<Gene> rows;
    for (int i = 0; i < 40; ++i) {
      Gene row{"CG" + std::to_string(rng.Below(25)), "", "FBgn" + std::to_string(rng.Below(25))};
      if (rng.Below(4) == 0) row.cg.clear();
      if (rng.Below(4) == 0 && !row.cg.empty()) row.fbgn.clear();
      rows.push_back(row);
    }
    const std::vector<std::size_t> expected = NaiveComponents(rows);
    const GeneIndex index(rows);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      for (std::size_t j = 0; j < rows.size(); ++j) {
        EXPECT_EQ(index.Find(rows[i]) == index.Find(rows[j]), expected[i] == expected[j]) << trial;
      }
    }
    std::vector<Gene> shuffled = rows;
    rng.Shuffle(shuffled);
    EXPECT_EQ(GeneIndex(shuffled).genes(), index.genes());
  }
}

}  // namespace
}  // namespace flyscribe
