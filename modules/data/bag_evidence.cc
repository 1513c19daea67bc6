#include "data/bag_evidence.h"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "core/text.h"
#include "data/tables.h"

namespace flyscribe {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kFormat = 1;

// A bag has thousands of patches, so their rows are written by hand: a tree of them would take a hundred times the
// room.
void AppendPatches(const std::vector<PatchEvidence>& patches, std::string& text) {
  text += '[';
  for (std::size_t i = 0; i < patches.size(); ++i) {
    const PatchEvidence& patch = patches[i];
    text += (i == 0 ? "[" : ",[") + std::to_string(patch.image) + ',' + FormatReal(patch.x) + ',' +
            FormatReal(patch.y) + ',' + FormatReal(patch.contribution) + ']';
  }
  text += ']';
}

TermEvidence TermFromJson(const Json& json, std::size_t images) {
  TermEvidence term{json.at("term"), json.at("fbbt_id"), json.at("decision_value"), json.at("bias"), {}};
  for (const Json& row : json.at("patches")) {
    const PatchEvidence patch{row.at(0), row.at(1), row.at(2), row.at(3)};
    if (patch.image >= images) throw std::out_of_range("image");
    term.patches.push_back(patch);
  }
  return term;
}

StageRange RangeFromJson(const Json& json) {
  const auto range = StageRange::Find(json.get<std::string>());
  if (!range) throw std::out_of_range("stage range");
  return *range;
}

}  // namespace

double SumOf(const TermEvidence& term) {
  double sum = term.bias;
  for (const PatchEvidence& patch : term.patches) sum += double{patch.contribution};
  return sum;
}

std::vector<PatchEvidence> PatchesIn(const TermEvidence& term, std::size_t image) {
  std::vector<PatchEvidence> patches;
  std::copy_if(term.patches.begin(), term.patches.end(), std::back_inserter(patches), [image](const auto& patch) {
    return patch.image == image;
  });
  return patches;
}

std::string EncodeEvidence(const BagEvidence& evidence) {
  const Json head = {{"format", kFormat},
                     {"model_id", evidence.model_id},
                     {"bag_id", evidence.bag_id},
                     {"fbgn", evidence.fbgn},
                     {"gene_symbol", evidence.symbol},
                     {"stage_range", evidence.range.name()},
                     {"score_source", evidence.score_source},
                     {"images", evidence.images},
                     {"patch_columns", {"image", "x", "y", "contribution"}}};
  std::string text = JsonText(head);
  text.pop_back();
  text += ",\"terms\":[";
  for (std::size_t i = 0; i < evidence.terms.size(); ++i) {
    const TermEvidence& term = evidence.terms[i];
    std::string row = JsonText(Json{
        {"term", term.term}, {"fbbt_id", term.fbbt_id}, {"decision_value", term.decision_value}, {"bias", term.bias}});
    row.pop_back();
    text += (i == 0 ? "\n" : ",\n") + row + ",\"patches\":";
    AppendPatches(term.patches, text);
    text += '}';
  }
  return text + "]}\n";
}

BagEvidence DecodeEvidence(const std::string& text, const fs::path& path) {
  try {
    const Json json = Json::parse(text);
    if (json.at("format") != kFormat) ThrowCorrupt(path, "evidence of another format");
    BagEvidence evidence{json.at("model_id"),
                         json.at("bag_id"),
                         json.at("fbgn"),
                         json.at("gene_symbol"),
                         RangeFromJson(json.at("stage_range")),
                         json.at("score_source"),
                         json.at("images"),
                         {}};
    for (const Json& term : json.at("terms")) evidence.terms.push_back(TermFromJson(term, evidence.images.size()));
    return evidence;
  } catch (const Json::exception& error) {
    ThrowCorrupt(path, std::string("not a bag's evidence: ") + error.what());
  } catch (const std::out_of_range& error) {
    ThrowCorrupt(path, std::string("not a bag's evidence: ") + error.what());
  }
}

}  // namespace flyscribe
