// Annotates bags of new images with a model, chunk by chunk, into a folder: the work behind `flyscribe annotate`.
//
// Each chunk of kBagsAChunk bags is annotated on all threads and its annotations are put away; then the tables and the
// gallery are written from what was put away, and all is moved into place (annotation_folder.h). A process that is
// killed loses one chunk. The result does not depend on threads or kills.
//
// Memory: the model, one chunk, the list of images, and what ResultWriter needs.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/progress.h"
#include "pipeline/annotate/annotation_folder.h"
#include "pipeline/annotate/bag_annotator.h"
#include "pipeline/annotate/new_bags.h"
#include "pipeline/annotate/result_writer.h"
#include "pipeline/model/model.h"

namespace flyscribe {

inline constexpr std::size_t kBagsAChunk = 32;

struct AnnotateRun {
  AnnotatorOptions options;
  EvidenceOf maps = EvidenceOf::kNone;  // whose heat maps are written. REQUIRES: the options keep the evidence of these
  std::vector<std::pair<std::string, std::string>> facts;  // for people: model, source
  int threads = 0;
  bool force = false;
};

struct AnnotateOutcome {
  AnnotationCounts counts;
  std::size_t annotated_now = 0;  // images; the others were annotated before
  bool was_finished = false;      // nothing was left to do
};

// Throws as AnnotationFolder and BagAnnotator do.
AnnotateOutcome Annotate(
    const Model& model, const NewBags& inputs, const AnnotateRun& run, AnnotationFolder& folder, Progress& progress);

// What decides the result, one fact a line.
std::string AnnotationKey(const Model& model, const NewBags& inputs, const AnnotateRun& run);

}  // namespace flyscribe
