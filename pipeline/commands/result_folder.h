// The output folder of a command that leaves a fixed set of files: filled at the end, all of them or none.
//
// The files are written into a folder .unfinished in it, synced, and renamed into place; the last one named is moved
// last, so where it is, the result is whole. Whatever fails, nothing of the result is left, and a folder that was made
// for it is removed again. While the object lives, the folder is locked by the kernel against other processes that do
// the same (as far as the file system can). .unfinished of a killed one is cleared away; and, if .unfinished/moving
// lists them with their digests, the files it had moved into place. Unfinished work of `annotate` is not ours: a folder
// with it is refused.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/fs.h"

namespace flyscribe {

// Creates the folder. Throws Error(kUsage) with this hint if there is something in it.
void RequireEmptyFolder(const fs::path& folder, const std::string& hint);

class ResultFolder {
 public:
  // Creates the folder. Throws Error(kDisk) if it cannot be written to, Error(kLockTimeout) if another process is
  // writing there, and, unless `replace`, Error(kUsage) if one of `files` exists (but for what a killed process left);
  // Error(kUsage) in any case if annotate has not finished its work there.
  ResultFolder(fs::path folder, std::vector<std::string> files, bool replace);
  ~ResultFolder();
  ResultFolder(const ResultFolder&) = delete;
  ResultFolder& operator=(const ResultFolder&) = delete;

  const fs::path& path() const { return folder_; }
  // Throws Error(kUsage) if the result would replace this input.
  void RequireNotReplaced(const fs::path& input) const;
  // Removes the result that is to be replaced, if any.
  void Clear();
  // Calls `write` with an empty folder to write the files into, then removes the old result, if any, and moves the new
  // one into place. REQUIRES: all of the files are written.
  void Commit(const std::function<void(const fs::path& folder)>& write);

 private:
  fs::path Unfinished() const { return folder_ / ".unfinished"; }
  void Lock();
  void RefuseUnfinishedAnnotation() const;
  void RefuseResult() const;
  void RemoveMoved() const;
  void MoveIntoPlace();

  fs::path folder_;
  std::vector<std::string> files_;
  bool existed_;
  int lock_ = -1;
};

}  // namespace flyscribe
