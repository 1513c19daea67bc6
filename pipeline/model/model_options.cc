#include "pipeline/model/model_options.h"

#include <algorithm>

#include "core/text.h"
#include "pipeline/config/describe.h"
#include "pipeline/config/section_reader.h"
#include "sparse/learn.h"

namespace flyscribe {
namespace {

const std::string kSimd = "simd";
const std::string kAuto = "auto";
const std::string kViews = "views";
const std::vector<std::string> kSections = {"standardise", "extract", "normalise", "learn", "encode", "pool"};

std::optional<std::string> NoEnvironment(const std::string& /*name*/) { return std::nullopt; }

bool IsSection(const std::string& name) {
  return std::find(kSections.begin(), kSections.end(), name) != kSections.end();
}

// Collects what the check of a module says.
template <class Check>
void Collect(const Check& check, const std::string& source, std::vector<Diagnostic>& problems) {
  try {
    check();
  } catch (const Error& error) {
    for (const Diagnostic& diagnostic : error.diagnostics()) {
      problems.push_back({diagnostic.message, diagnostic.hint, {source}});
    }
  }
}

std::string ReadSimd(const ConfigNode& root, std::vector<Diagnostic>& problems) {
  const ConfigNode* node = root.Find(kSimd);
  if (node == nullptr) return kAuto;
  if (node->kind != ConfigNode::Kind::kScalar) {
    problems.push_back({kSimd + ": expected a word, found " + node->Describe(), {}, node->place});
    return kAuto;
  }
  try {
    SimdName(node->text);
    return node->text;
  } catch (const Error&) {
    return kAuto;  // another machine's: values differ in the last digits, no more
  }
}

// Of ingest they alone outlive the training: they say which images the model is for.
void ReadViews(const ConfigNode& root, std::vector<std::string>& views, std::vector<Diagnostic>& problems) {
  SectionReader(&root, "", NoEnvironment, problems).Words({.name = kViews, .doc = {}}, views);
}

void ReadSections(const ConfigNode& root, Config& config, std::vector<Diagnostic>& problems) {
  for (const ConfigSection& section : config.Sections()) {
    if (!IsSection(section.name)) continue;
    const ConfigNode* node = root.Find(section.name);
    if (node != nullptr && node->kind != ConfigNode::Kind::kMap) {
      problems.push_back({section.name + ": expected keys, found " + node->Describe(), {}, node->place});
      continue;
    }
    SectionReader reader(node, section.name + ".", NoEnvironment, problems);
    section.fields(reader);
    reader.ReportUnknownKeys();
  }
}

}  // namespace

Config ModelOptions(const Config& config) {
  Config options;
  options.run.simd = config.run.simd;
  options.ingest.views = config.ingest.views;
  options.standardise = config.standardise;
  options.extract = config.extract;
  options.normalise = config.normalise;
  options.learn = config.learn;
  options.encode = config.encode;
  options.pool = config.pool;
  return options;
}

std::string ModelOptionsYaml(const Config& options) {
  return kSimd + ": " + options.run.simd + "\n" + kViews + ": " + YamlWords(options.ingest.views) + "\n" +
         SectionsYaml(options, kSections);
}

Config ReadModelOptions(const std::string& text, const std::string& source) {
  const ConfigNode root = ParseConfigText(text, source, {});
  if (root.kind != ConfigNode::Kind::kMap) {
    throw Error(ErrorCode::kUsage, "expected keys with values, found " + root.Describe(), {}, root.place);
  }
  Config config;
  std::vector<Diagnostic> problems;
  for (const ConfigEntry& entry : root.entries) {
    if (entry.key == kSimd || entry.key == kViews || IsSection(entry.key)) continue;
    problems.push_back({"unknown key '" + Printable(entry.key, 60) + "'", {}, entry.value.key_place});
  }
  config.run.simd = ReadSimd(root, problems);
  ReadViews(root, config.ingest.views, problems);
  ReadSections(root, config, problems);
  Collect([&] { config.extract.WindowSides(); }, source, problems);
  Collect([&] { ParseRegions(config.pool.regions); }, source, problems);
  if (!problems.empty()) throw Error(ErrorCode::kUsage, problems);
  return config;
}

}  // namespace flyscribe
