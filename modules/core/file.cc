#include "core/file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <map>
#include <mutex>
#include <system_error>
#include <utility>
#include <vector>

#include "core/error.h"

namespace flyscribe {
namespace {

// A file descriptor that closes itself.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) close(number_);
  }
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&&) = delete;

  int get() const { return number_; }
  // Closing can report a failed write (NFS, quota), so writers close by hand and look.
  bool Close() { return close(std::exchange(number_, -1)) == 0; }

 private:
  int number_;
};

std::string HintForReading(const fs::path& path, int error_number) {
  switch (error_number) {
    case ENOENT:
      // Paths in configs are absolute once they are read; what is not comes from a command line.
      return path.is_absolute()
                 ? "check the spelling; relative paths in a config are relative to the config's own folder"
                 : "check the spelling; it is looked for in the folder you are in";
    case EACCES:
      return "check the permissions of the file and of the folders above it";
    case EISDIR:
      return "a file is expected here, not a folder";
    case ENOTDIR:
      return "a folder is expected here, not a file";
    case ELOOP:
      return "symbolic links point at each other in a circle";
    case EMFILE:
      return "too many files are open; raise the limit with `ulimit -n`";
    default:
      return {};
  }
}

[[noreturn]] void ThrowReadError(const fs::path& path, int error_number) {
  throw Error(ErrorCode::kInput,
              std::string("cannot read: ") + std::generic_category().message(error_number),
              HintForReading(path, error_number),
              {path.string(), 0, 0});
}

[[noreturn]] void ThrowListError(const fs::path& folder, int error_number) {
  throw Error(ErrorCode::kInput,
              "cannot list the folder: " + std::generic_category().message(error_number),
              error_number == ENOENT ? "the link leads to nothing: is a disk not mounted?"
                                     : HintForReading(folder, error_number),
              {folder.string(), 0, 0});
}

Descriptor OpenForReading(const fs::path& path, struct stat& status) {
  // Without O_NONBLOCK, opening a pipe that nobody writes to waits forever.
  Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.get() < 0) ThrowReadError(path, errno);
  if (fstat(file.get(), &status) != 0) ThrowReadError(path, errno);
  if (S_ISDIR(status.st_mode)) ThrowReadError(path, EISDIR);
  if (!S_ISREG(status.st_mode)) {
    throw Error(ErrorCode::kInput,
                "cannot read: not a regular file",
                "pipes, sockets and devices cannot be inputs, because they cannot be read twice",
                {path.string(), 0, 0});
  }
  return file;
}

void ReadBlocks(const Descriptor& file,
                const fs::path& path,
                const std::function<void(std::string_view block)>& consume) {
  std::vector<char> buffer(std::size_t{1} << 18);
  while (true) {
    const ssize_t size = read(file.get(), buffer.data(), buffer.size());
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) ThrowReadError(path, errno);
    if (size == 0) return;
    consume({buffer.data(), static_cast<std::size_t>(size)});
  }
}

void RequireWithinLimit(std::uint64_t size, std::uint64_t limit, const fs::path& path) {
  if (size <= limit) return;
  throw Error(ErrorCode::kInput,
              "file is larger than the limit of " + std::to_string(limit) + " bytes",
              "is this the right file?",
              {path.string(), 0, 0});
}

void WriteAll(int file, const fs::path& path, std::string_view content) {
  while (!content.empty()) {
    const ssize_t written = write(file, content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) ThrowWriteError(path, errno);
    content.remove_prefix(static_cast<std::size_t>(written));
  }
}

}  // namespace

void ThrowWriteError(const fs::path& path, int error_number) {
  std::string hint;
  if (error_number == ENOSPC || error_number == EDQUOT) hint = "free some space and run the same command again";
  if (error_number == EACCES || error_number == EROFS || error_number == EPERM) {
    hint = "choose another folder (--output; `output:` or `cache: {dir: ...}` in a config), or change its permissions";
  }
  if (error_number == ENOENT) hint = "the folder it belongs in does not exist";
  if (error_number == EISDIR) hint = "a folder is in the way where a file is needed";
  if (error_number == ENOTDIR || error_number == EEXIST) hint = "a file is in the way where a folder is needed";
  throw Error(ErrorCode::kDisk,
              std::string("cannot write: ") + std::generic_category().message(error_number),
              std::move(hint),
              {path.string(), 0, 0});
}

