#include "pipeline/model/model.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <span>
#include <string_view>

#include "core/error.h"
#include "core/hash.h"
#include "core/text.h"
#include "descriptors/dense_sift.h"
#include "pipeline/config/describe.h"
#include "pipeline/config/section_reader.h"
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
    hash_.Update(fmt::format("{} {}\n", name, bytes.size()));
    hash_.Update(bytes);
  }
  void AddNumber(std::string_view name, double value) { Add(name, FormatReal(value)); }
  template <class T>
  void AddMatrix(std::string_view name, const Matrix<T>& matrix) {
    Add(name, fmt::format("{} x {}", matrix.rows(), matrix.cols()));
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

[[noreturn]] void ThrowUnfit(const RangeModel& range, const std::string& what) {
  throw Error(ErrorCode::kCorrupt, "the model of " + range.range.name() + " does not fit together: " + what);
}

void RequireDictionary(const RangeModel& range) {
  const FloatMatrix& atoms = range.dictionary.atoms;
  if (atoms.rows() == 0 || atoms.cols() != kSiftLength) {
    ThrowUnfit(
        range,
        fmt::format("the dictionary has {} atoms of {} numbers, not of {}", atoms.rows(), atoms.cols(), kSiftLength));
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
  ThrowUnfit(
      range,
      fmt::format("the weights are of {} features, but the options give {}", range.models.weights.cols(), expected));
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
  // Those an image goes through on its way to features.
  for (const Step* step : {&StandardiseStep(), &ExtractStep(), &NormaliseStep(), &EncodeStep(), &PoolStep()}) {
    versions.emplace_back("step " + step->name, std::to_string(step->version));
    for (const auto& [name, value] : KeyFacts(StepKey(*step, Config(), "all", {}).text())) {
      if (name.starts_with("library ")) versions.emplace_back(name, value);
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

namespace {

const std::string kSimd = "simd";  // of a bundle of version 0.1.0: it changed the last digits, and no longer does
const std::string kViews = "views";
const std::vector<std::string> kSections = {"standardise", "extract", "normalise", "learn", "encode", "pool"};

std::optional<std::string> NoEnvironment(const std::string& /*name*/) { return std::nullopt; }

bool IsSection(const std::string& name) {
  return std::find(kSections.begin(), kSections.end(), name) != kSections.end();
}

void ReadSections(const ConfigNode& root, Config& config, std::vector<Diagnostic>& problems) {
  for (const ConfigSection& section : config.Sections()) {
    if (!IsSection(section.name)) continue;
    const ConfigNode* node = root.Find(section.name);
    if (node != nullptr && node->kind != ConfigNode::Kind::kMap) {
      problems.push_back({section.name + ": expected keys, found " + node->Describe(), {}, node->place});
      continue;
    }
    SectionReader reader(node, section.name + ".", NoEnvironment, problems);
    section.fields(reader);
    reader.ReportUnknownKeys();
  }
}

}  // namespace

Config ModelOptions(const Config& config) {
  Config options;
  options.ingest.views = config.ingest.views;
  options.standardise = config.standardise;
  options.extract = config.extract;
  options.normalise = config.normalise;
  options.learn = config.learn;
  options.encode = config.encode;
  options.pool = config.pool;
  return options;
}

std::string ModelOptionsYaml(const Config& options) {
  return kViews + ": " + YamlWords(options.ingest.views) + "\n" + SectionsYaml(options, kSections);
}

Config ReadModelOptions(const std::string& text, const std::string& source) {
  const ConfigNode root = ParseConfigText(text, source, {});
  if (root.kind != ConfigNode::Kind::kMap) {
    throw Error(ErrorCode::kUsage, "expected keys with values, found " + root.Describe(), {}, root.place);
  }
  Config config;
  std::vector<Diagnostic> problems;
  for (const ConfigEntry& entry : root.entries) {
    if (entry.key == kSimd || entry.key == kViews || IsSection(entry.key)) continue;
    problems.push_back({"unknown key '" + Printable(entry.key, 60) + "'", {}, entry.value.key_place});
  }
  // Of ingest they alone outlive the training: they say which images the model is for.
  SectionReader(&root, "", NoEnvironment, problems).Words({.name = kViews, .doc = {}}, config.ingest.views);
  ReadSections(root, config, problems);
  CollectProblems([&] { config.extract.WindowSides(); }, source, problems);
  CollectProblems([&] { ParseRegions(config.pool.regions); }, source, problems);
  if (!problems.empty()) throw Error(ErrorCode::kUsage, problems);
  return config;
}

}  // namespace flyscribe
