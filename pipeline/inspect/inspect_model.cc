#include "pipeline/inspect/inspect_model.h"

#include "core/archive.h"
#include "core/text.h"
#include "pipeline/model/model_bundle.h"

namespace flyscribe {
namespace {

ModelRangeFacts FactsOf(const RangeModel& range) {
  ModelRangeFacts facts;
  facts.range = range.range.name();
  facts.atoms = range.dictionary.atoms.rows();
  facts.features = range.models.weights.cols();
  facts.genes = range.genes.size();
  facts.inner_folds = range.models.inner_folds();
  for (std::size_t i = 0; i < range.models.terms.size(); ++i) {
    const TermModel& term = range.models.terms[i];
    facts.terms.push_back({term.term, range.fbbt_ids[i], term.positives, term.c, term.cut, term.Threshold()});
  }
  for (const SkippedTerm& term : range.models.skipped) facts.skipped.emplace_back(term.term, term.reason);
  return facts;
}

// The text as it is in the bundle, which may be damaged: sections with indented options, one a line.
ModelFacts::Pairs OptionLines(const std::string& text) {
  ModelFacts::Pairs options;
  std::string section;
  for (const std::string& line : Split(text, '\n')) {
    const std::size_t colon = line.find(':');
    if (colon == std::string::npos) continue;
    const std::string value(Trim(std::string_view(line).substr(colon + 1)));
    const bool indented = line.starts_with(" ");
    if (!indented) section = value.empty() ? line.substr(0, colon) + "." : "";
    if (!value.empty()) options.emplace_back(section + std::string(Trim(line.substr(0, colon))), value);
  }
  return options;
}

}  // namespace

ModelFacts InspectModel(const fs::path& bundle) {
  const BundleContent content = ReadBundle(bundle, fs::temp_directory_path());
  ModelFacts facts;
  facts.bytes = content.bytes;
  facts.format = content.index.format;
  facts.id = content.index.id;
  facts.program = content.index.program;
  facts.preprocessing = content.index.preprocessing;
  facts.options = OptionLines(content.options_text);
  facts.provenance = content.model.provenance;
  for (const RangeModel& range : content.model.ranges) facts.ranges.push_back(FactsOf(range));
  for (const Diagnostic& problem : content.problems) facts.problems.push_back(problem.message);
  return facts;
}

bool IsModelFile(const fs::path& path) {
  return ToLower(path.filename().string()).ends_with(".tar.zst") || LooksLikeArchive(path);
}

}  // namespace flyscribe
