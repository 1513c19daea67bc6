// One bag of new images -> its terms, by the very modules the steps of a run call:
//
//   DecodeGray > Standardise > ExtractPatches > Normalise > Encode > Pool > BagScorer
//
// A bag's numbers depend on its images and the model alone, not on the other bags, so bags can be annotated one by one
// in any order: the pooled features of a bag that was trained on are those of the cached pool step, to the last bit on
// one instruction set.
//
// A gene that was trained on is scored by the inner model that held it out (score_source `oof`), every other by the
// final one (`new`). Genes are matched by any of their FBgn and CG ids, or else by any symbol: taking a namesake for
// the gene itself costs nothing, since the inner model has not seen either. Names that lead to genes of several inner
// folds leave no model that surely has not seen the gene: nothing is said of it.
//
// Memory: the patches of one bag. Thread-safe after construction: Annotate may be called from several threads.
// Deterministic.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "data/annotation.h"
#include "data/bag_evidence.h"
#include "data/dictionary.h"
#include "data/image.h"
#include "data/patches.h"
#include "data/skipped.h"
#include "pipeline/annotate/new_bags.h"
#include "pipeline/model/model.h"

namespace flyscribe {

// Terms whose evidence is kept, or whose heat maps are drawn: none, the calls and the three most probable, or all. Each
// has the terms of those before it.
enum class EvidenceOf { kNone, kCalls, kAll };
// `rank` counts from 0.
bool IsAmong(EvidenceOf terms, const BagAnnotation& bag, std::size_t rank);

struct AnnotatorOptions {
  EvidenceOf evidence = EvidenceOf::kCalls;
  bool fail_on_bad_image = false;
};

// The images of a bag on their way, and what they are pooled into.
struct PooledBag {
  std::vector<std::string> images;  // ids of the usable ones
  std::vector<GrayImage> embryos;   // the same, standardised
  PatchTable patches;               // PatchTable::image counts in these
  BagFeatures features;             // one row
  std::vector<Skipped> skipped;
};

struct AnnotatedBag {
  std::optional<BagAnnotation> annotation;  // nothing: no image left a patch, or nothing may be said of the gene
  std::vector<GrayImage> embryos;           // of annotation->images
  BagEvidence evidence;                     // of the terms asked for, by rank
  std::vector<Skipped> skipped;
};

class BagAnnotator {
 public:
  // REQUIRES: the model outlives this object.
  explicit BagAnnotator(const Model& model, const AnnotatorOptions& options = {});

  // Throws Error(kInput) if a file changed since it was hashed, or at a bad image if the options say so.
  // REQUIRES: the model has the bag's range.
  AnnotatedBag Annotate(const NewBag& bag) const;
  PooledBag PoolImages(const NewBag& bag) const;
  // The inner folds of the genes that were trained on and may be this one; none if it is new.
  std::set<int> InnerFoldsOf(const GeneNames& names, StageRange range) const;

 private:
  using FoldsOfName = std::map<std::string, std::set<int>>;

  const RangeModel& ModelOf(StageRange range) const;
  BagAnnotation Score(const NewBag& bag, const PooledBag& pooled, std::optional<int> fold, BagEvidence& evidence) const;

  const Model& model_;
  AnnotatorOptions options_;
  std::map<StageRange, FoldsOfName> folds_by_id_;
  std::map<StageRange, FoldsOfName> folds_by_symbol_;
};

}  // namespace flyscribe
