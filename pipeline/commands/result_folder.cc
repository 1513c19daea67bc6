#include "pipeline/commands/result_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "core/error.h"
#include "core/file.h"
#include "pipeline/annotate/annotation_folder.h"

namespace flyscribe {
namespace {

bool Exists(const fs::path& path) {
  boost::system::error_code ignored;  // whoever writes there will say what is wrong with it
  return fs::exists(path, ignored);
}

void Remove(const fs::path& path) {
  boost::system::error_code error;
  fs::remove_all(path, error);
  if (error) ThrowWriteError(path, error.value());
}

}  // namespace

void RequireEmptyFolder(const fs::path& folder, const std::string& hint) {
  RequireWritableFolder(folder);
  if (fs::is_empty(folder)) return;
  throw Error(ErrorCode::kUsage, "the output folder is not empty", hint, {folder.string()});
}

ResultFolder::ResultFolder(fs::path folder, std::vector<std::string> files, bool replace)
    : folder_(std::move(folder)), files_(std::move(files)), existed_(Exists(folder_)) {
  RequireWritableFolder(folder_);
  Lock();
  try {
    RefuseUnfinishedAnnotation();
    // A process killed while it moved its files into place has left some of them without the one that vouches for them.
    if (Exists(Unfinished()) && !Exists(folder_ / files_.back())) Clear();
    if (!replace) RefuseResult();
    Remove(Unfinished());
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
  if (!Exists(folder_ / kUnfinishedAnnotation)) return;
  throw Error(ErrorCode::kUsage,
              "the folder holds unfinished work of `flyscribe annotate`",
              "give the same annotate command again to finish it, or choose another --output",
              {folder_.string()});
}

void ResultFolder::RefuseResult() const {
  for (const std::string& file : files_) {
    if (!Exists(folder_ / file)) continue;
    throw Error(ErrorCode::kUsage,
                "the folder already holds a result (" + file + ")",
                "choose another --output, or give --force to replace it",
                {folder_.string()});
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
  Remove(folder_ / files_.back());  // it vouches for the others
  for (const std::string& file : files_) Remove(folder_ / file);
}

void ResultFolder::Commit(const std::function<void(const fs::path& folder)>& write) {
  CreateFolder(Unfinished());
  write(Unfinished());
  SyncFolder(Unfinished());
  Clear();
  try {
    MoveIntoPlace();
  } catch (...) {
    boost::system::error_code ignored;
    for (const std::string& file : files_) fs::remove(folder_ / file, ignored);
    throw;
  }
  Remove(Unfinished());
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
