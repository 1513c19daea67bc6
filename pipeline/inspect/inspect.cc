#include "pipeline/inspect/inspect.h"

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/error.h"
#include "core/file.h"
#include "core/hash.h"
#include "core/text.h"
#include "pipeline/cache/checkpoint.h"
#include "pipeline/cache/items.h"
#include "pipeline/cache/key.h"
#include "pipeline/cache/manifest.h"

namespace flyscribe {
namespace {

using nlohmann::json;

const std::string kRunName = "run.json";
constexpr std::uint64_t kMaxText = std::uint64_t{64} << 20;  // bytes of a manifest, key or run.json
constexpr int kMaxDepth = 8;                                 // of what we write ourselves
constexpr std::size_t kMaxListed = 20;                       // files of one kind below one folder
constexpr std::size_t kMaxScattered = 60;                    // files of one kind below all folders that have few

bool IsFile(const fs::path& path) {
  boost::system::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

// From the root, and without a slash at the end, so that names of folders can be looked at.
fs::path WholePath(const fs::path& path) {
  const fs::path whole = fs::absolute(path).lexically_normal();
  return whole.filename() == "." ? whole.parent_path() : whole;
}

// A tree is built only of what is as flat as our own files: a hostile one must not eat all memory.
json ReadFlatJson(const fs::path& path) {
  const auto guard = [](int depth, json::parse_event_t /*event*/, json& /*parsed*/) {
    if (depth > kMaxDepth) throw Error(ErrorCode::kCorrupt, "nested too deeply");
    return true;
  };
  return json::parse(ReadFile(path, kMaxText), guard);
}

// Calls `read` and turns what it throws about the content into words.
template <class Read>
std::string ProblemOf(const Read& read) {
  try {
    read();
    return {};
  } catch (const json::exception& error) {
    return JsonProblem(error.what());
  } catch (const Error& error) {
    if (error.code() == ErrorCode::kInterrupted) throw;
    return error.diagnostics().front().message;
  }
}

struct FoundFile {
  std::string name;  // relative to the folder that is looked at
  fs::path path;
};

struct FoundFiles {
  std::vector<FoundFile> files;                // by name
  std::map<std::string, FileGroup> artifacts;  // by the folder they lie in; their files are not among the above
  std::vector<FileFacts> unreadable_folders;
};

bool IsArtifactFolder(const fs::path& folder) {
  const bool manifest = IsFile(folder / kManifestName);
  const bool key = IsFile(folder / kKeyName);
  return (manifest && key) || ((manifest || key) && IsKey(folder.filename().string()));
}

void NoteUnreadable(const fs::path& folder, const std::string& name, const std::string& reason, FoundFiles& found) {
  if (name.empty()) {
    throw Error(ErrorCode::kInput,
                "cannot read the folder: " + reason,
                "check its permissions and those of the folders above it",
                {folder.string()});
  }
  FileFacts unreadable;
  unreadable.name = name;
  unreadable.kind = "folder";
  unreadable.problem = "cannot be read: " + reason;
  found.unreadable_folders.push_back(std::move(unreadable));
}

// Whether to look into artifacts, or only to count them.
enum class Artifacts { kEntered, kCounted };

void CollectFiles(const fs::path& folder, const std::string& prefix, Artifacts artifacts, FoundFiles& found);

// Adds an artifact to those of the folder `prefix`.
void CountArtifact(const fs::path& artifact, const std::string& prefix, FoundFiles& found) {
  FoundFiles inside;
  CollectFiles(artifact, prefix + artifact.filename().string() + "/", Artifacts::kEntered, inside);
  FileGroup& group = found.artifacts[prefix.empty() ? "." : prefix.substr(0, prefix.size() - 1)];
  ++group.count;
  for (const FoundFile& file : inside.files) group.bytes += NameFile(file.path, file.name).bytes;
  for (FileFacts& folder : inside.unreadable_folders) found.unreadable_folders.push_back(std::move(folder));
}

// `prefix` is the folder's name with a slash, or empty. Links to folders are not followed: they may lead in circles.
void CollectFiles(const fs::path& folder, const std::string& prefix, Artifacts artifacts, FoundFiles& found) {
  boost::system::error_code error;
  for (fs::directory_iterator entry(folder, error); entry != fs::directory_iterator(); entry.increment(error)) {
    const fs::path& path = entry->path();
    const std::string name = prefix + path.filename().string();
    const bool is_folder = fs::symlink_status(path, error).type() == fs::directory_file;
    if (is_folder && artifacts == Artifacts::kCounted && IsArtifactFolder(path)) {
      CountArtifact(path, prefix, found);
    } else if (is_folder) {
      CollectFiles(path, name + "/", artifacts, found);
    } else if (IsFile(path)) {
      found.files.push_back({name, path});
    }
  }
  if (error) NoteUnreadable(folder, prefix, error.message(), found);
}

FoundFiles FilesBelow(const fs::path& folder, Artifacts artifacts) {
  FoundFiles found;
  CollectFiles(folder, "", artifacts, found);
  std::sort(found.files.begin(), found.files.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  return found;
}

using Listing = std::map<std::string, ListedFile>;  // by name

// "step: learn 2", "range: 4-6", "option learn.atoms: 24" ...: see pipeline/cache/key.h.
void ReadKeyLine(const std::string& line, ArtifactFacts& artifact) {
  const std::size_t colon = line.find(": ");
  if (colon == std::string::npos) return;
  const std::string name = line.substr(0, colon);
  const std::string value = line.substr(colon + 2);
  if (name.starts_with("option ")) artifact.options.push_back({name.substr(7), value});
  if (name.starts_with("input ")) artifact.inputs.push_back({name.substr(6), value});
  if (name.starts_with("library ")) artifact.libraries.push_back({name.substr(8), value});
  if (name == "range") artifact.range = value;
  if (name == "part") artifact.part = value;
  if (name == "step") {
    artifact.step = value.substr(0, value.rfind(' '));
    artifact.step_version = value.substr(std::min(artifact.step.size() + 1, value.size()));
  }
}

void ReadKeyText(const fs::path& path, ArtifactFacts& artifact) {
  const std::string text = ReadFile(path, kMaxText);
  artifact.key = Sha256OfText(text);
  for (const std::string& line : Split(text, '\n')) ReadKeyLine(line, artifact);
}

struct StoredArtifact {
  ArtifactFacts facts;
  std::optional<Listing> listing;  // none if the manifest cannot be read
};

// What the manifest says goes over what key.txt says.
void TakeManifest(ArtifactManifest manifest, StoredArtifact& artifact) {
  ArtifactFacts& facts = artifact.facts;
  facts.checkpoint = manifest.step == kCheckpointStep;
  if (!facts.checkpoint) facts.key = std::move(manifest.key);
  facts.step = std::move(manifest.step);
  facts.range = std::move(manifest.range);
  facts.part = std::move(manifest.part);
  facts.program = std::move(manifest.program);
  facts.made = std::move(manifest.made);
  facts.seconds = manifest.seconds;
  facts.facts = std::move(manifest.facts);
  artifact.listing.emplace();
  for (ListedFile& file : manifest.files) {
    const std::string name = file.name;
    (*artifact.listing)[name] = std::move(file);
  }
}

// "manifest.json is damaged: ..." stands beside the name already.
std::string WithoutName(const std::string& problem) {
  const std::string name = std::string(kManifestName) + " is ";
  return problem.starts_with(name) ? problem.substr(name.size()) : problem;
}

StoredArtifact ReadArtifact(const fs::path& folder) {
  StoredArtifact artifact;
  ArtifactFacts& facts = artifact.facts;
  facts.folder = folder;
  // A key that is missing or changed is told when its digest is compared.
  ProblemOf([&] { ReadKeyText(folder / kKeyName, facts); });
  const NamedValue step = {facts.step, facts.range + " " + facts.part};
  const std::string problem = ProblemOf([&] { TakeManifest(ReadManifest(folder, kMaxText), artifact); });
  const bool same = step.name == facts.step && step.value == facts.range + " " + facts.part;
  if (!problem.empty()) {
    facts.damage.push_back({kManifestName, WithoutName(problem)});
  } else if (!facts.checkpoint && !step.name.empty() && !same) {
    facts.damage.push_back({kManifestName, "names another step, range or part than key.txt"});
  }
  return artifact;
}

RecipeFacts ReadRecipe(const fs::path& group) {
  RecipeFacts recipe;
  recipe.folder = group;
  ArtifactFacts facts;
  recipe.problem = ProblemOf([&] {
    const std::string text = ReadFile(group / kRecipeName, kMaxText);
    for (const std::string& line : Split(text, '\n')) ReadKeyLine(line, facts);
    if (Sha256OfText(text) == group.filename().string()) return;
    throw Error(ErrorCode::kCorrupt, "changed: its digest is not the name of the folder");
  });
  recipe.step = std::move(facts.step);
  recipe.step_version = std::move(facts.step_version);
  recipe.options = std::move(facts.options);
  recipe.libraries = std::move(facts.libraries);
  return recipe;
}

// Of the group, of a folder in it, or of an item.
std::optional<RecipeFacts> RecipeAround(const fs::path& path) {
  for (const fs::path& folder : {path, path.parent_path(), path.parent_path().parent_path()}) {
    if (IsItemGroup(folder)) return ReadRecipe(folder);
  }
  return std::nullopt;
}

// How a file differs from what is listed; empty if it does not.
std::string Difference(const fs::path& path, const ListedFile& listed, const Progress& progress) {
  boost::system::error_code error;
  const std::uint64_t bytes = fs::file_size(path, error);
  if (error) return "missing";
  if (bytes != listed.bytes) return fmt::format("changed: {} bytes instead of {}", bytes, listed.bytes);
  std::string digest;
  std::string problem = ProblemOf([&] { digest = DigestOf(path, progress); });
  if (problem.empty() && digest != listed.sha256) problem = "changed: same size, other content";
  return problem;
}

// Names must be those of files found in the folder, so a manifest cannot have us read elsewhere.
void CompareWithListing(const std::vector<FoundFile>& files, StoredArtifact& artifact, Progress& progress) {
  Listing missing = *artifact.listing;
  for (const FoundFile& file : files) {
    progress.Advance(1);
    if (file.name == kManifestName) continue;
    const auto listed = missing.find(file.name);
    if (listed == missing.end()) {
      artifact.facts.damage.push_back({file.name, "not listed in the manifest"});
      continue;
    }
    const std::string difference = Difference(file.path, listed->second, progress);
    if (!difference.empty()) artifact.facts.damage.push_back({file.name, difference});
    missing.erase(listed);
  }
  for (const auto& [name, listed] : missing) artifact.facts.damage.push_back({name, "missing"});
}

// The digest of key.txt is the key, and the key is the folder's name (unless it was copied elsewhere).
void CompareKeys(const fs::path& folder, StoredArtifact& artifact) {
  ArtifactFacts& facts = artifact.facts;
  if (facts.checkpoint) return;  // it has none of its own
  const std::string name = folder.filename().string();
  if (IsKey(name) && facts.key != name) facts.damage.push_back({kManifestName, "names another key than the folder"});
  const auto listed = artifact.listing->find(kKeyName);
  if (listed == artifact.listing->end() || listed->second.sha256 != facts.key) {
    facts.damage.push_back({kManifestName, "the key is not the digest of key.txt"});
  }
}

// The first folder of a name: "images" of "images/img_dir_1/a.bmp".
std::string FirstFolder(const std::string& name) {
  const std::size_t slash = name.find('/');
  return slash == std::string::npos ? "." : name.substr(0, slash);
}

using GroupName = std::pair<std::string, std::string>;  // folder, extension

// Decides which files are too many to be explained one by one.
class Grouping {
 public:
  explicit Grouping(const std::vector<FoundFile>& files) {
    for (const FoundFile& file : files) ++counts_[NameOf(file)];
    for (const auto& [name, count] : counts_) scattered_[name.second] += count <= kMaxListed ? count : 0;
  }

  // None if the file is to be explained.
  std::optional<GroupName> GroupOf(const FoundFile& file) const {
    const GroupName name = NameOf(file);
    if (counts_.at(name) > kMaxListed) return name;
    if (scattered_.at(name.second) > kMaxScattered) return GroupName(".", name.second);
    return std::nullopt;
  }

 private:
  static GroupName NameOf(const FoundFile& file) { return {FirstFolder(file.name), file.path.extension().string()}; }

  std::map<GroupName, std::size_t> counts_;
  std::map<std::string, std::size_t> scattered_;  // by extension, over many folders with a few each
};

// Explains files of which there are few, groups the others.
void ExplainFiles(const std::vector<FoundFile>& files, Inspection& inspection, Progress& progress) {
  const Grouping grouping(files);
  std::map<GroupName, FileGroup> groups;
  for (const FoundFile& file : files) {
    progress.ThrowIfStopped();
    progress.Advance(1);
    const std::optional<GroupName> name = grouping.GroupOf(file);
    if (!name) {
      inspection.files.push_back(ExplainFile(file.path, file.name, progress));
      continue;
    }
    FileGroup& group = groups.try_emplace(*name, FileGroup{name->first, name->second}).first->second;
    ++group.count;
    group.bytes += NameFile(file.path, file.name).bytes;
  }
  for (auto& [name, group] : groups) inspection.groups.push_back(std::move(group));
}

const FileFacts* FindFile(const std::vector<FileFacts>& files, const std::string& name) {
  const auto found = std::find_if(files.begin(), files.end(), [&](const FileFacts& file) { return file.name == name; });
  return found == files.end() ? nullptr : &*found;
}

// Elements of a vector; none if the file is no vector.
std::optional<std::uint64_t> LengthOf(const FileFacts& file) {
  const auto* array = std::get_if<ArrayFacts>(&file.content);
  if (array == nullptr || array->header.shape.size() != 1) return std::nullopt;
  return array->header.shape.front();
}

template <class Offset>
void CountRows(const fs::path& path, CodesFacts& codes) {
  const MappedNpy<Offset> indptr(path, 1);
  const auto offsets = indptr.values();
  if (offsets.empty() || offsets.front() != 0 || !std::is_sorted(offsets.begin(), offsets.end())) {
    throw Error(ErrorCode::kCorrupt, "indptr does not rise from 0");
  }
  codes.rows = offsets.size() - 1;
  codes.nonzeros = static_cast<std::uint64_t>(offsets.back());
  codes.fewest = codes.rows == 0 ? 0 : std::numeric_limits<std::uint64_t>::max();
  for (std::size_t row = 0; row < codes.rows; ++row) {
    const auto nonzeros = static_cast<std::uint64_t>(offsets[row + 1] - offsets[row]);
    codes.fewest = std::min(codes.fewest, nonzeros);
    codes.most = std::max(codes.most, nonzeros);
  }
}

CodesFacts DescribeCodes(const fs::path& folder, const std::string& name, const std::vector<FileFacts>& files) {
  CodesFacts codes;
  codes.name = name;
  const auto indices = LengthOf(*FindFile(files, name + ".indices.npy"));
  const auto data = LengthOf(*FindFile(files, name + ".data.npy"));
  const fs::path indptr = folder / (name + ".indptr.npy");
  codes.problem = ProblemOf([&] {
    const bool narrow = AnyNpy(indptr).header().type == "<i4";  // as SciPy has it
    narrow ? CountRows<std::int32_t>(indptr, codes) : CountRows<std::int64_t>(indptr, codes);
    if (!indices || !data) throw Error(ErrorCode::kCorrupt, "indices or data is no readable vector");
    if (*indices == codes.nonzeros && *data == codes.nonzeros) return;
    throw Error(
        ErrorCode::kCorrupt,
        fmt::format("indptr ends at {}, but there are {} indices and {} values", codes.nonzeros, *indices, *data));
  });
  return codes;
}

void DescribeAllCodes(const fs::path& folder, Inspection& inspection) {
  const std::string ending = ".indptr.npy";
  for (const FileFacts& file : inspection.files) {
    if (!file.name.ends_with(ending)) continue;
    const std::string name = file.name.substr(0, file.name.size() - ending.size());
    const bool whole = FindFile(inspection.files, name + ".indices.npy") != nullptr &&
                       FindFile(inspection.files, name + ".data.npy") != nullptr;
    if (whole) inspection.codes.push_back(DescribeCodes(folder, name, inspection.files));
  }
}

// "4-6" comes before "13-16".
std::int64_t FirstStage(const std::string& range) {
  return ParseInteger(range.substr(0, range.find('-'))).value_or(std::numeric_limits<std::int64_t>::max());
}

std::vector<RunScore> ReadScores(const json& scores) {
  std::vector<RunScore> result;
  for (const auto& [range, groups] : scores.items()) {
    for (const char* terms : {"top 10", "all"}) {
      if (!groups.contains(terms)) continue;
      const json& macro = groups.at(terms).at("macro");
      result.push_back({range, terms, macro.at("terms"), macro.at("auc"), macro.at("accuracy")});
    }
  }
  std::stable_sort(result.begin(), result.end(), [](const RunScore& a, const RunScore& b) {
    return FirstStage(a.range) < FirstStage(b.range);
  });
  return result;
}

// None if it is no run.json of ours: others may use the name.
std::optional<RunOverview> ReadRun(const fs::path& path) {
  RunOverview run;
  const std::string problem = ProblemOf([&] {
    const json record = ReadFlatJson(path);
    record.at("version").get_to(run.version);
    record.at("config").get_to(run.config);
    record.at("command").get_to(run.command);
    record.at("exit_code").get_to(run.exit_code);
    record.at("wall_seconds").get_to(run.seconds);
    record.at("peak_memory_bytes").get_to(run.peak_bytes);
    record.at("hits").get_to(run.hits);
    record.at("misses").get_to(run.misses);
    record.at("skipped").get_to(run.skipped);
    run.scores = ReadScores(record.at("scores"));
  });
  return problem.empty() ? std::optional(run) : std::nullopt;
}

Inspection InspectFolder(const fs::path& folder, Progress& progress) {
  Inspection inspection;
  inspection.kind = Inspection::Kind::kFolder;
  const bool is_artifact = IsArtifactFolder(folder);
  FoundFiles found = FilesBelow(folder, is_artifact ? Artifacts::kEntered : Artifacts::kCounted);
  progress.Begin(found.files.size() * (is_artifact ? 2 : 1), "files");
  if (is_artifact) {
    inspection.kind = Inspection::Kind::kArtifact;
    StoredArtifact artifact = ReadArtifact(folder);
    if (artifact.listing) {
      CompareWithListing(found.files, artifact, progress);
      CompareKeys(folder, artifact);
    }
    inspection.artifact = std::move(artifact.facts);
  }
  inspection.recipe = RecipeAround(folder);
  if (IsFile(folder / kRunName)) inspection.run = ReadRun(folder / kRunName);
  ExplainFiles(found.files, inspection, progress);
  for (auto& [name, group] : found.artifacts) inspection.artifacts.push_back({name, "", group.count, group.bytes});
  for (FileFacts& unreadable : found.unreadable_folders) inspection.files.push_back(std::move(unreadable));
  DescribeAllCodes(folder, inspection);
  return inspection;
}

// The artifact a file belongs to, compared with its manifest as far as this file goes.
std::optional<ArtifactFacts> ArtifactAround(const fs::path& file, const Progress& progress) {
  fs::path folder = file.parent_path();
  while (!folder.empty() && !IsArtifactFolder(folder)) folder = folder.parent_path();
  if (folder.empty()) return std::nullopt;
  StoredArtifact artifact = ReadArtifact(folder);
  const std::string name = file.lexically_relative(folder).generic_string();
  if (!artifact.listing || name == kManifestName) return std::move(artifact.facts);
  const auto listed = artifact.listing->find(name);
  const std::string difference =
      listed == artifact.listing->end() ? "not listed in the manifest" : Difference(file, listed->second, progress);
  if (!difference.empty()) artifact.facts.damage.push_back({name, difference});
  return std::move(artifact.facts);
}

Inspection InspectFile(const fs::path& path, const Progress& progress) {
  const MappedFile readable(path);  // or an Error that says why not
  Inspection inspection;
  inspection.artifact = ArtifactAround(path, progress);
  inspection.recipe = RecipeAround(path);
  if (IsModelFile(path)) inspection.model = InspectModel(path);
  inspection.files.push_back(ExplainFile(path, path.filename().string(), progress));
  return inspection;
}

}  // namespace

bool Inspection::Sound() const {
  const auto fine = [](const auto& part) { return part.problem.empty(); };
  return (!artifact || artifact->damage.empty()) && (!recipe || recipe->problem.empty()) &&
         (!model || model->problems.empty()) && std::all_of(files.begin(), files.end(), fine) &&
         std::all_of(codes.begin(), codes.end(), fine);
}

Inspection Inspect(const fs::path& path, Progress& progress) {
  boost::system::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_not_found) {
    throw Error(ErrorCode::kInput,
                "nothing is there",
                "give an artifact's folder, an output folder or a file; run.json lists the artifacts of a run",
                {path.string()});
  }
  const fs::path whole = WholePath(path);
  Inspection inspection =
      status.type() == fs::directory_file ? InspectFolder(whole, progress) : InspectFile(whole, progress);
  inspection.path = path;
  return inspection;
}

}  // namespace flyscribe
