#include "report/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>

#include "core/error.h"
#include "core/rng.h"
#include "core/text.h"
#include "report/assets.h"
#include "report/html.h"
#include "report/scores.h"
#include "report/svg.h"

namespace flyscribe {
namespace {

struct Section {
  std::string name;  // in the id
  std::string link;  // in the bar, which has little room
  std::string title;
  std::string note;
  Html content;
};

std::string RangeId(std::size_t index) { return fmt::format("range{}", index + 1); }

std::string RangeTitle(const ReportRange& range) { return StagesTitle(range.range.name()); }

const Evaluation* PixelsOf(const ReportRange& range) { return range.pixels ? &*range.pixels : nullptr; }

std::string ScoreNote(const ReportRange& range) {
  std::string note =
      "On genes no model was trained on. Scores are computed per fold and averaged; AUC and average precision do not "
      "depend on a threshold, the others on the calls or, of Brier, on the probabilities. Compare accuracy with its "
      "baseline, the accuracy of always giving a tested fold's more frequent answer: for a rare term, “no” to "
      "everything is right most of the time.";
  note +=
      " The 95 % interval of an AUC comes from drawing the tested genes again and again, with all their bags: it says "
      "how far the figure could move with other genes of the same kind.";
  if (range.pixels) {
    note +=
        " Compare AUC with that on raw pixels: the same classifiers and folds, with 40 × 16 gray values in place of "
        "codes.";
  }
  return note;
}

Html ExampleCards(const std::vector<ExampleBag>& examples, const std::string& id) {
  if (examples.empty()) return {};
  Html cards = ExampleKey();
  for (std::size_t i = 0; i < examples.size(); ++i)
    cards += ExampleCard(examples[i], fmt::format("{}-bag{}", id, i + 1));
  return cards;
}

// The sections of a range, in the order they are read. Those without content are left out.
std::vector<Section> SectionsOf(const ReportRange& range, const std::string& id) {
  std::vector<Section> sections = {
      {"scores",
       "Scores",
       "Scores per term",
       ScoreNote(range),
       ScoreTable(range.evaluation, PixelsOf(range)) + SkippedTerms(range.evaluation.skipped)},
      {"curves",
       "Curves",
       "ROC and precision-recall",
       "The most frequent terms, all tested bags together; the AUC and AP beside a name are means over folds. Rest the "
       "pointer on a line or a name to single it out.",
       EvaluationCurves(range.evaluation, id)},
      {"calibration",
       "Calibration",
       "Probabilities and thresholds",
       "Reliability: tested bags in bins of equal count, their mean probability against the share that really carries "
       "the term. On the dotted line a probability means what it says; below it the classifier is too sure. Beside it, "
       "per term, the C its models were trained with and the probability above which it is called, over the folds.",
       CalibrationFigure(range.evaluation, id)},
      {"examples",
       "Examples",
       "Example genes",
       "Embryos of tested genes, scored by the models that never saw them. A term is called where its probability is "
       "above the tick. Its decision value is a sum over windows of the picture; the spots show which windows it came "
       "from.",
       ExampleCards(range.examples, id)},
      {"learning",
       "Learning",
       "Learning the dictionary",
       "The objective is the mean over patches of ½‖x − Dz‖² + λ‖z‖₁ while the epoch ran.",
       LearningCurves(range.learning, id)},
      {"atoms",
       "Atoms",
       "Atoms of the dictionary",
       "Most used first. Each atom is a 4 × 4 grid of gradient histograms with eight directions: orange rays are "
       "weaker than "
       "usual, the others stronger.",
       GlyphSheet(range.atoms, kDrawnAtoms)},
      {"inputs",
       "Left out",
       "Inputs left out",
       "A fault is an input that was missing or unreadable; a filter is a choice of the configuration.",
       LeftOutInputs(range.skipped)}};
  std::erase_if(sections, [](const Section& section) { return section.content.empty(); });
  return sections;
}

Html SectionHtml(const Section& section, const std::string& id, const char* heading) {
  Html content = Element(heading, Text(section.title));
  if (!section.note.empty()) content += Lead(section.note);
  return Element("section", {{"id", id + section.name}}, content + section.content);
}

Html Headline(const ReportRange& range, const std::string& id) {
  const Html title = Element("h2", Link("#" + id, RangeTitle(range)));
  const std::string counts = fmt::format("{} · {} · {}{} · {} {}",
                                         Counted(range.genes, "gene", "genes"),
                                         Counted(range.bags, "bag", "bags"),
                                         Counted(range.images, "image", "images"),
                                         range.doubtful > 0 ? fmt::format(" ({} doubtful)", Count(range.doubtful)) : "",
                                         ShortCount(range.patches),
                                         range.patches == 1 ? "patch" : "patches");
  Html tiles = HeadlineTiles(range.evaluation, PixelsOf(range));
  if (tiles.empty()) tiles = Note("No scores.");
  return Element("div",
                 {{"class", "headline"}},
                 Element("div", title + Note(counts)) + Element("div", {{"class", "tiles"}}, tiles));
}

Html Header(const ReportInput& input) {
  Html content = Masthead(input.title);
  if (!input.facts.empty()) content += FactList(input.facts);
  for (std::size_t i = 0; i < input.ranges.size(); ++i) content += Headline(input.ranges[i], RangeId(i));
  if (input.ranges.empty()) content += Note("No stage range was run.");
  return Element("header", {{"id", "top"}}, content);
}

Html RangeHtml(const ReportRange& range, const std::string& id) {
  Html content = Element("h2", {{"class", "range"}}, Text(RangeTitle(range)));
  for (const Section& section : SectionsOf(range, id)) content += SectionHtml(section, id + "-", "h3");
  return Element("div", {{"id", id}, {"class", "range"}}, content);
}

Html SectionLinks(const ReportRange& range, const std::string& id) {
  Html links;
  for (const Section& section : SectionsOf(range, id)) {
    links += Element("li", Link("#" + id + "-" + section.name, section.link));
  }
  return links;
}

// With one range its sections stand in the bar; with several, each range has them in a menu.
Html Navigation(const ReportInput& input) {
  Html links = Element("li", Link("#top", "Overview"));
  if (input.ranges.size() == 1) links += SectionLinks(input.ranges[0], RangeId(0));
  for (std::size_t i = 0; i < input.ranges.size() && input.ranges.size() > 1; ++i) {
    const Html menu = Element("ul", SectionLinks(input.ranges[i], RangeId(i)));
    links += Element("li", {{"class", "menu"}}, Link("#" + RangeId(i), RangeTitle(input.ranges[i])) + menu);
  }
  links += Element("li", Link("#run", "Run")) + Element("li", Link("#options", "Options"));
  links += Element("li", Link("#cite", "Cite"));
  return Element("nav", {{"aria-label", "Sections"}}, Element("ul", links));
}

Html CitationList() {
  struct Work {
    const char* use;
    const char* text;
    const char* link;
  };
  const std::vector<Work> kWorks = {
      {"Method",
       "B. Lin, Q. Li, Q. Sun, M.-J. Lai, I. Davidson, W. Fan, J. Ye. Stochastic Coordinate Coding and Its Application "
       "for Drosophila Gene Expression Pattern Annotation. arXiv:1407.8147, 2014.",
       "https://arxiv.org/abs/1407.8147"},
      {"Images and annotations",
       "P. Tomancak et al. Global analysis of patterns of gene expression during Drosophila embryogenesis. Genome "
       "Biology 8:R145, 2007 (Berkeley Drosophila Genome Project).",
       "https://doi.org/10.1186/gb-2007-8-7-r145"},
      {"Standardised embryos",
       "S. Kumar et al. FlyExpress: visual mining of spatiotemporal patterns for genes and publications in Drosophila "
       "embryogenesis. Bioinformatics 27:3319–3320, 2011.",
       "https://doi.org/10.1093/bioinformatics/btr567"},
      {"Classifier",
       "C.-C. Chang, C.-J. Lin. LIBSVM: a library for support vector machines. ACM Transactions on Intelligent Systems "
       "and Technology 2:27, 2011.",
       "https://doi.org/10.1145/1961189.1961199"},
      {"Descriptors",
       "A. Vedaldi, B. Fulkerson. VLFeat: an open and portable library of computer vision algorithms. ACM Multimedia, "
       "2010.",
       "https://doi.org/10.1145/1873951.1874249"}};
  Html items;
  for (const Work& work : kWorks) {
    items += Element(
        "li", Element("b", Text(work.use)) + Text(" " + std::string(work.text) + " ") + Link(work.link, work.link));
  }
  return Element("ul", {{"class", "works"}}, items);
}

Html Body(const ReportInput& input) {
  Html main = Header(input);
  for (std::size_t i = 0; i < input.ranges.size(); ++i) main += RangeHtml(input.ranges[i], RangeId(i));
  main += SectionHtml({"run", "Run", "This run", "", RunFactsPlace()}, "", "h2");
  main += SectionHtml({"options",
                       "Options",
                       "Options",
                       "The whole configuration as it took effect, defaults included.",
                       Folded("Show the options", Element("pre", Element("code", Text(input.options_text))))},
                      "",
                      "h2");
  main += SectionHtml({"cite", "Cite", "Please cite", "If these results help your work:", CitationList()}, "", "h2");
  return Element("body", Navigation(input) + Element("main", main) + Element("script", PageScript()));
}

}  // namespace

std::string RenderReport(const ReportInput& input) { return RenderPage(input.title, Body(input)); }

// ---- facts of a run

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
    auto bar = std::ranges::find(bars, step.step, &Bar::label);
    if (bar == bars.end()) bar = bars.insert(bars.end(), Bar{.label = step.step, .parts = {0.0, 0.0}});
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

Html FactsHtml(const RunFacts& facts) {
  Html html = FactTiles(facts);
  Html lines = Element("dt", Text("Version")) + Element("dd", Text(facts.version));
  lines += Element("dt", Text("Command")) + Element("dd", Element("code", Text(facts.command)));
  html += Element("dl", {{"class", "facts"}}, lines);
  if (!facts.graph.empty()) {
    html += Element("h3", Text("Steps")) +
            Lead(
                "From left to right, each made from those before it. Rest the pointer on a step for what it was made "
                "from.") +
            StepGrid(facts.graph);
  }
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

// ---- what is shown

std::vector<std::size_t> ChooseExamples(const std::vector<Bag>& bags,
                                        const std::set<int>& tested_folds,
                                        std::size_t count) {
  std::vector<std::size_t> chosen;
  for (std::size_t bag = 0; bag < bags.size(); ++bag) {
    if (tested_folds.contains(bags[bag].fold)) chosen.push_back(bag);
  }
  std::ranges::sort(chosen, {}, [&bags](std::size_t bag) { return HashText(0, bags[bag].id); });
  chosen.resize(std::min(chosen.size(), count));
  return chosen;
}

FloatMatrix MostUsedAtoms(const FloatMatrix& atoms, const SparseCodes& codes, std::size_t count) {
  std::vector<std::size_t> uses(atoms.rows());
  for (const std::int32_t atom : codes.indices) ++uses[static_cast<std::size_t>(atom)];
  std::vector<std::size_t> order(atoms.rows());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::ranges::greater{}, [&uses](std::size_t atom) { return uses[atom]; });
  order.resize(std::min(order.size(), count));
  FloatMatrix chosen(order.size(), atoms.cols());
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto atom = atoms.Row(order[i]);
    std::ranges::copy(atom, chosen.Row(i).begin());
  }
  return chosen;
}

std::size_t CountGenes(const std::vector<Bag>& bags) {
  std::set<std::string> genes;
  for (const Bag& bag : bags) genes.insert(bag.gene);
  return genes.size();
}

}  // namespace flyscribe