void ForEachBlock(const fs::path& path, const std::function<void(std::string_view block)>& consume) {
  struct stat status {};
  ReadBlocks(OpenForReading(path, status), path, consume);
}

std::string ReadFile(const fs::path& path, std::uint64_t limit) {
  struct stat status {};
  const Descriptor file = OpenForReading(path, status);
  const auto expected = static_cast<std::uint64_t>(status.st_size);
  RequireWithinLimit(expected, limit, path);
  std::string content;
  content.reserve(expected);
  // The file may have grown since, and those under /proc claim to be empty.
  ReadBlocks(file, path, [&](std::string_view block) {
    RequireWithinLimit(content.size() + block.size(), limit, path);
    content.append(block);
  });
  return content;
}

namespace {

// Where files are mapped: end of each, and what it is.
struct Mapping {
  std::uintptr_t begin = 0;
  fs::path path;
};
std::mutex mappings_mutex;
std::map<std::uintptr_t, Mapping>& Mappings() {
  static std::map<std::uintptr_t, Mapping> mappings;
  return mappings;
}

std::uintptr_t AddressOf(const void* place) { return reinterpret_cast<std::uintptr_t>(place); }

}  // namespace

fs::path MappedFileAt(const void* address) {
  const std::lock_guard lock(mappings_mutex);
  const auto next = Mappings().upper_bound(AddressOf(address));
  return next != Mappings().end() && next->second.begin <= AddressOf(address) ? next->second.path : fs::path();
}

Error CutShort(const fs::path& path) {
  return {ErrorCode::kInput,
          "the file was cut short while it was read",
          "run the same command again once nothing writes to the file any more",
          {path.string(), 0, 0}};
}

void MappedFile::RequireWhole() const {
  struct stat status {};
  const bool is_ours = stat(path_.c_str(), &status) == 0 && status.st_ino == inode_;
  if (is_ours && static_cast<std::size_t>(status.st_size) < size_) throw CutShort(path_);
}

MappedFile::MappedFile(const fs::path& path) : path_(path) {
  struct stat status {};
  const Descriptor file = OpenForReading(path, status);
  inode_ = status.st_ino;
  const auto size = static_cast<std::size_t>(status.st_size);
  if (size == 0) return;  // nothing can be mapped, and nothing needs to be
  void* address = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.get(), 0);
  if (address == MAP_FAILED) ThrowReadError(path, errno);
  data_ = static_cast<const char*>(address);
  size_ = size;
  const std::lock_guard lock(mappings_mutex);
  Mappings()[AddressOf(data_) + size_] = {AddressOf(data_), path};
}

MappedFile::~MappedFile() {
  if (data_ == nullptr) return;
  {
    const std::lock_guard lock(mappings_mutex);
    Mappings().erase(AddressOf(data_) + size_);
  }
  munmap(const_cast<char*>(data_), size_);  // NOLINT(cppcoreguidelines-pro-type-const-cast)
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : path_(std::move(other.path_)),
      inode_(other.inode_),
      data_(std::exchange(other.data_, nullptr)),
      size_(std::exchange(other.size_, 0)) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(inode_, other.inode_);
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  return *this;
}

void WriteFile(const fs::path& path, std::string_view content, Durability durability) {
  WriteFile(path, std::span(&content, 1), durability);
}

void WriteFile(const fs::path& path, std::span<const std::string_view> parts, Durability durability) {
  FileWriter file(path);
  for (const std::string_view part : parts) file.Append(part);
  file.Finish(durability);
}

void AppendToFile(const fs::path& path, std::string_view content) {
  Descriptor file(open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0666));
  if (file.get() < 0) ThrowWriteError(path, errno);
  WriteAll(file.get(), path, content);
  if (fsync(file.get()) != 0 || !file.Close()) ThrowWriteError(path, errno);
}

FileWriter::FileWriter(fs::path path)
    : path_(std::move(path)), descriptor_(open(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)) {
  if (descriptor_ < 0) ThrowWriteError(path_, errno);
}

FileWriter::~FileWriter() {
  if (descriptor_ >= 0) close(descriptor_);
}

void FileWriter::Append(std::string_view content) { WriteAll(descriptor_, path_, content); }

