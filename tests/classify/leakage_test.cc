// Features that are noise must not predict anything, on whichever bags it is measured.
#include <gtest/gtest.h>

#include "classify/one_vs_rest.h"
#include "core/statistics.h"
#include "data/collection.h"
#include "tests/classify/some_bags.h"

namespace flyscribe {
namespace {

constexpr std::size_t kGenes = 75;
constexpr std::size_t kBags = 2 * kGenes;
constexpr int kSeeds = 10;

// Two bags of noise a gene, alike and with the same labels: whoever has seen one recognises the other.
struct Noise {
  FloatMatrix features = FloatMatrix(kBags, 60);
  TrainingSet set;

  explicit Noise(std::uint64_t seed) {
    std::vector<std::pair<std::string, std::vector<int>>> terms;
    for (std::uint64_t term = 0; term < 6; ++term) {
      std::vector<int> labels;
      for (const int label : RandomLabels(kGenes, 0.4, 1000 * seed + term)) labels.insert(labels.end(), 2, label);
      terms.emplace_back("term " + std::to_string(term), labels);
    }
    set = SetOf(TableOf(terms));
    for (std::size_t bag = 0; bag < kBags; ++bag) {
      set.genes[bag] = "gene " + std::to_string(seed) + "-" + std::to_string(bag / 2);
      Rng rng(seed, bag / 2);
      Rng own(seed + 77, bag);
      for (float& value : features.Row(bag)) value = static_cast<float>(rng.Normal() + own.Normal(0.0, 0.2));
    }
  }
};

// The mean over terms of the AUC on some bags.
double MeanAuc(const TermModels& models, const Noise& noise, const std::vector<std::size_t>& bags) {
  double sum = 0.0;
  for (std::size_t term = 0; term < models.terms.size(); ++term) {
    std::vector<double> values;
    std::vector<std::uint8_t> labels;
    for (const std::size_t bag : bags) {
      values.push_back(models.scores(bag, term));
      labels.push_back(noise.set.labels.values(bag, term));
    }
    sum += Auc(values, labels);
  }
  return sum / static_cast<double>(models.terms.size());
}

struct Aucs {
  double tested = 0.0;       // mean over the outer folds
  double out_of_fold = 0.0;  // of the training bags, mean over the inner folds
};

// Tests the first `tested` of five outer folds.
Aucs Measure(Noise noise, int tested) {
  TrainOptions options;
  options.c_grid = {"0.1", "1"};
  Aucs aucs;
  for (int fold = 0; fold < tested; ++fold) {
    std::vector<std::size_t> tested_bags;
    std::vector<std::vector<std::size_t>> inner(static_cast<std::size_t>(options.inner_folds));
    for (std::size_t bag = 0; bag < kBags; ++bag) {
      noise.set.training[bag] = FoldOfGene(noise.set.genes[bag], 5, 1) != fold;
      const auto inner_fold = static_cast<std::size_t>(options.InnerFoldOf(noise.set.genes[bag]));
      (noise.set.training[bag] ? inner[inner_fold] : tested_bags).push_back(bag);
    }
    const TermModels models = TrainTerms(noise.features, noise.set, options, 1, NoProgress());
    aucs.tested += MeanAuc(models, noise, tested_bags) / tested;
    for (const std::vector<std::size_t>& bags : inner) {
      aucs.out_of_fold += MeanAuc(models, noise, bags) / static_cast<double>(inner.size()) / tested;
    }
  }
  return aucs;
}

// paper: one random split; strict: every fold is tested. (Where the dictionary comes from does not matter to noise.)
TEST(Leakage, NoiseIsWorthNothingUnderBothProtocols) {
  for (const int tested : {1, 5}) {
    Aucs mean;
    for (int seed = 1; seed <= kSeeds; ++seed) {
      const Aucs aucs = Measure(Noise(static_cast<std::uint64_t>(seed)), tested);
      mean.tested += aucs.tested / kSeeds;
      mean.out_of_fold += aucs.out_of_fold / kSeeds;
    }
    EXPECT_GT(mean.tested, 0.45) << tested;
    EXPECT_LT(mean.tested, 0.55) << tested;
    EXPECT_GT(mean.out_of_fold, 0.45) << tested;
    EXPECT_LT(mean.out_of_fold, 0.55) << tested;
  }
}

// The test above can fail: folds that tear genes apart are seen at once.
TEST(Leakage, TornGenesWouldShow) {
  double mean = 0.0;
  for (int seed = 1; seed <= 3; ++seed) {
    Noise noise(static_cast<std::uint64_t>(seed));
    noise.set.genes = OwnGenes(kBags);
    mean += Measure(noise, 1).out_of_fold / 3.0;
  }
  EXPECT_GT(mean, 0.7);
}

}  // namespace
}  // namespace flyscribe
