#include "pipeline/cache/manifest.h"

#include <map>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/file.h"
#include "data/tables.h"

namespace flyscribe {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kFormat = 1;
constexpr int kMostLevels = 4;  // the manifest, files, one of them
const std::string kNoDigest(64, '0');

Json ToJson(const ArtifactManifest& manifest) {
  Json files = Json::array();
  for (const ListedFile& file : manifest.files) {
    files.push_back({{"name", file.name}, {"bytes", file.bytes}, {"sha256", file.sha256}});
  }
  return {{"format", kFormat},
          {"digest", kNoDigest},
          {"step", manifest.step},
          {"range", manifest.range},
          {"part", manifest.part},
          {"key", manifest.key},
          {"program", manifest.program},
          {"made", manifest.made},
          {"seconds", manifest.seconds},
          {"work", manifest.work},
          {"size", manifest.size},
          {"facts", manifest.facts},
          {"files", files}};
}

ArtifactManifest FromJson(const Json& json) {
  if (json.at("format") != kFormat) throw Error(ErrorCode::kCorrupt, "unknown manifest format");
  ArtifactManifest manifest;
  json.at("step").get_to(manifest.step);
  json.at("range").get_to(manifest.range);
  json.at("part").get_to(manifest.part);
  json.at("key").get_to(manifest.key);
  json.at("program").get_to(manifest.program);
  json.at("made").get_to(manifest.made);
  json.at("seconds").get_to(manifest.seconds);
  manifest.work = json.value("work", 0.0);  // 0.1.0 did not write these
  manifest.size = json.value("size", 0.0);
  json.at("facts").get_to(manifest.facts);
  for (const Json& file : json.at("files")) {
    manifest.files.push_back({file.at("name"), file.at("bytes"), file.at("sha256")});
  }
  return manifest;
}

// Whatever is nested deeper is none of ours, and must not eat all memory.
Json ParseFlat(const std::string& text) {
  return Json::parse(text, [](int depth, Json::parse_event_t /*event*/, Json& /*parsed*/) {
    if (depth > kMostLevels) throw Error(ErrorCode::kCorrupt, "nested too deeply");
    return true;
  });
}

// Where the 64 digits of the text's own digest begin.
std::size_t DigestPlace(const std::string& text) {
  const std::string label = R"("digest": ")";
  const std::size_t found = text.find(label);
  if (found == std::string::npos || found + label.size() + kNoDigest.size() > text.size()) {
    throw Error(ErrorCode::kCorrupt, "it has no digest");
  }
  return found + label.size();
}

void RequireOwnDigest(std::string text) {
  const std::size_t place = DigestPlace(text);
  const std::string stated = text.substr(place, kNoDigest.size());
  text.replace(place, kNoDigest.size(), kNoDigest);
  if (Sha256OfText(text) != stated) throw Error(ErrorCode::kCorrupt, "it was changed");
}

}  // namespace

std::uint64_t ArtifactManifest::TotalBytes() const {
  std::uint64_t bytes = 0;
  for (const ListedFile& file : files) bytes += file.bytes;
  return bytes;
}

std::vector<ListedFile> ListFiles(const fs::path& folder) {
  std::vector<ListedFile> files;
  for (const std::string& name : FilesBelow(folder)) {
    if (name != kManifestName) files.push_back({name, fs::file_size(folder / name), Sha256OfFile(folder / name)});
  }
  return files;
}

void WriteManifest(const fs::path& folder, const ArtifactManifest& manifest) {
  std::string text = JsonLines(ToJson(manifest));
  text.replace(DigestPlace(text), kNoDigest.size(), Sha256OfText(text));
  WriteFile(folder / kManifestName, text);
}

ArtifactManifest ReadManifest(const fs::path& folder, std::uint64_t limit) {
  const fs::path file = folder / kManifestName;
  boost::system::error_code ignored;
  if (!IsThere(file)) throw Error(ErrorCode::kCorrupt, "manifest.json is missing", {}, {folder.string()});
  if (!fs::is_regular_file(file, ignored))
    throw Error(ErrorCode::kCorrupt, "manifest.json is no file", {}, {folder.string()});
  try {
    const std::string text = ReadFile(file, limit);
    RequireOwnDigest(text);
    return FromJson(ParseFlat(text));
  } catch (const Json::exception& error) {
    throw Error(ErrorCode::kCorrupt, std::string("manifest.json is damaged: ") + error.what(), {}, {file.string()});
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kCorrupt) throw;
    const std::string reason = error.diagnostics().front().message;
    throw Error(ErrorCode::kCorrupt, "manifest.json is damaged: " + reason, {}, {file.string()});
  }
}

std::string FirstWrongSize(const fs::path& folder, const std::vector<ListedFile>& files) {
  for (const ListedFile& file : files) {
    if (!IsThere(folder / file.name)) return file.name + " is missing";
    boost::system::error_code error;
    const auto bytes = fs::file_size(folder / file.name, error);
    if (error) return file.name + " is no file";
    if (bytes != file.bytes) return file.name + " has the wrong size";
  }
  return {};
}

std::string FirstChanged(const fs::path& folder, const std::vector<ListedFile>& files, const FileDigest& digest) {
  for (const ListedFile& file : files) {
    if (!IsThere(folder / file.name)) return file.name + " is missing";
    if (digest(folder / file.name) != file.sha256) return file.name + " was changed";
  }
  return {};
}

std::vector<std::string> DifferingFiles(const std::vector<ListedFile>& a, const std::vector<ListedFile>& b) {
  std::map<std::string, std::string> digests;
  for (const ListedFile& file : a) digests[file.name] = file.sha256;
  std::vector<std::string> differing;
  for (const ListedFile& file : b) {
    const auto found = digests.find(file.name);
    if (found == digests.end() || found->second != file.sha256) differing.push_back(file.name);
    if (found != digests.end()) digests.erase(found);
  }
  for (const auto& [name, digest] : digests) differing.push_back(name);
  return differing;
}

}  // namespace flyscribe
