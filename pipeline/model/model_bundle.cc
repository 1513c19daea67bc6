#include "pipeline/model/model_bundle.h"

#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <regex>
#include <set>

#include "core/archive.h"
#include "core/file.h"
#include "core/file_lock.h"
#include "core/hash.h"
#include "core/text.h"
#include "data/tables.h"
#include "pipeline/terminal/process.h"

namespace flyscribe {
namespace {

using Json = nlohmann::ordered_json;

const std::string kKind = "flyscribe model";
const std::string kIndexName = "model.json";
const std::string kOptionsName = "options.yaml";
const std::string kProvenanceName = "provenance.json";
const std::string kRangesFolder = "ranges";
const std::string kLockName = "lock";  // of a scratch folder
const std::vector<std::string> kRangeFiles = {"calibrations.json",
                                              "dictionary.npy",
                                              "genes.tsv",
                                              "inner_bias.npy",
                                              "inner_weights.npy",
                                              "ontology.tsv",
                                              "summary.json",
                                              "terms.tsv",
                                              "weights.npy"};
const std::vector<std::string> kGenesHeader = {"gene", "ids", "symbols", "inner_fold"};
const std::vector<std::string> kOntologyHeader = {"term", "fbbt_id"};

// A model has a few files of a few hundred megabytes at most; what is read as text is small.
constexpr ArchiveLimits kLimits = {
    .files = 100, .name_bytes = 100, .file_bytes = std::uint64_t{2} << 30, .total_bytes = std::uint64_t{8} << 30};
constexpr std::uint64_t kMaxText = std::uint64_t{64} << 20;
constexpr int kMaxDepth = 4;  // of model.json and provenance.json

// A folder of its own, gone with the object.
class ScratchFolder {
 public:
  ScratchFolder(const fs::path& where, const std::string& name) : path_(where / fs::unique_path(name + "-%%%%-%%%%")) {
    CreateFolder(path_);
  }
  ~ScratchFolder() {
    boost::system::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

// ".model.tar.zst.tmp": scratch folders of this bundle begin so.
std::string ScratchName(const fs::path& bundle) { return "." + bundle.filename().string() + ".tmp"; }

// Scratch folders of exports to the same name that were killed; one that goes on holds its lock.
void RemoveLeftScratch(const fs::path& bundle) {
  static const std::regex digits("-[0-9a-f]{4}-[0-9a-f]{4}");
  const std::string prefix = ScratchName(bundle);
  boost::system::error_code ignored;  // what is left does no harm but take room
  for (fs::directory_iterator entry(bundle.parent_path(), ignored); entry != fs::directory_iterator();
       entry.increment(ignored)) {
    const fs::path& folder = entry->path();
    const std::string name = folder.filename().string();
    if (!name.starts_with(prefix) || !std::regex_match(name.substr(prefix.size()), digits)) continue;
    if (!fs::is_directory(fs::symlink_status(folder, ignored)) || LockHolder(folder / kLockName)) continue;
    fs::remove_all(folder, ignored);
  }
}

fs::path FolderOf(const fs::path& root, const std::string& range) { return root / kRangesFolder / range; }

std::vector<std::string> FilesOf(const std::vector<BundleRange>& ranges) {
  std::vector<std::string> names = {kOptionsName, kProvenanceName};
  for (const BundleRange& range : ranges) {
    for (const std::string& file : kRangeFiles) names.push_back(kRangesFolder + "/" + range.name + "/" + file);
  }
  std::sort(names.begin(), names.end());
  return names;
}

BundleRange CountsOf(const RangeModel& range) {
  return {range.range.name(),
          range.dictionary.atoms.rows(),
          range.models.weights.cols(),
          range.models.terms.size(),
          range.genes.size(),
          range.models.inner_folds()};
}

// ---- Writing

void SaveRange(const RangeModel& range, const fs::path& folder) {
  CreateFolder(folder);
  range.dictionary.Save(folder);
  range.models.SaveWithoutScores(folder);
  std::vector<std::vector<std::string>> terms;
  for (std::size_t i = 0; i < range.models.terms.size(); ++i) {
    terms.push_back({range.models.terms[i].term, range.fbbt_ids[i]});
  }
  SaveTsv(folder / "ontology.tsv", kOntologyHeader, terms);
  std::vector<std::vector<std::string>> genes;
  for (const TrainedGene& gene : range.genes) {
    genes.push_back(
        {gene.gene, JoinNames(gene.names.ids), JoinNames(gene.names.symbols), std::to_string(gene.inner_fold)});
  }
  SaveTsv(folder / "genes.tsv", kGenesHeader, genes);
}

Json PairsJson(const std::vector<std::pair<std::string, std::string>>& pairs) {
  Json json = Json::object();
  for (const auto& [name, value] : pairs) json[name] = value;
  return json;
}

std::string IndexText(const Model& model, const fs::path& root) {
  std::vector<BundleRange> ranges;
  Json range_list = Json::array();
  for (const RangeModel& range : model.ranges) {
    const BundleRange counts = CountsOf(range);
    ranges.push_back(counts);
    range_list.push_back({{"range", counts.name},
                          {"atoms", counts.atoms},
                          {"features", counts.features},
                          {"terms", counts.terms},
                          {"genes", counts.genes},
                          {"inner_folds", counts.inner_folds}});
  }
  Json files = Json::array();
  for (const std::string& name : FilesOf(ranges)) {
    files.push_back({{"name", name}, {"bytes", fs::file_size(root / name)}, {"sha256", Sha256OfFile(root / name)}});
  }
  const Json json = {{"kind", kKind},
                     {"format", kModelFormat},
                     {"id", model.id},
                     {"flyscribe", Version()},
                     {"preprocessing", PairsJson(PreprocessingVersions())},
                     {"ranges", range_list},
                     {"files", files}};
  return JsonLines(json, 1);
}

// ---- Reading

// Of a file that is at most this long and as flat as ours.
Json ReadFlatJson(const fs::path& path) {
  const auto guard = [&](int depth, Json::parse_event_t /*event*/, Json& /*parsed*/) {
    if (depth > kMaxDepth) ThrowCorrupt(path, "nested too deeply");
    return true;
  };
  return Json::parse(ReadFile(path, kMaxText), guard);
}

std::size_t CountAt(const Json& json, const char* key) {
  const Json& value = json.at(key);
  if (!value.is_number_unsigned()) throw Error(ErrorCode::kCorrupt, std::string(key) + " is not a count");
  return value.get<std::size_t>();
}

std::vector<std::pair<std::string, std::string>> ReadPairs(const Json& json) {
  std::vector<std::pair<std::string, std::string>> pairs;
  if (!json.is_object()) throw Error(ErrorCode::kCorrupt, "expected names and values");
  for (const auto& [name, value] : json.items()) pairs.emplace_back(name, value.get<std::string>());
  return pairs;
}

BundleRange ReadRangeCounts(const Json& json) {
  const std::string name = json.at("range");
  if (StageRange::FromName(name).name() != name) throw Error(ErrorCode::kCorrupt, "another name of a range");
  return {name,
          CountAt(json, "atoms"),
          CountAt(json, "features"),
          CountAt(json, "terms"),
          CountAt(json, "genes"),
          CountAt(json, "inner_folds")};
}

// In the order of time and each once, so there are no more than the table has.
std::vector<BundleRange> ReadRanges(const Json& json) {
  std::vector<BundleRange> ranges;
  for (const Json& item : json) {
    BundleRange range = ReadRangeCounts(item);
    if (!ranges.empty() && !(StageRange::FromName(ranges.back().name) < StageRange::FromName(range.name))) {
      throw Error(ErrorCode::kCorrupt, "model.json lists a range twice, or not in its order: " + range.name);
    }
    ranges.push_back(std::move(range));
  }
  return ranges;
}

void ReadIndex(const Json& json, BundleIndex& index) {
  if (!json.is_object() || json.value("kind", "") != kKind) {
    throw Error(ErrorCode::kInput, "this is no model of flyscribe", "`flyscribe export` makes one");
  }
  index.format = json.at("format");
  if (index.format != kModelFormat) {
    const bool newer = index.format > kModelFormat;
    throw Error(ErrorCode::kInput,
                fmt::format("the model has format {}, this program reads {}", index.format, kModelFormat),
                newer ? "use a newer flyscribe, or export the model again with this one"
                      : "export the model again with this flyscribe");
  }
  json.at("id").get_to(index.id);
  json.at("flyscribe").get_to(index.program);
  index.preprocessing = ReadPairs(json.at("preprocessing"));
  index.ranges = ReadRanges(json.at("ranges"));
  for (const Json& file : json.at("files")) {
    index.files.push_back({file.at("name"), CountAt(file, "bytes"), file.at("sha256")});
  }
}

// One problem for each step or library that is another one here.
std::vector<Error> OtherVersions(const BundleIndex& index) {
  std::map<std::string, std::string> ours;
  for (const auto& [name, version] : PreprocessingVersions()) ours[name] = version;
  std::map<std::string, std::string> theirs(index.preprocessing.begin(), index.preprocessing.end());
  for (const auto& [name, version] : ours) theirs.try_emplace(name, "none");
  std::vector<Error> problems;
  for (const auto& [name, version] : theirs) {
    const auto own = ours.find(name);
    const std::string own_version = own == ours.end() ? "none" : own->second;
    if (version == own_version) continue;
    problems.emplace_back(ErrorCode::kInput,
                          "the model was trained with version " + Printable(version, 40) + " of " +
                              Printable(name, 40) + ", this program has " + own_version,
                          "features would not be the same: use flyscribe " + Printable(index.program, 20) +
                              " as it was built then, or export the model again with this one");
  }
  return problems;
}

class BundleReader {
 public:
  BundleReader(const fs::path& bundle, const fs::path& scratch)
      : bundle_(bundle), scratch_(scratch, "model"), root_(scratch_.path()) {}

  BundleContent Read() {
    content_.bytes = MappedFile(bundle_).bytes().size();     // or an Error that says why it cannot be read
    if (!LooksLikeArchive(bundle_)) RequireSealed(bundle_);  // throws: what is something else is not damaged
    Try([&] { RequireSealed(bundle_); });
    Try([&] { names_ = ExtractArchive(bundle_, root_, kLimits); });
    if (Try([&] { ReadJson(kIndexName, [&](const Json& json) { ReadIndex(json, content_.index); }); })) ReadParts();
    return std::move(content_);
  }

 private:
  // Calls `take` with the content of a file.
  void ReadJson(const std::string& name, const std::function<void(const Json& json)>& take) const {
    try {
      take(ReadFlatJson(root_ / name));
    } catch (const Json::exception& error) {
      ThrowCorrupt(root_ / name, Printable(error.what(), 200));
    }
  }

  void ReadParts() {
    for (const Error& problem : OtherVersions(content_.index)) Note(problem);
    CheckFiles();
    Model& model = content_.model;
    model.id = content_.index.id;
    Try([&] {
      content_.options_text = ReadFile(root_ / kOptionsName, kMaxText);
      model.options = ReadModelOptions(content_.options_text, kOptionsName);
    });
    Try([&] { ReadJson(kProvenanceName, [&](const Json& json) { model.provenance = ReadPairs(json); }); });
    for (const BundleRange& range : content_.index.ranges) {
      Try([&] { TakeRange(range); });
    }
    if (!content_.problems.empty()) return;
    Try([&] {
      RequireFitting(model);
      if (ModelId(model) != model.id) {
        throw Error(ErrorCode::kCorrupt, "the model's id is not that of its content");
      }
    });
  }

  // What is there, what is listed and what belongs into a bundle must be the same.
  void CheckFiles() {
    const std::vector<std::string> expected = FilesOf(content_.index.ranges);
    // First, because a list without end could have one file hashed again and again.
    if (content_.index.files.size() != expected.size()) {
      Try([&] { ThrowCorrupt(root_ / kIndexName, "lists another number of files than a model has"); });
      return;
    }
    std::set<std::string> unlisted(names_.begin(), names_.end());
    unlisted.erase(kIndexName);
    for (const ListedFile& file : content_.index.files) {
      Try([&] {
        if (!std::binary_search(expected.begin(), expected.end(), file.name)) {
          throw Error(ErrorCode::kCorrupt, "model.json lists what is no file of a model: " + Printable(file.name, 80));
        }
        CheckFile(file);
      });
      unlisted.erase(file.name);
    }
    for (const std::string& name : unlisted) {
      Try([&] { ThrowCorrupt(root_ / name, "not listed in model.json"); });
    }
  }

  void CheckFile(const ListedFile& file) const {
    const fs::path path = root_ / file.name;
    boost::system::error_code error;
    const std::uint64_t bytes = fs::file_size(path, error);
    if (error) ThrowCorrupt(path, "missing");
    if (bytes != file.bytes) {
      ThrowCorrupt(path, std::to_string(bytes) + " bytes instead of " + std::to_string(file.bytes));
    }
    if (Sha256OfFile(path) != file.sha256) ThrowCorrupt(path, "same size, other content");
    if (path.extension() != ".npy" && bytes > kMaxText) ThrowCorrupt(path, "larger than any of a model");
  }

  void TakeRange(const BundleRange& counts) {
    const fs::path folder = FolderOf(root_, counts.name);
    for (const std::string& name : kRangeFiles) {
      if (name.ends_with(".npy")) continue;
      ReadFile(folder / name, kMaxText);  // bounded before anybody parses it
    }
    RangeModel range;
    range.range = StageRange::FromName(counts.name);
    range.dictionary = Dictionary::Load(folder);
    range.models = TermModels::LoadWithoutScores(folder);
    range.fbbt_ids = ReadOntology(folder / "ontology.tsv", range.models);
    range.genes = ReadGenes(folder / "genes.tsv");
    const bool same = CountsOf(range) == counts;
    content_.model.ranges.push_back(std::move(range));
    if (!same)
      throw Error(ErrorCode::kCorrupt, "model.json counts something else for " + counts.name + " than is there");
  }

  static std::vector<std::string> ReadOntology(const fs::path& path, const TermModels& models) {
    std::vector<std::string> ids;
    for (const std::vector<std::string>& row : LoadTsv(path, kOntologyHeader)) {
      const bool fits = ids.size() < models.terms.size() && row[0] == models.terms[ids.size()].term;
      if (!fits) ThrowCorrupt(path, "lists other terms than terms.tsv");
      ids.push_back(row[1]);
    }
    if (ids.size() != models.terms.size()) ThrowCorrupt(path, "lists other terms than terms.tsv");
    return ids;
  }

  static std::vector<TrainedGene> ReadGenes(const fs::path& path) {
    std::vector<TrainedGene> genes;
    for (const std::vector<std::string>& row : LoadTsv(path, kGenesHeader)) {
      const std::int64_t fold = IntegerField(row[3], path);
      if (fold < -1 || fold > std::int64_t{1} << 20) ThrowCorrupt(path, "no inner fold: " + row[3]);
      genes.push_back({row[0], {SplitNames(row[1]), SplitNames(row[2])}, static_cast<int>(fold)});
    }
    return genes;
  }

  // Notes what `check` throws about the bundle; false if it throws.
  template <class Check>
  bool Try(const Check& check) {
    try {
      check();
      return true;
    } catch (const Error& error) {
      const bool ours = error.code() == ErrorCode::kDisk || error.code() == ErrorCode::kInternal ||
                        error.code() == ErrorCode::kInterrupted;
      if (ours) throw;
      Note(error);
      return false;
    }
  }

  void Note(const Error& error) {
    std::vector<Diagnostic> diagnostics;
    bool inside = false;
    for (const Diagnostic& diagnostic : error.diagnostics()) {
      const std::string name = NameInside(diagnostic.place.file);
      inside |= !name.empty();
      const std::string hint =
          name.empty() && !diagnostic.hint.empty() ? diagnostic.hint : "fetch or make it again; nothing of it was used";
      diagnostics.push_back({(name.empty() ? "" : name + ": ") + diagnostic.message, hint, {bundle_.string()}});
    }
    content_.problems.insert(content_.problems.end(), diagnostics.begin(), diagnostics.end());
    // Of what lies inside, "cannot be read" and "not as a config must be" both mean: damaged.
    const bool other = error.code() == ErrorCode::kInput && !inside;
    if (!content_.first) {
      content_.first = std::make_exception_ptr(Error(other ? ErrorCode::kInput : ErrorCode::kCorrupt, diagnostics));
    }
  }

  // "ranges/4-6/weights.npy" of a path below the scratch folder or of a text that was named so; else empty.
  std::string NameInside(const std::string& file) const {
    if (file == kOptionsName) return file;
    const std::string root = root_.string() + "/";
    return file.starts_with(root) ? file.substr(root.size()) : "";
  }

  fs::path bundle_;
  ScratchFolder scratch_;
  fs::path root_;
  std::vector<std::string> names_;
  BundleContent content_;
};

}  // namespace

void SaveModel(const Model& model, const fs::path& bundle) {
  RequireFitting(model);
  FLYSCRIBE_CHECK(model.id == ModelId(model), "a model's id is that of its content");
  const fs::path target = fs::absolute(bundle);
  CreateFolder(target.parent_path());
  RemoveLeftScratch(target);
  const ScratchFolder scratch(target.parent_path(), ScratchName(target));
  const std::optional<FileLock> lock = FileLock::TryAcquire(scratch.path() / kLockName, DescribeProcess("export"));
  const fs::path root = scratch.path() / "files";
  CreateFolder(root);
  for (const RangeModel& range : model.ranges) SaveRange(range, FolderOf(root, range.range.name()));
  WriteFile(root / kOptionsName, ModelOptionsYaml(model.options), Durability::kUnsynced);
  WriteFile(root / kProvenanceName, JsonLines(PairsJson(model.provenance), 1), Durability::kUnsynced);
  WriteFile(root / kIndexName, IndexText(model, root), Durability::kUnsynced);
  WriteArchive(root, scratch.path() / "bundle");
  RenamePath(scratch.path() / "bundle", target);
  SyncFolder(target.parent_path());
}

BundleContent ReadBundle(const fs::path& bundle, const fs::path& scratch) {
  return BundleReader(bundle, scratch).Read();
}

Model LoadModel(const fs::path& bundle, const fs::path& scratch) {
  BundleContent content = ReadBundle(bundle, scratch);
  if (content.first) std::rethrow_exception(content.first);
  return std::move(content.model);
}

}  // namespace flyscribe
