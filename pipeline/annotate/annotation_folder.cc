#include "pipeline/annotate/annotation_folder.h"

#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/csv.h"
#include "core/error.h"
#include "core/file.h"
#include "core/hash.h"
#include "core/text.h"
#include "data/tables.h"
#include "pipeline/terminal/process.h"

namespace flyscribe {
namespace {

// Lines of a chunk's file: one of its files; and, last, the digest of all before.
const std::string kFileLine = "F ";
const std::string kEndLine = "E ";
const std::size_t kEndSize = kEndLine.size() + 64 + 1;

bool IsFile(const fs::path& path) {
  boost::system::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

// Null if there is none.
nlohmann::json FieldOf(const nlohmann::json& json, const std::string& name) {
  const auto found = json.find(name);
  return found == json.end() ? nlohmann::json() : *found;
}

// What a finished result says of itself; null if there is none, or if the file is none of ours.
nlohmann::json SummaryOf(const fs::path& file) {
  if (!IsFile(file)) return {};
  const nlohmann::json json = nlohmann::json::parse(ReadFile(file), nullptr, false);
  return FieldOf(json, kKeyDigestField).is_string() ? json : nlohmann::json();
}

// "predictions.tsv is missing"; empty if the file is as it was written.
std::string FlawOf(const fs::path& folder, const ListedFile& file) {
  if (IsTaken(folder / file.name) && !IsFile(folder / file.name)) return file.name + " is no file";
  std::string flaw = FirstWrongSize(folder, {file});
  return flaw.empty() ? FirstChanged(folder, {file}) : flaw;
}

ListedFile ParseFileRow(const std::string& row, const fs::path& source) {
  const std::vector<std::string> fields = Split(row, '\t');
  const auto bytes = fields.size() == 3 ? ParseInteger(fields[1]) : std::nullopt;
  if (!bytes || *bytes < 0) ThrowCorrupt(source, "a line of another format");
  return {fields[0], static_cast<std::uint64_t>(*bytes), fields[2]};
}

// The names in a list of files, sorted; none if there is no such list.
std::vector<std::string> NamesIn(const fs::path& list) {
  std::vector<std::string> names;
  if (!IsFile(list)) return names;
  const MappedFile file(list);
  for (std::string_view rest = file.bytes(); !rest.empty();) {
    const std::string_view row = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), row.size() + 1));
    names.emplace_back(row.substr(0, row.find('\t')));
  }
  std::ranges::sort(names);
  return names;
}

// The first of what lies in a folder of a result, `below`, that neither is among the names nor lies in another result.
// Empty if there is none. Folders count by what is in them.
std::string FirstStranger(const fs::path& result,
                          const std::string& below,
                          const std::vector<std::string>& names,
                          const fs::path& other) {
  std::vector<fs::path> pending = {result / below};
  while (!pending.empty()) {
    const fs::path folder = pending.back();
    pending.pop_back();
    for (const fs::path& entry : EntriesOf(folder)) {
      std::string name = entry.lexically_relative(result).generic_string();
      if (fs::symlink_status(entry).type() == fs::directory_file) {
        pending.push_back(entry);
      } else if (!std::ranges::binary_search(names, name) && !IsTaken(other / name)) {
        return name;
      }
    }
  }
  return {};
}

// The first flaws of a result, and how many there are.
struct Flaws {
  void Add(const std::string& flaw) {
    constexpr std::size_t kShown = 5;
    if (flaw.empty()) return;
    ++count;
    if (shown.size() < kShown) shown.push_back(flaw);
  }
  std::string Text() const {
    return Join(shown, ", ") + (count > shown.size() ? fmt::format(" and {} more", count - shown.size()) : "");
  }

  std::vector<std::string> shown;
  std::size_t count = 0;
};

