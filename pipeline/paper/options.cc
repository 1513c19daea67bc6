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

// What is measured with, and how carefully.
void CommonFields(ReproduceOptions& options, OptionsVisitor& visit) {
  visit.Choice(
      {.name = "descriptors",
       .doc = "What dictionaries are learned from: simulated, as many simulated embryos as it takes to have the "
              "paper's numbers of patches; images, the images of this config.",
       .allowed = {"simulated", "images"},
       .effect = Effect::kSpeed},
      options.descriptors);
  visit.Integer(
      {.name = "max_patches",
       .doc = "Patches of a stage range that are used at most; 0 means all (the paper's numbers, if simulated).",
       .min = 0,
       .max = 1e9,
       .effect = Effect::kSpeed},
      options.max_patches);
  visit.Words({.name = "sizes", .doc = "Sizes of the dictionary, m.", .effect = Effect::kSpeed}, options.sizes);
  visit.Integer({.name = "objective_patches",
                 .doc = "Patches, spread evenly, on which objectives are evaluated, by exact codes; 0 means all.",
                 .min = 0,
                 .max = 1e9,
                 .effect = Effect::kSpeed},
                options.objective_patches);
  visit.Integer({.name = "online_visits",
                 .doc = "Visits of a patch that are timed for online learning at batch size 1, which is too slow to be "
                        "run to its end (--full does).",
                 .min = 1,
                 .max = 1e9,
                 .effect = Effect::kSpeed},
                options.online_visits);
  visit.Integer(
      {.name = "repeats",
       .doc = "How often the visits of online learning at batch size 1 and the race of mini-batches are timed; the "
              "median counts.",
       .min = 1,
       .max = 99,
       .effect = Effect::kSpeed},
      options.repeats);
  visit.Integer(
      {.name = "run_repeats",
       .doc = "How often the whole runs of exact SCC whose times are shown in Tables 1 and 2 and Figure 3 are "
              "repeated; the median counts.",
       .min = 1,
       .max = 99,
       .effect = Effect::kSpeed},
      options.run_repeats);
  visit.Integer(
      {.name = "side_by_side",
       .doc = "Measurements of one thread that run at a time, each on a core of its own. Races are always run "
              "alone.",
       .min = 1,
       .max = 64,
       .effect = Effect::kSpeed},
      options.side_by_side);
}

// What each experiment varies.
void ExperimentFields(ReproduceOptions& options, OptionsVisitor& visit) {
  visit.Integer({.name = "study_size",
                 .doc = "Figures 3 and 4: size of the dictionary.",
                 .min = 1,
                 .max = 65536,
                 .effect = Effect::kSpeed},
                options.study_size);
  visit.Word(
      {.name = "cd_range", .doc = "Figure 3: stage range.", .allowed = StageRange::Names(), .effect = Effect::kSpeed},
      options.cd_range);
  visit.Words({.name = "cd_steps", .doc = "Figure 3: steps of coordinate descent.", .effect = Effect::kSpeed},
              options.cd_steps);
  visit.Words({.name = "rate_ranges",
               .doc = "Figure 4: stage ranges.",
               .allowed = StageRange::Names(),
               .effect = Effect::kSpeed},
              options.rate_ranges);
  visit.Integer(
      {.name = "rate_grid",
       .doc = "Figure 4: values of a, and of b, of the natural rate a / (t + b) that are tried, spread evenly "
              "over the powers of ten from 1e-3 to 1e3.",
       .min = 1,
       .max = 100,
       .effect = Effect::kSpeed},
      options.rate_grid);
  visit.Word({.name = "race_range",
              .doc = "Table 2 and mini-batches: stage range.",
              .allowed = StageRange::Names(),
              .effect = Effect::kSpeed},
             options.race_range);
  visit.Words({.name = "large_sizes", .doc = "Beyond: sizes of the dictionary.", .effect = Effect::kSpeed},
              options.large_sizes);
  visit.Integer({.name = "large_epochs", .doc = "Beyond: epochs.", .min = 2, .max = 10000, .effect = Effect::kSpeed},
                options.large_epochs);
  visit.Integer({.name = "annotation_epochs",
                 .doc = "Figure 5: epochs of learning the dictionaries.",
                 .min = 1,
                 .max = 10000,
                 .effect = Effect::kSpeed},
                options.annotation_epochs);
  visit.Word(
      {.name = "embryos",
       .doc = "Folder of full-size embryos (320x128): their objectives and non-zeros are put beside the paper's, "
              "with and without smoothing. Empty: none.",
       .effect = Effect::kSpeed,
       .is_path = true},
      options.embryos);
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

PaperConfig ReadPaperConfigTree(const ConfigNode& root, const std::string& name) {
  ReproduceOptions options;
  Config config = ReadConfigTree(root, name, {ReproduceSection(options)});
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
