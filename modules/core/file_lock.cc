#include "core/file_lock.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
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
  return fstat(descriptor, &ours) == 0 && stat(file.c_str(), &present) == 0 && ours.st_ino == present.st_ino &&
         ours.st_dev == present.st_dev;
}

// What is written is for people: if it cannot be, the lock holds all the same.
void Describe(int descriptor, const std::string& about_holder) {
  const bool written =
      ftruncate(descriptor, 0) == 0 && pwrite(descriptor, about_holder.data(), about_holder.size(), 0) >= 0;
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
  unlink(file_.c_str());  // while it is held, so that nobody else's is removed
  close(descriptor_);
}

std::optional<FileLock> FileLock::TryAcquire(const fs::path& file, const std::string& about_holder) {
  CreateFolder(file.parent_path());
  while (true) {
    const int descriptor = open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0666);
    if (descriptor < 0) ThrowWriteError(file, errno);
    const Attempt attempt = TryLock(descriptor);
    if (attempt == Attempt::kBusy) {
      close(descriptor);
      return std::nullopt;
    }
    if (attempt == Attempt::kTaken && !StillThere(file, descriptor)) {
      close(descriptor);
      continue;
    }
    Describe(descriptor, about_holder);
    return FileLock(file, descriptor, attempt == Attempt::kTaken);
  }
}

std::optional<std::string> LockHolder(const fs::path& file) {
  const int descriptor = open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) return std::nullopt;
  struct flock range = WholeFile();
  const bool held = fcntl(descriptor, F_OFD_GETLK, &range) == 0 && range.l_type != F_UNLCK;
  close(descriptor);
  if (!held) return std::nullopt;
  try {
    return ReadFile(file, 1 << 16);
  } catch (const Error&) {
    return std::nullopt;  // released meanwhile
  }
}

}  // namespace flyscribe
