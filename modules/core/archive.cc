#include "core/archive.h"

#include <archive.h>
#include <archive_entry.h>
#include <zlib.h>

#include <algorithm>
#include <exception>
#include <limits>
#include <memory>
#include <set>
#include <string_view>
#include <vector>

#include "core/error.h"
#include "core/file.h"
#include "core/hash.h"
#include "core/text.h"

namespace flyscribe {
namespace {

constexpr std::string_view kZstdStart = "\x28\xb5\x2f\xfd";
constexpr std::string_view kSealStart("\x50\x2a\x4d\x18\x40\x00\x00\x00", 8);  // of a frame of 64 bytes
constexpr std::size_t kDigestSize = 64;
constexpr std::size_t kSealSize = kSealStart.size() + kDigestSize;
constexpr std::size_t kBlockBytes = std::size_t{1} << 16;
constexpr std::uint64_t kTarBlock = 512;
constexpr std::size_t kMaxMessage = 200;  // of libarchive's words
constexpr std::size_t kMaxShown = 80;     // of a hostile name
// What every archive is written with: higher levels hardly make noise-like numbers smaller.
constexpr const char* kLevel = "3";
constexpr int kMode = 0644;

[[noreturn]] void ThrowDamaged(const fs::path& archive, const std::string& what) {
  throw Error(ErrorCode::kCorrupt, what, "fetch or make it again; nothing of it was used", {archive.string()});
}

[[noreturn]] void ThrowHostile(const fs::path& archive, const std::string& what) {
  throw Error(ErrorCode::kCorrupt,
              what,
              "flyscribe writes no such archive: do not trust where it comes from",
              {archive.string()});
}

[[noreturn]] void ThrowTooMuch(const fs::path& archive, std::uint64_t limit) {
  ThrowHostile(archive, "the archive unpacks to more than " + HumanBytes(limit));
}

std::string Quoted(std::string_view name) { return "'" + Printable(name, kMaxShown) + "'"; }

std::string MessageOf(struct archive* handle) {
  const char* message = archive_error_string(handle);
  return Printable(message == nullptr ? "no reason given" : message, kMaxMessage);
}

// ---- Writing

using WriteHandle = std::unique_ptr<struct archive, decltype(&archive_write_free)>;
using ReadHandle = std::unique_ptr<struct archive, decltype(&archive_read_free)>;
using EntryHandle = std::unique_ptr<archive_entry, decltype(&archive_entry_free)>;

// Where packed bytes go. An exception must not pass through C: it waits here.
struct Sink {
  FileWriter file;
  Sha256 hash;
  std::exception_ptr error;

  explicit Sink(const fs::path& path) : file(path) {}
  void Append(std::string_view bytes) {
    file.Append(bytes);
    hash.Update(bytes);
  }
};

la_ssize_t WriteToSink(struct archive* handle, void* data, const void* bytes, std::size_t size) {
  auto* sink = static_cast<Sink*>(data);
  try {
    sink->Append({static_cast<const char*>(bytes), size});
    return static_cast<la_ssize_t>(size);
  } catch (...) {
    sink->error = std::current_exception();
    archive_set_error(handle, 0, "cannot write");
    return -1;
  }
}

class TarWriter {
 public:
  explicit TarWriter(const fs::path& path) : sink_(path), handle_(archive_write_new(), &archive_write_free) {
    Require(archive_write_set_format_ustar(handle_.get()));
    Require(archive_write_add_filter_zstd(handle_.get()));
    Require(archive_write_set_filter_option(handle_.get(), "zstd", "compression-level", kLevel));
    Require(archive_write_set_bytes_in_last_block(handle_.get(), 1));  // no padding after the last frame
    Require(archive_write_open(handle_.get(), &sink_, nullptr, WriteToSink, nullptr));
  }

  void Add(const std::string& name, const fs::path& file) {
    const EntryHandle entry(archive_entry_new(), &archive_entry_free);
    archive_entry_set_pathname(entry.get(), name.c_str());
    archive_entry_set_filetype(entry.get(), AE_IFREG);
    archive_entry_set_perm(entry.get(), kMode);
    archive_entry_set_mtime(entry.get(), 0, 0);
    archive_entry_set_size(entry.get(), static_cast<la_int64_t>(fs::file_size(file)));
    Require(archive_write_header(handle_.get(), entry.get()));
    ForEachBlock(file, [&](std::string_view block) {
      if (archive_write_data(handle_.get(), block.data(), block.size()) < 0) Require(ARCHIVE_FATAL);
    });
    Require(archive_write_finish_entry(handle_.get()));
  }

