// The facts of an inspection in words. Whatever comes from files is made safe for a terminal on its way out.
#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "core/text.h"
#include "pipeline/inspect/inspect.h"
#include "pipeline/terminal/text_table.h"

namespace flyscribe {
namespace {

using Json = nlohmann::ordered_json;
using Row = std::vector<std::string>;

constexpr std::size_t kMaxName = 60;     // characters of a file's name
constexpr std::size_t kMaxLine = 160;    // of anything else
constexpr std::size_t kMaxEntries = 30;  // of a JSON file
constexpr std::size_t kMaxDamage = 50;   // files listed

std::string Shown(const Json& text) { return Printable(text.get<std::string>(), kMaxLine); }
std::string ShownName(const Json& name) { return Printable(name.get<std::string>(), kMaxName); }
std::string Bytes(const Json& bytes) { return HumanBytes(bytes.get<std::uint64_t>()); }
std::string Counted(const Json& count, const std::string& thing) { return CountText(count, thing); }

std::string Section(const std::string& title, const std::string& body) {
  return body.empty() ? "" : "\n" + title + "\n" + body;
}
// A table of the rows made of a list; what makes no cells has no row. Nothing without rows.
template <class MakeRow>
std::string Lines(const Row& header, const Json& list, const MakeRow& make_row) {
  TextTable table(header);
  for (const Json& one : list) {
    Row row = make_row(one);
    if (!row.empty()) table.Add(std::move(row));
  }
  return table.empty() ? "" : table.ToString();
}

// The first `most` of a list in two columns, and how many of `total` are not shown.
template <class MakeRow>
std::string FirstLines(const Json& list, std::size_t most, std::size_t total, const MakeRow& make_row) {
  TextTable table({"", ""});
  for (std::size_t i = 0; i < std::min(most, list.size()); ++i) table.Add(make_row(list[i]));
  if (total > table.size()) table.Add({fmt::format("... {} more", total - table.size()), ""});
  return table.ToString();
}

// Names and values in two columns; what has no value is left out.
std::string NamedValues(const std::vector<Row>& values) {
  TextTable table({"", ""});
  for (const Row& row : values) {
    if (!row[1].empty()) table.Add({ShownName(row[0]), Shown(row[1])});
  }
  return table.ToString();
}

// A list of {"name": ..., "value": ...}.
std::string PairLines(const Json& pairs) {
  return Lines({"", ""}, pairs, [](const Json& pair) -> Row {
    const std::string value = pair["value"];
    const auto lines = std::count(value.begin(), value.end(), '\n');
    return {ShownName(pair["name"]), lines > 1 ? fmt::format("{} lines, which --json shows", lines) : Shown(value)};
  });
}

// ---- Files

std::string NumberText(const Json& number) {
  if (number.is_null()) return "nan";
  return number.is_number_float() ? fmt::format("{:.4g}", number.get<double>()) : number.dump();
}

// Only nothing is "0 %", and only all is "100 %".
std::string Percent(std::uint64_t part, std::uint64_t all) {
  if (part == 0 || all == 0) return "0 %";
  if (part == all) return "100 %";
  const double percent = 100.0 * static_cast<double>(part) / static_cast<double>(all);
  if (percent < 0.1) return "<0.1 %";
  return percent > 99.9 ? ">99.9 %" : fmt::format("{:.1f} %", percent);
}

std::string ArrayLines(const Json& files) {
  const Row header = {"name", ">size", "type", "shape", ">min", ">max", ">mean", ">std", ">zeros", ""};
  return Lines(header, files, [&header](const Json& file) -> Row {
    if (!file.contains("array")) return {};
    const Json& array = file["array"];
    const bool known = array["type_name"] != "an unknown type";
    std::vector<std::string> lengths;
    for (const Json& length : array["shape"]) lengths.push_back(length.dump());
    Row row = {ShownName(file["name"]),
               Bytes(file["bytes"]),
               known ? Shown(array["type_name"]) : "unknown " + Printable(array["type"].get<std::string>(), 20),
               (lengths.empty() ? "one value" : Join(lengths, " x ")) +
                   (array["fortran_order"] == true ? " (Fortran order)" : "")};
    const Json statistics = array.value("statistics", Json::object());
    if (statistics.contains("min")) {
      for (const char* name : {"min", "max", "mean", "deviation"}) row.push_back(NumberText(statistics[name]));
      row.push_back(Percent(statistics["zeros"], statistics["count"]));
    }
    std::vector<std::string> odd;
    for (const auto& [name, word] : {std::pair{"nan", " NaN"}, {"infinite", " infinite"}}) {
      if (statistics.value(name, 0) > 0) odd.push_back(statistics[name].dump() + word);
    }
    row.resize(header.size());
    row.back() = Join(odd, ", ");
    return row;
  });
}

std::string CodesLines(const Json& matrices) {
  return Lines({"", ""}, matrices, [](const Json& matrix) -> Row {
    const std::string name = ShownName(matrix["name"]);
    if (matrix.contains("problem")) return {name, "problem: " + Shown(matrix["problem"])};
    return {name,
            fmt::format("{} with {}: {:.1f} a row, {} to {}",
                        Counted(matrix["rows"], "row"),
                        Counted(matrix["nonzeros"], "non-zero"),
                        matrix["nonzeros"].get<double>() / std::max(matrix["rows"].get<double>(), 1.0),
                        matrix["fewest_in_a_row"].dump(),
                        matrix["most_in_a_row"].dump())};
  });
}

std::string TableLines(const Json& files) {
  return Lines({"name", ">size", ">rows", ">columns", ""}, files, [](const Json& file) -> Row {
    if (!file.contains("table")) return {};
    const std::vector<std::string> columns = file["table"]["columns"];
    return {ShownName(file["name"]),
            Bytes(file["bytes"]),
            file["table"]["rows"].dump(),
            fmt::format("{}", columns.size()),
            Shown(Join(columns, ", "))};
  });
}

std::string ItemLines(const Json& files) {
  return Lines({"", "", "", ""}, files, [](const Json& file) -> Row {
    if (!file.contains("item")) return {};
    const Json& item = file["item"];
    return {ShownName(item["step"]),
            Printable(item["key"].get<std::string>(), 16),
            "payload " + Bytes(item["payload_bytes"]),
            item["intact"] == true ? "the digest fits" : "the digest does not fit"};
  });
}

// Whether a file's content is what the blocks above the files tell.
bool IsToldAbove(const Json& file, const Json& facts) {
  const std::string name = file["name"];
  if (facts["kind"] == "artifact" && (name == "manifest.json" || name == "key.txt")) return true;
  return (facts.contains("recipe") && name == "recipe.txt") || (facts.contains("run") && name == "run.json");
}

std::string JsonBlocks(const Json& facts) {
  std::string text;
  for (const Json& file : facts["files"]) {
    if (!file.contains("json") || IsToldAbove(file, facts)) continue;
    const Json& content = file["json"];
    const bool is_object = content["form"] == "object";
    const std::size_t total = is_object ? content["count"].get<std::size_t>() : 1;
    const std::string lines = FirstLines(content["entries"], kMaxEntries, total, [is_object](const Json& entry) {
      return is_object ? Row{ShownName(entry["key"]), Shown(entry["value"])} : Row{Shown(entry["value"]), ""};
    });
    const bool alone = facts["kind"] == "file";
    text += Section(alone ? "Content" : ShownName(file["name"]) + ", " + Bytes(file["bytes"]), lines);
  }
  return text;
}

std::string OtherLines(const Json& facts) {
  TextTable table({"", ">", ""});
  for (const Json& file : facts["files"]) {
    const bool told = IsToldAbove(file, facts);
    const bool plain = file.size() == 3;  // nothing but name, size and kind
    if (told || plain) {
      table.Add({ShownName(file["name"]), Bytes(file["bytes"]), told ? "told above" : Shown(file["kind"])});
    }
  }
  for (const Json& group : facts["groups"]) {
    const std::string folder = group["folder"] == "." ? "" : ShownName(group["folder"]) + "/";
    table.Add({folder + "*" + ShownName(group["extension"]), Bytes(group["bytes"]), Counted(group["count"], "file")});
  }
  return table.ToString();
}

std::string ArtifactLines(const Json& artifacts) {
  return Lines({"", ">", ""}, artifacts, [](const Json& group) -> Row {
    return {ShownName(group["folder"]), Bytes(group["bytes"]), Counted(group["count"], "artifact")};
  });
}

std::string ProblemLines(const Json& files) {
  return Lines({"", ">", ""}, files, [](const Json& file) -> Row {
    if (!file.contains("problem")) return {};
    return {ShownName(file["name"]), Bytes(file["bytes"]), Shown(file["problem"])};
  });
}

std::string DamageLines(const Json& damage) {
  return FirstLines(damage, kMaxDamage, damage.size(), [](const Json& one) {
    return Row{ShownName(one["file"]), Shown(one["reason"])};
  });
}

// ---- Heads and blocks

// "learn 13-16 fold-0"; simulate and report are of all ranges, most steps of all bags.
std::string ArtifactName(const Json& artifact) {
  std::string name = artifact["step"];
  if (name.empty()) name = "unknown step";
  for (const char* part : {"range", "part"}) {
    const std::string which = artifact[part];
    if (!which.empty() && which != "all") name += " " + which;
  }
  return Shown(name);
}

std::string SizeText(const Json& facts) {
  std::uint64_t count = facts["files"].size();
  std::uint64_t artifacts = 0;
  std::uint64_t bytes = 0;
  for (const char* list : {"files", "groups", "artifacts"}) {
    for (const Json& one : facts[list]) bytes += one["bytes"].get<std::uint64_t>();
  }
  for (const Json& group : facts["groups"]) count += group["count"].get<std::uint64_t>();
  for (const Json& group : facts["artifacts"]) artifacts += group["count"].get<std::uint64_t>();
  if (artifacts == 0) return CountText(count, "file") + ", " + HumanBytes(bytes);
  return fmt::format("{}, {}, {}", CountText(artifacts, "artifact"), CountText(count, "other file"), HumanBytes(bytes));
}

std::string StateText(const Json& artifact, const std::string& whole) {
  const std::size_t damage = artifact["damage"].size();
  return damage == 0 ? whole : "damaged: " + CountText(damage, "problem") + ", listed below";
}

std::string MadeText(const Json& artifact) {
  const std::string program = artifact["program"];
  if (program.empty()) return "unknown";
  const std::string made = fmt::format("{} by flyscribe {}", artifact["made"].get<std::string>(), program);
  return artifact["checkpoint"] == true ? made : made + " in " + HumanSeconds(artifact["seconds"]);
}

// Of an artifact or a recipe.
std::string StepText(const Json& made) {
  const std::string version = made["step_version"];
  return made["step"].get<std::string>() + (version.empty() ? "" : ", version " + version);
}

std::string ArtifactHead(const Json& facts) {
  const Json& artifact = facts["artifact"];
  const bool checkpoint = artifact["checkpoint"];
  const std::string told = Lines({"", ""}, artifact["facts"], [](const Json& one) -> Row {
    const std::string fact = one;  // "patches: 53200"
    const std::size_t colon = fact.find(": ");
    return {ShownName(fact.substr(0, colon)), colon == std::string::npos ? "" : Shown(fact.substr(colon + 2))};
  });
  return ArtifactName(artifact) + "\n" +
         NamedValues({{"step", StepText(artifact)},
                      {"use", checkpoint ? "interrupted learning goes on from here" : ""},
                      {"range", artifact["range"]},
                      {"part", artifact["part"]},
                      {checkpoint ? "for key" : "key", artifact["key"]},
                      {"made", MadeText(artifact)},
                      {"size", SizeText(facts)},
                      {"state", StateText(artifact, "intact: every file is as the manifest lists it")}}) +
         Section("Facts", told) + Section("Options", PairLines(artifact["options"])) +
         Section("Inputs", PairLines(artifact["inputs"])) + Section("Libraries", PairLines(artifact["libraries"]));
}

std::string FileHead(const Json& facts) {
  const Json& file = facts["files"].front();
  std::vector<Row> lines = {{"size", Bytes(file["bytes"])}};
  if (facts.contains("artifact")) {
    const Json& artifact = facts["artifact"];
    const std::string whole =
        file["name"] == "manifest.json" ? "intact: its own digest fits" : "intact: as the artifact's manifest lists it";
    lines.push_back({"artifact", ArtifactName(artifact)});
    lines.push_back({artifact["checkpoint"] == true ? "for key" : "key", artifact["key"]});
    lines.push_back({"made", MadeText(artifact)});
    lines.push_back({"state", StateText(artifact, whole)});
  }
  return Shown(facts["path"]) + ": " + Shown(file["kind"]) + "\n" + NamedValues(lines);
}

std::string ModelHead(const Json& facts) {
  const Json& model = facts["model"];
  const std::string program = model["program"];
  const std::size_t problems = model["problems"].size();
  return Shown(facts["path"]) + ": model\n" +
         NamedValues({{"id", model["id"]},
                      {"format", model["format"] == 0 ? "" : model["format"].dump()},
                      {"made", program.empty() ? "" : "by flyscribe " + program},
                      {"size", Bytes(model["bytes"])},
                      {"state",
                       problems == 0 ? "whole, and of use to this program: all of it was verified"
                                     : "refused: " + CountText(problems, "problem") + ", listed below"}});
}

std::string ModelBlocks(const Json& model) {
  std::string text;
  for (const Json& range : model["ranges"]) {
    text += fmt::format("\n{}: {}, {}, {}, {}, {}\n",
                        Shown(range["range"]),
                        CountText(range["terms"].size(), "term"),
                        Counted(range["genes"], "gene"),
                        Counted(range["atoms"], "atom"),
                        Counted(range["features"], "feature"),
                        Counted(range["inner_folds"], "inner fold"));
    text += Lines({"term", "FBbt id", ">positives", ">C", ">cut", ">threshold"}, range["terms"], [](const Json& term) {
      return Row{ShownName(term["term"]),
                 Printable(term["fbbt_id"].get<std::string>(), 20),
                 term["positives"].dump(),
                 FormatReal(term["c"].get<double>()),
                 FormatFixed(term["cut"], 3),
                 FormatFixed(term["threshold"], 3)};
    });
    text += Lines({"", ""}, range["skipped"], [](const Json& term) {
      return Row{ShownName(term["term"]), "skipped: " + Shown(term["reason"])};
    });
  }
  const std::string problems =
      FirstLines(model["problems"], kMaxDamage, model["problems"].size(), [](const Json& problem) {
        return Row{Shown(problem), ""};
      });
  return text + Section("Preprocessing", PairLines(model["preprocessing"])) +
         Section("Options", PairLines(model["options"])) + Section("Provenance", PairLines(model["provenance"])) +
         Section("Problems", problems);
}

std::string RecipeLines(const Json& recipe) {
  std::vector<Row> lines = {{"step", StepText(recipe)}};
  for (const char* list : {"options", "libraries"}) {
    for (const Json& pair : recipe[list]) lines.push_back({pair["name"], pair["value"]});
  }
  lines.push_back({"problem", recipe.value("problem", "")});
  return NamedValues(lines);
}

std::string RunLines(const Json& run) {
  std::vector<Row> lines = {{"version", run["version"]},
                            {"config", run["config"]},
                            {"command", run["command"]},
                            {"exit code", run["exit_code"].dump()},
                            {"time", HumanSeconds(run["wall_seconds"])},
                            {"memory", Bytes(run["peak_memory_bytes"]) + " at most"},
                            {"cache", fmt::format("{} hits, {} misses", run["hits"].dump(), run["misses"].dump())},
                            {"skipped", Counted(run["skipped"], "input")}};
  const auto score = [](const Json& value) { return value.is_null() ? "unknown" : FormatFixed(value, 3); };
  for (const Json& average : run["scores"]) {
    lines.push_back({"scores",
                     fmt::format("{}, {} ({}): macro AUC {}, accuracy {}",
                                 average["range"].get<std::string>(),
                                 average["terms"].get<std::string>(),
                                 Counted(average["count"], "term"),
                                 score(average["macro_auc"]),
                                 score(average["macro_accuracy"]))});
  }
  return NamedValues(lines);
}

std::string Head(const Json& facts) {
  if (facts.contains("model")) return ModelHead(facts);
  if (facts["kind"] == "artifact") return ArtifactHead(facts);
  if (facts["kind"] == "file") return FileHead(facts);
  return Shown(facts["path"]) + ": folder\n" + NamedValues({{"size", SizeText(facts)}});
}

}  // namespace

std::string InspectionText(const std::string& json) {
  const Json facts = Json::parse(json);
  const Json& files = facts["files"];
  std::string text = Head(facts);
  if (facts.contains("recipe")) text += Section("Recipe", RecipeLines(facts["recipe"]));
  if (facts.contains("model")) text += ModelBlocks(facts["model"]);
  if (facts.contains("run")) text += Section("Run", RunLines(facts["run"]));
  text += Section("Artifacts", ArtifactLines(facts["artifacts"]));
  text += Section("Arrays", ArrayLines(files));
  text += Section("Codes", CodesLines(facts["codes"]));
  text += Section("Tables", TableLines(files));
  text += Section("Items", ItemLines(files));
  text += JsonBlocks(facts);
  // Of a single file the first line has told all this.
  if (facts["kind"] != "file") text += Section("Other files", OtherLines(facts));
  text += Section("Problems", ProblemLines(files));
  if (facts.contains("artifact")) text += Section("Damage", DamageLines(facts["artifact"]["damage"]));
  return text;
}

}  // namespace flyscribe
