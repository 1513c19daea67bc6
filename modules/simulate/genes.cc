#include "simulate/genes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/error.h"
#include "core/rng.h"

namespace flyscribe {
namespace {

constexpr int kFirstImage = 900000;  // above every number BDGP has given
constexpr double kRareWeight = 0.3;
constexpr double kSecondShare = 0.6;
constexpr double kBroadShare = 0.15;

// How common the tissues are as favourites: broad, gut, neural, mesoderm, epidermis, germ.
constexpr std::array<double, kTissues> kTissueWeights = {0.0, 3.0, 2.5, 2.0, 2.5, 1.0};

Rng StreamOf(const SimulateOptions& options, const std::string& name) {
  return Rng(HashText(static_cast<std::uint64_t>(options.seed), name));
}

std::string BagStream(int gene, StageRange range) { return "gene " + std::to_string(gene) + " range " + range.name(); }

std::string Padded(int number, std::size_t digits) {
  const std::string text = std::to_string(number);
  return std::string(digits - std::min(digits, text.size()), '0') + text;
}

// Index drawn with probability proportional to its weight. REQUIRES: a positive weight.
std::size_t DrawIndex(const std::vector<double>& weights, Rng& rng) {
  double left = rng.Uniform() * std::accumulate(weights.begin(), weights.end(), 0.0);
  std::size_t last = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (weights[i] <= 0.0) continue;
    last = i;
    left -= weights[i];
    if (left < 0.0) break;
  }
  return last;
}

// The two tissues a gene is mostly active in, never the broad one.
std::array<Tissue, 2> FavouriteTissues(const SimulateOptions& options, int gene) {
  Rng rng = StreamOf(options, "gene " + std::to_string(gene) + " tissues");
  std::vector<double> weights(kTissueWeights.begin(), kTissueWeights.end());
  const std::size_t first = DrawIndex(weights, rng);
  weights[first] = 0.0;
  return {static_cast<Tissue>(first), static_cast<Tissue>(DrawIndex(weights, rng))};
}

// How much a gene with these favourites shows a tissue.
double TissueShare(Tissue tissue, const std::array<Tissue, 2>& favourites, double cooccurrence) {
  if (tissue == favourites[0]) return 1.0;
  if (tissue == favourites[1]) return kSecondShare;
  if (tissue == Tissue::kBroad) return kBroadShare;
  return 1.0 - cooccurrence + 1e-9;  // never quite zero, so that there are always enough terms to draw
}

std::vector<double> TermWeights(const SimulateOptions& options, int gene, StageRange range) {
  const auto& terms = AtlasOf(range).terms;
  std::vector<double> weights;
  std::array<double, kTissues> sums{};
  for (const Term& term : terms) {
    weights.push_back(std::pow(static_cast<double>(weights.size() + 1), -options.long_tail));
    sums[static_cast<std::size_t>(term.tissue)] += weights.back();
  }
  const auto favourites = FavouriteTissues(options, gene);
  for (std::size_t i = 0; i < terms.size(); ++i) {
    const Tissue tissue = terms[i].tissue;
    const double common = std::sqrt(sums[static_cast<std::size_t>(tissue)]);
    weights[i] *= TissueShare(tissue, favourites, options.cooccurrence) / common * (terms[i].rare ? kRareWeight : 1.0);
  }
  return weights;
}

int TermCount(StageRange range, Rng& rng) {
  const double chance = (AtlasOf(range).mean_terms - kFewestTerms) / (kMostTerms - kFewestTerms);
  int count = kFewestTerms;
  for (int i = kFewestTerms; i < kMostTerms; ++i) count += rng.Chance(chance) ? 1 : 0;
  return std::min(count, static_cast<int>(AtlasOf(range).terms.size()));
}

std::vector<const Term*> DrawTerms(const SimulateOptions& options, int gene, StageRange range, Rng& rng) {
  std::vector<double> weights = TermWeights(options, gene, range);
  std::vector<const Term*> terms;
  for (int left = TermCount(range, rng); left > 0; --left) {
    const std::size_t drawn = DrawIndex(weights, rng);
    weights[drawn] = 0.0;
    terms.push_back(&AtlasOf(range).terms[drawn]);
  }
  std::ranges::sort(terms, {}, &Term::name);
  return terms;
}

// What a curator writes down: the truth, or with label noise a little less and a little more.
std::vector<std::string> WrittenLabels(const PlannedBag& bag, double label_noise, Rng& rng) {
  if (bag.terms.empty()) return {std::string(kNoStaining)};
  std::vector<std::string> labels;
  for (const Term* term : bag.terms) {
    if (!rng.Chance(label_noise)) labels.push_back(term->name);
  }
  if (labels.empty()) labels.push_back(bag.terms[rng.Below(bag.terms.size())]->name);
  const auto& all = AtlasOf(bag.range).terms;
  const std::string& false_label = all[rng.Below(all.size())].name;
  const bool is_false = std::ranges::find(bag.terms, false_label, &Term::name) == bag.terms.end();
  if (rng.Chance(label_noise) && is_false) labels.push_back(false_label);
  std::ranges::sort(labels);
  return labels;
}

std::vector<PlannedImage> PlanImages(const SimulateOptions& options, int gene, StageRange range, Rng& rng) {
  const int spread = options.images_max - options.images_min + 1;
  const int count = options.images_min + static_cast<int>(rng.Below(static_cast<std::uint64_t>(spread)));
  const auto ranges = static_cast<int>(BdgpRanges().size());
  const int first = kFirstImage + (gene * ranges + range.order() - 1) * options.images_max;
  std::vector<PlannedImage> images;
  for (int i = 0; i < count; ++i) {
    PlannedImage image{first + i, View::kLateral, "lateral", {}};
    if (i > 0 && rng.Chance(options.other_views)) {
      const bool unnamed = rng.Chance(0.2);
      image.view_name = unnamed ? "" : "dorsal";
      if (!unnamed) image.view = View::kDorsal;
    }
    images.push_back(std::move(image));
  }
  return images;
}

// Decides which terms each image shows; one lateral image shows each for certain.
void ShareOutTerms(PlannedBag& bag, double visibility, Rng& rng) {
  std::vector<std::size_t> lateral;
  for (std::size_t i = 0; i < bag.images.size(); ++i) {
    if (bag.images[i].view_name == "lateral") lateral.push_back(i);
  }
  for (std::size_t term = 0; term < bag.terms.size(); ++term) {
    const std::size_t certain = lateral[rng.Below(lateral.size())];
    for (std::size_t i = 0; i < bag.images.size(); ++i) {
      const bool chosen = rng.Chance(visibility);
      if (chosen || i == certain) bag.images[i].shown.push_back(term);
    }
  }
}

bool HasBag(const SimulateOptions& options, int gene, StageRange range) {
  Rng rng = StreamOf(options, "gene " + std::to_string(gene) + " ranges");
  const auto home = 1 + static_cast<int>(rng.Below(BdgpRanges().size()));
  bool has = false;
  for (int order = 1; order <= range.order(); ++order) has = rng.Chance(options.range_share);
  return has || range.order() == home;
}

}  // namespace

