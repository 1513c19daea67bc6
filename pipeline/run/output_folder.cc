#include "pipeline/run/output_folder.h"

#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/file.h"
#include "core/hash.h"
#include "core/text.h"
#include "pipeline/terminal/process.h"

namespace flyscribe {
namespace {

constexpr const char* kListName = ".flyscribe-files";
const std::string kTitle = "# flyscribe output 1: what was written here; only these files are ever replaced\n";
const std::string kGap = "  ";  // between digest and name, as sha256sum has it
constexpr std::size_t kDigestSize = 64;

using Listed = std::set<std::pair<std::string, std::string>>;

// Also a link to nowhere is something that would be replaced.
bool IsThere(const fs::path& path) {
  boost::system::error_code ignored;
  return fs::symlink_status(path, ignored).type() != fs::file_not_found;
}

Listed ReadList(const fs::path& folder) {
  const fs::path list = folder / kListName;
  if (!IsThere(list)) return {};
  const std::string text = ReadFile(list);
  if (!text.starts_with(kTitle)) {
    throw Error(ErrorCode::kUsage,
                "this is no list of flyscribe's files",
                "move it away, or choose another folder for the output",
                {list.string()});
  }
  Listed listed;
  for (const std::string& line : Split(text.substr(kTitle.size()), '\n')) {
    if (line.size() <= kDigestSize + kGap.size()) continue;  // cut off by a power cut
    listed.emplace(line.substr(kDigestSize + kGap.size()), line.substr(0, kDigestSize));
  }
  return listed;
}

bool IsListed(const Listed& listed, const std::string& name) {
  const auto found = listed.lower_bound({name, ""});
  return found != listed.end() && found->first == name;
}

}  // namespace

FileLock LockOutput(const fs::path& folder) {
  RequireWritableFolder(folder);
  return WaitForLock(folder / ".flyscribe.lock", "writing results");
}

bool IsOfFirstRelease(const fs::path& summary) {
  boost::system::error_code ignored;
  if (!fs::is_regular_file(summary, ignored)) return false;
  if (IsListed(ReadList(summary.parent_path()), summary.filename().string())) return false;
  const nlohmann::json json = nlohmann::json::parse(ReadFile(summary), nullptr, false);
  return json.is_object() && json.contains("exit_code") && (json.contains("steps") || json.contains("checks"));
}

OutputFolder::OutputFolder(fs::path folder,
                           const std::vector<std::string>& files,
                           const fs::path& config,
                           bool unlisted)
    : folder_(std::move(folder)) {
  RequireWritableFolder(folder_);
  listed_ = ReadList(folder_);
  std::string taken_over;
  std::vector<Diagnostic> strangers;
  for (const std::string& name : files) {
    const fs::path file = folder_ / name;
    if (!IsThere(file) || IsOurs(name)) continue;
    boost::system::error_code ignored;
    const bool known = IsListed(listed_, name);
    if (unlisted && !known && fs::is_regular_file(file, ignored) && !fs::equivalent(file, config, ignored)) {
      taken_over += "\n" + Sha256OfFile(file) + kGap + name;
      continue;
    }
    strangers.push_back({known ? "the result would replace this file, which was changed after flyscribe wrote it"
                               : "the result would replace this file, which flyscribe did not write",
                         {},
                         {file.string()}});
  }
  if (!strangers.empty()) {
    strangers.back().hint = "move it away, or choose another folder for the output (`output:` in the config)";
    throw Error(ErrorCode::kUsage, std::move(strangers));
  }
  if (!IsThere(folder_ / kListName)) {
    WriteFileAtomically(folder_ / kListName, kTitle);
    SyncFolder(folder_);
  }
  if (!taken_over.empty()) AppendToFile(folder_ / kListName, taken_over + "\n");
  listed_ = ReadList(folder_);
}

bool OutputFolder::IsOurs(const std::string& name) {
  boost::system::error_code ignored;
  const fs::path file = folder_ / name;
  if (fs::symlink_status(file, ignored).type() != fs::regular_file) return false;
  const std::string digest = Sha256OfFile(file);
  // Another process may have written it since the list was read.
  if (!listed_.contains({name, digest})) listed_ = ReadList(folder_);
  return listed_.contains({name, digest});
}

void OutputFolder::Write(const std::string& name, std::string_view content) {
  if (IsThere(folder_ / name) && !IsOurs(name)) {
    throw Error(ErrorCode::kUsage,
                "the result would replace this file, which was put here or changed meanwhile",
                "move it away and give the same command again",
                {(folder_ / name).string()});
  }
  // A line that a power cut has cut off is ended first.
  const std::string digest = Sha256OfText(content);
  if (listed_.emplace(name, digest).second) AppendToFile(folder_ / kListName, "\n" + digest + kGap + name + "\n");
  WriteFileAtomically(folder_ / name, content);
}

void OutputFolder::Remove(const std::string& name) {
  if (!IsOurs(name)) return;
  RemoveTree(folder_ / name);
  boost::system::error_code ignored;
  const fs::path parent = (folder_ / name).parent_path();
  if (parent != folder_) fs::remove(parent, ignored);  // only if empty
}

}  // namespace flyscribe
