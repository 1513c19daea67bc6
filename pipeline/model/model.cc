#include "pipeline/model/model.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <span>
#include <string_view>

#include "core/error.h"
#include "core/hash.h"
#include "core/text.h"
#include "features/dense_sift.h"
#include "pipeline/config/describe.h"
#include "pipeline/steps/step.h"
#include "pooling/pool.h"

namespace flyscribe {
namespace {

constexpr std::size_t kIdDigits = 16;
constexpr double kUnitBall = 1.0 + 1e-4;  // atoms are rounded to float32

// Hashes named values; none can be taken for two others, because each says how long it is.
class IdHash {
 public:
  void Add(std::string_view name, std::string_view bytes) {
    hash_.Update(std::string(name) + " " + std::to_string(bytes.size()) + "\n");
    hash_.Update(bytes);
  }
  void AddNumber(std::string_view name, double value) { Add(name, FormatReal(value)); }
  template <class T>
  void AddMatrix(std::string_view name, const Matrix<T>& matrix) {
    Add(name, std::to_string(matrix.rows()) + " x " + std::to_string(matrix.cols()));
    const auto bytes = std::as_bytes(matrix.values());
    Add(name, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  }
  std::string Digits() { return hash_.HexDigest().substr(0, kIdDigits); }

 private:
  Sha256 hash_;
};

void AddTerm(const TermModel& term, const std::string& fbbt_id, IdHash& hash) {
  hash.Add("term", term.term);
  hash.Add("fbbt", fbbt_id);
  hash.AddNumber("bias", term.bias);
  hash.AddNumber("cut", term.cut);
  hash.AddNumber("slope", term.calibration.slope);
  hash.AddNumber("offset", term.calibration.offset);
  for (const CalibrationKnot& knot : term.calibration.knots) {
    hash.AddNumber("knot", knot.decision_value);
    hash.AddNumber("probability", knot.probability);
  }
}

void AddRange(const RangeModel& range, IdHash& hash) {
  hash.Add("range", range.range.name());
  hash.AddMatrix("dictionary", range.dictionary.atoms);
  hash.AddNumber("lambda", range.dictionary.summary.lambda);
  hash.Add("nonnegative", range.dictionary.summary.nonnegative ? "true" : "false");
  for (std::size_t i = 0; i < range.models.terms.size(); ++i)
    AddTerm(range.models.terms[i], range.fbbt_ids.at(i), hash);
  hash.AddMatrix("weights", range.models.weights);
  hash.AddMatrix("inner weights", range.models.inner_weights);
  hash.AddMatrix("inner bias", range.models.inner_bias);
  for (const TrainedGene& gene : range.genes) {
    hash.Add("gene", gene.gene);
    hash.Add("ids", JoinNames(gene.names.ids));
    hash.Add("symbols", JoinNames(gene.names.symbols));
    hash.Add("inner fold", std::to_string(gene.inner_fold));
  }
}

// The steps an image goes through on its way to features.
std::vector<const Step*> PreprocessingSteps() {
  return {&StandardiseStep(), &ExtractStep(), &NormaliseStep(), &EncodeStep(), &PoolStep()};
}

[[noreturn]] void ThrowUnfit(const RangeModel& range, const std::string& what) {
  throw Error(ErrorCode::kCorrupt, "the model of " + range.range.name() + " does not fit together: " + what);
}

void RequireDictionary(const RangeModel& range) {
  const FloatMatrix& atoms = range.dictionary.atoms;
  if (atoms.rows() == 0 || atoms.cols() != kSiftLength) {
    ThrowUnfit(range,
               "the dictionary has " + std::to_string(atoms.rows()) + " atoms of " + std::to_string(atoms.cols()) +
                   " numbers, not of " + std::to_string(kSiftLength));
  }
  for (std::size_t atom = 0; atom < atoms.rows(); ++atom) {
    double squares = 0.0;
    for (const float value : atoms.Row(atom)) squares += static_cast<double>(value) * static_cast<double>(value);
    if (!(squares <= kUnitBall)) ThrowUnfit(range, "an atom is longer than 1 or not finite");
  }
  if (!(range.dictionary.summary.lambda > 0.0) || !std::isfinite(range.dictionary.summary.lambda)) {
    ThrowUnfit(range, "lambda is not positive");
  }
}

void RequireTerms(const RangeModel& range) {
  std::set<std::string> names;
  for (const TermModel& term : range.models.terms) {
    if (term.term.empty() || !names.insert(term.term).second)
      ThrowUnfit(range, "a term has no name, or one of another");
  }
  if (range.fbbt_ids.size() != range.models.terms.size())
    ThrowUnfit(range, "not every term has its place for an FBbt id");
}

void RequireFeatures(const RangeModel& range, const Config& options) {
  if (range.models.terms.empty()) return;
  const std::size_t expected =
      FeatureCount(range.dictionary.atoms.rows(), options.extract.WindowSides().size(), options.pool);
  if (range.models.weights.cols() == expected) return;
  ThrowUnfit(range,
             "the weights are of " + std::to_string(range.models.weights.cols()) + " features, but the options give " +
                 std::to_string(expected));
}

void RequireGenes(const RangeModel& range) {
  const auto folds = static_cast<int>(range.models.inner_folds());
  const std::string* previous = nullptr;
  for (const TrainedGene& gene : range.genes) {
    if (gene.gene.empty() || (previous != nullptr && gene.gene <= *previous))
      ThrowUnfit(range, "the genes are not sorted");
    const bool fold_fits = folds == 0 ? gene.inner_fold == -1 : gene.inner_fold >= 0 && gene.inner_fold < folds;
    if (!fold_fits) ThrowUnfit(range, "a gene is of an inner fold that there is none of");
    previous = &gene.gene;
  }
}

}  // namespace

const RangeModel* Model::Find(StageRange range) const {
  const auto found =
      std::find_if(ranges.begin(), ranges.end(), [&](const RangeModel& one) { return one.range == range; });
  return found == ranges.end() ? nullptr : &*found;
}

std::string ModelId(const Model& model) {
  IdHash hash;
  for (const auto& [name, version] : PreprocessingVersions()) hash.Add(name, version);
  hash.Add("views", YamlWords(model.options.ingest.views));
  hash.Add("standardise", KeyText(model.options.standardise));
  hash.Add("extract", KeyText(model.options.extract));
  hash.Add("normalise", KeyText(model.options.normalise));
  hash.Add("encode", KeyText(model.options.encode));
  hash.Add("pool", KeyText(model.options.pool));
  for (const RangeModel& range : model.ranges) AddRange(range, hash);
  return hash.Digits();
}

std::vector<std::pair<std::string, std::string>> PreprocessingVersions() {
  std::vector<std::pair<std::string, std::string>> versions;
  for (const Step* step : PreprocessingSteps()) {
    versions.emplace_back("step " + step->name, std::to_string(step->version));
    ArtifactKey key(step->name, step->version, "all", "all");
    step->describe(Config(), key);
    for (const auto& [name, value] : KeyFacts(key.text())) {
      if (name.starts_with("library ") && name != "library simd") versions.emplace_back(name, value);
    }
  }
  return versions;
}

void RequireFitting(const Model& model) {
  if (model.ranges.empty()) throw Error(ErrorCode::kCorrupt, "the model is of no stage range");
  for (std::size_t i = 0; i < model.ranges.size(); ++i) {
    const RangeModel& range = model.ranges[i];
    if (i > 0 && !(model.ranges[i - 1].range < range.range)) ThrowUnfit(range, "the ranges are not in their order");
    RequireDictionary(range);
    RequireTerms(range);
    RequireFeatures(range, model.options);
    RequireGenes(range);
  }
}

}  // namespace flyscribe
