#include "pipeline/cache/store.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <ctime>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/file.h"
#include "core/hash.h"
#include "core/text.h"

namespace flyscribe {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kManifestFormat = 1;
constexpr std::time_t kLeftoverSeconds = std::time_t{24} * 60 * 60;
const std::string kManifestName = "manifest.json";
const std::string kKeyName = "key.txt";

// Part of temporary names, because a cache may be shared between hosts.
std::string HostName() {
  std::array<char, 256> name{};
  if (gethostname(name.data(), name.size() - 1) != 0) return "unknown";
  return name.data();
}

// host+process+random.
std::string TemporaryName() {
  return HostName() + "+" + std::to_string(getpid()) + "+" + fs::unique_path("%%%%%%%%").string();
}

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
  RemoveLeftovers();
}

void ArtifactStore::RemoveLeftovers() const {
  boost::system::error_code ignored;
  fs::directory_iterator entry(root_ / "tmp", ignored);
  for (const fs::directory_iterator end; entry != end; entry.increment(ignored)) {
    const fs::path folder = entry->path();
    const std::vector<std::string> name = Split(folder.filename().string(), '+');
    const auto process = name.size() == 3 ? ParseInteger(name[1]) : std::nullopt;
    const bool dead = process && kill(static_cast<pid_t>(*process), 0) != 0 && errno == ESRCH;
    // The age guards processes of other containers that share our host name.
    const bool old = std::time(nullptr) - fs::last_write_time(folder, ignored) > kLeftoverSeconds;
    if (dead && old && name[0] == HostName()) fs::remove_all(folder, ignored);
  }
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
    if (problem.empty()) return Artifact{folder, stored.manifest, TotalBytes(stored.files), false};
  } catch (const Json::exception& error) {
    problem = kManifestName + " cannot be read: " + error.what();
  } catch (const Error& error) {
    // Missing is damage; no rights, or too many open files, is not.
    if (error.code() != ErrorCode::kCorrupt && fs::exists(folder / kManifestName, ignored)) throw;
    problem = kManifestName + " is missing or of an unknown format";
  }
  SetAside(folder, problem);
  return std::nullopt;
}

bool ArtifactStore::Verify(const Artifact& artifact, const std::vector<std::string>& only) const {
  std::string problem;
  try {
    for (const ListedFile& file : ReadManifest(artifact.folder).files) {
      if (!only.empty() && std::count(only.begin(), only.end(), file.name) == 0) continue;
      if (Sha256OfFile(artifact.folder / file.name) != file.sha256) problem = file.name + " was changed";
    }
  } catch (const Json::exception& error) {
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
  const bool somebody_else_did = error.value() == ENOENT;
  if (error && !somebody_else_did) ThrowWriteError(folder, error.value());
}

ArtifactStore::Writer::Writer(const ArtifactStore& store)
    : store_(store), folder_(store.root_ / "tmp" / TemporaryName()) {
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
  return {target, manifest, TotalBytes(files), !other_was_first};
}

}  // namespace flyscribe
