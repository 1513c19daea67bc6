#include "pipeline/cache/store.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/file.h"
#include "core/hash.h"

namespace flyscribe {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kManifestFormat = 1;
const std::string kManifestName = "manifest.json";
const std::string kKeyName = "key.txt";

struct ListedFile {
  std::string name;
  std::uint64_t bytes = 0;
  std::string sha256;
};

struct ManifestOnDisk {
  ArtifactManifest manifest;
  std::vector<ListedFile> files;
};

ManifestOnDisk ReadManifest(const fs::path& folder) {
  const Json json = Json::parse(ReadFile(folder / kManifestName));
  if (json.at("format") != kManifestFormat) throw Error(ErrorCode::kCorrupt, "unknown manifest format");
  ManifestOnDisk result;
  json.at("step").get_to(result.manifest.step);
  json.at("range").get_to(result.manifest.range);
  json.at("part").get_to(result.manifest.part);
  json.at("key").get_to(result.manifest.key);
  json.at("seconds").get_to(result.manifest.seconds);
  json.at("program").get_to(result.manifest.program);
  json.at("facts").get_to(result.manifest.facts);
  for (const Json& file : json.at("files")) {
    result.files.push_back({file.at("name"), file.at("bytes"), file.at("sha256")});
  }
  return result;
}

Json ManifestJson(const ArtifactManifest& manifest, const std::vector<ListedFile>& files) {
  Json list = Json::array();
  for (const ListedFile& file : files) {
    list.push_back({{"name", file.name}, {"bytes", file.bytes}, {"sha256", file.sha256}});
  }
  return {{"format", kManifestFormat},
          {"step", manifest.step},
          {"range", manifest.range},
          {"part", manifest.part},
          {"key", manifest.key},
          {"program", manifest.program},
          {"seconds", manifest.seconds},
          {"facts", manifest.facts},
          {"files", list}};
}

// All regular files below the folder, by name relative to it, sorted. The manifest itself is not among them.
std::vector<ListedFile> ListFiles(const fs::path& folder) {
  std::vector<ListedFile> files;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
    if (!fs::is_regular_file(entry.path())) continue;
    const std::string name = fs::relative(entry.path(), folder).generic_string();
    files.push_back({name, fs::file_size(entry.path()), Sha256OfFile(entry.path())});
  }
  std::sort(files.begin(), files.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  return files;
}

// Empty if every listed file is there with its size.
std::string FirstWrongSize(const fs::path& folder, const std::vector<ListedFile>& files) {
  for (const ListedFile& file : files) {
    boost::system::error_code error;
    const auto bytes = fs::file_size(folder / file.name, error);
    if (error || bytes != file.bytes) return file.name + (error ? " is missing" : " has the wrong size");
  }
  return {};
}

std::uint64_t TotalBytes(const std::vector<ListedFile>& files) {
  std::uint64_t bytes = 0;
  for (const ListedFile& file : files) bytes += file.bytes;
  return bytes;
}

}  // namespace

ArtifactStore::ArtifactStore(fs::path root, Warn warn) : root_(std::move(root)), warn_(std::move(warn)) {
  RequireWritableFolder(root_);
}

fs::path ArtifactStore::FolderOf(const std::string& range, const std::string& step, const std::string& key) const {
  return root_ / range / step / key;
}

std::optional<Artifact> ArtifactStore::Find(const std::string& range,
                                            const std::string& step,
                                            const std::string& key) const {
  const fs::path folder = FolderOf(range, step, key);
  boost::system::error_code ignored;
  if (!fs::exists(folder, ignored)) return std::nullopt;
  std::string problem;
  try {
    const ManifestOnDisk stored = ReadManifest(folder);
    problem = FirstWrongSize(folder, stored.files);
    if (stored.manifest.key != key || stored.manifest.step != step) problem = "the manifest names another artifact";
    if (problem.empty()) return Artifact{folder, stored.manifest, TotalBytes(stored.files)};
  } catch (const std::exception& error) {
    problem = std::string(kManifestName) + " cannot be read: " + error.what();
  }
  SetAside(folder, problem);
  return std::nullopt;
}

bool ArtifactStore::Verify(const Artifact& artifact) const {
  std::string problem;
  try {
    for (const ListedFile& file : ReadManifest(artifact.folder).files) {
      if (Sha256OfFile(artifact.folder / file.name) != file.sha256) problem = file.name + " was changed";
    }
  } catch (const std::exception& error) {
    problem = error.what();
  }
  if (!problem.empty()) SetAside(artifact.folder, problem);
  return problem.empty();
}

void ArtifactStore::SetAside(const fs::path& folder, const std::string& reason) const {
  const fs::path aside = root_ / "damaged" / fs::unique_path(folder.filename().string() + "-%%%%%%");
  warn_("cache: " + fs::relative(folder, root_).string() + " is damaged (" + reason + "); moved to " +
        fs::relative(aside, root_).string() + " and computed again");
  CreateFolder(aside.parent_path());
  boost::system::error_code error;
  fs::rename(folder, aside, error);
  if (error) ThrowWriteError(folder, error.value());
}

ArtifactStore::Writer::Writer(const ArtifactStore& store)
    : store_(store), folder_(store.root_ / "tmp" / fs::unique_path(std::to_string(getpid()) + "-%%%%%%%%%%%%")) {
  CreateFolder(folder_);
}

ArtifactStore::Writer::~Writer() {
  boost::system::error_code ignored;
  fs::remove_all(folder_, ignored);
}

Artifact ArtifactStore::Writer::Commit(const ArtifactManifest& manifest, const std::string& key_text) {
  WriteFile(folder_ / kKeyName, key_text);
  const std::vector<ListedFile> files = ListFiles(folder_);
  WriteFile(folder_ / kManifestName, ManifestJson(manifest, files).dump(2) + "\n");
  SyncFolder(folder_);
  const fs::path target = store_.FolderOf(manifest.range, manifest.step, manifest.key);
  CreateFolder(target.parent_path());
  boost::system::error_code error;
  fs::rename(folder_, target, error);
  const bool other_was_first = error && fs::exists(target / kManifestName);
  if (error && !other_was_first) ThrowWriteError(target, error.value());
  SyncFolder(target.parent_path());
  return {target, manifest, TotalBytes(files)};
}

}  // namespace flyscribe
