#include "pipeline/cache/digest_cache.h"

#include <sys/stat.h>

#include <ctime>
#include <vector>

#include "core/error.h"
#include "core/file.h"
#include "core/hash.h"
#include "core/text.h"

namespace flyscribe {
namespace {

const std::string kColumns = "device\tinode\tsize\tmtime\tctime\t";  // and the digest of the rows
constexpr std::int64_t kNanoseconds = 1'000'000'000;
// Coarser than the clock of any file system.
constexpr std::int64_t kSettled = 3 * kNanoseconds;

std::int64_t Nanoseconds(const timespec& time) {
  return static_cast<std::int64_t>(time.tv_sec) * kNanoseconds + time.tv_nsec;
}

std::int64_t NowNanoseconds() {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  return Nanoseconds(now);
}

}  // namespace

DigestCache::DigestCache(fs::path file, bool rehash) : file_(std::move(file)) {
  if (!rehash) Load();
}

void DigestCache::Load() {
  boost::system::error_code ignored;
  if (!fs::exists(file_, ignored)) return;
  std::string text;
  try {
    text = ReadFile(file_);
  } catch (const Error&) {
    return;
  }
  const std::size_t header = text.find('\n');
  if (header == std::string::npos) return;
  const std::string rows = text.substr(header + 1);
  if (text.substr(0, header) != kColumns + Sha256OfText(rows)) return;
  for (const std::string& line : Split(rows, '\n')) {
    const std::vector<std::string> cells = Split(line, '\t');
    if (cells.size() != FileStamp().size() + 1) continue;
    FileStamp stamp{};
    for (std::size_t i = 0; i < stamp.size(); ++i) stamp[i] = ParseInteger(cells[i]).value_or(-1);
    known_.emplace(stamp, cells.back());
  }
}

DigestCache::FileStamp DigestCache::StampOf(const fs::path& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) return {};
  return {static_cast<std::int64_t>(status.st_dev),
          static_cast<std::int64_t>(status.st_ino),
          status.st_size,
          Nanoseconds(status.st_mtim),
          Nanoseconds(status.st_ctim)};
}

std::string DigestCache::Of(const fs::path& path) {
  const FileStamp stamp = StampOf(path);
  {
    const std::lock_guard lock(mutex_);
    const auto known = known_.find(stamp);
    if (known != known_.end()) used_.insert(*known);
    const auto used = used_.find(stamp);
    if (used != used_.end()) return used->second;
  }
  const std::int64_t begun = NowNanoseconds();
  std::string digest = Sha256OfFile(path);
  const bool settled = stamp == StampOf(path) && stamp.back() < begun - kSettled;
  const std::lock_guard lock(mutex_);
  ++hashed_;
  if (settled) used_[stamp] = digest;
  return digest;
}

void DigestCache::Save() {
  const std::lock_guard lock(mutex_);
  // Others who read the same source may ask for other files of it: what was not asked for now stays.
  std::map<FileStamp, std::string> all = known_;
  for (const auto& [stamp, digest] : used_) {
    // As the file was before: the same device and inode.
    all.erase(all.lower_bound({stamp[0], stamp[1]}), all.lower_bound({stamp[0], stamp[1] + 1}));
    all[stamp] = digest;
  }
  if (all == known_) return;
  std::string rows;
  for (const auto& [stamp, digest] : all) {
    for (const std::int64_t number : stamp) rows += std::to_string(number) + "\t";
    rows += digest + "\n";
  }
  try {
    WriteFileAtomically(file_, kColumns + Sha256OfText(rows) + "\n" + rows, Durability::kUnsynced);
  } catch (const Error&) {
    return;  // it saves time, no more
  }
}

}  // namespace flyscribe
