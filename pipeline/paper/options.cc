#include "pipeline/paper/options.h"

#include <algorithm>
#include <utility>

#include "core/text.h"
#include "data/stage_range.h"
#include "pipeline/config/describe.h"

namespace flyscribe {
namespace {

constexpr std::int64_t kLargest = 65536;

void CheckNumbers(const std::string& name, const std::vector<std::string>& words, std::vector<Diagnostic>& problems) {
  if (words.empty()) problems.push_back({"reproduce." + name + ": the list is empty", {}, {}});
  for (const std::string& word : words) {
    const auto number = ParseInteger(word);
    if (number && *number >= 1 && *number <= kLargest) continue;
    problems.push_back(
        {"reproduce." + name + ": expected whole numbers from 1 to 65536, found '" + word + "'", {}, {}});
  }
}

// Options of measurements: no step's key depends on them.
Field About(const std::string& name, const std::string& doc) {
  return {.name = name, .doc = doc, .effect = Effect::kSpeed};
}

Field Number(const std::string& name, const std::string& doc, double min, double max) {
  return {.name = name, .doc = doc, .min = min, .max = max, .effect = Effect::kSpeed};
}

Field OneOf(const std::string& name, const std::string& doc, const std::vector<std::string>& allowed) {
  return {.name = name, .doc = doc, .allowed = allowed, .effect = Effect::kSpeed};
}

// What is measured with, and how carefully.
void CommonFields(ReproduceOptions& options, OptionsVisitor& visit) {
  visit.Choice(OneOf("descriptors",
                     "What dictionaries are learned from: simulated, as many simulated embryos as it takes to have the "
                     "paper's numbers of patches; images, the images of this config.",
                     {"simulated", "images"}),
               options.descriptors);
  visit.Integer(
      Number("max_patches",
             "Patches of a stage range that are used at most; 0 means all (the paper's numbers, if simulated).",
             0,
             1e9),
      options.max_patches);
  visit.Words(About("sizes", "Sizes of the dictionary, m."), options.sizes);
  visit.Integer(Number("objective_patches",
                       "Patches, spread evenly, on which objectives are evaluated, by exact codes; 0 means all.",
                       0,
                       1e9),
                options.objective_patches);
  visit.Integer(Number("online_visits",
                       "Visits of a patch that are timed for online learning at batch size 1, which is too slow to be "
                       "run to its end (--full does).",
                       1,
                       1e9),
                options.online_visits);
  visit.Integer(Number("repeats",
                       "How often the visits of online learning at batch size 1 and the race of mini-batches are "
                       "timed; the median counts.",
                       1,
                       99),
                options.repeats);
  visit.Integer(Number("run_repeats",
                       "How often the whole runs of exact SCC whose times are shown in Tables 1 and 2 and Figure 3 are "
                       "repeated; the median counts.",
                       1,
                       99),
                options.run_repeats);
  visit.Integer(
      Number("side_by_side",
             "Measurements of one thread that run at a time, each on a core of its own. Races are always run alone.",
             1,
             64),
      options.side_by_side);
}

// What each experiment varies.
void ExperimentFields(ReproduceOptions& options, OptionsVisitor& visit) {
  const std::vector<std::string> ranges = StageRange::Names();
  visit.Integer(Number("study_size", "Figures 3 and 4: size of the dictionary.", 1, 65536), options.study_size);
  visit.Word(OneOf("cd_range", "Figure 3: stage range.", ranges), options.cd_range);
  visit.Words(About("cd_steps", "Figure 3: steps of coordinate descent."), options.cd_steps);
  visit.Words(OneOf("rate_ranges", "Figure 4: stage ranges.", ranges), options.rate_ranges);
  visit.Integer(Number("rate_grid",
                       "Figure 4: values of a, and of b, of the natural rate a / (t + b) that are tried, spread evenly "
                       "over the powers of ten from 1e-3 to 1e3.",
                       1,
                       100),
                options.rate_grid);
  visit.Word(OneOf("race_range", "Table 2 and mini-batches: stage range.", ranges), options.race_range);
  visit.Words(About("large_sizes", "Beyond: sizes of the dictionary."), options.large_sizes);
  visit.Integer(Number("large_epochs", "Beyond: epochs.", 2, 10000), options.large_epochs);
  visit.Integer(Number("annotation_epochs", "Figure 5: epochs of learning the dictionaries.", 1, 10000),
                options.annotation_epochs);
  Field embryos = About("embryos",
                        "Folder of full-size embryos (320x128): their objectives and non-zeros are put beside the "
                        "paper's, with and without smoothing. Empty: none.");
  embryos.is_path = true;
  visit.Word(embryos, options.embryos);
}

}  // namespace

void ReproduceOptions::Fields(OptionsVisitor& visit) {
  CommonFields(*this, visit);
  ExperimentFields(*this, visit);
}

void ReproduceOptions::Check() const {
  std::vector<Diagnostic> problems;
  CheckNumbers("sizes", sizes, problems);
  CheckNumbers("cd_steps", cd_steps, problems);
  CheckNumbers("large_sizes", large_sizes, problems);
  if (rate_ranges.empty()) problems.push_back({"reproduce.rate_ranges: the list is empty", {}, {}});
  if (!problems.empty()) throw Error(ErrorCode::kUsage, problems);
}

std::vector<int> Numbers(const std::vector<std::string>& words) {
  std::vector<int> numbers;
  for (const std::string& word : words) numbers.push_back(static_cast<int>(ParseInteger(word).value_or(0)));
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  return numbers;
}

ConfigSection ReproduceSection(ReproduceOptions& options) {
  return {"reproduce",
          "What `flyscribe reproduce` measures; a run does not look at it.",
          [&options](OptionsVisitor& visit) { options.Fields(visit); },
          [&options] { options.Check(); }};
}

PaperConfig ReadPaperConfig(const fs::path& path, const std::vector<std::string>& overrides) {
  ReproduceOptions options;
  Config config = ReadConfig(path, overrides, {ReproduceSection(options)});
  return {std::move(config), std::move(options)};
}

std::string EffectivePaperYaml(PaperConfig config) {
  return EffectiveYaml(config, false, {ReproduceSection(config.reproduce)});
}

std::vector<EmbryoSource> EmbryoSources(const PaperConfig& config) {
  if (config.reproduce.embryos.empty()) return {};
  std::vector<EmbryoSource> sources;
  if (config.extract.smoothing > 0.0) {
    sources.push_back({"smoothing=" + FormatReal(config.extract.smoothing), config.extract.smoothing});
  }
  sources.push_back({"smoothing=0", 0.0});
  return sources;
}

}  // namespace flyscribe