void FileWriter::ReplaceStart(std::string_view content) {
  if (lseek(descriptor_, 0, SEEK_SET) < 0) ThrowWriteError(path_, errno);
  WriteAll(descriptor_, path_, content);
  if (lseek(descriptor_, 0, SEEK_END) < 0) ThrowWriteError(path_, errno);
}

void FileWriter::Finish(Durability durability) {
  const bool synced = durability == Durability::kUnsynced || fsync(descriptor_) == 0;
  if (!synced || close(std::exchange(descriptor_, -1)) != 0) ThrowWriteError(path_, errno);
}

void WriteFileAtomically(const fs::path& path, std::string_view content, Durability durability) {
  if (path.has_parent_path()) CreateFolder(path.parent_path());
  // Not named by process: other threads, and other hosts that share the folder, write here too.
  fs::path temporary = path;
  temporary += fs::unique_path(".tmp-%%%%-%%%%-%%%%");
  try {
    WriteFile(temporary, content, durability);
    if (rename(temporary.c_str(), path.c_str()) != 0) ThrowWriteError(path, errno);
  } catch (...) {
    unlink(temporary.c_str());
    throw;
  }
}

void CreateFolder(const fs::path& path) {
  boost::system::error_code error;
  fs::create_directories(path, error);
  if (error) ThrowWriteError(path, error.value());
  if (!fs::is_directory(path, error)) ThrowWriteError(path, ENOTDIR);
}

void RenamePath(const fs::path& from, const fs::path& to) {
  boost::system::error_code error;
  fs::rename(from, to, error);
  if (error) ThrowWriteError(to, error.value());
}

void RemoveTree(const fs::path& path) {
  boost::system::error_code error;
  fs::remove_all(path, error);
  if (error) ThrowWriteError(path, error.value());
}

bool IsThere(const fs::path& path) {
  boost::system::error_code error;
  const fs::file_type type = fs::status(path, error).type();
  if (type == fs::status_error) {
    throw Error(ErrorCode::kInput,
                "cannot look at it: " + std::generic_category().message(error.value()),
                HintForReading(path, error.value()),
                {path.string()});
  }
  return type != fs::file_not_found;
}

bool IsTaken(const fs::path& path) {
  boost::system::error_code ignored;
  return fs::symlink_status(path, ignored).type() != fs::file_not_found;
}

std::vector<fs::path> EntriesOf(const fs::path& folder) {
  std::vector<fs::path> entries;
  boost::system::error_code error;
  fs::directory_iterator entry(folder, error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) entries.push_back(entry->path());
  if (error) {
    // Missing, unless it is a link to nowhere. A folder that is there by now was made since, and is as good as empty.
    boost::system::error_code ignored;
    const bool missing = error.value() == ENOENT && fs::symlink_status(folder, ignored).type() != fs::symlink_file;
    if (!missing) ThrowListError(folder, error.value());
  }
  std::sort(entries.begin(), entries.end());
  return entries;
}

std::vector<std::string> FilesBelow(const fs::path& folder) {
  std::vector<std::string> names;
  std::vector<fs::path> pending = {folder};
  while (!pending.empty()) {
    const fs::path current = pending.back();
    pending.pop_back();
    for (const fs::path& entry : EntriesOf(current)) {
      boost::system::error_code error;
      const fs::file_type type = fs::symlink_status(entry, error).type();
      if (type == fs::status_error) ThrowListError(current, error.value());
      if (type == fs::directory_file) {
        pending.push_back(entry);
      } else if (fs::is_regular_file(entry, error)) {
        names.push_back(entry.lexically_relative(folder).generic_string());
      }
    }
  }
  std::ranges::sort(names);
  return names;
}

void SyncFolder(const fs::path& path) {
  const Descriptor folder(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder.get() < 0 || fsync(folder.get()) != 0) ThrowWriteError(path, errno);
}

void SyncFileSystem(const fs::path& path) {
  const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0 || syncfs(file.get()) != 0) ThrowWriteError(path, errno);
}

void RequireWritableFolder(const fs::path& path) {
  CreateFolder(path);
  const fs::path probe = path / fs::unique_path(".write-test-%%%%-%%%%");
  Descriptor file(open(probe.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
  if (file.get() < 0) ThrowWriteError(path, errno);
  unlink(probe.c_str());
}

}  // namespace flyscribe
