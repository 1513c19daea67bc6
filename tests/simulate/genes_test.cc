#include "simulate/genes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

namespace flyscribe {
namespace {

std::vector<PlannedBag> PlanAll(const SimulateOptions& options, StageRange range) {
  std::vector<PlannedBag> bags;
  for (int gene = 0; gene < options.genes; ++gene) {
    if (auto bag = PlanBag(options, gene, range)) bags.push_back(std::move(*bag));
  }
  return bags;
}

StageRange Range(const char* name) { return StageRange::FromName(name); }

// Share of pairs of terms of one bag that belong to one tissue.
double SameTissueShare(const std::vector<PlannedBag>& bags) {
  int same = 0;
  int pairs = 0;
  for (const PlannedBag& bag : bags) {
    for (std::size_t i = 0; i < bag.terms.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        same += bag.terms[i]->tissue == bag.terms[j]->tissue ? 1 : 0;
        ++pairs;
      }
    }
  }
  return static_cast<double>(same) / pairs;
}

TEST(PlanBag, LabelAndImageCountsAreAsPromised) {
  SimulateOptions options;
  options.genes = 400;
  for (const StageRange range : StageRange::All()) {
    double images = 0.0;
    double terms = 0.0;
    double stained = 0.0;
    const auto bags = PlanAll(options, range);
    for (const PlannedBag& bag : bags) {
      EXPECT_GE(bag.images.size(), 1U);
      EXPECT_LE(bag.images.size(), 5U);
      images += static_cast<double>(bag.images.size());
      if (bag.terms.empty()) {
        EXPECT_EQ(bag.labels, std::vector<std::string>{"no staining"});
        continue;
      }
      EXPECT_GE(bag.terms.size(), 2U);
      EXPECT_LE(bag.terms.size(), 6U);
      EXPECT_EQ(bag.labels.size(), bag.terms.size());
      for (std::size_t i = 0; i < bag.terms.size(); ++i) EXPECT_EQ(bag.labels[i], bag.terms[i]->name);
      EXPECT_TRUE(std::ranges::is_sorted(bag.labels));
      terms += static_cast<double>(bag.terms.size());
      ++stained;
    }
    EXPECT_NEAR(images / static_cast<double>(bags.size()), 3.0, 0.25) << range.name();
    EXPECT_NEAR(stained / static_cast<double>(bags.size()), 0.97, 0.03) << range.name();
    if (range == Range("4-6")) {
      EXPECT_NEAR(terms / stained, 2.8, 0.2);
    }
    if (range == Range("13-16")) {
      EXPECT_NEAR(terms / stained, 5.0, 0.2);
    }
  }
}

TEST(PlanBag, TermFrequenciesHaveALongTail) {
  SimulateOptions options;
  options.genes = 1000;
  for (const char* name : {"4-6", "7-8", "9-10", "11-12", "13-16"}) {
    std::map<std::string, int> counts;
    for (const Term& term : AtlasOf(Range(name)).terms) counts[term.name] = 0;
    for (const PlannedBag& bag : PlanAll(options, Range(name))) {
      for (const std::string& label : bag.labels) ++counts[label];
    }
    counts.erase("no staining");
    std::vector<int> sorted;
    for (const auto& [term, count] : counts) sorted.push_back(count);
    std::ranges::sort(sorted);
    EXPECT_GT(sorted.front(), 3) << name;
    EXPECT_GT(sorted.back(), 4 * sorted.front()) << name;
    EXPECT_GT(sorted.back(), 1.4 * sorted[sorted.size() / 2]) << name;
  }
}

TEST(PlanBag, FlatTailIsFlatter) {
  SimulateOptions options;
  options.genes = 600;
  const auto share_of_first = [&](double tail) {
    options.long_tail = tail;
    int first = 0;
    int all = 0;
    for (const PlannedBag& bag : PlanAll(options, Range("13-16"))) {
      all += static_cast<int>(bag.terms.size());
      first += static_cast<int>(std::ranges::count(bag.terms, std::string("embryonic midgut"), &Term::name));
    }
    return static_cast<double>(first) / all;
  };
  EXPECT_GT(share_of_first(2.0), 1.3 * share_of_first(0.0));
}

TEST(PlanBag, TermsOfOneTissueOccurTogether) {
  SimulateOptions options;
  options.genes = 500;
  const double together = SameTissueShare(PlanAll(options, Range("9-10")));
  options.cooccurrence = 0.0;
  const double apart = SameTissueShare(PlanAll(options, Range("9-10")));
  EXPECT_GT(together, 1.4 * apart);
}

TEST(PlanBag, EveryTermShowsInALateralImage) {
  SimulateOptions options;
  options.genes = 100;
  options.other_views = 0.9;
  for (const double visibility : {0.0, 0.75}) {
    options.visibility = visibility;
    for (const PlannedBag& bag : PlanAll(options, Range("9-10"))) {
      std::set<std::size_t> seen;
      for (const PlannedImage& image : bag.images) {
        EXPECT_TRUE(std::ranges::is_sorted(image.shown));
        if (image.view_name == "lateral") seen.insert(image.shown.begin(), image.shown.end());
      }
      EXPECT_EQ(seen.size(), bag.terms.size());
    }
  }
}

TEST(PlanBag, VisibilityIsTheChancePerImage) {
  SimulateOptions options;
  options.images_min = 5;
  const auto shown_share = [&](double visibility) {
    options.visibility = visibility;
    double shown = 0.0;
    double all = 0.0;
    for (const PlannedBag& bag : PlanAll(options, Range("4-6"))) {
      for (const PlannedImage& image : bag.images) shown += static_cast<double>(image.shown.size());
      all += static_cast<double>(bag.images.size() * bag.terms.size());
    }
    return shown / all;
  };
  EXPECT_DOUBLE_EQ(shown_share(0.0), 0.2);
  EXPECT_DOUBLE_EQ(shown_share(1.0), 1.0);
  EXPECT_NEAR(shown_share(0.75), 0.8, 0.03);  // 0.75 of four, and the certain one
}

TEST(PlanBag, GenesOccurInSeveralRanges) {
  SimulateOptions options;
  options.range_share = 0.0;
  for (int gene = 0; gene < 50; ++gene) {
    int ranges = 0;
    for (const StageRange range : StageRange::All()) ranges += PlanBag(options, gene, range) ? 1 : 0;
    EXPECT_EQ(ranges, 1) << gene;
  }
  options.range_share = 1.0;
  for (const StageRange range : StageRange::All()) EXPECT_TRUE(PlanBag(options, 3, range));
  options.range_share = 0.5;
  EXPECT_NEAR(static_cast<double>(PlanAll(options, Range("7-8")).size()), 240 * (0.5 + 0.5 / 6), 30.0);
}

TEST(PlanBag, OtherViewsAreFewAndNamed) {
  SimulateOptions options;
  options.other_views = 0.5;
  std::map<std::string, int> views;
  for (const PlannedBag& bag : PlanAll(options, Range("4-6"))) {
    EXPECT_EQ(bag.images[0].view_name, "lateral");
    for (const PlannedImage& image : bag.images) {
      ++views[image.view_name];
      EXPECT_EQ(image.view == View::kDorsal, image.view_name == "dorsal");
    }
  }
  EXPECT_EQ(views.size(), 3U);
  EXPECT_GT(views["dorsal"], 2 * views[""]);
  EXPECT_GT(views[""], 0);
  options.other_views = 0.0;
  for (const PlannedBag& bag : PlanAll(options, Range("4-6"))) {
    for (const PlannedImage& image : bag.images) EXPECT_EQ(image.view_name, "lateral");
  }
}

TEST(PlanBag, LabelNoiseDropsAndAddsLabelsButKeepsThePictures) {
  SimulateOptions options;
  const auto clean = PlanAll(options, Range("11-12"));
  options.label_noise = 0.3;
  const auto noisy = PlanAll(options, Range("11-12"));
  ASSERT_EQ(clean.size(), noisy.size());
  int dropped = 0;
  int added = 0;
  int all = 0;
  for (std::size_t i = 0; i < clean.size(); ++i) {
    ASSERT_EQ(clean[i].terms, noisy[i].terms);
    ASSERT_FALSE(noisy[i].labels.empty());
    all += static_cast<int>(clean[i].labels.size());
    for (const std::string& label : clean[i].labels) dropped += std::ranges::count(noisy[i].labels, label) == 0;
    for (const std::string& label : noisy[i].labels) added += std::ranges::count(clean[i].labels, label) == 0;
  }
  EXPECT_NEAR(static_cast<double>(dropped) / all, 0.3, 0.05);
  EXPECT_GT(added, 20);
  EXPECT_LT(added, static_cast<int>(0.3 * static_cast<double>(clean.size())) + 15);
}

TEST(PlanBag, NumbersAreUniqueOverGenesAndRanges) {
  SimulateOptions options;
  std::set<int> numbers;
  std::size_t images = 0;
  for (const StageRange range : StageRange::All()) {
    for (const PlannedBag& bag : PlanAll(options, range)) {
      images += bag.images.size();
      for (const PlannedImage& image : bag.images) numbers.insert(image.number);
    }
  }
  EXPECT_EQ(numbers.size(), images);
  EXPECT_GE(*numbers.begin(), 900000);
}

TEST(NameOf, IsPlausibleAndUnique) {
  EXPECT_EQ(NameOf(0).symbol, "sim0001");
  EXPECT_EQ(NameOf(0).cg, "CG90001");
  EXPECT_EQ(NameOf(0).fbgn, "FBgn9000001");
  EXPECT_EQ(NameOf(9998).symbol, "sim9999");
  EXPECT_EQ(NameOf(9998).fbgn, "FBgn9009999");
}

TEST(SpecOf, KeepsAGenesLookAndStrengthsOverItsImages) {
  SimulateOptions options;
  options.images_min = 2;
  options.visibility = 1.0;
  options.no_staining = 0.0;
  const PlannedBag bag = *PlanBag(options, 0, Range("4-6"));
  const EmbryoSpec first = SpecOf(options, bag, 0);
  const EmbryoSpec second = SpecOf(options, bag, 1);
  ASSERT_EQ(first.terms.size(), bag.terms.size());
  EXPECT_NE(first.seed, second.seed);
  EXPECT_EQ(first.look.body, second.look.body);
  for (std::size_t i = 0; i < first.terms.size(); ++i) {
    EXPECT_EQ(first.terms[i].term, bag.terms[i]);
    EXPECT_EQ(first.terms[i].strength, second.terms[i].strength);
    EXPECT_EQ(first.terms[i].softness, second.terms[i].softness);
  }
  options.contrast = 2.0;
  EXPECT_FLOAT_EQ(SpecOf(options, bag, 0).terms[0].strength, 2.0F * first.terms[0].strength);
}

// What the labels promise is in the pictures: a term's stain makes the picture visibly darker somewhere.
TEST(SpecOf, EveryLabelledTermIsVisibleInAnImage) {
  SimulateOptions options;
  options.genes = 3;
  for (const StageRange range : StageRange::All()) {
    for (const PlannedBag& bag : PlanAll(options, range)) {
      std::vector<int> visible(bag.terms.size(), 0);
      for (std::size_t i = 0; i < bag.images.size(); ++i) {
        const EmbryoSpec spec = SpecOf(options, bag, i);
        const RgbImage with = RenderEmbryo(spec);
        for (std::size_t t = 0; t < spec.terms.size(); ++t) {
          EmbryoSpec without = spec;
          without.terms.erase(without.terms.begin() + static_cast<std::ptrdiff_t>(t));
          const RgbImage bare = RenderEmbryo(without);
          int darker = 0;
          for (std::size_t p = 0; p < with.pixels.size(); p += 3)
            darker += bare.pixels[p] - with.pixels[p] > 12 ? 1 : 0;
          int& most = visible[bag.images[i].shown[t]];
          most = std::max(most, darker);
        }
      }
      for (std::size_t t = 0; t < visible.size(); ++t) {
        EXPECT_GT(visible[t], 40) << range.name() << " gene " << bag.gene << ' ' << bag.terms[t]->name;
      }
    }
  }
}

}  // namespace
}  // namespace flyscribe
