// A trained model: all that is needed to annotate new images as the bags of a config were annotated, and no image.
//
// It is made by `flyscribe export`, kept as a bundle (one .tar.zst file, docs/model-format.md) and used by `flyscribe
// annotate`. A decision value depends on `options` and on one RangeModel alone: images go through standardise, extract,
// normalise, encode (with `dictionary`) and pool as the options say, and a term's value is weights . features + bias.
//
//   features = FeatureCount(atoms of the dictionary, scales of `extract`, options of `pool`)     (pooling/pool.h)
//
// A bundle fits the program that reads it only if the steps on that way compute what they computed when the model was
// trained: their versions and those of the libraries that change results are in the bundle, and other ones are refused.
//
// Thread safety: a Model is a value; LoadModel and SaveModel are reentrant. Determinism: the same model gives a bundle
// of the same bytes.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/fs.h"
#include "data/collection.h"
#include "data/dictionary.h"
#include "data/models.h"
#include "data/stage_range.h"
#include "pipeline/config/config.h"

namespace flyscribe {

struct PlanPoint;
struct RunOutcome;

// The gene of a bag that was trained on: predictions about it must come from the inner fold that held it out.
struct TrainedGene {
  std::string gene;     // its identity: FBgn, else CG id, else symbol (Bag::gene)
  GeneNames names;      // its identity is one of them
  int inner_fold = -1;  // row of models.inner_bias; -1 where the inner models are not kept
  friend bool operator==(const TrainedGene&, const TrainedGene&) = default;
};

// What was trained on the bags of one stage range.
struct RangeModel {
  StageRange range;
  Dictionary dictionary;
  TermModels models;                  // without scores: [0, terms]
  std::vector<std::string> fbbt_ids;  // of models.terms, one by one; may be empty
  std::vector<TrainedGene> genes;     // sorted by identity, each once
};

struct Model {
  std::string id;  // ModelId of the rest
  // standardise, extract, normalise, learn, encode, pool and ingest.views; all else has its default
  Config options;
  std::vector<RangeModel> ranges;                               // in the order of time, each once
  std::vector<std::pair<std::string, std::string>> provenance;  // where it comes from, for people: name, value

  // Null if the model has none of this range.
  const RangeModel* Find(StageRange range) const;
};

// 16 hexadecimal digits: of a SHA-256 over all that decides predictions. Not over the provenance, nor over what no
// prediction depends on, such as how many support vectors there were.
std::string ModelId(const Model& model);

// Those that decide which images a model is for and what becomes of them, all else with its default: what
// Model::options holds.
Config ModelOptions(const Config& config);

// views (ingest.views), standardise, extract, normalise, learn, encode and pool, every option that affects results.
std::string ModelOptionsYaml(const Config& options);

// The other way, as strictly as a config is read; variables of the environment have no meaning. An option that is not
// given has its default. Throws Error(kUsage) with all problems; `source` names the text.
Config ReadModelOptions(const std::string& text, const std::string& source);

// "step extract" -> "1", "library vlfeat" -> "0.9.21": what this program does on the way from an image to its features.
// A model that was trained with other ones is not used.
std::vector<std::pair<std::string, std::string>> PreprocessingVersions();

// Throws Error(kCorrupt) unless the parts of the model fit each other: ranges in order, atoms in the unit ball, weights
// of as many features as the options give, an FBbt id for every term, genes sorted and of inner folds that there are.
void RequireFitting(const Model& model);

// Writes the bundle: all of it or nothing. Replaces what is there, and removes what a killed SaveModel to the same name
// left beside it. Throws Error(kDisk).
// REQUIRES: model.id is ModelId(model), and RequireFitting(model) passes.
void SaveModel(const Model& model, const fs::path& bundle);

// Reads a bundle and verifies all of it: digests, shapes, numbers, options, versions. Whoever made the file, nothing is
// written but below `scratch` (created if missing), and what is written there is removed again.
// Throws Error(kInput) if it cannot be read or is no bundle, or if it needs another version of flyscribe or of a
// library; Error(kCorrupt) if it is damaged.
Model LoadModel(const fs::path& bundle, const fs::path& scratch);

// The steps whose artifacts ModelOfRun reads: what to ask of the run.
std::vector<std::string> StepsOfModel();

// REQUIRES: `outcome` is that of the point, whose plan was made for PlanGoal::kModel, without an error.
Model ModelOfRun(const PlanPoint& point, const RunOutcome& outcome);

}  // namespace flyscribe
