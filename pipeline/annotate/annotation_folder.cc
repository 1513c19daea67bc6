#include "pipeline/annotate/annotation_folder.h"

#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/file.h"
#include "core/hash.h"
#include "core/text.h"
#include "pipeline/host.h"

namespace flyscribe {
namespace {

bool Exists(const fs::path& path) {
  boost::system::error_code ignored;
  return fs::exists(path, ignored);
}

// The digest a finished result was made with; empty if it cannot be told.
std::string DigestOfResult(const fs::path& file) {
  const nlohmann::json json = nlohmann::json::parse(ReadFile(file), nullptr, false);
  return json.is_object() ? json.value(kKeyDigestField, std::string()) : std::string();
}

}  // namespace

AnnotationFolder::AnnotationFolder(fs::path folder) : folder_(std::move(folder)), existed_(Exists(folder_)) {
  RequireWritableFolder(folder_);
  const fs::path lock_file = folder_ / ".annotate.lock";
  lock_ = FileLock::TryAcquire(lock_file, AboutUs("annotate"));
  if (!lock_) {
    throw Error(ErrorCode::kLockTimeout,
                "another flyscribe is annotating into this folder: " + LockHolder(lock_file).value_or("just ended"),
                "wait until it has ended, or choose another --output",
                {folder_.string()});
  }
}

AnnotationFolder::~AnnotationFolder() {
  boost::system::error_code ignored;
  fs::remove_all(Temporary(), ignored);
  lock_.reset();
  if (!existed_) fs::remove(folder_, ignored);  // only if empty
}

fs::path AnnotationFolder::EmptyScratch() const {
  RemoveTree(Temporary());  // of a process that was killed
  CreateFolder(Temporary());
  return Temporary();
}

void AnnotationFolder::Begin(std::string key, bool replace) {
  key_ = std::move(key);
  RemoveTree(Temporary());
  RefuseStrangers();
  const fs::path key_file = Unfinished() / "key.txt";
  const bool is_begun = Exists(key_file);
  const bool is_ours = is_begun && ReadFile(key_file) == key_;
  if (is_begun && !is_ours && !replace) RefuseOther("unfinished work", DifferenceTo(ReadFile(key_file)));
  if (Exists(folder_ / kAnnotationFile) && !is_ours) {
    finished_ = !replace && DigestOfResult(folder_ / kAnnotationFile) == KeyDigest();
    if (!finished_ && !replace) RefuseOther("annotations", "");
  }
  if (finished_ && !is_begun) {
    ClearAway();  // what a process left that was killed while it did
    return;
  }
  finished_ = false;
  if (is_ours && Exists(Unfinished() / "complete")) {
    MoveIntoPlace();
    finished_ = true;
    return;
  }
  if (!is_ours) ClearAway();
  CreateFolder(Unfinished() / "chunks");
  CreateFolder(Result());
  WriteFileAtomically(key_file, key_);
}

std::string AnnotationFolder::KeyDigest() const { return Sha256OfText(key_); }

// A result of ours comes with its annotation.json, or with the unfinished work it is just moved from.
void AnnotationFolder::RefuseStrangers() const {
  if (Exists(folder_ / kAnnotationFile) || Exists(Unfinished())) return;
  for (const char* name : kAnnotationEntries) {
    if (!Exists(folder_ / name)) continue;
    throw Error(
        ErrorCode::kUsage,
        "the folder holds a file that the result would replace and that is none of annotate's: " + std::string(name),
        "choose another --output, or move it away",
        {folder_.string()});
  }
}

void AnnotationFolder::RefuseOther(const std::string& what, const std::string& difference) const {
  throw Error(ErrorCode::kUsage,
              "the folder holds " + what + " of another model, other images or other options" +
                  (difference.empty() ? "" : ": " + difference),
              "choose another --output, or give --force to replace it",
              {folder_.string()});
}

// "model: a -> b", the first line that differs.
std::string AnnotationFolder::DifferenceTo(const std::string& other) const {
  const std::vector<std::string> ours = Split(key_, '\n');
  const std::vector<std::string> theirs = Split(other, '\n');
  for (std::size_t i = 0; i < std::min(ours.size(), theirs.size()); ++i) {
    if (ours[i] == theirs[i]) continue;
    const std::size_t value = ours[i].find(": ");
    return theirs[i] + " -> " + (value == std::string::npos ? ours[i] : ours[i].substr(value + 2));
  }
  return {};
}

fs::path AnnotationFolder::ChunkPath(std::size_t chunk) const {
  return Unfinished() / "chunks" / fmt::format("{:05}.jsonl", chunk);
}

bool AnnotationFolder::HasChunk(std::size_t chunk) const { return Exists(ChunkPath(chunk)); }

void AnnotationFolder::WriteChunk(std::size_t chunk, const std::string& text) const {
  WriteFileAtomically(ChunkPath(chunk), text);
}

std::string AnnotationFolder::ReadChunk(std::size_t chunk) const { return ReadFile(ChunkPath(chunk)); }

void AnnotationFolder::Commit() {
  SyncFolder(Result());
  WriteFileAtomically(Unfinished() / "complete", "");
  MoveIntoPlace();
  finished_ = true;
}

// May have been begun before: what was moved is not moved again.
void AnnotationFolder::MoveIntoPlace() {
  const auto move = [this](const fs::path& file) {
    RemoveTree(folder_ / file.filename());
    RenamePath(file, folder_ / file.filename());
  };
  const fs::path last = Result() / kAnnotationFile;
  if (Exists(last)) RemoveTree(folder_ / kAnnotationFile);
  for (const fs::path& file : EntriesOf(Result())) {
    if (file != last) move(file);
  }
  if (Exists(last)) move(last);
  SyncFolder(folder_);
  ClearAway();
}

// The key goes first and surely: a kill in between must not leave chunks that the next process would go on with,
// although the files that belong to them are gone.
void AnnotationFolder::ClearAway() const {
  RemoveTree(Unfinished() / "key.txt");
  if (Exists(Unfinished())) SyncFolder(Unfinished());
  RemoveTree(Unfinished());
}

}  // namespace flyscribe