// Of the files beside annotation.json. What people write to may have any content.
Flaws FlawsAtTop(const fs::path& folder, const nlohmann::json& files) {
  Flaws flaws;
  for (const std::string name : kAnnotationEntries) {
    const bool is_folder = fs::path(name).extension().empty();  // all in it is listed in kFileList
    if (is_folder || name == kAnnotationFile) continue;
    const nlohmann::json bytes = FieldOf(FieldOf(files, name), "bytes");
    const nlohmann::json digest = FieldOf(FieldOf(files, name), "sha256");
    if (!IsTaken(folder / name)) {
      flaws.Add(name + " is missing");
    } else if (!bytes.is_number_unsigned() || !digest.is_string()) {
      flaws.Add(name + " is not described");
    } else if (name != kReviewFile || !IsFile(folder / name)) {
      flaws.Add(FlawOf(folder, {name, bytes, digest}));
    } else if (fs::file_size(folder / name) == 0) {
      flaws.Add(name + " is empty");
    }
  }
  return flaws;
}

// Calls `on_file` with all others. There may be a hundred thousand: the list is read line by line.
template <class OnFile>
void ForEachListed(const fs::path& folder, const OnFile& on_file) {
  const MappedFile list(folder / kFileList);
  for (std::string_view rest = list.bytes(); !rest.empty();) {
    const std::string_view row = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), row.size() + 1));
    on_file(ParseFileRow(std::string(row), folder / kFileList));
  }
}

}  // namespace

std::string FileRow(const ListedFile& file) { return TsvRow({file.name, std::to_string(file.bytes), file.sha256}); }

