#include "pipeline/annotate/bag_annotator.h"

#include <variant>

#include "classify/scorer.h"
#include "core/error.h"
#include "data/patches.h"
#include "descriptors/dense_sift.h"
#include "descriptors/normalise.h"
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
  const std::string why_dropped = WhyDropped(found.quality, options);
  if (why_dropped.empty()) return found.image;
  skipped.push_back({image.id, why_dropped, false});
  return std::nullopt;
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
  const EncodeControl control = {
      .lambda = dictionary.summary.lambda, .nonnegative = dictionary.summary.nonnegative, .threads = 1};
  const EncodeResult coded = Encode(patches.descriptors, dictionary.atoms, control, options.encode, NoProgress());
  const std::vector<std::size_t> bag_of_image(pooled.images.size(), 0);
  const PoolInput input = {coded.codes, patches.table, bag_of_image, 1, options.extract.WindowSides().size()};
  pooled.features = Pool(input, options.pool);
  pooled.patches = std::move(patches.table);
  return pooled;
}

bool IsAmong(EvidenceOf terms, const BagAnnotation& bag, std::size_t rank) {
  return terms == EvidenceOf::kAll || (terms == EvidenceOf::kCalls && (rank < kTopTerms || bag.terms[rank].call));
}

BagAnnotation BagAnnotator::Score(const NewBag& bag,
                                  const PooledBag& pooled,
                                  std::optional<int> fold,
                                  BagEvidence& evidence) const {
  const RangeModel& range = ModelOf(bag.range);
  const BagScorer scorer(range.models, fold, pooled.features, 0, pooled.patches);
  BagAnnotation said{bag.id,
                     bag.gene.fbgn,
                     bag.gene.cg,
                     bag.gene.symbol,
                     bag.range,
                     fold ? "oof" : "new",
                     pooled.images,
                     scorer.Predict(range.fbbt_ids)};
  evidence = {model_.id,
              bag.id,
              bag.gene.fbgn,
              bag.gene.symbol,
              bag.range,
              said.score_source,
              pooled.images,
              scorer.Patches(),
              {}};
  std::vector<TermPrediction> kept;
  for (std::size_t rank = 0; rank < said.terms.size(); ++rank) {
    if (IsAmong(options_.evidence, said, rank)) kept.push_back(said.terms[rank]);
  }
  evidence.terms = scorer.Explain(kept);
  for (TermEvidence& term : evidence.terms) RoundContributions(term);
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
