// ingest: tables and images into bags, labels and folds.
#include <map>

#include "pipeline/steps/step.h"

namespace flyscribe {
namespace {

void Describe(const Config& config, ArtifactKey& key) {
  key.AddOptions("ingest", KeyText(config.ingest));
  // What the files say comes in by the digests of labels and terms; whether there are ancestors at all is told as a
  // fact.
  const bool ancestors = !config.ontology.obo.empty();
  key.AddOptions("ontology", KeyText(config.ontology) + "ancestors: \"" + (ancestors ? "on" : "off") + "\"\n");
}

// "1234 of 1250".
std::string LabelsWithId(const Collection& collection) {
  std::map<std::string, bool> has_id;
  for (const TermRecord& record : collection.terms) has_id[record.term] = !record.fbbt_id.empty();
  std::size_t labels = 0;
  std::size_t with_id = 0;
  for (const Bag& bag : collection.bags) {
    for (const std::string& term : bag.terms) {
      ++labels;
      with_id += has_id[term] ? 1U : 0U;
    }
  }
  return std::to_string(with_id) + " of " + std::to_string(labels);
}

void Run(StepContext& context) {
  const Collection& collection = context.corpus->Of(StageRange::FromName(context.range));
  collection.Save(context.output);
  context.AddFact("bags", std::to_string(collection.bags.size()));
  context.AddFact("images", std::to_string(collection.images.size()));
  context.AddFact("labels with FBbt id", LabelsWithId(collection));
  if (!context.corpus->ontology().has_ancestors()) context.AddFact("ancestors", "off, no ontology.obo");
}

}  // namespace

StepCode IngestCode() { return {Describe, Run}; }

}  // namespace flyscribe
