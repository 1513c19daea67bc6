#include "pipeline/commands/result_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "core/csv.h"
#include "core/error.h"
#include "core/file.h"
#include "core/hash.h"
#include "core/text.h"
#include "pipeline/annotate/annotation_folder.h"

namespace flyscribe {
namespace {

// What a killed process was moving into place: name and digest of each file.
constexpr const char* kMoving = "moving";

}  // namespace

void RequireEmptyFolder(const fs::path& folder, const std::string& hint) {
  RequireWritableFolder(folder);
  if (fs::is_empty(folder)) return;
  throw Error(ErrorCode::kUsage, "the output folder is not empty", hint, {folder.string()});
}

ResultFolder::ResultFolder(fs::path folder, std::vector<std::string> files, bool replace)
    : folder_(std::move(folder)), files_(std::move(files)), existed_(IsTaken(folder_)) {
  RequireWritableFolder(folder_);
  Lock();
  try {
    RefuseUnfinishedAnnotation();
    if (!IsTaken(folder_ / files_.back())) RemoveMoved();
    if (!replace) RefuseResult();
    RemoveTree(Unfinished());
  } catch (...) {
    close(lock_);
    throw;
  }
}

ResultFolder::~ResultFolder() {
  boost::system::error_code ignored;
  fs::remove_all(Unfinished(), ignored);
  if (!existed_) fs::remove(folder_, ignored);  // only if empty
  close(lock_);
}

void ResultFolder::Lock() {
  lock_ = open(folder_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (lock_ < 0) ThrowWriteError(folder_, errno);
  // Any other failure means that the file system has no locks: then there is none.
  if (flock(lock_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return;
  close(lock_);
  throw Error(ErrorCode::kLockTimeout,
              "another flyscribe is writing to this folder",
              "wait until it has ended, or choose another --output",
              {folder_.string()});
}

// Some of its files have the names of ours, so it could neither go on nor be left as it is.
void ResultFolder::RefuseUnfinishedAnnotation() const {
  if (!IsTaken(folder_ / kUnfinishedAnnotation)) return;
  throw Error(ErrorCode::kUsage,
              "the folder holds unfinished work of `flyscribe annotate`",
              "give the same annotate command again to finish it, or choose another --output",
              {folder_.string()});
}

void ResultFolder::RefuseResult() const {
  for (const std::string& file : files_) {
    if (!IsTaken(folder_ / file)) continue;
    throw Error(ErrorCode::kUsage,
                "the folder already holds a result (" + file + ")",
                "choose another --output, or give --force to replace it",
                {folder_.string()});
  }
}

// A process killed while it moved its files into place has left some of them without the one that vouches for them.
// What somebody else has put there since is left alone.
void ResultFolder::RemoveMoved() const {
  if (!IsTaken(Unfinished() / kMoving)) return;
  for (const std::string& line : Split(ReadFile(Unfinished() / kMoving), '\n')) {
    const std::vector<std::string> fields = Split(line, '\t');
    if (fields.size() != 2) continue;
    const fs::path file = folder_ / fields[0];
    boost::system::error_code ignored;
    const bool is_file = fs::symlink_status(file, ignored).type() == fs::regular_file;
    if (std::ranges::count(files_, fields[0]) > 0 && is_file && Sha256OfFile(file) == fields[1]) RemoveTree(file);
  }
}

void ResultFolder::RequireNotReplaced(const fs::path& input) const {
  for (const std::string& file : files_) {
    boost::system::error_code ignored;
    if (!fs::equivalent(input, folder_ / file, ignored)) continue;
    throw Error(ErrorCode::kUsage, "the result would replace this input", "choose another --output", {input.string()});
  }
}

void ResultFolder::Clear() {
  RemoveTree(folder_ / files_.back());  // it vouches for the others
  for (const std::string& file : files_) RemoveTree(folder_ / file);
}

void ResultFolder::Commit(const std::function<void(const fs::path& folder)>& write) {
  CreateFolder(Unfinished());
  write(Unfinished());
  std::string moving;
  for (const std::string& file : files_) {
    if (IsTaken(Unfinished() / file)) moving += TsvRow({file, Sha256OfFile(Unfinished() / file)});
  }
  WriteFile(Unfinished() / kMoving, moving);
  SyncFolder(Unfinished());
  Clear();
  try {
    MoveIntoPlace();
  } catch (...) {
    boost::system::error_code ignored;
    for (const std::string& file : files_) fs::remove(folder_ / file, ignored);
    throw;
  }
  RemoveTree(Unfinished());
}

void ResultFolder::MoveIntoPlace() {
  for (const std::string& file : files_) {
    boost::system::error_code error;
    fs::rename(Unfinished() / file, folder_ / file, error);
    if (error) ThrowWriteError(folder_ / file, error.value());
  }
  SyncFolder(folder_);
}

}  // namespace flyscribe