GeneName NameOf(int gene) {
  return {"CG9" + Padded(gene + 1, 4), "sim" + Padded(gene + 1, 4), "FBgn9" + Padded(gene + 1, 6)};
}

std::optional<PlannedBag> PlanBag(const SimulateOptions& options, int gene, StageRange range) {
  if (!HasBag(options, gene, range)) return std::nullopt;
  Rng rng = StreamOf(options, BagStream(gene, range));
  PlannedBag bag{gene, range, {}, {}, {}};
  bag.images = PlanImages(options, gene, range, rng);
  if (!rng.Chance(options.no_staining)) bag.terms = DrawTerms(options, gene, range, rng);
  ShareOutTerms(bag, options.visibility, rng);
  bag.labels = WrittenLabels(bag, options.label_noise, rng);
  return bag;
}

EmbryoSpec SpecOf(const SimulateOptions& options, const PlannedBag& bag, std::size_t image) {
  const PlannedImage& planned = bag.images[image];
  const std::string stream = BagStream(bag.gene, bag.range);
  EmbryoSpec spec;
  spec.range = bag.range;
  spec.view = planned.view;
  Rng look = StreamOf(options, "gene " + std::to_string(bag.gene) + " look");
  spec.look = RandomLook(look);
  spec.stain_noise = static_cast<float>(options.stain_noise);
  spec.seed = HashText(static_cast<std::uint64_t>(options.seed), stream + " image " + std::to_string(image));
  for (const std::size_t row : planned.shown) {
    const Term* term = bag.terms[row];
    Rng rng = StreamOf(options, stream + " term " + term->name);
    ShownTerm shown;
    shown.term = term;
    shown.strength = static_cast<float>(options.contrast * std::exp(rng.Normal(0.0, 0.25)));
    shown.du = static_cast<float>(rng.Normal(0.0, 0.02));
    shown.dv = static_cast<float>(rng.Normal(0.0, 0.05));
    shown.grow = static_cast<float>(std::clamp(rng.Normal(0.0, 1.2), -2.0, 2.5));
    shown.softness = static_cast<float>(rng.Chance(0.35) ? rng.Uniform(1.5, 3.0) : rng.Uniform(3.0, 10.0));
    shown.stream = HashText(0, term->name);
    spec.terms.push_back(shown);
  }
  return spec;
}

}  // namespace flyscribe
