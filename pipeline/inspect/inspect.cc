#include "pipeline/inspect/inspect.h"

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/archive.h"
#include "core/error.h"
#include "core/file.h"
#include "core/hash.h"
#include "core/npy.h"
#include "core/statistics.h"
#include "core/text.h"
#include "corpus/image_files.h"
#include "data/tables.h"
#include "pipeline/cache/checkpoint.h"
#include "pipeline/cache/items.h"
#include "pipeline/cache/key.h"
#include "pipeline/cache/manifest.h"
#include "pipeline/config/describe.h"
#include "pipeline/inspect/outline.h"
#include "pipeline/model/model_bundle.h"
#include "pipeline/run/run_summary.h"

namespace flyscribe {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint64_t kMaxText = std::uint64_t{64} << 20;  // bytes of a manifest, key or run.json
constexpr std::size_t kMaxListed = 20;                       // files of one kind below one folder
constexpr std::size_t kMaxScattered = 60;                    // files of one kind below all folders that have few
constexpr std::size_t kDigestDigits = 64;

bool IsFile(const fs::path& path) {
  boost::system::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

// 0 if it cannot be told.
std::uint64_t SizeOf(const fs::path& path) {
  boost::system::error_code error;
  const std::uint64_t bytes = fs::file_size(path, error);
  return error ? 0 : bytes;
}

// Calls `read` and returns what it throws about the content; empty if nothing.
template <class Read>
std::string ProblemOf(const Read& read) {
  try {
    read();
    return {};
  } catch (const Error& error) {
    if (error.code() == ErrorCode::kInterrupted) throw;
    return error.diagnostics().front().message;
  }
}

// Pairs are no keys of an object: evaluate has five inputs called train.
Json Named(const std::string& name, const std::string& value) { return {{"name", name}, {"value", value}}; }

Json NamedList(const std::vector<std::pair<std::string, std::string>>& pairs) {
  Json list = Json::array();
  for (const auto& [name, value] : pairs) list.push_back(Named(name, value));
  return list;
}

// ---- Single files

// Whether a folder lies where the cache puts the items of one recipe: items/<step>/<recipe's digest>.
bool IsItemGroup(const fs::path& folder) {
  return IsKey(folder.filename().string()) && folder.parent_path().parent_path().filename() == "items";
}

std::string KindOf(const fs::path& path) {
  const std::string name = path.filename().string();
  const fs::path shelf = fs::absolute(path).parent_path();
  // items/<step>/<recipe>/<first two digits>/<key>
  if (IsKey(name) && shelf.filename() == name.substr(0, 2) && IsItemGroup(shelf.parent_path())) return "item";
  if (HasImageExtension(path)) return "image";
  static const std::map<std::string, std::string> kinds = {{".npy", "array"},
                                                           {".tsv", "table"},
                                                           {".csv", "table"},
                                                           {".json", "json"},
                                                           {".html", "page"},
                                                           {".txt", "text"},
                                                           {".yaml", "config"},
                                                           {".yml", "config"},
                                                           {".zst", "model"}};
  const auto known = kinds.find(ToLower(path.extension().string()));
  return known == kinds.end() ? "file" : known->second;
}

Json ArrayFacts(const fs::path& path, const Progress& progress) {
  const AnyNpy array(path);
  Json facts = {{"type", array.header().type},
                {"type_name", array.header().TypeName()},
                {"shape", array.header().shape},
                {"fortran_order", array.header().fortran_order}};
  const std::optional<Statistics> statistics = StatisticsOf(array, progress);
  if (!statistics) return facts;
  facts["statistics"] = {{"count", statistics->count},
                         {"zeros", statistics->zeros},
                         {"nan", statistics->nans},
                         {"infinite", statistics->infinities}};
  if (statistics->Finite() == 0) return facts;
  const auto add = [&facts](const char* name, const auto value) { facts["statistics"][name] = value; };
  std::visit([&](const auto min) { add("min", min); }, statistics->min);
  std::visit([&](const auto max) { add("max", max); }, statistics->max);
  add("mean", statistics->mean);
  add("deviation", statistics->deviation);
  return facts;
}

// See pipeline/cache/items.h.
void AddItem(const fs::path& path, const Progress& progress, Json& file) {
  std::string digest;
  std::uint64_t payload_bytes = 0;
  Sha256 hash;
  ForEachBlock(path, [&](std::string_view block) {
    progress.ThrowIfStopped();
    const std::string_view start = block.substr(0, kDigestDigits - digest.size());
    digest += start;
    block.remove_prefix(start.size());
    hash.Update(block);
    payload_bytes += block.size();
  });
  const bool intact = hash.HexDigest() == digest;
  if (!intact) file["problem"] = "the digest does not fit the payload";
  if (digest.size() < kDigestDigits) file["problem"] = "shorter than the digest it must begin with";
  file["item"] = {{"step", fs::absolute(path).parent_path().parent_path().parent_path().filename().string()},
                  {"key", path.filename().string()},
                  {"payload_bytes", payload_bytes},
                  {"intact", intact}};
}

// Whatever the file holds, and if it cannot be read, that is its problem. `name` is relative to the folder looked at.
Json FileFacts(const fs::path& path, const std::string& name, const Progress& progress) {
  const std::string kind = KindOf(path);
  boost::system::error_code error;
  const std::uint64_t bytes = fs::file_size(path, error);
  Json file = {{"name", name}, {"bytes", error ? 0 : bytes}, {"kind", kind}};
  const std::string problem = error ? "cannot be read: " + error.message() : ProblemOf([&] {
    if (kind == "array") file["array"] = ArrayFacts(path, progress);
    if (kind == "item") AddItem(path, progress, file);
    if (kind == "model" && !LooksLikeArchive(path)) {
      file["problem"] = "not compressed by Zstandard, as a model is";
    }
    if (kind == "json") {
      const JsonOutline outline = OutlineJson(path);
      Json entries = Json::array();
      for (const auto& [key, value] : outline.entries) entries.push_back({{"key", key}, {"value", value}});
      if (outline.problem.empty()) {
        file["json"] = {{"form", outline.form}, {"count", outline.count}, {"entries", entries}};
      } else {
        file["problem"] = outline.problem;
      }
    }
    // Tables with commas are others' and may have no header.
    if (kind == "table" && ToLower(path.extension().string()) == ".tsv") {
      const TableOutline table = OutlineTable(path, progress);
      if (!table.problem.empty()) file["problem"] = table.problem;
      if (!table.columns.empty()) file["table"] = {{"rows", table.rows}, {"columns", table.columns}};
    }
  });
  if (!problem.empty()) file["problem"] = problem;
  return file;
}

// ---- Artifacts and recipes

bool IsArtifactFolder(const fs::path& folder) {
  const bool manifest = IsFile(folder / kManifestName);
  const bool key = IsFile(folder / kKeyName);
  return (manifest && key) || ((manifest || key) && IsKey(folder.filename().string()));
}

// Adds what key.txt or recipe.txt says: "step: learn 2", "range: 4-6", "option learn.atoms: 24" ...: see
// pipeline/cache/key.h.
void AddKeyText(const std::string& text, Json& facts) {
  for (const std::string& line : Split(text, '\n')) {
    const std::size_t colon = line.find(": ");
    if (colon == std::string::npos) continue;
    const std::string name = line.substr(0, colon);
    const std::string value = line.substr(colon + 2);
    for (const auto& [prefix, list] :
         {std::pair{"option ", "options"}, {"input ", "inputs"}, {"library ", "libraries"}}) {
      const std::string start = prefix;
      if (name.starts_with(start) && facts.contains(list))
        facts[list].push_back(Named(name.substr(start.size()), value));
    }
    if ((name == "range" || name == "part") && facts.contains(name)) facts[name] = value;
    if (name == "step") {
      const std::string step = value.substr(0, value.rfind(' '));
      facts["step"] = step;
      facts["step_version"] = value.substr(std::min(step.size() + 1, value.size()));
    }
  }
}

// An artifact, compared with its manifest.
class ArtifactInspection {
 public:
  // What the manifest says goes over what key.txt says.
  explicit ArtifactInspection(const fs::path& folder) : folder_(folder) {
    facts_ = {{"folder", folder.string()},
              {"step", ""},
              {"step_version", ""},
              {"range", ""},
              {"part", ""},
              {"key", ""},
              {"program", ""},  // flyscribe's version
              {"made", ""},
              {"seconds", 0.0},
              {"facts", Json::array()},
              {"options", Json::array()},
              {"inputs", Json::array()},
              {"libraries", Json::array()},
              {"checkpoint", false},
              {"intact", true},
              {"damage", Json::array()}};
    // A key that is missing or changed is told when its digest is compared.
    ProblemOf([&] {
      const std::string text = ReadFile(folder / kKeyName, kMaxText);
      facts_["key"] = Sha256OfText(text);
      AddKeyText(text, facts_);
    });
    std::string problem = ProblemOf([&] { TakeManifest(ReadManifest(folder, kMaxText)); });
    const std::string start = std::string(kManifestName) + " is ";  // "manifest.json is damaged": its name stands there
    if (problem.starts_with(start)) problem.erase(0, start.size());
    if (!problem.empty()) AddDamage(kManifestName, problem);
  }

  // All files. Names must be those found in the folder, so a manifest cannot have us read elsewhere.
  void CompareAll(const std::vector<std::pair<std::string, fs::path>>& files, Progress& progress) {
    if (!listing_) return;
    std::map<std::string, ListedFile> missing = *listing_;
    for (const auto& [name, path] : files) {
      progress.Advance(1);
      CompareFile(name, path, progress);
      missing.erase(name);
    }
    for (const auto& [name, listed] : missing) AddDamage(name, "missing");
    if (facts_["checkpoint"] == true) return;  // it has no key of its own
    // The digest of key.txt is the key, and the key is the folder's name (unless it was copied elsewhere).
    const std::string folder_name = folder_.filename().string();
    if (IsKey(folder_name) && facts_["key"] != folder_name)
      AddDamage(kManifestName, "names another key than the folder");
    const auto key_file = listing_->find(kKeyName);
    if (key_file == listing_->end() || facts_["key"] != key_file->second.sha256) {
      AddDamage(kManifestName, "the key is not the digest of key.txt");
    }
  }

  void CompareFile(const std::string& name, const fs::path& path, const Progress& progress) {
    if (!listing_ || name == kManifestName) return;
    const auto listed = listing_->find(name);
    const std::string difference =
        listed == listing_->end() ? "not listed in the manifest" : Difference(path, listed->second, progress);
    if (!difference.empty()) AddDamage(name, difference);
  }

  const Json& facts() const { return facts_; }

 private:
  void AddDamage(const std::string& file, const std::string& reason) {
    facts_["damage"].push_back({{"file", file}, {"reason", reason}});
    facts_["intact"] = false;
  }

  void TakeManifest(const ArtifactManifest& manifest) {
    const bool checkpoint = manifest.step == kCheckpointStep;
    const bool same =
        facts_["step"] == manifest.step && facts_["range"] == manifest.range && facts_["part"] == manifest.part;
    if (!checkpoint && !facts_["step"].get<std::string>().empty() && !same) {
      AddDamage(kManifestName, "names another step, range or part than key.txt");
    }
    facts_["checkpoint"] = checkpoint;
    if (!checkpoint) facts_["key"] = manifest.key;
    facts_["step"] = manifest.step;
    facts_["range"] = manifest.range;
    facts_["part"] = manifest.part;
    facts_["program"] = manifest.program;
    facts_["made"] = manifest.made;
    facts_["seconds"] = manifest.seconds;
    facts_["facts"] = manifest.facts;
    listing_.emplace();
    for (const ListedFile& file : manifest.files) (*listing_)[file.name] = file;
  }

  // How a file differs from what is listed; empty if it does not.
  static std::string Difference(const fs::path& path, const ListedFile& listed, const Progress& progress) {
    boost::system::error_code error;
    const std::uint64_t bytes = fs::file_size(path, error);
    if (error) return "missing";
    if (bytes != listed.bytes) return fmt::format("changed: {} bytes instead of {}", bytes, listed.bytes);
    return ProblemOf([&] {
      Sha256 hash;
      ForEachBlock(path, [&](std::string_view block) {
        progress.ThrowIfStopped();
        hash.Update(block);
      });
      if (hash.HexDigest() != listed.sha256) throw Error(ErrorCode::kCorrupt, "changed: same size, other content");
    });
  }

  fs::path folder_;
  Json facts_;
  std::optional<std::map<std::string, ListedFile>> listing_;  // by name; none if the manifest cannot be read
};

// Of the group, of a folder in it, or of an item; null if the path is none of these.
Json RecipeAround(const fs::path& path) {
  for (const fs::path& group : {path, path.parent_path(), path.parent_path().parent_path()}) {
    if (!IsItemGroup(group)) continue;
    Json recipe = {{"folder", group.string()},
                   {"step", ""},
                   {"step_version", ""},
                   {"options", Json::array()},
                   {"libraries", Json::array()}};
    const std::string problem = ProblemOf([&] {
      const std::string text = ReadFile(group / kRecipeName, kMaxText);
      AddKeyText(text, recipe);
      if (Sha256OfText(text) == group.filename().string()) return;
      throw Error(ErrorCode::kCorrupt, "changed: its digest is not the name of the folder");
    });
    if (!problem.empty()) recipe["problem"] = problem;
    return recipe;
  }
  return nullptr;
}

// ---- Models and runs

Json ModelRangeFacts(const RangeModel& range) {
  Json terms = Json::array();
  for (std::size_t i = 0; i < range.models.terms.size(); ++i) {
    const TermModel& term = range.models.terms[i];
    terms.push_back({{"term", term.term},
                     {"fbbt_id", range.fbbt_ids[i]},
                     {"positives", term.positives},
                     {"c", term.c},
                     {"cut", term.cut},
                     {"threshold", term.Threshold()}});  // the cut as a probability
  }
  Json skipped = Json::array();
  for (const SkippedTerm& term : range.models.skipped) {
    skipped.push_back({{"term", term.term}, {"reason", term.reason}});
  }
  return {{"range", range.range.name()},
          {"atoms", range.dictionary.atoms.rows()},
          {"features", range.models.weights.cols()},
          {"genes", range.genes.size()},
          {"inner_folds", range.models.inner_folds()},
          {"terms", terms},
          {"skipped", skipped}};
}

// Throws Error(kInput) if the file cannot be read or is no archive; all else that is wrong is among the problems.
Json ModelFacts(const fs::path& bundle) {
  const BundleContent content = ReadBundle(bundle, fs::temp_directory_path());
  Json ranges = Json::array();
  for (const RangeModel& range : content.model.ranges) ranges.push_back(ModelRangeFacts(range));
  Json problems = Json::array();
  for (const Diagnostic& problem : content.problems) problems.push_back(problem.message);
  return {{"id", content.index.id},
          {"format", content.index.format},
          {"program", content.index.program},
          {"bytes", content.bytes},
          {"preprocessing", NamedList(content.index.preprocessing)},
          {"options", NamedList(OptionsOfYaml(content.options_text))},
          {"provenance", NamedList(content.model.provenance)},
          {"ranges", ranges},
          {"intact", problems.empty()},
          {"problems", problems}};
}

// Null if there is no run.json of ours.
Json RunFactsOf(const fs::path& folder) {
  const fs::path path = folder / "run.json";
  std::optional<RunSummary> run;
  ProblemOf([&] {
    if (IsFile(path)) run = ReadRunSummary(ReadFile(path, kMaxText));
  });
  if (!run) return nullptr;
  Json scores = Json::array();
  for (const RangeScores& range : run->scores) {
    for (const AverageEvaluation* macro :
         {TopTerms(range.averages, AverageKind::kMacro), AllTerms(range.averages, AverageKind::kMacro)}) {
      if (macro == nullptr) continue;
      scores.push_back({{"range", range.range},
                        {"terms", macro->terms.name()},
                        {"count", macro->count},
                        {"macro_auc", macro->metrics.auc},
                        {"macro_accuracy", macro->metrics.accuracy}});
    }
  }
  return {{"version", run->version},
          {"config", run->config},
          {"command", run->command},
          {"exit_code", run->exit_code},
          {"wall_seconds", run->resources.wall_seconds},
          {"peak_memory_bytes", run->resources.peak_bytes},
          {"hits", run->hits},
          {"misses", run->misses},
          {"skipped", run->skipped},
          {"scores", scores}};
}

// ---- Folders

struct FileGroup {
  std::uint64_t count = 0;  // of files, or artifacts
  std::uint64_t bytes = 0;
};

Json GroupFacts(const std::string& folder, const std::string& extension, const FileGroup& group) {
  return {{"folder", folder}, {"extension", extension}, {"count", group.count}, {"bytes", group.bytes}};
}

// All below a folder.
struct FoundFiles {
  std::vector<std::pair<std::string, fs::path>> files;  // names relative to the folder, sorted
  std::map<std::string, FileGroup> artifacts;  // by the folder they lie in; their files are not among the above
  Json unreadable = Json::array();             // folders
};

// Whether to look into artifacts, or only to count them.
enum class Artifacts { kEntered, kCounted };

// `prefix` is the folder's name with a slash, or empty. Links to folders are not followed: they may lead in circles.
void CollectFiles(const fs::path& folder, const std::string& prefix, Artifacts artifacts, FoundFiles& found) {
  boost::system::error_code error;
  for (fs::directory_iterator entry(folder, error); entry != fs::directory_iterator(); entry.increment(error)) {
    const fs::path& path = entry->path();
    const std::string name = prefix + path.filename().string();
    const bool is_folder = fs::symlink_status(path, error).type() == fs::directory_file;
    if (is_folder && artifacts == Artifacts::kCounted && IsArtifactFolder(path)) {
      FoundFiles inside;
      CollectFiles(path, name + "/", Artifacts::kEntered, inside);
      FileGroup& group = found.artifacts[prefix.empty() ? "." : prefix.substr(0, prefix.size() - 1)];
      ++group.count;
      for (const auto& file : inside.files) group.bytes += SizeOf(file.second);
      for (const Json& unreadable : inside.unreadable) found.unreadable.push_back(unreadable);
    } else if (is_folder) {
      CollectFiles(path, name + "/", artifacts, found);
    } else if (IsFile(path)) {
      found.files.emplace_back(name, path);
    }
  }
  if (!error) return;
  if (prefix.empty()) {
    throw Error(ErrorCode::kInput,
                "cannot read the folder: " + error.message(),
                "check its permissions and those of the folders above it",
                {folder.string()});
  }
  found.unreadable.push_back(
      {{"name", prefix}, {"bytes", 0}, {"kind", "folder"}, {"problem", "cannot be read: " + error.message()}});
}

// Explains files of which there are few; of the others only number and size are told.
void ExplainFiles(const std::vector<std::pair<std::string, fs::path>>& files, Json& facts, Progress& progress) {
  using GroupName = std::pair<std::string, std::string>;  // first folder ("images" of "images/a/b.bmp"), extension
  const auto group_of = [](const std::string& name, const fs::path& path) {
    const std::size_t slash = name.find('/');
    return GroupName(slash == std::string::npos ? "." : name.substr(0, slash), path.extension().string());
  };
  std::map<GroupName, std::size_t> counts;
  for (const auto& [name, path] : files) ++counts[group_of(name, path)];
  std::map<std::string, std::size_t> scattered;  // by extension, over many folders with a few each
  for (const auto& [name, count] : counts) scattered[name.second] += count <= kMaxListed ? count : 0;
  std::map<GroupName, FileGroup> groups;
  for (const auto& [name, path] : files) {
    progress.ThrowIfStopped();
    progress.Advance(1);
    GroupName group = group_of(name, path);
    if (counts.at(group) <= kMaxListed) {
      if (scattered.at(group.second) <= kMaxScattered) {
        facts["files"].push_back(FileFacts(path, name, progress));
        continue;
      }
      group.first = ".";
    }
    ++groups[group].count;
    groups[group].bytes += SizeOf(path);
  }
  for (const auto& [name, group] : groups) facts["groups"].push_back(GroupFacts(name.first, name.second, group));
}

// Rows and non-zeros by the offsets of the rows.
template <class Offset>
Json RowFacts(const std::string& name, const fs::path& path) {
  const MappedNpy<Offset> indptr(path, 1);
  const auto offsets = indptr.values();
  if (offsets.empty() || offsets.front() != 0 || !std::is_sorted(offsets.begin(), offsets.end())) {
    throw Error(ErrorCode::kCorrupt, "indptr does not rise from 0");
  }
  const std::size_t rows = offsets.size() - 1;
  std::uint64_t fewest = rows == 0 ? 0 : std::numeric_limits<std::uint64_t>::max();
  std::uint64_t most = 0;
  for (std::size_t row = 0; row < rows; ++row) {
    const auto nonzeros = static_cast<std::uint64_t>(offsets[row + 1] - offsets[row]);
    fewest = std::min(fewest, nonzeros);
    most = std::max(most, nonzeros);
  }
  return {{"name", name},
          {"rows", rows},
          {"nonzeros", static_cast<std::uint64_t>(offsets.back())},
          {"fewest_in_a_row", fewest},
          {"most_in_a_row", most}};
}

// The three files of a sparse matrix `name`, or why they do not belong together.
Json CodesFacts(const fs::path& folder, const std::string& name, const Json& indices, const Json& data) {
  Json codes;
  const std::string problem = ProblemOf([&] {
    const fs::path indptr = folder / (name + ".indptr.npy");
    const bool narrow = AnyNpy(indptr).header().type == "<i4";  // as SciPy has it
    codes = narrow ? RowFacts<std::int32_t>(name, indptr) : RowFacts<std::int64_t>(name, indptr);
    const auto is_vector = [](const Json& file) {
      return file.contains("array") && file["array"]["shape"].size() == 1;
    };
    if (!is_vector(indices) || !is_vector(data)) {
      throw Error(ErrorCode::kCorrupt, "indices or data is no readable vector");
    }
    const std::uint64_t nonzeros = codes["nonzeros"];
    const std::uint64_t index_count = indices["array"]["shape"][0];
    const std::uint64_t value_count = data["array"]["shape"][0];
    if (index_count == nonzeros && value_count == nonzeros) return;
    throw Error(
        ErrorCode::kCorrupt,
        fmt::format("indptr ends at {}, but there are {} indices and {} values", nonzeros, index_count, value_count));
  });
  return problem.empty() ? codes : Json{{"name", name}, {"problem", problem}};
}

void DescribeCodes(const fs::path& folder, Json& facts) {
  const auto file_named = [&facts](const std::string& name) -> const Json* {
    for (const Json& file : facts["files"]) {
      if (file["name"] == name) return &file;
    }
    return nullptr;
  };
  const std::string ending = ".indptr.npy";
  for (const Json& file : facts["files"]) {
    const std::string indptr = file["name"];
    if (!indptr.ends_with(ending)) continue;
    const std::string name = indptr.substr(0, indptr.size() - ending.size());
    const Json* indices = file_named(name + ".indices.npy");
    const Json* data = file_named(name + ".data.npy");
    if (indices != nullptr && data != nullptr) facts["codes"].push_back(CodesFacts(folder, name, *indices, *data));
  }
}

// ---- All of it

void AddFolder(const fs::path& folder, Json& facts, Progress& progress) {
  const bool is_artifact = facts["kind"] == "artifact";
  FoundFiles found;
  CollectFiles(folder, "", is_artifact ? Artifacts::kEntered : Artifacts::kCounted, found);
  std::sort(found.files.begin(), found.files.end());
  progress.Begin(found.files.size() * (is_artifact ? 2 : 1), "files");
  if (is_artifact) {
    ArtifactInspection artifact(folder);
    artifact.CompareAll(found.files, progress);
    facts["artifact"] = artifact.facts();
  }
  facts["run"] = RunFactsOf(folder);
  ExplainFiles(found.files, facts, progress);
  for (const auto& [name, group] : found.artifacts) facts["artifacts"].push_back(GroupFacts(name, "", group));
  for (const Json& folder_below : found.unreadable) facts["files"].push_back(folder_below);
  DescribeCodes(folder, facts);
}

void AddFile(const fs::path& path, Json& facts, const Progress& progress) {
  const MappedFile readable(path);  // or an Error that says why not
  fs::path folder = path.parent_path();
  while (!folder.empty() && !IsArtifactFolder(folder)) folder = folder.parent_path();
  if (!folder.empty()) {  // compared with its manifest as far as this file goes
    ArtifactInspection artifact(folder);
    artifact.CompareFile(path.lexically_relative(folder).generic_string(), path, progress);
    facts["artifact"] = artifact.facts();
  }
  const bool is_model = ToLower(path.filename().string()).ends_with(".tar.zst") || LooksLikeArchive(path);
  if (is_model) facts["model"] = ModelFacts(path);
  facts["files"].push_back(FileFacts(path, path.filename().string(), progress));
}

bool IsSound(const Json& facts) {
  const auto intact = [&facts](const char* part) { return !facts.contains(part) || facts[part]["intact"] == true; };
  const auto fine = [](const Json& part) { return !part.contains("problem"); };
  return intact("artifact") && intact("model") && (!facts.contains("recipe") || fine(facts["recipe"])) &&
         std::all_of(facts["files"].begin(), facts["files"].end(), fine) &&
         std::all_of(facts["codes"].begin(), facts["codes"].end(), fine);
}

}  // namespace

Inspection Inspect(const fs::path& path, Progress& progress) {
  boost::system::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_not_found) {
    throw Error(ErrorCode::kInput,
                "nothing is there",
                "give an artifact's folder, an output folder or a file; run.json lists the artifacts of a run",
                {path.string()});
  }
  // From the root, and without a slash at the end, so that names of folders can be looked at.
  fs::path whole = fs::absolute(path).lexically_normal();
  if (whole.filename() == ".") whole = whole.parent_path();
  const bool is_folder = status.type() == fs::directory_file;
  Json facts = {{"format", 1},
                {"path", path.string()},
                {"kind",
                 !is_folder                ? "file"
                 : IsArtifactFolder(whole) ? "artifact"
                                           : "folder"},
                {"sound", true},
                {"artifact", nullptr},
                {"recipe", nullptr},
                {"model", nullptr},
                {"run", nullptr},
                {"files", Json::array()},
                {"groups", Json::array()},
                {"artifacts", Json::array()},
                {"codes", Json::array()}};
  facts["recipe"] = RecipeAround(whole);
  is_folder ? AddFolder(whole, facts, progress) : AddFile(whole, facts, progress);
  for (const char* part : {"artifact", "recipe", "model", "run"}) {
    if (facts[part].is_null()) facts.erase(part);
  }
  const bool sound = IsSound(facts);
  facts["sound"] = sound;
  // Names and texts of files may hold bytes that are no UTF-8.
  return {JsonLines(facts), sound};
}

}  // namespace flyscribe
