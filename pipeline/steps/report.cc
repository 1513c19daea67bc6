// report: one HTML page over all ranges, without what differs from run to run.
#include "report/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "classify/scorer.h"
#include "core/file.h"
#include "core/text.h"
#include "data/collection.h"
#include "data/dictionary.h"
#include "data/image.h"
#include "data/models.h"
#include "data/patches.h"
#include "data/quality.h"
#include "imaging/image_file.h"
#include "pipeline/config/describe.h"
#include "pipeline/steps/step.h"
#include "pipeline/terminal/process.h"

namespace flyscribe {
namespace {

// The page shows all options, so it depends on all of them.
void Describe(const Config& config, ArtifactKey& key) {
  Config all = config;
  for (const ConfigSection& section : all.Sections()) {
    if (section.name == (config.simulated ? "data" : "simulate")) continue;
    KeyTextWriter writer;
    section.fields(writer);
    key.AddOptions(section.name, writer.text());
  }
  key.AddLibrary("flyscribe", Version());
  key.AddLibrary("config", config.name);
}

// The artifacts of one range that the report shows.
class RangeArtifacts {
 public:
  RangeArtifacts(const StepContext& context, const std::string& range) {
    for (const StepInput& input : context.inputs) {
      if (input.range == range) inputs_.push_back(input);
    }
  }
  // Of the given fold if the step exists per fold, else the one for all bags.
  fs::path Folder(const Step& step, int fold = -1) const {
    for (const StepInput& input : inputs_) {
      if (input.step == step.name && (input.part.IsAll() || input.part.fold == fold)) return input.folder;
    }
    throw Error(ErrorCode::kInternal, "the report has no input named " + step.name);
  }
  // Distinct instances: folds may share one.
  std::vector<StepInput> All(const Step& step) const {
    std::vector<StepInput> found;
    for (const StepInput& input : inputs_) {
      const bool known =
          std::any_of(found.begin(), found.end(), [&](const StepInput& other) { return other.folder == input.folder; });
      if (input.step == step.name && !known) found.push_back(input);
    }
    return found;
  }

 private:
  std::vector<StepInput> inputs_;
};

// Everything needed to show bags of one fold.
struct FoldView {
  BagFeatures features;
  TermModels models;
};

// Shows single bags of a range with their pictures and evidence.
class ExampleMaker {
 public:
  ExampleMaker(const RangeArtifacts& artifacts, const Collection& collection)
      : artifacts_(artifacts),
        collection_(collection),
        patches_(PatchTable::Load(artifacts.Folder(NormaliseStep()))),
        stack_(artifacts.Folder(StandardiseStep())) {}

  ExampleBag Make(std::size_t bag) {
    const Bag& shown = collection_.bags[bag];
    ExampleBag example;
    example.id = shown.id;
    example.symbol = shown.symbol;
    example.labels = {shown.terms.begin(), shown.terms.end()};
    std::map<std::size_t, std::size_t> place;  // of a row of the collection's images among those of the bag
    for (std::size_t i = 0; i < stack_.size(); ++i) {
      const ImageRecord& image = collection_.images.at(stack_.source(i));
      if (image.bag != bag) continue;
      place[stack_.source(i)] = example.images.size();
      example.images.push_back({image.id, EncodePng(stack_.Get(i))});
    }
    const FoldView& view = ViewOf(shown.fold);
    const BagScorer scorer(view.models, std::nullopt, view.features, bag, patches_);
    example.terms = scorer.Predict();
    example.evidence = scorer.Explain(example.terms);
    for (TermPrediction& prediction : example.terms) {
      if (prediction.top) prediction.top->image = place.at(prediction.top->image);
    }
    example.patches = scorer.Patches();
    for (PatchPlace& patch : example.patches) patch.image = place.at(patch.image);
    return example;
  }

 private:
  // The models of the bag's own fold, which is tested: they never saw its gene.
  const FoldView& ViewOf(int fold) {
    if (!view_ || view_fold_ != fold) {
      view_ = FoldView{BagFeatures::Load(artifacts_.Folder(PoolStep(), fold)),
                       TermModels::Load(artifacts_.Folder(TrainStep(), fold))};
      view_fold_ = fold;
    }
    return *view_;
  }

