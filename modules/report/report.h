// One HTML page that shows a run of the pipeline: opens from disk, needs no network and no other file.
//
// From the top: what was run and the headline numbers; per stage range the scores of each term beside the majority
// baseline and, where it was run, the AUC on raw pixels; ROC, precision-recall and reliability curves with C and
// thresholds, how the dictionary was learned, its atoms, example bags with the evidence drawn over the embryos, what
// was left out; then the facts of the run, the options, and whom to cite.
//
// The page loads nothing (its own policy forbids it), reads well without JavaScript and on paper, and follows the
// reader's choice of light or dark. All text is escaped. It holds no clock, host or timing: the same input gives the
// same bytes; what differs from run to run is put in afterwards by InsertRunFacts.
//
// Thread-safe and deterministic: pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/matrix.h"
#include "data/collection.h"
#include "data/dictionary.h"
#include "data/evaluation.h"
#include "data/skipped.h"
#include "data/stage_range.h"
#include "report/curves.h"
#include "report/examples.h"
#include "report/step_graph.h"

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

// ---- what differs from run to run: times, memory, what came from the cache
//
// The page is a cached artifact and the same for the same inputs, so it only holds a place for these facts: a sentence
// that says they are missing, for a page without them is complete as well. No text from data can imitate the place,
// because data is escaped.

struct RunStep {
  std::string range;  // stage range; may be empty
  std::string part;   // "all", or a fold; may be empty
  std::string step;
  bool from_cache = false;
  double seconds = 0.0;  // of this run, or of the run that made the artifact
};

struct RunFacts {
  std::string version;
  std::string command;
  double wall_seconds = 0.0;
  double cpu_seconds = 0.0;
  std::uint64_t peak_memory_bytes = 0;
  std::size_t cache_hits = 0;
  std::size_t cache_misses = 0;
  int threads = 1;
  std::vector<RunStep> steps;
  std::vector<StepGraphNode> graph;  // drawn if not empty
};

// The place in the page.
Html RunFactsPlace();

// The page with the facts in their place. Throws Error(kInternal) if the page has no such place: it is not a page of
// RenderReport, or it was filled in before.
std::string InsertRunFacts(const std::string& page, const RunFacts& facts);

// ---- which bags and atoms are shown, where there are too many to show all: by rule, so that a report neither flatters
// nor blames

// At most `count` bags of the tested folds, in the order of a fixed hash of their ids: neither the best nor the worst.
std::vector<std::size_t> ChooseExamples(const std::vector<Bag>& bags,
                                        const std::set<int>& tested_folds,
                                        std::size_t count);

// At most `count` atoms, those that most codes use first; ties by row.
FloatMatrix MostUsedAtoms(const FloatMatrix& atoms, const SparseCodes& codes, std::size_t count);

std::size_t CountGenes(const std::vector<Bag>& bags);

}  // namespace flyscribe
