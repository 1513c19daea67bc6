#include "pipeline/inspect/inspect_render.h"

#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>

#include "core/text.h"

namespace flyscribe {
namespace {

using Json = nlohmann::ordered_json;
using Row = std::vector<std::string>;

constexpr std::size_t kMaxName = 60;     // characters of a file's name
constexpr std::size_t kMaxLine = 160;    // of anything else
constexpr std::size_t kMaxEntries = 30;  // of a JSON file
constexpr std::size_t kMaxDamage = 50;   // files listed
constexpr std::string_view kIndent = "  ";

std::string Shown(std::string_view text) { return Printable(text, kMaxLine); }
std::string ShownName(std::string_view name) { return Printable(name, kMaxName); }

// Characters, not bytes.
std::size_t Width(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

// Rows with aligned columns, two spaces between them. `alignment` has one '<' or '>' a column.
std::string Aligned(const std::vector<Row>& rows, std::string_view alignment) {
  std::vector<std::size_t> widths(alignment.size(), 0);
  for (const Row& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], Width(row[i]));
  }
  std::string text;
  for (const Row& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string space(widths[i] - Width(row[i]), ' ');
      line += kIndent;
      line += alignment[i] == '<' ? row[i] + space : space + row[i];
    }
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

std::string Section(const std::string& title, const std::string& body) {
  return body.empty() ? "" : "\n" + title + "\n" + body;
}

std::string Count(std::uint64_t count, const std::string& thing) {
  return fmt::format("{} {}{}", count, thing, count == 1 ? "" : "s");
}

std::string NamedValues(const std::vector<NamedValue>& values) {
  std::vector<Row> rows;
  for (const NamedValue& value : values) rows.push_back({ShownName(value.name), Shown(value.value)});
  return Aligned(rows, "<<");
}

// "patches: 53200" in two columns.
std::string FactLines(const std::vector<std::string>& facts) {
  std::vector<NamedValue> values;
  for (const std::string& fact : facts) {
    const std::size_t colon = fact.find(": ");
    const bool pair = colon != std::string::npos;
    values.push_back({fact.substr(0, colon), pair ? fact.substr(colon + 2) : ""});
  }
  return NamedValues(values);
}

std::string ShapeText(const Shape& shape) {
  if (shape.empty()) return "one value";
  std::string text;
  for (const std::size_t length : shape) text += (text.empty() ? "" : " x ") + std::to_string(length);
  return text;
}

std::string NumberText(const Number& number) {
  if (const auto* real = std::get_if<double>(&number)) return fmt::format("{:.4g}", *real);
  if (const auto* whole = std::get_if<std::int64_t>(&number)) return std::to_string(*whole);
  return std::to_string(std::get<std::uint64_t>(number));
}

// Only nothing is "0 %", and only all is "100 %".
std::string Percent(std::uint64_t part, std::uint64_t all) {
  if (part == 0 || all == 0) return "0 %";
  if (part == all) return "100 %";
  const double percent = 100.0 * static_cast<double>(part) / static_cast<double>(all);
  if (percent < 0.1) return "<0.1 %";
  return percent > 99.9 ? ">99.9 %" : fmt::format("{:.1f} %", percent);
}

std::string NotFinite(const Statistics& statistics) {
  std::string text;
  if (statistics.nans > 0) text += fmt::format("{} NaN", statistics.nans);
  if (statistics.infinities > 0) text += fmt::format("{}{} infinite", text.empty() ? "" : ", ", statistics.infinities);
  return text;
}

Row ArrayRow(const FileFacts& file, const ArrayFacts& array) {
  const NpyHeader& header = array.header;
  const bool known = header.TypeName() != "an unknown type";
  Row row = {ShownName(file.name),
             HumanBytes(file.bytes),
             known ? header.TypeName() : "unknown " + Printable(header.type, 20),
             ShapeText(header.shape) + (header.fortran_order ? " (Fortran order)" : "")};
  if (!array.statistics) return row;
  const Statistics& statistics = *array.statistics;
  if (statistics.Finite() > 0) {
    row.insert(row.end(),
               {NumberText(statistics.min),
                NumberText(statistics.max),
                NumberText(statistics.mean),
                NumberText(statistics.deviation),
                Percent(statistics.zeros, statistics.count)});
  } else {
    row.insert(row.end(), {"", "", "", "", ""});
  }
  row.push_back(NotFinite(statistics));
  return row;
}

std::string ArrayLines(const std::vector<FileFacts>& files) {
  std::vector<Row> rows = {{"name", "size", "type", "shape", "min", "max", "mean", "std", "zeros", ""}};
  for (const FileFacts& file : files) {
    if (const auto* array = std::get_if<ArrayFacts>(&file.content)) rows.push_back(ArrayRow(file, *array));
  }
  return rows.size() == 1 ? "" : Aligned(rows, "<><<>>>>><");
}

std::string CodesLines(const std::vector<CodesFacts>& codes) {
  std::vector<Row> rows;
  for (const CodesFacts& matrix : codes) {
    if (!matrix.problem.empty()) {
      rows.push_back({ShownName(matrix.name), "problem: " + Shown(matrix.problem)});
      continue;
    }
    const double mean =
        static_cast<double>(matrix.nonzeros) / static_cast<double>(std::max<std::uint64_t>(matrix.rows, 1));
    rows.push_back({ShownName(matrix.name),
                    fmt::format("{} with {}: {:.1f} a row, {} to {}",
                                Count(matrix.rows, "row"),
                                Count(matrix.nonzeros, "non-zero"),
                                mean,
                                matrix.fewest,
                                matrix.most)});
  }
  return Aligned(rows, "<<");
}

std::string TableLines(const std::vector<FileFacts>& files) {
  std::vector<Row> rows = {{"name", "size", "rows", "columns", ""}};
  for (const FileFacts& file : files) {
    const auto* table = std::get_if<TableFacts>(&file.content);
    if (table == nullptr) continue;
    rows.push_back({ShownName(file.name),
                    HumanBytes(file.bytes),
                    std::to_string(table->rows),
                    std::to_string(table->columns.size()),
                    Shown(Join(table->columns, ", "))});
  }
  return rows.size() == 1 ? "" : Aligned(rows, "<>>><");
}

std::string JsonLines(const JsonFacts& facts) {
  std::vector<Row> rows;
  for (const auto& [key, value] : facts.entries) {
    if (rows.size() == kMaxEntries) break;
    rows.push_back(key.empty() && facts.form != "object" ? Row{Shown(value)} : Row{ShownName(key), Shown(value)});
  }
  if (facts.form == "object" && facts.count > rows.size())
    rows.push_back({fmt::format("... {} more", facts.count - rows.size())});
  return Aligned(rows, "<<");
}

// Whether a file's content is what the blocks above the files tell.
bool IsToldAbove(const FileFacts& file, const Inspection& inspection) {
  const bool of_artifact = inspection.kind == Inspection::Kind::kArtifact;
  if (of_artifact && (file.name == "manifest.json" || file.name == "key.txt")) return true;
  if (inspection.recipe && file.name == "recipe.txt") return true;
  return inspection.run && file.name == "run.json";
}

std::string JsonBlocks(const Inspection& inspection) {
  std::string text;
  for (const FileFacts& file : inspection.files) {
    const auto* facts = std::get_if<JsonFacts>(&file.content);
    if (facts == nullptr || IsToldAbove(file, inspection)) continue;
    const bool alone = inspection.kind == Inspection::Kind::kFile;
    text += Section(alone ? "Content" : ShownName(file.name) + ", " + HumanBytes(file.bytes), JsonLines(*facts));
  }
  return text;
}

std::string ItemLines(const std::vector<FileFacts>& files) {
  std::vector<Row> rows;
  for (const FileFacts& file : files) {
    const auto* item = std::get_if<ItemFacts>(&file.content);
    if (item == nullptr) continue;
    rows.push_back({ShownName(item->step),
                    Printable(item->key, 16),
                    "payload " + HumanBytes(item->payload_bytes),
                    item->intact ? "the digest fits" : "the digest does not fit"});
  }
  return Aligned(rows, "<<<<");
}

std::string GroupName(const FileGroup& group) {
  return (group.folder == "." ? "" : ShownName(group.folder) + "/") + "*" + ShownName(group.extension);
}

std::string OtherLines(const Inspection& inspection) {
  std::vector<Row> rows;
  for (const FileFacts& file : inspection.files) {
    const bool told = IsToldAbove(file, inspection);
    const bool plain = std::holds_alternative<std::monostate>(file.content) && file.problem.empty();
    if (!told && !plain) continue;
    rows.push_back({ShownName(file.name), HumanBytes(file.bytes), told ? "told above" : file.kind});
  }
  for (const FileGroup& group : inspection.groups) {
    rows.push_back({GroupName(group), HumanBytes(group.bytes), Count(group.count, "file")});
  }
  return Aligned(rows, "<><");
}

std::string ArtifactLines(const std::vector<FileGroup>& artifacts) {
  std::vector<Row> rows;
  for (const FileGroup& group : artifacts) {
    rows.push_back({ShownName(group.folder), HumanBytes(group.bytes), Count(group.count, "artifact")});
  }
  return Aligned(rows, "<><");
}

std::string ProblemLines(const std::vector<FileFacts>& files) {
  std::vector<Row> rows;
  for (const FileFacts& file : files) {
    if (!file.problem.empty()) rows.push_back({ShownName(file.name), HumanBytes(file.bytes), Shown(file.problem)});
  }
  return Aligned(rows, "<><");
}

std::string DamageLines(const std::vector<Damage>& damage) {
  std::vector<Row> rows;
  for (const Damage& one : damage) {
    if (rows.size() == kMaxDamage) {
      rows.push_back({fmt::format("... {} more", damage.size() - kMaxDamage), ""});
      break;
    }
    rows.push_back({ShownName(one.file), Shown(one.reason)});
  }
  return Aligned(rows, "<<");
}

// "learn 13-16 fold-0"; simulate and report are of all ranges, most steps of all bags.
std::string ArtifactName(const ArtifactFacts& artifact) {
  std::string name = artifact.step.empty() ? "unknown step" : artifact.step;
  if (!artifact.range.empty() && artifact.range != "all") name += " " + artifact.range;
  if (!artifact.part.empty() && artifact.part != "all") name += " " + artifact.part;
  return Shown(name);
}

std::string SizeText(const Inspection& inspection) {
  std::uint64_t count = inspection.files.size();
  std::uint64_t bytes = 0;
  for (const FileFacts& file : inspection.files) bytes += file.bytes;
  for (const FileGroup& group : inspection.groups) {
    count += group.count;
    bytes += group.bytes;
  }
  if (inspection.artifacts.empty()) return Count(count, "file") + ", " + HumanBytes(bytes);
  std::uint64_t artifacts = 0;
  for (const FileGroup& group : inspection.artifacts) {
    artifacts += group.count;
    bytes += group.bytes;
  }
  return fmt::format("{}, {}, {}", Count(artifacts, "artifact"), Count(count, "other file"), HumanBytes(bytes));
}

std::string StateText(const ArtifactFacts& artifact, const std::string& whole) {
  if (artifact.damage.empty()) return whole;
  return "damaged: " + Count(artifact.damage.size(), "problem") + ", listed below";
}

std::string MadeText(const ArtifactFacts& artifact) {
  if (artifact.program.empty()) return "unknown";
  const std::string made = artifact.made + " by flyscribe " + artifact.program;
  return artifact.checkpoint ? made : made + " in " + HumanSeconds(artifact.seconds);
}

std::string StepText(const std::string& step, const std::string& version) {
  return version.empty() ? step : step + ", version " + version;
}

// What is not known is left out.
std::string KnownValues(std::vector<NamedValue> values) {
  std::erase_if(values, [](const NamedValue& value) { return value.value.empty(); });
  return NamedValues(values);
}

std::string ArtifactHead(const Inspection& inspection) {
  const ArtifactFacts& artifact = *inspection.artifact;
  return ArtifactName(artifact) + "\n" +
         KnownValues({{"step", StepText(artifact.step, artifact.step_version)},
                      {"use", artifact.checkpoint ? "interrupted learning goes on from here" : ""},
                      {"range", artifact.range},
                      {"part", artifact.part},
                      {artifact.checkpoint ? "for key" : "key", artifact.key},
                      {"made", MadeText(artifact)},
                      {"size", SizeText(inspection)},
                      {"state", StateText(artifact, "intact: every file is as the manifest lists it")}}) +
         Section("Facts", FactLines(artifact.facts)) + Section("Options", NamedValues(artifact.options)) +
         Section("Inputs", NamedValues(artifact.inputs)) + Section("Libraries", NamedValues(artifact.libraries));
}

std::string FileHead(const Inspection& inspection) {
  const FileFacts& file = inspection.files.front();
  std::vector<NamedValue> lines = {{"size", HumanBytes(file.bytes)}};
  if (inspection.artifact) {
    const ArtifactFacts& artifact = *inspection.artifact;
    lines.push_back({"artifact", ArtifactName(artifact)});
    if (!artifact.key.empty()) lines.push_back({artifact.checkpoint ? "for key" : "key", artifact.key});
    lines.push_back({"made", MadeText(artifact)});
    const bool is_manifest = file.name == "manifest.json";
    const std::string whole =
        is_manifest ? "intact: its own digest fits" : "intact: as the artifact's manifest lists it";
    lines.push_back({"state", StateText(artifact, whole)});
  }
  return Shown(inspection.path.string()) + ": " + file.kind + "\n" + NamedValues(lines);
}

std::string PairLines(const ModelFacts::Pairs& pairs) {
  std::vector<NamedValue> values;
  for (const auto& [name, value] : pairs) {
    const auto lines = std::count(value.begin(), value.end(), '\n');
    values.push_back({name, lines > 1 ? fmt::format("{} lines, which --json shows", lines) : value});
  }
  return NamedValues(values);
}

std::string ModelHead(const Inspection& inspection) {
  const ModelFacts& model = *inspection.model;
  const std::string state = model.problems.empty()
                                ? "whole, and of use to this program: all of it was verified"
                                : "refused: " + Count(model.problems.size(), "problem") + ", listed below";
  return Shown(inspection.path.string()) + ": model\n" +
         KnownValues({{"id", model.id},
                      {"format", model.format == 0 ? "" : std::to_string(model.format)},
                      {"made", model.program.empty() ? "" : "by flyscribe " + model.program},
                      {"size", HumanBytes(model.bytes)},
                      {"state", state}});
}

std::string TermLines(const ModelRangeFacts& range) {
  std::vector<Row> rows = {{"term", "FBbt id", "positives", "C", "cut", "threshold"}};
  for (const ModelTermFacts& term : range.terms) {
    rows.push_back({ShownName(term.term),
                    Printable(term.fbbt_id, 20),
                    std::to_string(term.positives),
                    FormatReal(term.c),
                    FormatFixed(term.cut, 3),
                    FormatFixed(term.threshold, 3)});
  }
  std::vector<Row> skipped;
  for (const auto& [term, reason] : range.skipped) skipped.push_back({ShownName(term), "skipped: " + Shown(reason)});
  return (range.terms.empty() ? "" : Aligned(rows, "<<>>>>")) + Aligned(skipped, "<<");
}

std::string ModelBlocks(const ModelFacts& model) {
  std::string text;
  for (const ModelRangeFacts& range : model.ranges) {
    const std::string title = fmt::format("{}: {}, {}, {}, {}, {}",
                                          range.range,
                                          Count(range.terms.size(), "term"),
                                          Count(range.genes, "gene"),
                                          Count(range.atoms, "atom"),
                                          Count(range.features, "feature"),
                                          Count(range.inner_folds, "inner fold"));
    text += "\n" + title + "\n" + TermLines(range);
  }
  text += Section("Preprocessing", PairLines(model.preprocessing)) + Section("Options", PairLines(model.options)) +
          Section("Provenance", PairLines(model.provenance));
  std::vector<Row> problems;
  for (const std::string& problem : model.problems) {
    if (problems.size() < kMaxDamage) problems.push_back({Shown(problem)});
  }
  return text + Section("Problems", Aligned(problems, "<"));
}

std::string FolderHead(const Inspection& inspection) {
  return Shown(inspection.path.string()) + ": folder\n" + NamedValues({{"size", SizeText(inspection)}});
}

std::string Head(const Inspection& inspection) {
  if (inspection.model) return ModelHead(inspection);
  if (inspection.kind == Inspection::Kind::kArtifact) return ArtifactHead(inspection);
  return inspection.kind == Inspection::Kind::kFolder ? FolderHead(inspection) : FileHead(inspection);
}

std::string RecipeLines(const RecipeFacts& recipe) {
  std::vector<NamedValue> lines = {{"step", StepText(recipe.step, recipe.step_version)}};
  lines.insert(lines.end(), recipe.options.begin(), recipe.options.end());
  lines.insert(lines.end(), recipe.libraries.begin(), recipe.libraries.end());
  lines.push_back({"problem", recipe.problem});
  return KnownValues(std::move(lines));
}

std::string RunLines(const RunOverview& run) {
  std::vector<NamedValue> lines = {{"version", run.version},
                                   {"config", run.config},
                                   {"command", run.command},
                                   {"exit code", std::to_string(run.exit_code)},
                                   {"time", HumanSeconds(run.seconds)},
                                   {"memory", HumanBytes(run.peak_bytes) + " at most"},
                                   {"cache", fmt::format("{} hits, {} misses", run.hits, run.misses)},
                                   {"skipped", Count(run.skipped, "input")}};
  for (const RunScore& score : run.scores) {
    lines.push_back({"scores",
                     fmt::format("{}, {} ({}): macro AUC {:.3f}, accuracy {:.3f}",
                                 score.range,
                                 score.terms,
                                 Count(score.count, "term"),
                                 score.auc,
                                 score.accuracy)});
  }
  return NamedValues(lines);
}

template <class Element>
Json ListJson(const std::vector<Element>& elements);

// Not keys of an object: evaluate has five inputs called train.
Json ToJson(const NamedValue& value) { return {{"name", value.name}, {"value", value.value}}; }
Json ToJson(const Damage& damage) { return {{"file", damage.file}, {"reason", damage.reason}}; }

Json ToJson(const Number& number) {
  return std::visit([](const auto value) { return Json(value); }, number);
}

Json ToJson(const Statistics& statistics) {
  Json json = {{"count", statistics.count},
               {"zeros", statistics.zeros},
               {"nan", statistics.nans},
               {"infinite", statistics.infinities}};
  if (statistics.Finite() == 0) return json;
  json["min"] = ToJson(statistics.min);
  json["max"] = ToJson(statistics.max);
  json["mean"] = statistics.mean;
  json["deviation"] = statistics.deviation;
  return json;
}

// What a file holds, under the name of its kind.
void AddContent(std::monostate /*nothing*/, Json& /*json*/) {}
void AddContent(const ArrayFacts& array, Json& json) {
  json["array"] = {{"type", array.header.type},
                   {"type_name", array.header.TypeName()},
                   {"shape", array.header.shape},
                   {"fortran_order", array.header.fortran_order}};
  if (array.statistics) json["array"]["statistics"] = ToJson(*array.statistics);
}
void AddContent(const TableFacts& table, Json& json) {
  json["table"] = {{"rows", table.rows}, {"columns", table.columns}};
}
void AddContent(const JsonFacts& facts, Json& json) {
  Json entries = Json::array();
  for (const auto& [key, value] : facts.entries) entries.push_back({{"key", key}, {"value", value}});
  json["json"] = {{"form", facts.form}, {"count", facts.count}, {"entries", entries}};
}
void AddContent(const ItemFacts& item, Json& json) {
  json["item"] = {
      {"step", item.step}, {"key", item.key}, {"payload_bytes", item.payload_bytes}, {"intact", item.intact}};
}

Json ToJson(const FileFacts& file) {
  Json json = {{"name", file.name}, {"bytes", file.bytes}, {"kind", file.kind}};
  if (!file.problem.empty()) json["problem"] = file.problem;
  std::visit([&json](const auto& content) { AddContent(content, json); }, file.content);
  return json;
}

Json ToJson(const ArtifactFacts& artifact) {
  return {{"folder", artifact.folder.string()},
          {"step", artifact.step},
          {"step_version", artifact.step_version},
          {"range", artifact.range},
          {"part", artifact.part},
          {"key", artifact.key},
          {"program", artifact.program},
          {"made", artifact.made},
          {"seconds", artifact.seconds},
          {"facts", artifact.facts},
          {"options", ListJson(artifact.options)},
          {"inputs", ListJson(artifact.inputs)},
          {"libraries", ListJson(artifact.libraries)},
          {"checkpoint", artifact.checkpoint},
          {"intact", artifact.damage.empty()},
          {"damage", ListJson(artifact.damage)}};
}

Json ToJson(const RecipeFacts& recipe) {
  Json json = {{"folder", recipe.folder.string()},
               {"step", recipe.step},
               {"step_version", recipe.step_version},
               {"options", ListJson(recipe.options)},
               {"libraries", ListJson(recipe.libraries)}};
  if (!recipe.problem.empty()) json["problem"] = recipe.problem;
  return json;
}

Json ToJson(const RunOverview& run) {
  Json scores = Json::array();
  for (const RunScore& score : run.scores) {
    scores.push_back({{"range", score.range},
                      {"terms", score.terms},
                      {"count", score.count},
                      {"macro_auc", score.auc},
                      {"macro_accuracy", score.accuracy}});
  }
  return {{"version", run.version},
          {"config", run.config},
          {"command", run.command},
          {"exit_code", run.exit_code},
          {"wall_seconds", run.seconds},
          {"peak_memory_bytes", run.peak_bytes},
          {"hits", run.hits},
          {"misses", run.misses},
          {"skipped", run.skipped},
          {"scores", scores}};
}

Json PairsJson(const ModelFacts::Pairs& pairs) {
  Json list = Json::array();
  for (const auto& [name, value] : pairs) list.push_back({{"name", name}, {"value", value}});
  return list;
}

Json ToJson(const ModelTermFacts& term) {
  return {{"term", term.term},
          {"fbbt_id", term.fbbt_id},
          {"positives", term.positives},
          {"c", term.c},
          {"cut", term.cut},
          {"threshold", term.threshold}};
}

Json ToJson(const ModelRangeFacts& range) {
  Json skipped = Json::array();
  for (const auto& [term, reason] : range.skipped) skipped.push_back({{"term", term}, {"reason", reason}});
  return {{"range", range.range},
          {"atoms", range.atoms},
          {"features", range.features},
          {"genes", range.genes},
          {"inner_folds", range.inner_folds},
          {"terms", ListJson(range.terms)},
          {"skipped", skipped}};
}

Json ToJson(const ModelFacts& model) {
  return {{"id", model.id},
          {"format", model.format},
          {"program", model.program},
          {"bytes", model.bytes},
          {"preprocessing", PairsJson(model.preprocessing)},
          {"options", PairsJson(model.options)},
          {"provenance", PairsJson(model.provenance)},
          {"ranges", ListJson(model.ranges)},
          {"intact", model.problems.empty()},
          {"problems", model.problems}};
}

Json ToJson(const FileGroup& group) {
  return {{"folder", group.folder}, {"extension", group.extension}, {"count", group.count}, {"bytes", group.bytes}};
}

Json ToJson(const CodesFacts& codes) {
  if (!codes.problem.empty()) return {{"name", codes.name}, {"problem", codes.problem}};
  return {{"name", codes.name},
          {"rows", codes.rows},
          {"nonzeros", codes.nonzeros},
          {"fewest_in_a_row", codes.fewest},
          {"most_in_a_row", codes.most}};
}

template <class Element>
Json ListJson(const std::vector<Element>& elements) {
  Json list = Json::array();
  for (const Element& element : elements) list.push_back(ToJson(element));
  return list;
}

const char* KindName(Inspection::Kind kind) {
  if (kind == Inspection::Kind::kArtifact) return "artifact";
  return kind == Inspection::Kind::kFolder ? "folder" : "file";
}

}  // namespace

std::string InspectionText(const Inspection& inspection) {
  std::string text = Head(inspection);
  if (inspection.recipe) text += Section("Recipe", RecipeLines(*inspection.recipe));
  if (inspection.model) text += ModelBlocks(*inspection.model);
  if (inspection.run) text += Section("Run", RunLines(*inspection.run));
  text += Section("Artifacts", ArtifactLines(inspection.artifacts));
  text += Section("Arrays", ArrayLines(inspection.files));
  text += Section("Codes", CodesLines(inspection.codes));
  text += Section("Tables", TableLines(inspection.files));
  text += Section("Items", ItemLines(inspection.files));
  text += JsonBlocks(inspection);
  // Of a single file the first line has told all this.
  if (inspection.kind != Inspection::Kind::kFile) text += Section("Other files", OtherLines(inspection));
  text += Section("Problems", ProblemLines(inspection.files));
  if (inspection.artifact) text += Section("Damage", DamageLines(inspection.artifact->damage));
  return text;
}

std::string InspectionJson(const Inspection& inspection) {
  Json json = {{"format", 1},
               {"path", inspection.path.string()},
               {"kind", KindName(inspection.kind)},
               {"sound", inspection.Sound()}};
  if (inspection.artifact) json["artifact"] = ToJson(*inspection.artifact);
  if (inspection.recipe) json["recipe"] = ToJson(*inspection.recipe);
  if (inspection.model) json["model"] = ToJson(*inspection.model);
  if (inspection.run) json["run"] = ToJson(*inspection.run);
  json["files"] = ListJson(inspection.files);
  json["groups"] = ListJson(inspection.groups);
  json["artifacts"] = ListJson(inspection.artifacts);
  json["codes"] = ListJson(inspection.codes);
  // Names and texts of files may hold bytes that are no UTF-8.
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace flyscribe
