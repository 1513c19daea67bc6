// flyscribe ontology show TERM: what a term of BDGP's vocabulary or a class of the ontology stands for, and what lies
// above and below it. It changes nothing.
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/text.h"
#include "data/tables.h"
#include "ontology/term_map.h"
#include "ontology/term_relations.h"
#include "pipeline/arguments/command_line.h"
#include "pipeline/command.h"
#include "pipeline/corpus/label_ontology.h"
#include "pipeline/terminal/console.h"
#include "pipeline/terminal/text_table.h"

namespace flyscribe {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kDeepestIndent = 40;
constexpr const char* kAncestorsOff =
    "ancestors are off: give FlyBase's ontology with --obo fbbt.obo (docs/ontology.md says where it is)";

struct OntologyArguments {
  std::string term;
  std::string obo;
  std::string map;
  std::string range;
  bool json = false;
};

// A text of the file on one line, without anything that steers the terminal.
std::string Shown(const std::string& text) {
  constexpr std::size_t kLongest = 10'000;  // characters; the definitions of FlyBase have up to 2,000
  return Printable(text, kLongest);
}

std::string Named(const std::string& id, const Ontology* ontology) {
  const OntologyTerm* term = ontology != nullptr ? ontology->Find(id) : nullptr;
  return Shown(term == nullptr || term->name.empty() ? id : id + " " + term->name);
}

// "FBbt:00001102 ventral nerve cord", and what became of an id that is not in use.
std::string ClassText(const TermCard& card, const Ontology* ontology) {
  if (card.id.empty()) return "none: the map knows the term, but no class for it";
  if (ontology == nullptr) {
    const std::string label = card.matches.empty() ? "" : card.matches.front().label;
    return Shown(label.empty() ? card.id : card.id + " " + label);
  }
  switch (card.resolution.kind) {
    case Resolution::Kind::kUnknown:
      return Shown(card.id) + " (not in this OBO file)";
    case Resolution::Kind::kObsolete:
      return Named(card.id, ontology) + " (obsolete, without a successor)";
    case Resolution::Kind::kReplaced:
      return Named(card.id, ontology) + " (obsolete) -> " + Named(card.resolution.id, ontology);
    case Resolution::Kind::kAlternative:
      return Shown(card.id) + " (alternative id) -> " + Named(card.resolution.id, ontology);
    default:
      return Named(card.id, ontology);
  }
}

std::string FactLine(const std::string& name, const std::string& value) {
  constexpr std::size_t kWidth = 12;
  if (value.empty()) return {};
  return "  " + name + std::string(kWidth - std::min(kWidth, name.size()), ' ') + Shown(value) + "\n";
}

std::string RowsText(const std::string& title, const std::vector<TermMatch>& rows, const Ontology* ontology) {
  if (rows.empty()) return {};
  TextTable table({"range", "term", "match", "class"});
  for (const TermMatch& row : rows) {
    table.Add({row.range.name() + (row.other_range ? " (nearest)" : ""),
               Shown(row.term),
               Shown(row.predicate),
               row.id.empty() ? "none" : Named(row.id, ontology)});
  }
  return title + "\n" + table.ToString();
}

std::string LineageText(const TermCard& card, const Ontology* ontology) {
  if (card.lineage.empty()) return {};
  std::string text = "Ancestors\n";
  for (const LineageEntry& entry : card.lineage) {
    text += std::string(static_cast<std::size_t>(2 * std::min(entry.depth, kDeepestIndent)), ' ');
    text += entry.edge == EdgeKind::kIsA ? "is a " : "part of ";
    text += Named(entry.id, ontology) + (entry.repeated ? " (see above)" : "") + "\n";
  }
  return text;
}

std::string CardText(const TermCard& card, const Ontology* ontology) {
  std::string text = ClassText(card, ontology) + "\n";
  if (card.term != nullptr) {
    std::vector<std::string> synonyms;
    for (const OntologySynonym& synonym : card.term->synonyms) synonyms.push_back(synonym.text);
    text += FactLine("definition", card.term->definition);
    text += FactLine("synonyms", Join(synonyms, "; "));
    text += FactLine("consider", Join(card.term->consider, ", "));
  }
  text += RowsText("Terms of BDGP", card.matches, ontology);
  if (card.matches.empty()) text += FactLine("BDGP", "no term of the map stands for it");
  text += LineageText(card, ontology);
  text += RowsText("Terms of BDGP above it", card.above, ontology);
  text += RowsText("Terms of BDGP below it", card.below, ontology);
  return text;
}

Json RowsJson(const std::vector<TermMatch>& rows) {
  Json list = Json::array();
  for (const TermMatch& row : rows) {
    list.push_back({{"range", row.range.name()},
                    {"fbdv", row.range.fbdv_ids()},
                    {"term", row.term},
                    {"predicate", row.predicate},
                    {"id", row.id},
                    {"other_range", row.other_range}});
  }
  return list;
}

Json CardJson(const TermCard& card, const Ontology* ontology) {
  Json json = {{"id", card.id}, {"matches", RowsJson(card.matches)}};
  if (ontology == nullptr) return json;
  json["state"] = card.id.empty() ? "none" : card.resolution.KindName();
  json["current_id"] = card.resolution.id;
  json["name"] = card.term != nullptr ? card.term->name : "";
  json["definition"] = card.term != nullptr ? card.term->definition : "";
  json["consider"] = card.term != nullptr ? card.term->consider : std::vector<std::string>();
  json["ancestors"] = Json::array();
  for (const Ancestor& ancestor : ontology->Ancestors(card.resolution.id)) {
    json["ancestors"].push_back(
        {{"id", ancestor.id}, {"name", ontology->Find(ancestor.id)->name}, {"distance", ancestor.distance}});
  }
  json["above"] = RowsJson(card.above);
  json["below"] = RowsJson(card.below);
  return json;
}

int RunShow(const OntologyArguments& arguments) {
  std::optional<StageRange> range;
  if (!arguments.range.empty()) range = StageRange::FromName(arguments.range);
  std::vector<std::string> warnings;
  const TermMap map = ReadTermMap(arguments.map, warnings);
  const std::optional<Ontology> read = ReadAnatomy(arguments.obo, warnings);
  // What was not understood goes to standard error: the answer does not depend on it.
  for (const std::string& warning : warnings) WriteToError("warning: " + warning + "\n");
  const Ontology* ontology = read ? &*read : nullptr;
  Json json = {{"format", 1}, {"term", arguments.term}, {"ancestors", ontology != nullptr}, {"classes", Json::array()}};
  std::string text;
  for (const TermCard& card : DescribeTerm(arguments.term, range, map, ontology)) {
    json["classes"].push_back(CardJson(card, ontology));
    text += (text.empty() ? "" : "\n") + CardText(card, ontology);
  }
  if (ontology == nullptr) text += std::string("\n") + kAncestorsOff + "\n";
  PrintResult(arguments.json ? JsonLines(json) : text);
  return 0;
}

}  // namespace

Command OntologyCommand() {
  return {"ontology",
          "Say what a term stands for in FlyBase's anatomy, and what lies above and below",
          [](const CommandLine& line) {
            auto arguments = std::make_shared<OntologyArguments>();
            line.RequireSubcommand(1, 1);
            const CommandLine show = line.Subcommand("show", "Explain one term");
            show.Value("term", arguments->term, "A term as BDGP words it, or an id such as FBbt:00001102").Required();
            show.Value("--obo", arguments->obo, "FlyBase's anatomy ontology, for names and ancestors").Named("FILE");
            show.Value("--map", arguments->map, "Another map of terms (SSSOM) than the one built in").Named("FILE");
            show.Value("--range", arguments->range, "Only of this stage range").Named("R");
            show.Flag("--json", arguments->json, "Print JSON");
            return [arguments] { return RunShow(*arguments); };
          }};
}

}  // namespace flyscribe
