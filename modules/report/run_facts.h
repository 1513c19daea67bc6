// What differs from run to run (times, memory, what came from the cache), put into a finished page.
//
// The page itself is a cached artifact and the same for the same inputs; these facts are not, so the page only holds a
// place for them. The place is a sentence that says they are missing: a page without them is complete as well. No text
// from data can imitate it, because data is escaped.
// Thread-safe. Deterministic given the facts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "report/html.h"
#include "report/step_graph.h"

namespace flyscribe {

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

}  // namespace flyscribe
