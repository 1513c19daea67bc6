#include "report/run_facts.h"

#include <algorithm>

#include "core/error.h"
#include "core/text.h"
#include "report/svg.h"

namespace flyscribe {
namespace {

Html FactTiles(const RunFacts& facts) {
  Html tiles = Tile(HumanSeconds(facts.wall_seconds),
                    "wall time",
                    Counted(static_cast<std::size_t>(std::max(0, facts.threads)), "thread", "threads"));
  tiles += Tile(HumanSeconds(facts.cpu_seconds), "processor time");
  tiles += Tile(HumanBytes(facts.peak_memory_bytes), "peak memory");
  tiles += Tile(Count(facts.cache_hits) + " / " + Count(facts.cache_hits + facts.cache_misses),
                "steps from the cache",
                Counted(facts.cache_misses, "step", "steps") + " computed");
  return Element("div", {{"class", "tiles"}}, tiles);
}

// One bar for each step's name, over all ranges and parts, in the order steps first appear.
std::vector<Bar> StepBars(const std::vector<RunStep>& steps) {
  std::vector<Bar> bars;
  for (const RunStep& step : steps) {
    auto bar = std::find_if(bars.begin(), bars.end(), [&](const Bar& known) { return known.label == step.step; });
    if (bar == bars.end()) bar = bars.insert(bars.end(), Bar{.label = step.step, .parts = {0.0, 0.0}, .text = {}});
    bar->parts[step.from_cache ? 1 : 0] += std::max(0.0, step.seconds);
  }
  for (Bar& bar : bars) bar.text = HumanSeconds(bar.parts[0] + bar.parts[1]);
  return bars;
}

Html StepChart(const std::vector<RunStep>& steps) {
  const BarChart chart{.title = "Time per step",
                       .description =
                           "Seconds of each step over all stage ranges and parts, computed in this run or "
                           "in the run that filled the cache.",
                       .part_styles = {"fresh", "cached"},
                       .bars = StepBars(steps)};
  const Html legend =
      Legend({{"fresh", "computed in this run", ""}, {"cached", "from the cache: when it was made", ""}});
  return Element("figure", {{"class", "curves"}}, BarChartSvg(chart) + legend);
}

Html StepTable(const std::vector<RunStep>& steps) {
  Html rows;
  for (const RunStep& step : steps) {
    rows += Element("tr",
                    Cell(step.range) + Cell(step.part) + Cell(step.step) +
                        Cell(step.from_cache ? "cache" : "computed") + NumberCell(HumanSeconds(step.seconds)));
  }
  return Folded("All " + Counted(steps.size(), "step", "steps"),
                TableElement("Steps of this run", {"Stage range", "Part", "Step", "State", "Time"}, rows));
}

Html StepPicture(const std::vector<StepGraphNode>& graph) {
  const Html heading = Element("h3", Text("Steps"));
  const Html lead = Element("p",
                            {{"class", "lead"}},
                            Text("What was made from what, from left to right. Rest the pointer on a box for more."));
  return heading + lead + StepGraphSvg(graph);
}

Html FactsHtml(const RunFacts& facts) {
  Html html = FactTiles(facts);
  Html lines = Element("dt", Text("Version")) + Element("dd", Text(facts.version));
  lines += Element("dt", Text("Command")) + Element("dd", Element("code", Text(facts.command)));
  html += Element("dl", {{"class", "facts"}}, lines);
  if (!facts.graph.empty()) html += StepPicture(facts.graph);
  if (!facts.steps.empty()) html += StepChart(facts.steps) + StepTable(facts.steps);
  return html;
}

}  // namespace

Html RunFactsPlace() {
  return Element("p",
                 {{"class", "note"}, {"data-place", "run-facts"}},
                 Text("Times and memory were not recorded in this copy of the page."));
}

std::string InsertRunFacts(const std::string& page, const RunFacts& facts) {
  const std::string place = RunFactsPlace().str();
  const std::size_t at = page.find(place);
  if (at == std::string::npos) {
    throw Error(ErrorCode::kInternal,
                "the report page has no place for the facts of the run",
                "render the page again: run facts can be inserted once, into a page made by RenderReport");
  }
  return page.substr(0, at) + FactsHtml(facts).str() + page.substr(at + place.size());
}

}  // namespace flyscribe
