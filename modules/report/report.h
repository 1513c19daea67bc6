// One HTML page that shows a run of the pipeline: opens from disk, needs no network and no other file.
//
// From the top: what was run and the headline numbers; per stage range the scores of each term beside the majority
// baseline and, where it was run, the AUC on raw pixels; ROC, precision-recall and reliability curves with C and
// thresholds, how the dictionary was learned, its atoms, example bags with the evidence drawn over the embryos, what
// was left out; then the facts of the run, the options, and whom to cite.
//
// The page loads nothing (its own policy forbids it), reads well without JavaScript and on paper, and follows the
// reader's choice of light or dark. All text is escaped. It holds no clock, host or timing: the same input gives the
// same bytes; what differs from run to run is put in afterwards by InsertRunFacts (report/run_facts.h).
//
// It does not choose what is shown: the caller picks examples and atoms, and encodes the pictures.
// Thread-safe: pure functions.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/matrix.h"
#include "data/evaluation.h"
#include "data/skipped.h"
#include "data/stage_range.h"
#include "report/curves.h"
#include "report/examples.h"
#include "report/run_facts.h"

namespace flyscribe {

// At most so many atoms are drawn.
inline constexpr std::size_t kDrawnAtoms = 64;

struct ReportRange {
  StageRange range;
  std::size_t genes = 0;
  std::size_t bags = 0;
  std::size_t images = 0;
  std::size_t doubtful = 0;  // of the images: cut out of photographs with little confidence
  std::size_t patches = 0;
  Evaluation evaluation;
  std::optional<Evaluation> pixels;  // of the raw-pixel baseline, where it was run
  std::vector<PartLearning> learning;
  FloatMatrix atoms;  // [atoms, 128], most used first; the first 64 are drawn
  std::vector<ExampleBag> examples;
  std::vector<Skipped> skipped;  // faults and filtered rows
};

struct ReportInput {
  std::string title;
  std::vector<std::pair<std::string, std::string>> facts;  // what was run: name and value
  std::string options_text;                                // the effective config, as YAML
  std::vector<ReportRange> ranges;
};

// The page, in UTF-8.
std::string RenderReport(const ReportInput& input);

}  // namespace flyscribe
