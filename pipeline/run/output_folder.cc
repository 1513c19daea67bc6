#include "pipeline/run/output_folder.h"

#include <sys/stat.h>

#include <nlohmann/json.hpp>
#include <utility>

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

Listed ReadList(const fs::path& folder) {
  const fs::path list = folder / kListName;
  if (!IsTaken(list)) return {};
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

// By the clock of the file system; false if one is not there.
bool IsNewer(const fs::path& file, const fs::path& than) {
  struct stat a {};
  struct stat b {};
  if (lstat(file.c_str(), &a) != 0 || lstat(than.c_str(), &b) != 0) return false;
  return std::pair(a.st_mtim.tv_sec, a.st_mtim.tv_nsec) > std::pair(b.st_mtim.tv_sec, b.st_mtim.tv_nsec);
}

// A config as version 0.1.0 wrote it: all options, in one order, without a remark. People write others.
bool IsExpandedConfig(const fs::path& file) {
  const std::string text = "\n" + ReadFile(file);
  std::size_t at = 0;
  for (const char* part : {"\nranges: [",
                           "\noutput: ",
                           "\nthreads: ",
                           "\nsimd: ",
                           "\ncache:\n  dir: ",
                           "\ningest:\n",
                           "\nstandardise:\n",
                           "\nextract:\n",
                           "\nnormalise:\n",
                           "\nlearn:\n",
                           "\nencode:\n",
                           "\npool:\n",
                           "\ntrain:\n",
                           "\nevaluate:\n",
                           "\nprotocol:\n",
                           "\nreport:\n"}) {
    const std::size_t found = text.find(part, at);
    if (found == std::string::npos) return false;
    at = found + 1;
  }
  return text.starts_with("\nranges: [") && text.find("\n\n") == std::string::npos &&
         text.find("\n#") == std::string::npos;
}

// Whether version 0.1.0 wrote this file, before `last` of the same folder.
bool IsOld(const fs::path& file, const fs::path& last, const fs::path& config) {
  boost::system::error_code ignored;
  if (last.empty() || fs::symlink_status(file, ignored).type() != fs::regular_file) return false;
  if (!IsTaken(last) || IsNewer(file, last) || fs::equivalent(file, config, ignored)) return false;
  return file.extension() != ".yaml" || IsExpandedConfig(file);
}

}  // namespace

FileLock LockOutput(const fs::path& folder) {
  RequireWritableFolder(folder);
  return WaitForLock(folder / ".flyscribe.lock", "writing results");
}

fs::path OfFirstRelease(const fs::path& summary) {
  boost::system::error_code ignored;
  if (!fs::is_regular_file(summary, ignored) || IsTaken(summary.parent_path() / kListName)) return {};
  const nlohmann::json json = nlohmann::json::parse(ReadFile(summary), nullptr, false);
  const bool is_ours =
      json.is_object() && json.contains("exit_code") && (json.contains("steps") || json.contains("checks"));
  return is_ours ? summary : fs::path();
}

OutputFolder::OutputFolder(fs::path folder,
                           const std::vector<std::string>& files,
                           const fs::path& config,
                           const fs::path& old_last)
    : folder_(std::move(folder)) {
  RequireWritableFolder(folder_);
  listed_ = ReadList(folder_);
  const bool is_listed = IsTaken(folder_ / kListName);  // then nothing is taken over, even if the list is empty
  std::string taken_over;
  std::vector<Diagnostic> strangers;
  for (const std::string& name : files) {
    const fs::path file = folder_ / name;
    if (!IsTaken(file) || IsOurs(name)) continue;
    const bool known = IsListed(listed_, name);
    if (!is_listed && IsOld(file, old_last, config)) {
      taken_over += Sha256OfFile(file) + kGap + name + "\n";
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
  if (!is_listed) {
    WriteFileAtomically(folder_ / kListName, kTitle + taken_over);
    SyncFolder(folder_);
  }
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
  if (IsTaken(folder_ / name) && !IsOurs(name)) {
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
