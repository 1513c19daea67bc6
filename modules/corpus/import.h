// A corpus -> the bags of one stage range, as a config wants them.
//
// A bag holds the images of one gene in the range; its id is the gene's identity. Its labels are the terms the gene is
// annotated with in the range: `no staining` means annotated as showing nothing, so such a bag is kept without a term;
// the curators' notes (`flag_for_volker`, `need new term...`) are no terms. A gene without annotation in the range has
// no bag, since absence of rows is no negative.
//
// Every row of the range is either used or listed in Collection::skipped. The checks on an image row are those of
// intake.h, where an image is of use if its gene is annotated; then: picture not that of another image. Filters (view,
// duplicates, no annotation, curators' notes, annotations of genes without an image) are choices; the rest are faults.
//
// Equal pictures: two images of one bag with the same bytes count once; of two genes, neither counts, since one could
// be learned from and the other tested.
//
// Does not map terms to the ontology.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/options.h"
#include "data/stage_range.h"

namespace flyscribe {

struct Collection;
struct Corpus;
struct ImportControl;
class Progress;

struct IngestOptions {
  enum class BlankView { kKeep, kDrop };
  enum class OnBadImage { kSkip, kFail };

  std::vector<std::string> views = {"lateral"};
  BlankView blank_view = BlankView::kDrop;
  std::vector<std::string> absence_terms = {"no staining"};
  std::vector<std::string> bookkeeping_terms = {"flag_for_volker", "need new term*"};
  int folds = 5;
  std::int64_t split_seed = 1;
  std::int64_t permute_labels = 0;
  OnBadImage on_bad_image = OnBadImage::kSkip;

  void Fields(OptionsVisitor& visit);
};

// What a word of the annotations is: a term, a sign that nothing is stained, or a note of the curators.
enum class LabelKind { kTerm, kAbsence, kBookkeeping };
LabelKind KindOfLabel(const std::string& word, const IngestOptions& options);

// Throws Error(kInput) if the range ends up without any bag, or at a bad image when on_bad_image says so.
// Labels are those of the tables: what else changes them comes after, and PermuteLabels last.
Collection Import(const Corpus& corpus,
                  StageRange range,
                  const IngestOptions& options,
                  const ImportControl& control,
                  Progress& progress);

// Deals the bags' labels out anew, by a seed that is not 0.
void PermuteLabels(std::int64_t seed, Collection& collection);

}  // namespace flyscribe
