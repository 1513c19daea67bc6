#include "simulate/atlas.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "data/image.h"

namespace flyscribe {
namespace {

Frame PlainFrame() { return MakeFrame(Pose{}, View::kLateral); }

FloatMatrix MembershipOf(const Term& term, const Frame& frame) {
  FloatMatrix plane(kEmbryoHeight, kEmbryoWidth);
  for (const Mark& mark : term.marks) DrawMark(mark, MarkVariation{}, frame, plane);
  for (std::size_t i = 0; i < plane.values().size(); ++i) {
    if (frame.depth.data()[i] < 0.0F) plane.data()[i] = 0.0F;
  }
  return plane;
}

// Overlap of two soft sets: 1 if they are the same.
double Overlap(const FloatMatrix& a, const FloatMatrix& b) {
  double both = 0.0;
  double either = 0.0;
  for (std::size_t i = 0; i < a.values().size(); ++i) {
    both += std::min(a.data()[i], b.data()[i]);
    either += std::max(a.data()[i], b.data()[i]);
  }
  return both / either;
}

TEST(Atlas, EveryRangeHasEnoughTermsWithDistinctNames) {
  for (const StageRange range : StageRange::All()) {
    const auto& terms = AtlasOf(range).terms;
    EXPECT_GE(terms.size(), range.code() == 1 ? 5U : 10U) << range.name();
    EXPECT_LE(terms.size(), 17U) << range.name();
    std::set<std::string> names;
    for (const Term& term : terms) names.insert(term.name);
    EXPECT_EQ(names.size(), terms.size()) << range.name();
    EXPECT_TRUE(names.contains("ubiquitous")) << range.name();
    EXPECT_FALSE(names.contains(std::string(kNoStaining))) << range.name();
    const auto rare = std::ranges::count_if(terms, &Term::rare);
    EXPECT_GE(rare, 1) << range.name();
    EXPECT_LE(rare, 3) << range.name();
    for (const std::string& name : names) EXPECT_EQ(name.find_first_of("\",\n"), std::string::npos) << name;
  }
}

TEST(Atlas, EveryTermLiesInTheEmbryo) {
  const Frame frame = PlainFrame();
  for (const StageRange range : StageRange::All()) {
    for (const Term& term : AtlasOf(range).terms) {
      ASSERT_FALSE(term.marks.empty()) << term.name;
      EXPECT_GT(term.strength, 0.2F) << term.name;
      const FloatMatrix plane = MembershipOf(term, frame);
      const auto marked = std::ranges::count_if(plane.values(), [](float m) { return m > 0.5F; });
      EXPECT_GT(marked, 100) << range.name() << ' ' << term.name;
    }
  }
}

TEST(Atlas, TermsOfARangeDifferInPlaceOrTexture) {
  const Frame frame = PlainFrame();
  for (const StageRange range : StageRange::All()) {
    const auto& terms = AtlasOf(range).terms;
    for (std::size_t i = 0; i < terms.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        const double overlap = Overlap(MembershipOf(terms[i], frame), MembershipOf(terms[j], frame));
        EXPECT_TRUE(overlap < 0.75 || terms[i].texture != terms[j].texture)
            << range.name() << ": " << terms[i].name << " / " << terms[j].name << ' ' << overlap;
      }
    }
  }
}

TEST(Atlas, PlacesAreAnatomical) {
  const Frame frame = PlainFrame();
  const auto centre = [&](const char* range, const std::string& name) {
    const auto& terms = AtlasOf(StageRange::FromName(range)).terms;
    const auto term = std::ranges::find(terms, name, &Term::name);
    EXPECT_NE(term, terms.end()) << name;
    const FloatMatrix plane = MembershipOf(*term, frame);
    AtlasPoint sum;
    float weight = 0.0F;
    for (std::size_t i = 0; i < plane.values().size(); ++i) {
      sum.u += plane.data()[i] * frame.u.data()[i];
      sum.v += plane.data()[i] * frame.v.data()[i];
      weight += plane.data()[i];
    }
    return AtlasPoint{sum.u / weight, sum.v / weight};
  };
  EXPECT_GT(centre("4-6", "pole cell").u, 0.85F);
  EXPECT_GT(centre("4-6", "mesoderm anlage in statu nascendi").v, 0.6F);
  EXPECT_LT(centre("4-6", "dorsal ectoderm anlage in statu nascendi").v, -0.4F);
  EXPECT_LT(centre("11-12", "brain primordium").u, -0.5F);
  EXPECT_GT(centre("13-16", "ventral nerve cord").v, 0.5F);
  EXPECT_LT(centre("13-16", "embryonic brain").v, 0.0F);
  EXPECT_LT(centre("7-8", "anterior endoderm anlage").u, centre("7-8", "posterior endoderm primordium P2").u);
}

TEST(Atlas, EveryRangeHasAnatomyOfItsOwn) {
  for (const StageRange range : StageRange::All()) {
    ASSERT_FALSE(AtlasOf(range).anatomy.empty()) << range.name();
    for (const Anatomy& part : AtlasOf(range).anatomy) EXPECT_TRUE(part.height != 0.0F || part.tone != 0.0F);
  }
  const auto first_point = [](const char* name) {
    return AtlasOf(StageRange::FromName(name)).anatomy[1].mark.points[0].u;
  };
  EXPECT_GT(first_point("7-8"), first_point("9-10"));  // the germ band's tip moves forward
}

}  // namespace
}  // namespace flyscribe