  const RangeArtifacts& artifacts_;
  const Collection& collection_;
  PatchTable patches_;
  ImageStack stack_;
  std::optional<FoldView> view_;
  int view_fold_ = -1;
};

// Those that are used although they are doubtful.
std::size_t CountDoubtful(const StandardiseOptions& options, const fs::path& folder) {
  if (options.doubtful == StandardiseOptions::Doubtful::kDrop) return 0;
  const std::vector<ImageQuality> qualities = LoadQuality(folder);
  return static_cast<std::size_t>(
      std::count_if(qualities.begin(), qualities.end(), [](const ImageQuality& q) { return q.IsDoubtful(); }));
}

ReportRange MakeRange(const StepContext& context, StageRange range) {
  const RangeArtifacts artifacts(context, range.name());
  const Collection collection = Collection::Load(artifacts.Folder(IngestStep()), range);
  ReportRange shown;
  shown.range = range;
  shown.genes = CountGenes(collection.bags);
  shown.bags = collection.bags.size();
  shown.images = ImageStack(artifacts.Folder(StandardiseStep())).size();
  shown.doubtful = CountDoubtful(context.config.standardise, artifacts.Folder(StandardiseStep()));
  shown.patches = PatchTable::Load(artifacts.Folder(NormaliseStep())).size();
  shown.evaluation = Evaluation::Load(artifacts.Folder(EvaluateStep()));
  for (const StepInput& pixels : artifacts.All(EvaluatePixelsStep())) shown.pixels = Evaluation::Load(pixels.folder);
  for (const StepInput& learn : artifacts.All(LearnStep())) {
    shown.learning.push_back({learn.part.name(), Dictionary::Load(learn.folder).summary});
  }
  const fs::path first_learn = artifacts.All(LearnStep()).front().folder;
  const Dictionary dictionary = Dictionary::Load(first_learn);
  shown.atoms = MostUsedAtoms(dictionary.atoms, SparseCodes::Load(first_learn, dictionary.atoms.rows()), kDrawnAtoms);
  std::set<int> tested;
  for (const StepInput& train : artifacts.All(TrainStep())) tested.insert(train.part.fold);
  ExampleMaker maker(artifacts, collection);
  const auto count = static_cast<std::size_t>(context.config.report.examples);
  for (const std::size_t bag : ChooseExamples(collection.bags, tested, count)) {
    shown.examples.push_back(maker.Make(bag));
  }
  shown.skipped = collection.skipped;
  for (const fs::path& folder : {artifacts.Folder(StandardiseStep()), artifacts.All(PoolStep()).front().folder}) {
    const std::vector<Skipped> more = LoadSkipped(folder);
    shown.skipped.insert(shown.skipped.end(), more.begin(), more.end());
  }
  return shown;
}

std::string ClassifierFact(const TrainOptions& options) {
  if (options.choose_c == ChooseC::kNone) return "linear SVM, C = " + FormatReal(options.c);
  const std::string whose = options.choose_c == ChooseC::kRange ? "one for all terms" : "one for each term";
  return "linear SVM, C chosen on inner folds from " + Join(options.c_grid, ", ") + ", " + whose;
}

std::string ThresholdFact(const TrainOptions& options) {
  const std::string value = FormatReal(options.threshold_value);
  switch (options.threshold) {
    case ThresholdRule::kF1:
      return "above the threshold with the largest F1 on inner folds";
    case ThresholdRule::kProbability:
      return "above probability " + value;
    case ThresholdRule::kPrecision:
      return "above the lowest threshold with precision " + value + " on inner folds";
    case ThresholdRule::kMargin:
      return "on the positive side of the margin";
  }
  return {};
}

std::vector<std::pair<std::string, std::string>> Facts(const Config& config) {
  const bool own_dictionary = config.protocol.dictionary == ProtocolOptions::DictionaryFrom::kTraining;
  const bool learned_codes = config.pool.codes == PoolOptions::Codes::kLearned;
  // By what the options amount to, not by the name of a profile, which is no part of the key.
  const std::string protocol =
      own_dictionary  ? "strict: nothing is learned from tested genes"
      : learned_codes ? "paper: dictionary and pooled codes are learned from all bags, tested ones included"
                      : "dictionary learned from all bags, tested ones included";
  std::vector<std::pair<std::string, std::string>> facts = {
      {"Config", config.name},
      {"Data", config.simulated ? "simulated embryos" : "tables and image files"},
      {"Protocol", protocol},
      {"Split", fmt::format("by gene, {} of {} folds tested", config.protocol.test_folds, config.ingest.folds)},
      {"Dictionary", own_dictionary ? "learned from training genes only" : "learned from all genes"},
      {"Pooled codes",
       learned_codes ? "learned: those that learning itself left, with the dictionary as it was at the time"
                     : "encoded: of all patches, with the final dictionary"},
      {"Classifiers", ClassifierFact(config.train)},
      {"Probabilities",
       config.train.calibration == CalibrationMethod::kPlatt
           ? "sigmoid fitted on inner folds (Platt)"
           : "steps that never fall, fitted on inner folds (isotonic)"},
      {"A term is called", ThresholdFact(config.train)}};
  if (config.protocol.pixel_baseline) facts.emplace_back("Raw pixels", "40x16, with the same classifiers and folds");
  facts.emplace_back("flyscribe", Version());
  return facts;
}

// For whoever has this artifact and needs no others: what could not be used, over all ranges.
void SaveFaults(const fs::path& folder, const std::vector<ReportRange>& ranges) {
  std::vector<RangeFault> faults;
  for (const ReportRange& range : ranges) {
    for (const Skipped& item : range.skipped) {
      if (item.fault) faults.push_back({range.range.name(), item});
    }
  }
  SaveFaults(folder, faults);
}

void Run(StepContext& context) {
  ReportInput input;
  input.title = context.config.report.title;
  input.facts = Facts(context.config);
  input.options_text = EffectiveYaml(context.config, true);
  for (const StageRange range : context.config.StageRanges()) input.ranges.push_back(MakeRange(context, range));
  WriteFile(context.output / "report.html", RenderReport(input));
  SaveFaults(context.output, input.ranges);
}

}  // namespace

StepCode ReportCode() { return {Describe, Run}; }

}  // namespace flyscribe
