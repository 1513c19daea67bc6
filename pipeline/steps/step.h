// A step: one unit of processing, from artifacts to an artifact; and the table of all of them (step.cc).
//
// A step instance is (stage range, part, step). What a step does is one thin file in this folder: it loads its inputs,
// calls one module and saves. train and evaluate also exist for the raw-pixel baseline, under names of their own and
// from the same code.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/fs.h"
#include "core/progress.h"
#include "data/stage_range.h"
#include "pipeline/cache/key.h"
#include "pipeline/config/config.h"
#include "pipeline/corpus/corpus_source.h"

namespace flyscribe {

// All bags of a range, or those outside one outer fold: the dictionary and the models of a fold never see its genes.
struct Part {
  int fold = -1;  // -1: all

  bool IsAll() const { return fold < 0; }
  std::string name() const { return IsAll() ? "all" : "fold-" + std::to_string(fold); }
  bool TrainsOn(const Bag& bag) const { return IsAll() || bag.fold != fold; }
};

struct Step;

// An artifact a step reads.
struct StepInput {
  std::string range;
  Part part;
  std::string step;
  fs::path folder;
};

// All a running step may know.
struct StepContext {
  const Config& config;
  const CorpusSource* corpus;  // null for simulate, which comes before it
  std::string range;           // "all" for steps over all ranges
  Part part;
  std::vector<StepInput> inputs;
  int threads = 1;
  fs::path output;      // write files here
  fs::path scratch;     // for temporary files; removed afterwards
  fs::path checkpoint;  // what is written here survives a kill; removed once the artifact is whole
  fs::path cache_root;  // for items
  std::string key_text;
  Progress& progress;
  std::vector<std::string> facts = {};  // "patches: 53200", for the manifest

  // Of the images, the share that had to be computed: the others were there as items.
  double computed_share = 1.0;

  // The folder of the one input made by `step`.
  fs::path Input(const Step& step) const;
  Collection LoadCollection() const;
  void AddFact(const std::string& name, const std::string& value) { facts.push_back(name + ": " + value); }
};

// 1 of nothing.
inline double ShareOf(std::size_t part, std::size_t whole) {
  return whole == 0 ? 1.0 : static_cast<double>(part) / static_cast<double>(whole);
}

// What decides a step's result, and how it is made.
struct StepCode {
  // Adds the options and library versions the step depends on.
  std::function<void(const Config& config, ArtifactKey& key)> describe;
  std::function<void(StepContext& context)> run;
};

// How much there is to do: `work` and `size` in units of the step's own. Time is taken to grow in proportion to the
// work, the artifact with the size. 0 if it is not known.
struct StepAmount {
  double work = 0.0;
  double size = 0.0;
};

// What a part of a range holds, counted when the plan is made. All 0 if it is not known yet, or over all ranges.
struct Workload {
  double images = 0.0;
  double patches = 0.0;           // flat ones too
  double training_patches = 0.0;  // of the bags the part trains on
  double bags = 0.0;
  double terms = 0.0;

  Workload() = default;
  Workload(const Config& config, const Collection& collection, const Part& part);
};

// Which instances there are of a step.
enum class StepScope {
  kOnce,        // one, over all ranges
  kRange,       // one for each range
  kDictionary,  // for each range one for each tested fold, or one for all bags: protocol.dictionary
  kFold,        // for each range one for each tested fold
};

struct Step {
  std::string name;
  // Of the method: raised whenever the result can differ for the same inputs and options. Items, models and
  // measurements depend on it too.
  int version = 1;
  StepCode code;
  StepScope scope = StepScope::kRange;
  // Of the artifact's files: raised where the same result is laid out in another way.
  int form = 1;
  // Asked for itself, not for the sake of another; copied to the output folder.
  bool is_result = false;
  bool keeps_items = false;  // of single images
  std::function<StepAmount(const Config& config, const Workload& load)> amount = {};
};

// All steps of a run, in the order of the data.
const std::vector<Step>& Steps();
std::vector<std::string> StepNames();
// Throws Error(kUsage) with a suggestion if there is none of this name.
const Step& StepNamed(const std::string& name);

// The key of an instance, but for its inputs.
ArtifactKey StepKey(const Step& step, const Config& config, const std::string& range, const Part& part);

const Step& SimulateStep();
const Step& IngestStep();
const Step& StandardiseStep();
const Step& ExtractStep();
const Step& NormaliseStep();
const Step& LearnStep();
const Step& EncodeStep();
const Step& PoolStep();
const Step& TrainStep();
const Step& EvaluateStep();
// The raw-pixel baseline.
const Step& PixelsStep();
const Step& TrainPixelsStep();
const Step& EvaluatePixelsStep();
const Step& ReportStep();

// What each does, in a file of its own.
StepCode SimulateCode();
StepCode IngestCode();
StepCode StandardiseCode();
StepCode ExtractCode();
StepCode NormaliseCode();
StepCode LearnCode();
StepCode EncodeCode();
StepCode PoolCode();
StepCode TrainCode();
StepCode EvaluateCode();
StepCode PixelsCode();
StepCode TrainPixelsCode();
StepCode EvaluatePixelsCode();
StepCode ReportCode();

}  // namespace flyscribe
