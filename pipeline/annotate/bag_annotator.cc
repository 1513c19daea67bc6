#include "pipeline/annotate/bag_annotator.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <variant>

#include "classify/evidence.h"
#include "classify/one_vs_rest.h"
#include "core/error.h"
#include "core/text.h"
#include "data/patch_codec.h"
#include "descriptors/normalise.h"
#include "features/dense_sift.h"
#include "pipeline/corpus/standardise_file.h"
#include "pooling/pool.h"
#include "sparse/encoder.h"

namespace flyscribe {
namespace {

constexpr std::size_t kTopTerms = 3;

// One image as an embryo; nothing, and listed, if it cannot be used.
std::optional<GrayImage> ReadEmbryo(const NewImage& image,
                                    const StandardiseOptions& options,
                                    bool fail,
                                    std::vector<Skipped>& skipped) {
  const std::variant<Standardised, Error> said = StandardiseFile(image.path, image.digest, options);
  if (const Error* error = std::get_if<Error>(&said)) {
    if (fail) throw *error;
    skipped.push_back({image.id, "image unusable: " + error->diagnostics().front().message, true});
    return std::nullopt;
  }
  const auto& found = std::get<Standardised>(said);
  if (!found.quality.IsDoubtful() || options.doubtful == StandardiseOptions::Doubtful::kKeep) return found.image;
  skipped.push_back({image.id, "doubtful embryo: " + Join(found.quality.doubts, "; "), false});
  return std::nullopt;
}

// The weights and the bias that a bag is scored with.
struct TermScorer {
  std::span<const float> weights;
  double bias = 0.0;
};

TermScorer ScorerOf(const TermModels& models, std::size_t term, std::optional<int> fold) {
  if (!fold) return {models.weights.Row(term), models.terms[term].bias};
  const auto row = static_cast<std::size_t>(*fold);
  return {models.inner_weights.Row(row * models.terms.size() + term), models.inner_bias(row, term)};
}

// The patch that adds most; the first of equals.
std::optional<TopPatch> TopOf(const std::vector<PatchEvidence>& evidence, const PatchTable& patches) {
  const auto top = std::max_element(
      evidence.begin(), evidence.end(), [](const auto& a, const auto& b) { return a.contribution < b.contribution; });
  if (top == evidence.end()) return std::nullopt;
  return TopPatch{static_cast<std::size_t>(patches.image[top->patch]), patches.x[top->patch], patches.y[top->patch]};
}

std::vector<PatchShare> SharesOf(const std::vector<PatchEvidence>& evidence, const PatchTable& patches) {
  std::vector<PatchShare> shares;
  for (const PatchEvidence& item : evidence) {
    shares.push_back({static_cast<std::size_t>(patches.image[item.patch]),
                      patches.x[item.patch],
                      patches.y[item.patch],
                      static_cast<float>(item.contribution)});
  }
  std::stable_sort(shares.begin(), shares.end(), [](const PatchShare& a, const PatchShare& b) {
    return std::abs(a.contribution) > std::abs(b.contribution);
  });
  return shares;
}

}  // namespace

BagAnnotator::BagAnnotator(const Model& model, const AnnotatorOptions& options) : model_(model), options_(options) {
  for (const RangeModel& range : model.ranges) {
    FoldsOfName& by_id = folds_by_id_[range.range];
    FoldsOfName& by_symbol = folds_by_symbol_[range.range];
    for (const TrainedGene& gene : range.genes) {
      for (const std::string& id : gene.names.ids) by_id[id].insert(gene.inner_fold);
      for (const std::string& symbol : gene.names.symbols) by_symbol[symbol].insert(gene.inner_fold);
    }
  }
}

const RangeModel& BagAnnotator::ModelOf(StageRange range) const {
  const RangeModel* found = model_.Find(range);
  FLYSCRIBE_CHECK(found != nullptr, "the model has the bag's range");
  return *found;
}

std::set<int> BagAnnotator::InnerFoldsOf(const GeneNames& names, StageRange range) const {
  const auto folds_of = [](const std::vector<std::string>& wanted, const FoldsOfName& known) {
    std::set<int> folds;
    for (const std::string& name : SplitNames(JoinNames(wanted))) {  // as the model's were
      const auto found = known.find(name);
      if (found != known.end()) folds.insert(found->second.begin(), found->second.end());
    }
    return folds;
  };
  const std::set<int> folds = folds_of(names.ids, folds_by_id_.at(range));
  return folds.empty() ? folds_of(names.symbols, folds_by_symbol_.at(range)) : folds;
}

PooledBag BagAnnotator::PoolImages(const NewBag& bag) const {
  const Config& options = model_.options;
  const Dictionary& dictionary = ModelOf(bag.range).dictionary;
  PooledBag pooled;
  std::vector<PatchSet> sets;
  for (const NewImage& image : bag.images) {
    std::optional<GrayImage> embryo =
        ReadEmbryo(image, options.standardise, options_.fail_on_bad_image, pooled.skipped);
    if (!embryo) continue;
    const PatchSet raw = ExtractPatches(*embryo, static_cast<std::int32_t>(pooled.images.size()), options.extract);
    sets.push_back(Normalise(raw.descriptors, raw.table, options.normalise));
    pooled.images.push_back(image.id);
    pooled.embryos.push_back(std::move(*embryo));
  }
  if (sets.empty()) return pooled;
  PatchSet patches = JoinPatches(sets);
  const EncodeControl control = {.lambda = dictionary.summary.lambda,
                                 .nonnegative = dictionary.summary.nonnegative,
                                 .threads = 1,
                                 .simd = options.run.simd};
  const EncodeResult coded = Encode(patches.descriptors, dictionary.atoms, control, options.encode, NoProgress());
  const std::vector<std::size_t> bag_of_image(pooled.images.size(), 0);
  const PoolInput input = {coded.codes, patches.table, bag_of_image, 1, options.extract.WindowSides().size()};
  pooled.features = Pool(input, options.pool);
  pooled.patches = std::move(patches.table);
  return pooled;
}

bool BagAnnotator::IsShown(const BagAnnotation& bag, std::size_t rank) const {
  if (options_.evidence == EvidenceOf::kNone) return false;
  return options_.evidence == EvidenceOf::kAll || rank < kTopTerms || bag.terms[rank].call;
}

BagAnnotation BagAnnotator::Score(const NewBag& bag,
                                  const PooledBag& pooled,
                                  std::optional<int> fold,
                                  BagEvidence& evidence) const {
  const RangeModel& range = ModelOf(bag.range);
  BagAnnotation said{
      bag.id, bag.gene.fbgn, bag.gene.cg, bag.gene.symbol, bag.range, fold ? "oof" : "new", pooled.images, {}};
  const std::span<const float> features = pooled.features.values.Row(0);
  const std::span<const std::int32_t> argmax = pooled.features.argmax.Row(0);
  std::map<std::string, std::size_t> term_of_name;
  for (std::size_t term = 0; term < range.models.terms.size(); ++term) {
    const TermModel& model = range.models.terms[term];
    const TermScorer scorer = ScorerOf(range.models, term, fold);
    const double value = DecisionValue(scorer.weights, features, scorer.bias);
    said.terms.push_back({model.term,
                          range.fbbt_ids.at(term),
                          value,
                          model.calibration.Probability(value),
                          model.Threshold(),
                          value > model.cut,
                          TopOf(ExplainDecision(scorer.weights, features, argmax), pooled.patches)});
    term_of_name[model.term] = term;
  }
  RankTerms(said.terms);
  evidence = {model_.id, bag.id, bag.gene.fbgn, bag.gene.symbol, bag.range, said.score_source, pooled.images, {}};
  for (std::size_t rank = 0; rank < said.terms.size(); ++rank) {
    if (!IsShown(said, rank)) continue;
    const TermPrediction& shown = said.terms[rank];
    const TermScorer scorer = ScorerOf(range.models, term_of_name.at(shown.term), fold);
    evidence.terms.push_back({shown.term,
                              shown.fbbt_id,
                              shown.decision_value,
                              scorer.bias,
                              SharesOf(ExplainDecision(scorer.weights, features, argmax), pooled.patches)});
  }
  return said;
}

AnnotatedBag BagAnnotator::Annotate(const NewBag& bag) const {
  PooledBag pooled = PoolImages(bag);
  AnnotatedBag annotated;
  annotated.skipped = std::move(pooled.skipped);
  const std::set<int> folds = InnerFoldsOf(bag.names, bag.range);
  const std::string name = bag.id + " " + bag.range.name();
  const auto kept = static_cast<int>(ModelOf(bag.range).models.inner_folds());
  if (pooled.patches.size() == 0) {
    annotated.skipped.push_back({name, "bag has no usable patch", true});
  } else if (folds.size() > 1) {
    annotated.skipped.push_back({name, "gene may be one of several that were trained on in different folds", true});
  } else if (!folds.empty() && (*folds.begin() < 0 || *folds.begin() >= kept)) {
    annotated.skipped.push_back({name, "gene was trained on, and the model keeps no fold that held it out", true});
  } else {
    const std::optional<int> fold = folds.empty() ? std::nullopt : std::optional(*folds.begin());
    annotated.annotation = Score(bag, pooled, fold, annotated.evidence);
    annotated.embryos = std::move(pooled.embryos);
  }
  return annotated;
}

}  // namespace flyscribe
