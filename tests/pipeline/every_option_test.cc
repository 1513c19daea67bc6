// Every option of every step: changing it reruns exactly its dependents, and `why` names exactly it.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "core/text.h"
#include "pipeline/config/describe.h"
#include "pipeline/explain/why.h"
#include "tests/pipeline/tiny_run.h"

namespace flyscribe {
namespace {

using Steps = std::vector<std::string>;

// The steps of a run without the baseline.
Steps MainSteps() {
  Steps steps = StepNames();
  std::erase_if(steps, [](const std::string& step) { return step.ends_with("pixels"); });
  return steps;
}
const Steps kAll = MainSteps();

Steps From(const std::string& first) { return {std::find(kAll.begin(), kAll.end(), first), kAll.end()}; }

// What an option's change reruns, and a value to change it to where none can be made up.
struct Case {
  std::string value;  // empty: made up; what else must change with it comes after a semicolon
  Steps reruns;
  std::vector<std::string> reasons;  // empty: the option itself
};

// All options that do not simply rerun the steps from their section's own on.
const std::map<std::string, Case>& SpecialCases() {
  static const std::map<std::string, Case> cases = {
      // Where, how many at a time, how long: no result depends on it.
      {"output", {"elsewhere", {}, {}}},
      {"threads", {"1", {}, {}}},
      {"cache.max_size", {"5GB", {}, {}}},
      {"cache.lock_timeout", {"5", {}, {}}},
      {"cache.checkpoint_seconds", {"60", {}, {}}},
      {"simd", {"plain", {}, {}}},
      // Simulated data is made for the ranges together, so all keys behind it are open.
      {"ranges", {"[4-6, 7-8]", kAll, {}}},
      {"simulate.genes", {"31", kAll, {}}},
      {"simulate.photographs", {"true", kAll, {"library opencv", "option simulate.photographs"}}},
      // ingest decides by content: what does not change for later steps does not rerun them.
      {"ingest.views", {"[lateral, dorsal, ventral]", {"ingest", "report"}, {}}},
      {"ingest.blank_view", {"keep", From("ingest"), {}}},
      {"ingest.folds", {"4", {"ingest", "learn", "encode", "pool", "train", "evaluate", "report"}, {}}},
      {"ingest.split_seed", {"9", {"ingest", "learn", "encode", "pool", "train", "evaluate", "report"}, {}}},
      {"ingest.permute_labels", {"3", {"ingest", "train", "evaluate", "report"}, {}}},
      {"ingest.on_bad_image", {"fail", From("ingest"), {}}},
      {"ingest.absence_terms", {"[no staining, nothing at all]", {"ingest", "report"}, {}}},
      {"ingest.bookkeeping_terms", {"[flag_for_volker]", {"ingest", "report"}, {}}},
      {"ontology.merge_synonyms", {"true", {"ingest", "report"}, {}}},
      {"extract.window_function", {"flat", From("extract"), {}}},
      {"extract.scales", {"[1, 2]", From("extract"), {}}},
      // A profile stands for other options.
      {"learn.profile",
       {"release-1.0",
        From("learn"),
        {"option learn.cd_steps",
         "option learn.coordinate_order",
         "option learn.curvature",
         "option learn.lambda",
         "option learn.method",
         "option learn.patch_order",
         "option learn.projection"}}},
      {"pool.regions", {"[2x2]", From("pool"), {}}},
      {"train.c_grid", {"[0.1, 1]", From("train"), {}}},
      // Learned codes are there for a dictionary of all bags only; the profile stands for that too.
      {"pool.codes",
       {"learned;protocol.dictionary=all",
        {"learn", "pool", "train", "evaluate", "report"},
        {"option pool.codes", "option protocol.dictionary"}}},
      {"protocol.profile",
       {"paper", {"learn", "encode", "pool", "train", "evaluate", "report"}, {"option protocol.dictionary"}}},
      {"train.exclude_terms", {"[gap]", From("train"), {}}},
      // A dictionary for all folds, or one more fold: other parts, for which nothing was computed.
      {"protocol.dictionary", {"all", {"learn", "encode", "pool", "train", "evaluate", "report"}, {}}},
      {"protocol.test_folds", {"2", {"learn", "encode", "pool", "train", "evaluate", "report"}, {}}},
      // The baseline comes on top, and nothing but the report looks at it.
      {"protocol.pixel_baseline", {"true", {"pixels", "train-pixels", "evaluate-pixels", "report"}, {}}},
      {"report.title", {"other", {"report"}, {}}}};
  return cases;
}

// Paths, and what needs a file of the user's.
bool NeedsAFile(const std::string& key) {
  return key == "cache.dir" || key.starts_with("data.") || key == "ontology.map" || key == "ontology.obo" ||
         key == "ontology.propagate";
}

// Another value the config accepts.
std::string OtherValue(const OptionValue& option, const std::string& key) {
  const auto accepted = [&](const std::string& value) {
    try {
      TinyConfig(SharedTinyRun().folder.path(), {key + "=" + value});
      return true;
    } catch (const Error&) {
      return false;
    }
  };
  std::vector<std::string> candidates = option.field.allowed;
  if (option.is_flag) candidates = {"true", "false"};
  if (const auto number = ParseReal(option.value)) {
    candidates = {
        FormatReal(*number + 1), FormatReal(*number * 2), FormatReal(*number / 2), FormatReal(*number - 1), "0.3"};
  }
  for (const std::string& candidate : candidates) {
    if (candidate != option.value && accepted(candidate)) return candidate;
  }
  return {};
}

// Instances whose key is not one of the shared run's.
std::vector<const StepInstance*> Changed(const Plan& plan) {
  std::set<std::string> known;
  for (const StepOutcome& step : SharedTinyRun().outcome.steps) known.insert(step.key);
  std::vector<const StepInstance*> changed;
  for (const StepInstance& instance : plan.instances) {
    if (!known.contains(instance.key)) changed.push_back(&instance);
  }
  return changed;
}

Steps NamesOf(const std::vector<const StepInstance*>& instances) {
  Steps names;
  for (const StepInstance* instance : instances) {
    if (std::find(names.begin(), names.end(), instance->step->name) == names.end())
      names.push_back(instance->step->name);
  }
  return names;
}

std::string SectionStep(const std::string& key) { return key.substr(0, key.find('.')); }

void CheckOption(const std::string& key, const std::string& value, const Case& expected) {
  SCOPED_TRACE(key + "=" + value);
  const Plan plan = PlanOf(TinyConfig(SharedTinyRun().folder.path(), Split(key + "=" + value, ';')));
  const std::vector<const StepInstance*> changed = Changed(plan);
  EXPECT_EQ(NamesOf(changed), expected.reruns);
  const History history(SharedTinyRun().folder / "cache");
  const Explainer explainer(plan, history);
  const std::vector<std::string> reasons =
      expected.reasons.empty() ? std::vector<std::string>{"option " + key} : expected.reasons;
  for (const StepInstance* instance : changed) {
    if (instance->key.empty()) continue;  // behind simulate
    const Reason reason = explainer.Explain(*instance);
    if (reason.kind == Reason::Kind::kNeverComputed) {
      EXPECT_NE((key + "=" + value).find("protocol."), std::string::npos) << instance->Describe();
      continue;
    }
    std::vector<std::string> named;
    for (const KeyChange& change : reason.changes) named.push_back(change.name);
    EXPECT_EQ(named, reasons) << instance->Describe() << ": " << reason.ToString();
  }
}

TEST(EveryOption, RerunsExactlyItsDependentsAndWhyNamesIt) {
  Config config = SharedTinyRun().config;
  std::size_t checked = 0;
  for (const ConfigSection& section : config.Sections()) {
    for (const OptionValue& option : ListOptions(section.fields)) {
      const std::string key = (section.name.empty() ? "" : section.name + ".") + option.field.name;
      if (NeedsAFile(key)) continue;
      const auto special = SpecialCases().find(key);
      Case expected = special != SpecialCases().end() ? special->second : Case();
      if (special == SpecialCases().end()) expected.reruns = From(SectionStep(key));
      const std::string value = expected.value.empty() ? OtherValue(option, key) : expected.value;
      ASSERT_NE(value, "") << key << " has no other value; give one in SpecialCases";
      CheckOption(key, value, expected);
      ++checked;
    }
  }
  EXPECT_GT(checked, 50U);
}

TEST(EveryOption, NoneOfThoseMarkedSpeedOnlyIsInAnyKey) {
  Config config = SharedTinyRun().config;
  std::string keys;
  for (const StepInstance& instance : PlanOf(config).instances) keys += instance.key_text;
  for (const ConfigSection& section : config.Sections()) {
    for (const OptionValue& option : ListOptions(section.fields)) {
      const std::string line = "option " + (section.name.empty() ? "" : section.name + ".") + option.field.name + ": ";
      const bool expected = option.field.effect == Effect::kResults && !option.field.is_path;
      if (section.name == "data") continue;
      EXPECT_EQ(keys.find(line) != std::string::npos, expected) << line;
    }
  }
}

}  // namespace
}  // namespace flyscribe