  void Finish() {
    Require(archive_write_close(handle_.get()));
    sink_.file.Append(std::string(kSealStart) + sink_.hash.HexDigest());
    sink_.file.Finish();
  }

 private:
  void Require(int status) {
    if (status == ARCHIVE_OK) return;
    if (sink_.error) std::rethrow_exception(sink_.error);
    throw Error(ErrorCode::kInternal, "cannot pack: " + MessageOf(handle_.get()));
  }

  Sink sink_;
  WriteHandle handle_;  // goes first: it still writes when it is freed unfinished
};

// ---- Reading

// Why a name is none of ours; empty if it is.
std::string ProblemOfName(std::string_view name, std::size_t max_bytes) {
  if (name.empty()) return "is empty or cannot be read";
  if (name.size() > max_bytes) return "is longer than " + std::to_string(max_bytes) + " bytes";
  if (!IsUtf8(name)) return "is not UTF-8";
  const auto is_control = [](char c) { return (c >= '\0' && c < ' ') || c == '\x7f'; };
  if (std::ranges::any_of(name, is_control)) return "holds control characters";
  if (name.front() == '/') return "is an absolute path";
  for (const std::string& part : Split(name, '/')) {
    if (part == "..") return "leads out of the folder";
    if (part.empty() || part == ".") return "is no plain path";
  }
  return {};
}

std::string TypeName(archive_entry* entry) {
  if (archive_entry_hardlink(entry) != nullptr) return "a hard link";
  switch (archive_entry_filetype(entry)) {
    case AE_IFLNK:
      return "a symbolic link";
    case AE_IFDIR:
      return "a folder";
    case AE_IFREG:
      // Holes cost an archive nothing: they would come out without having come in.
      return archive_entry_sparse_reset(entry) > 0 ? "a file with holes" : "";
    default:
      return "a device, pipe or socket";
  }
}

// The tar within the Zstandard frames, handed on block by block and never more of it than the limit.
class Unpacked {
 public:
  Unpacked(const fs::path& path, std::uint64_t limit)
      : path_(path), limit_(limit), handle_(archive_read_new(), &archive_read_free), block_(kBlockBytes) {
    archive_read_support_format_raw(handle_.get());
    FLYSCRIBE_CHECK(archive_read_support_filter_zstd(handle_.get()) == ARCHIVE_OK, "libarchive knows no zstd");
    archive_entry* entry = nullptr;
    const bool opened = archive_read_open_filename(handle_.get(), path.c_str(), kBlockBytes) == ARCHIVE_OK &&
                        archive_read_next_header(handle_.get(), &entry) == ARCHIVE_OK;
    if (!opened) ThrowDamaged(path, "the archive cannot be unpacked: " + MessageOf(handle_.get()));
  }

  // Empty at the end.
  std::string_view Next() {
    const la_ssize_t size = archive_read_data(handle_.get(), block_.data(), block_.size());
    if (size < 0) ThrowDamaged(path_, "the archive cannot be unpacked: " + MessageOf(handle_.get()));
    const std::string_view block(block_.data(), static_cast<std::size_t>(size));
    const std::size_t last = block.find_last_not_of('\0');
    if (last != std::string_view::npos) end_of_content_ = bytes_ + last + 1;
    bytes_ += block.size();
    if (bytes_ > limit_) ThrowTooMuch(path_, limit_);
    return block;
  }

  std::uint64_t bytes() const { return bytes_; }                    // so far
  std::uint64_t end_of_content() const { return end_of_content_; }  // behind the last byte that was not zero

  // For libarchive's second reader, which takes the tar apart.
  static la_ssize_t Read(struct archive* handle, void* data, const void** buffer) {
    auto* self = static_cast<Unpacked*>(data);
    try {
      const std::string_view block = self->Next();
      *buffer = block.data();
      return static_cast<la_ssize_t>(block.size());
    } catch (...) {
      self->error_ = std::current_exception();
      archive_set_error(handle, 0, "cannot unpack");
      return ARCHIVE_FATAL;
    }
  }
  void RethrowIfFailed() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  const fs::path& path_;
  std::uint64_t limit_;
  ReadHandle handle_;
  std::vector<char> block_;
  std::uint64_t bytes_ = 0;
  std::uint64_t end_of_content_ = 0;
  std::exception_ptr error_;
};

class TarReader {
 public:
  TarReader(const fs::path& path, const fs::path& folder, const ArchiveLimits& limits)
      : path_(path),
        folder_(folder),
        limits_(limits),
        unpacked_(path, limits.total_bytes),
        handle_(archive_read_new(), &archive_read_free) {
    archive_read_support_format_tar(handle_.get());
    Require(archive_read_open(handle_.get(), &unpacked_, nullptr, Unpacked::Read, nullptr));
  }

