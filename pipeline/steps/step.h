// A step: one unit of processing, from artifacts to an artifact.
//
// A step instance is (stage range, part, step). Each step is one thin file in this folder: it loads its inputs, calls
// one module and saves. train and evaluate also exist for the raw-pixel baseline, under names of their own and from the
// same code. Raise a step's version whenever its output can differ for the same inputs and options.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/fs.h"
#include "core/progress.h"
#include "data/skipped.h"
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
  std::string recipe;   // what decides an item besides its input: step, version, options, libraries
  std::string key_text;
  Progress& progress;
  std::vector<std::string> facts;  // "patches: 53200", for the manifest

  // The folder of the one input made by `step`.
  fs::path Input(const std::string& step) const;
  Collection LoadCollection() const;
  void AddFact(const std::string& name, const std::string& value) { facts.push_back(name + ": " + value); }
};

struct Step {
  std::string name;
  int version = 1;
  // Adds the options and library versions the step depends on.
  std::function<void(const Config& config, ArtifactKey& key)> describe;
  std::function<void(StepContext& context)> run;
  // Asked for itself, not for the sake of another; copied to the output folder.
  bool is_result = false;
};

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

}  // namespace flyscribe
