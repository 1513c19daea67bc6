#include "core/file_lock.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <string_view>
#include <system_error>
#include <utility>

#include "core/error.h"
#include "core/file.h"

namespace flyscribe {
namespace {

struct flock WholeFile() {
  struct flock range {};
  range.l_type = F_WRLCK;
  range.l_whence = SEEK_SET;
  return range;
}

enum class Attempt { kTaken, kBusy, kUnsupported };

Attempt TryLock(int descriptor) {
  struct flock range = WholeFile();
  if (fcntl(descriptor, F_OFD_SETLK, &range) == 0) return Attempt::kTaken;
  return errno == EAGAIN || errno == EACCES ? Attempt::kBusy : Attempt::kUnsupported;
}

// The holder before us may have removed the file between our opening and our locking it: such a lock excludes nobody.
bool StillThere(const fs::path& file, int descriptor) {
  struct stat ours {};
  struct stat present {};
  return fstat(descriptor, &ours) == 0 && lstat(file.c_str(), &present) == 0 && ours.st_ino == present.st_ino &&
         ours.st_dev == present.st_dev;
}

// By this a lock file that a killed process left is told from a file of somebody else.
constexpr std::string_view kMark = "flyscribe lock: ";

// Whether a text is one that a holder leaves: nothing, or zeros after a power cut, or what version 0.1.0 wrote, which
// set no mark.
bool IsOurs(std::string_view text) {
  if (text.find_first_not_of('\0') == std::string_view::npos) return true;
  const std::array<std::string_view, 4> starts = {kMark, "process ", "cleaning up", "setting aside"};
  return std::ranges::any_of(starts, [&](std::string_view start) { return text.starts_with(start); });
}

std::string TextOf(int descriptor) {
  std::string text(1 << 12, '\0');
  const ssize_t size = pread(descriptor, text.data(), text.size(), 0);
  text.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
  return text;
}

// What an open file is, if it can be no lock; else empty.
std::string ProblemOf(int descriptor) {
  struct stat status {};
  if (fstat(descriptor, &status) != 0) return "something that cannot be looked at";
  if (!S_ISREG(status.st_mode)) return "something that is no plain file";
  return status.st_nlink > 1 ? "a file that has another name too (a hard link)" : "";
}

[[noreturn]] void ThrowNotOurs(const fs::path& file, const std::string& what) {
  throw Error(ErrorCode::kDisk,
              what + " is in the place of a lock file",
              "it was left as it is; move it away and give the same command again",
              {file.string()});
}

// What is written is for people: if it cannot be, the lock holds all the same.
void Describe(int descriptor, const std::string& about_holder) {
  const std::string text = std::string(kMark) + about_holder;
  const bool written = ftruncate(descriptor, 0) == 0 && pwrite(descriptor, text.data(), text.size(), 0) >= 0;
  static_cast<void>(written);
}

}  // namespace

FileLock::FileLock(fs::path file, int descriptor, bool enforced)
    : file_(std::move(file)), descriptor_(descriptor), enforced_(enforced) {}

FileLock::FileLock(FileLock&& other) noexcept
    : file_(std::move(other.file_)), descriptor_(std::exchange(other.descriptor_, -1)), enforced_(other.enforced_) {}

FileLock& FileLock::operator=(FileLock&& other) noexcept {
  std::swap(file_, other.file_);
  std::swap(descriptor_, other.descriptor_);
  std::swap(enforced_, other.enforced_);
  return *this;
}

FileLock::~FileLock() {
  if (descriptor_ < 0) return;
  // While it is held, and if nobody has put something else there.
  if (StillThere(file_, descriptor_)) unlink(file_.c_str());
  close(descriptor_);
}

std::optional<FileLock> FileLock::TryAcquire(const fs::path& file, const std::string& about_holder) {
  CreateFolder(file.parent_path());
  while (true) {
    // O_NONBLOCK: opening a pipe must not wait for somebody at its other end.
    const int descriptor = open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW, 0666);
    if (descriptor < 0 && errno == ELOOP) ThrowNotOurs(file, "a symbolic link");
    if (descriptor < 0) ThrowWriteError(file, errno);
    std::string problem = ProblemOf(descriptor);
    const Attempt attempt = problem.empty() ? TryLock(descriptor) : Attempt::kUnsupported;
    if (attempt == Attempt::kTaken && !StillThere(file, descriptor)) {
      close(descriptor);
      continue;
    }
    if (problem.empty() && attempt != Attempt::kBusy && !IsOurs(TextOf(descriptor))) problem = "a file of another kind";
    if (problem.empty() && attempt != Attempt::kBusy) {
      Describe(descriptor, about_holder);
      return FileLock(file, descriptor, attempt == Attempt::kTaken);
    }
    close(descriptor);
    if (!problem.empty()) ThrowNotOurs(file, problem);
    return std::nullopt;
  }
}

std::optional<std::string> LockHolder(const fs::path& file) {
  const int descriptor = open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
  // What is no lock file is held by nobody: a link (ELOOP), a socket (ENXIO), a file where its folder should be.
  const bool none = errno == ENOENT || errno == ENOTDIR || errno == ELOOP || errno == ENXIO;
  if (descriptor < 0 && none) return std::nullopt;
  if (descriptor < 0) return "somebody unknown (" + std::generic_category().message(errno) + ")";
  struct flock range = WholeFile();
  const bool held = fcntl(descriptor, F_OFD_GETLK, &range) == 0 && range.l_type != F_UNLCK;
  std::string text = held ? TextOf(descriptor) : "";
  close(descriptor);
  if (!held) return std::nullopt;
  return text.starts_with(kMark) ? text.substr(kMark.size()) : text;
}

}  // namespace flyscribe