  std::vector<std::string> ExtractAll() {
    while (NextEntry()) {
      const std::string name = NameOfEntry();
      Extract(name);
      names_.push_back(name);
      end_of_entries_ = Position();
    }
    RequireEnd();
    return std::move(names_);
  }

 private:
  void Require(int status) {
    unpacked_.RethrowIfFailed();
    if (status == ARCHIVE_OK) return;
    ThrowDamaged(path_, "the archive holds no sound tar: " + MessageOf(handle_.get()));
  }

  bool NextEntry() {
    const int status = archive_read_next_header(handle_.get(), &entry_);
    unpacked_.RethrowIfFailed();
    if (status == ARCHIVE_EOF) return false;
    Require(status);
    return true;
  }

  // Checked; nothing has been written yet.
  std::string NameOfEntry() {
    if (names_.size() == limits_.files) {
      ThrowHostile(path_, "the archive holds more than " + std::to_string(limits_.files) + " files");
    }
    const char* pathname = archive_entry_pathname(entry_);
    std::string name = pathname == nullptr ? "" : pathname;
    const std::string type = TypeName(entry_);
    if (!type.empty()) ThrowHostile(path_, "the archive holds " + type + ": " + Quoted(name));
    const std::string problem = ProblemOfName(name, limits_.name_bytes);
    if (!problem.empty()) ThrowHostile(path_, "a name in the archive " + problem + ": " + Quoted(name));
    TakePlace(name);
    return name;
  }

  // Every name is a file once and never a folder too.
  void TakePlace(const std::string& name) {
    bool free = !folders_.contains(name) && files_.insert(name).second;
    for (std::size_t slash = name.find('/'); slash != std::string::npos; slash = name.find('/', slash + 1)) {
      const std::string parent = name.substr(0, slash);
      free = free && !files_.contains(parent);
      folders_.insert(parent);
    }
    if (!free) ThrowHostile(path_, "a name occurs twice in the archive: " + Quoted(name));
  }

  void Extract(const std::string& name) {
    const fs::path target = folder_ / name;
    CreateFolder(target.parent_path());
    try {
      Copy(name, target);
    } catch (...) {
      fs::remove(target);
      throw;
    }
  }

  void Copy(const std::string& name, const fs::path& target) {
    std::vector<char> block(kBlockBytes);
    FileWriter file(target);
    std::uint64_t bytes = 0;
    while (true) {
      const la_ssize_t size = archive_read_data(handle_.get(), block.data(), block.size());
      if (size <= 0) {
        Require(static_cast<int>(size));
        break;
      }
      bytes += static_cast<std::uint64_t>(size);
      written_ += static_cast<std::uint64_t>(size);
      if (bytes > limits_.file_bytes) {
        ThrowHostile(path_,
                     "a file of the archive is larger than " + HumanBytes(limits_.file_bytes) + ": " + Quoted(name));
      }
      if (written_ > limits_.total_bytes) ThrowTooMuch(path_, limits_.total_bytes);
      file.Append({block.data(), static_cast<std::size_t>(size)});
    }
    file.Finish(Durability::kUnsynced);
  }

  // Of the tar: bytes taken apart so far.
  std::uint64_t Position() const { return static_cast<std::uint64_t>(archive_filter_bytes(handle_.get(), 0)); }

  // Two blocks of zeros end a tar; after them may be more zeros, nothing else.
  void RequireEnd() {
    const std::uint64_t read = Position();
    while (!unpacked_.Next().empty()) continue;
    const std::uint64_t padded = (end_of_entries_ + kTarBlock - 1) / kTarBlock * kTarBlock;
    if (unpacked_.bytes() < padded + 2 * kTarBlock) ThrowDamaged(path_, "the archive is cut off");
    if (unpacked_.end_of_content() > read) ThrowDamaged(path_, "something follows after the end of the archive");
  }

