// A model from the artifacts of the shared tiny run, with inner models that can be told from the final one, and the
// run's own bags as new ones.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/text.h"
#include "data/collection.h"
#include "data/dictionary.h"
#include "data/models.h"
#include "pipeline/annotate/new_bags.h"
#include "pipeline/corpus/corpus_source.h"
#include "pipeline/model/model.h"
#include "tests/pipeline/tiny_run.h"

namespace flyscribe {

inline constexpr int kTinyInnerFolds = 2;

inline StageRange TinyRange() { return StageRange::FromName("4-6"); }

inline Collection TinyCollection() { return Collection::Load(SharedTinyRun().FolderOf("ingest"), TinyRange()); }

// Of the first `genes` bags it says that they were trained on; inner fold k scales all weights by 1 + (k + 1) / 10.
inline Model TinyModel(std::size_t genes = 1000) {
  const TinyRun& run = SharedTinyRun();
  Model model;
  model.id = "0123456789abcdef";
  model.options = run.config;
  RangeModel range;
  range.range = TinyRange();
  range.dictionary = Dictionary::Load(run.FolderOf("learn"));
  range.models = TermModels::Load(run.FolderOf("train"));
  TermModels& models = range.models;
  const std::size_t terms = models.terms.size();
  models.inner_weights = FloatMatrix(kTinyInnerFolds * terms, models.weights.cols());
  models.inner_bias = Matrix<double>(kTinyInnerFolds, terms);
  for (std::size_t fold = 0; fold < kTinyInnerFolds; ++fold) {
    for (std::size_t term = 0; term < terms; ++term) {
      const float scale = 1.0F + 0.1F * static_cast<float>(fold + 1);
      for (std::size_t f = 0; f < models.weights.cols(); ++f) {
        models.inner_weights(fold * terms + term, f) = scale * models.weights(term, f);
      }
      models.inner_bias(fold, term) = models.terms[term].bias - 0.25;
    }
  }
  for (std::size_t term = 0; term < terms; ++term) {
    models.terms[term].calibration = {2.0, 0.25, {}};
    range.fbbt_ids.push_back("FBbt:" + std::to_string(term));
  }
  const Collection collection = TinyCollection();
  for (std::size_t bag = 0; bag < std::min(genes, collection.bags.size()); ++bag) {
    const Bag& trained = collection.bags[bag];
    range.genes.push_back({trained.gene, trained.names, static_cast<int>(bag) % kTinyInnerFolds});
  }
  model.ranges.push_back(std::move(range));
  return model;
}

// The bags of the run, from its own files.
inline NewBags TinyBags() {
  const TinyRun& run = SharedTinyRun();
  const Collection collection = TinyCollection();
  const std::vector<fs::path> folders = {run.FolderOf("simulate") / "images"};
  NewBags bags;
  SlugMaker slugs;
  for (const Bag& bag : collection.bags) {
    bags.bags.push_back({bag.id, {"", bag.symbol, bag.fbgn}, bag.names, TinyRange(), slugs.Make(bag.id + "_4-6"), {}});
  }
  for (const ImageRecord& image : collection.images) {
    bags.bags[image.bag].images.push_back({image.id, folders.at(image.folder) / image.file, image.digest});
  }
  return bags;
}

}  // namespace flyscribe
