// The output folder of a command that is run again and again: it replaces what such commands wrote, and nothing else.
//
// OUT/.flyscribe-files lists name and SHA-256 of all that was ever written there; an entry is added before its file is
// moved into place. A file is ours if its content is listed under its name. So one that somebody else put there, or
// changed, is known as such, also after a kill; the command stops before it computes anything. Several processes may
// use one folder at once: whoever writes holds OUT/.flyscribe.lock, so that the result of the last one is there whole.
//
// Version 0.1.0 kept no list. A folder without one that it filled is known by its run.json or reproduction.json, which
// it wrote last: what has the name of a result there and is no newer was there then, and is taken over.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/file_lock.h"
#include "core/fs.h"

namespace flyscribe {

class OutputFolder {
 public:
  // Creates the folder. Throws Error(kDisk) if it cannot be written to, and Error(kUsage) if one of `files`, which are
  // all that may be written, is there and not ours. `config`: never taken over, because it is an input. `old_last`:
  // what version 0.1.0 wrote last here; empty if it did not fill this folder.
  OutputFolder(fs::path folder,
               const std::vector<std::string>& files,
               const fs::path& config,
               const fs::path& old_last);

  const fs::path& path() const { return folder_; }
  // Replaces the file if it is ours; throws Error(kUsage) if not. The name may hold folders.
  void Write(const std::string& name, std::string_view content);
  // Removes the file, and its folder if nothing else is in it. What is not ours stays.
  void Remove(const std::string& name);

 private:
  bool IsOurs(const std::string& name);

  fs::path folder_;
  std::set<std::pair<std::string, std::string>> listed_;  // name, digest
};

// Keeps other processes from opening or writing the folder, which is created; waits for one that does so now. Throws as
// OutputFolder's constructor does if it cannot be written to.
FileLock LockOutput(const fs::path& folder);

// This run.json or reproduction.json, if version 0.1.0 left it; else an empty path.
fs::path OfFirstRelease(const fs::path& summary);

}  // namespace flyscribe