  const fs::path& path_;
  const fs::path& folder_;
  ArchiveLimits limits_;
  Unpacked unpacked_;
  ReadHandle handle_;
  archive_entry* entry_ = nullptr;
  std::vector<std::string> names_;
  std::set<std::string> files_;
  std::set<std::string> folders_;
  std::uint64_t written_ = 0;  // of all files
  std::uint64_t end_of_entries_ = 0;
};

// Or an Error that says why not.
void RequireArchive(const fs::path& path) {
  if (MappedFile(path).bytes().starts_with(kZstdStart)) return;
  throw Error(ErrorCode::kInput,
              "this is no archive compressed by Zstandard",
              "give a .tar.zst file that flyscribe has written",
              {path.string()});
}

// ---- gzip

constexpr std::size_t kGzipBlockBytes = std::size_t{1} << 18;
constexpr int kGzipOnly = 16;  // added to zlib's window bits

[[noreturn]] void ThrowBadGzip(const std::string& place) {
  throw Error(ErrorCode::kInput,
              "compressed file is cut off or damaged",
              "fetch it again; `gunzip --test` tells whether it is whole",
              {place});
}

[[noreturn]] void ThrowGzipTooLarge(std::uint64_t limit, const std::string& place) {
  throw Error(ErrorCode::kInput,
              "compressed file unpacks to more than " + HumanBytes(limit),
              "is this the right file? nothing of it was used",
              {place});
}

// One zlib stream, closed when it goes.
class GzipReader {
 public:
  explicit GzipReader(std::string_view bytes) {
    // zlib only reads, but takes no pointer to const.
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream_.avail_in = static_cast<uInt>(bytes.size());
    FLYSCRIBE_CHECK(inflateInit2(&stream_, MAX_WBITS + kGzipOnly) == Z_OK, "zlib cannot begin");
  }
  ~GzipReader() { inflateEnd(&stream_); }
  GzipReader(const GzipReader&) = delete;
  GzipReader& operator=(const GzipReader&) = delete;

  // Adds the next block to `text`; false after the last one.
  bool Next(std::string& text, const std::string& place) {
    stream_.next_out = reinterpret_cast<Bytef*>(block_.data());
    stream_.avail_out = static_cast<uInt>(block_.size());
    const int status = inflate(&stream_, Z_NO_FLUSH);
    if (status != Z_OK && status != Z_STREAM_END) ThrowBadGzip(place);
    text.append(block_.data(), block_.size() - stream_.avail_out);
    if (status != Z_STREAM_END) return true;
    const std::string_view rest(reinterpret_cast<const char*>(stream_.next_in), stream_.avail_in);
    if (IsGzip(rest)) return inflateReset(&stream_) == Z_OK;
    if (rest.find_first_not_of('\0') != std::string_view::npos) ThrowBadGzip(place);  // zeros: padding, as of tapes
    return false;
  }

 private:
  z_stream stream_ = {};
  std::vector<char> block_ = std::vector<char>(kGzipBlockBytes);
};

}  // namespace

void WriteArchive(const fs::path& folder, const fs::path& archive) {
  TarWriter writer(archive);
  for (const std::string& name : FilesBelow(folder)) {
    FLYSCRIBE_CHECK(ProblemOfName(name, ArchiveLimits{}.name_bytes).empty(), "an archive has plain names");
    writer.Add(name, folder / name);
  }
  writer.Finish();
}

bool LooksLikeArchive(const fs::path& path) {
  try {
    return MappedFile(path).bytes().starts_with(kZstdStart);
  } catch (const Error&) {
    return false;
  }
}

void RequireSealed(const fs::path& archive) {
  RequireArchive(archive);
  const MappedFile file(archive);
  const std::string_view bytes = file.bytes();
  const std::string_view seal = bytes.substr(bytes.size() - std::min(bytes.size(), kSealSize));
  if (!seal.starts_with(kSealStart)) {
    ThrowDamaged(archive, "the archive is cut off, or was not written by flyscribe: its seal is missing");
  }
  if (Sha256OfText(bytes.substr(0, bytes.size() - kSealSize)) != seal.substr(kSealStart.size())) {
    ThrowDamaged(archive, "the archive is damaged: its bytes do not fit its seal");
  }
}

std::vector<std::string> ExtractArchive(const fs::path& archive, const fs::path& folder, const ArchiveLimits& limits) {
  RequireArchive(archive);
  CreateFolder(folder);
  FLYSCRIBE_CHECK(EntriesOf(folder).empty(), "an archive is unpacked into an empty folder");
  return TarReader(archive, folder, limits).ExtractAll();
}

bool IsGzip(std::string_view bytes) { return bytes.starts_with("\x1f\x8b"); }

std::string Gunzip(std::string_view bytes, std::uint64_t limit, const std::string& place) {
  if (bytes.size() > std::numeric_limits<uInt>::max()) ThrowGzipTooLarge(limit, place);
  std::string text;
  GzipReader reader(bytes);
  while (reader.Next(text, place)) {
    if (text.size() > limit) ThrowGzipTooLarge(limit, place);
  }
  if (text.size() > limit) ThrowGzipTooLarge(limit, place);
  return text;
}

}  // namespace flyscribe