AnnotationFolder::AnnotationFolder(fs::path folder) : folder_(std::move(folder)), existed_(IsTaken(folder_)) {
  RequireWritableFolder(folder_);
  const fs::path lock_file = folder_ / ".annotate.lock";
  lock_ = FileLock::TryAcquire(lock_file, DescribeProcess("annotate"));
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

void AnnotationFolder::Begin(std::string key, bool replace, Progress& progress) {
  key_ = std::move(key);
  RemoveTree(Temporary());
  RefuseStrangers();
  const fs::path key_file = Unfinished() / "key.txt";
  const bool is_begun = IsTaken(key_file);
  bool is_ours = is_begun && ReadFile(key_file) == key_;
  if (is_begun && !is_ours && !replace) {
    RequireKey(ReadFile(key_file));
    RefuseOther("unfinished work", DifferenceTo(ReadFile(key_file)));
  }
  if (IsTaken(folder_ / kAnnotationFile) && !is_ours) {
    const bool is_same = FieldOf(SummaryOf(folder_ / kAnnotationFile), kKeyDigestField) == KeyDigest();
    if (!is_same && !replace) RefuseOther("annotations", "");
    finished_ = !replace && IsWhole(progress);
  }
  if (finished_ && !is_begun) {
    ClearAway();  // what a process left that was killed while it did
    return;
  }
  finished_ = false;
  // Also that of another key: it is whole, and what lies there is partly its own.
  if (is_begun && IsTaken(Unfinished() / "complete")) {
    MoveIntoPlace(progress);
    finished_ = is_ours && IsWhole(progress);
    if (finished_) return;
    is_ours = false;
  }
  if (!is_ours) ClearAway();
  CreateFolder(Unfinished() / "chunks");
  CreateFolder(Result());
  WriteFileAtomically(key_file, key_);
}

std::string AnnotationFolder::KeyDigest() const { return Sha256OfText(key_); }

// A result of ours comes with its annotation.json, or with the whole one it is just moved from. An
// annotation.json that is not ours vouches for nothing, and is somebody else's itself.
void AnnotationFolder::RefuseStrangers() const {
  const auto refuse = [this](const std::string& name) {
    if (!IsTaken(folder_ / name)) return;
    throw Error(ErrorCode::kUsage,
                "the folder holds a file that the result would replace and that is none of annotate's: " + name,
                "choose another --output, or move it away",
                {folder_.string()});
  };
  const nlohmann::json summary = SummaryOf(folder_ / kAnnotationFile);
  if (!summary.is_null()) {
    // Version 0.1.0 wrote none.
    if (!FieldOf(summary, kFilesField).contains(kFileList)) refuse(kFileList);
    return;
  }
  refuse(kAnnotationFile);
  if (IsTaken(Unfinished() / "complete")) return;  // what is not its own will be kept
  for (const char* name : kAnnotationEntries) refuse(name);
}

bool AnnotationFolder::IsWhole(Progress& progress) const {
  const nlohmann::json summary = SummaryOf(folder_ / kAnnotationFile);
  Flaws flaws;
  if (summary.is_null()) {
    flaws.Add(std::string(kAnnotationFile) + " is missing");
  } else {
    flaws = FlawsAtTop(folder_, FieldOf(summary, kFilesField));
    if (flaws.count == 0) {
      ForEachListed(folder_, [&](const ListedFile& file) {
        progress.ThrowIfStopped();
        flaws.Add(FlawOf(folder_, file));
      });
    }
  }
  if (flaws.count == 0) return true;
  progress.Warn(
      fmt::format("the annotations in {} are not whole and are written again: {}", folder_.string(), flaws.Text()));
  return false;
}

// Every key begins alike.
void AnnotationFolder::RequireKey(const std::string& key) const {
  if (key.starts_with(key_.substr(0, key_.find(' ')))) return;
  throw Error(
      ErrorCode::kUsage,
      "the folder holds unfinished work that is damaged: nobody knows of what, because its key.txt is empty or changed",
      "give --force to begin anew, or choose another --output",
      {(Unfinished() / "key.txt").string()});
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

bool AnnotationFolder::HasChunk(std::size_t chunk, Progress& progress) const {
  if (!IsTaken(ChunkPath(chunk))) return false;
  Flaws flaws;
  try {
    for (const ListedFile& file : ReadChunk(chunk).files) {
      progress.ThrowIfStopped();
      flaws.Add(FlawOf(Result(), file));
    }
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kCorrupt) throw;
    flaws.Add(ChunkPath(chunk).filename().string() + " is damaged");
  }
  if (flaws.count == 0) return true;
  progress.Warn(
      fmt::format("some bags are annotated again, because an interrupted process left damaged files in {}: {}",
                  Unfinished().string(),
                  flaws.Text()));
  return false;
}

void AnnotationFolder::WriteChunk(std::size_t chunk, const AnnotationChunk& content) const {
  std::string text = content.text;
  for (const ListedFile& file : content.files) text += kFileLine + FileRow(file);
  WriteFileAtomically(ChunkPath(chunk), text + kEndLine + Sha256OfText(text) + "\n", Durability::kUnsynced);
}

AnnotationChunk AnnotationFolder::ReadChunk(std::size_t chunk) const {
  const fs::path path = ChunkPath(chunk);
  const std::string text = ReadFile(path);
  const std::size_t end = text.size() < kEndSize ? 0 : text.size() - kEndSize;
  if (text.substr(end) != kEndLine + Sha256OfText(text.substr(0, end)) + "\n") ThrowCorrupt(path, "cut off or changed");
  AnnotationChunk content;
  for (const std::string& line : Split(text.substr(0, end), '\n')) {
    if (line.starts_with(kFileLine)) {
      content.files.push_back(ParseFileRow(line.substr(kFileLine.size()), path));
    } else if (!line.empty()) {
      content.text += line + "\n";
    }
  }
  return content;
}

void AnnotationFolder::Commit(Progress& progress) {
  SyncFileSystem(Result());
  WriteFileAtomically(Unfinished() / "complete", "");
  SyncFolder(Unfinished());
  MoveIntoPlace(progress);
  finished_ = true;
}

// A free name: evidence.kept-1, review.kept-2.tsv.
fs::path AnnotationFolder::Kept(const std::string& name) const {
  fs::path kept;
  for (int number = 1; kept.empty() || IsTaken(kept); ++number) {
    kept = folder_ /
           fmt::format("{}.kept-{}{}", fs::path(name).stem().string(), number, fs::path(name).extension().string());
  }
  return kept;
}

// Why what has this name must not be removed; empty if a result left it, or if nothing is there.
std::string AnnotationFolder::WhyKept(const std::string& name) const {
  const fs::path present = folder_ / name;
  if (!IsTaken(present)) return {};
  // What describes the old result, or part of it, may have been put away already.
  const auto described = [this](const char* file, const fs::path& first, const fs::path& second) {
    return IsTaken(first / file) ? first / file : second / file;
  };
  const nlohmann::json summary = SummaryOf(described(kAnnotationFile, folder_, Replaced()));
  const fs::file_type type = fs::symlink_status(present).type();
  if (summary.is_null() || type != fs::symlink_status(Result() / name).type()) return "was not written by annotate";
  if (type == fs::directory_file) {
    const std::string stranger =
        FirstStranger(folder_, name, NamesIn(described(kFileList, Replaced(), folder_)), Result());
    return stranger.empty() ? "" : "holds a file that was not written by annotate (" + stranger + ")";
  }
  if ((name != kReviewFile && name != kCalledFile) || fs::file_size(present) == 0) return {};
  const nlohmann::json written = FieldOf(FieldOf(summary, kFilesField), name);
  return FieldOf(written, "sha256") == Sha256OfFile(present) ? "" : "was changed after it was written";
}

// What somebody filled in or added cannot be made again. Only what is still to be replaced is looked at: all else is
// the new result already.
void AnnotationFolder::Keep(Progress& progress) const {
  for (const std::string name : kAnnotationEntries) {
    const std::string why = IsTaken(Result() / name) ? WhyKept(name) : "";
    if (why.empty()) continue;
    const fs::path kept = Kept(name);
    RenamePath(folder_ / name, kept);
    progress.Warn(name + " " + why + "; it is kept as " + kept.string());
  }
}

// May have been begun before: what was moved is not moved again. What tells how the old result was written is put away
// for that.
void AnnotationFolder::MoveIntoPlace(Progress& progress) const {
  const auto move = [](const fs::path& file, const fs::path& folder) {
    RemoveTree(folder / file.filename());
    RenamePath(file, folder / file.filename());
  };
  Keep(progress);
  const fs::path last = Result() / kAnnotationFile;
  if (IsTaken(last) && IsTaken(folder_ / kAnnotationFile)) {
    CreateFolder(Replaced());
    if (IsTaken(folder_ / kFileList)) move(folder_ / kFileList, Replaced());
    move(folder_ / kAnnotationFile, Replaced());
  }
  for (const fs::path& file : EntriesOf(Result())) {
    if (file != last) move(file, folder_);
  }
  SyncFolder(folder_);
  if (IsTaken(last)) move(last, folder_);
  SyncFolder(folder_);
  ClearAway();
}

// The key goes first and surely: a kill in between must not leave chunks that the next process would go on with,
// although the files that belong to them are gone.
void AnnotationFolder::ClearAway() const {
  RemoveTree(Unfinished() / "key.txt");
  if (IsTaken(Unfinished())) SyncFolder(Unfinished());
  RemoveTree(Unfinished());
}

FinishedAnnotation::FinishedAnnotation(fs::path folder) : folder_(std::move(folder)) {
  const nlohmann::json summary = SummaryOf(folder_ / kAnnotationFile);
  if (summary.is_null()) {
    const bool is_begun = IsTaken(folder_ / kUnfinishedAnnotation);
    throw Error(ErrorCode::kInput,
                is_begun ? "`flyscribe annotate` has not finished its work in this folder"
                         : "this is no folder that `flyscribe annotate` made: it has no annotation.json of its own",
                is_begun ? "give the same annotate command again to finish it"
                         : "give what was its --output, the folder with predictions.tsv and index.html",
                {folder_.string()});
  }
  const nlohmann::json listed = FieldOf(FieldOf(summary, kFilesField), kFileList);
  const nlohmann::json digest = FieldOf(listed, "sha256");
  if (!digest.is_string() || !IsFile(folder_ / kFileList) || Sha256OfFile(folder_ / kFileList) != digest) {
    throw Error(ErrorCode::kCorrupt,
                std::string(kFileList) + " is not as annotate wrote it, so nobody knows what else is",
                "give the annotate command again: it writes anew what is damaged",
                {folder_.string()});
  }
  ForEachListed(folder_, [this](const ListedFile& file) { files_[file.name] = file; });
}

std::vector<std::string> FinishedAnnotation::NamesFrom(const std::string& start) const {
  std::vector<std::string> names;
  for (auto at = files_.lower_bound(start); at != files_.end() && at->first.starts_with(start); ++at) {
    names.push_back(at->first);
  }
  return names;
}

std::string FinishedAnnotation::Read(const std::string& name) const {
  const ListedFile& file = files_.at(name);
  std::string flaw = FlawOf(folder_, file);
  if (flaw.empty()) return ReadFile(folder_ / name);
  throw Error(ErrorCode::kCorrupt,
              std::move(flaw),
              "give the annotate command again: it writes anew what is damaged",
              {folder_.string()});
}

}  // namespace flyscribe
