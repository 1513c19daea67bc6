// The output folder of `annotate`: work that goes on after a kill, and a result that is whole or not there.
//
//   OUT/.annotate-unfinished/key.txt    what is being annotated, with what: one fact a line
//   OUT/.annotate-unfinished/chunks/    00000.jsonl ...: what was said of each chunk of bags, and which files of the
//                                       result belong to it, with sizes and digests
//   OUT/.annotate-unfinished/result/    the files of the result, as they are made
//   OUT/.annotate-unfinished/complete   the result is whole, and only has to be moved to its place
//   OUT/.annotate-unfinished/replaced/  annotation.json and annotation.files.tsv of the result that is being replaced
//   OUT/annotation.files.tsv            name, size and digest of every file in the folders of the result
//   OUT/annotation.json                 moved last: where it is, all else is too; it holds the digest of its key.txt,
//                                       and sizes and digests of the files beside it
//   OUT/review.kept-1.tsv               a review.tsv that was filled in before the result was replaced; likewise
//   annot.csv OUT/evidence.kept-1/                a folder of the result in which somebody has put files of his own
//
// Work of another key, finished or not, is only replaced when the caller says so. Files that no annotate wrote are
// never replaced: before the work they are refused, at its end kept under another name. While the object lives, a
// kernel lock keeps other processes out. What a kill -9 leaves is gone on with; the result has the same bytes.
//
// No file is trusted because it is there: after a power cut it may be empty. A chunk is only gone on with if all its
// files are as they were written; a finished result that has lost one is made again. The result is on the disk before
// anything of it is moved to its place.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/file_lock.h"
#include "core/fs.h"
#include "core/progress.h"
#include "pipeline/cache/manifest.h"

namespace flyscribe {

// The file that vouches for a result, its field with the digest of the key, and the one with what lies beside it:
// name -> {bytes, sha256}, of all files at the top but itself.
inline constexpr const char* kAnnotationFile = "annotation.json";
inline constexpr const char* kFileList = "annotation.files.tsv";
inline constexpr const char* kKeyDigestField = "key_digest";
inline constexpr const char* kFilesField = "files";
// The files of a result that people write to: to fill in, and to hand back.
inline constexpr const char* kReviewFile = "review.tsv";
inline constexpr const char* kCalledFile = "annot.csv";
// All that a result has at its top: files and folders.
inline constexpr std::array<const char*, 10> kAnnotationEntries = {kCalledFile,
                                                                   kFileList,
                                                                   kAnnotationFile,
                                                                   "evidence",
                                                                   "gallery",
                                                                   "index.html",
                                                                   "predictions.jsonl",
                                                                   "predictions.tsv",
                                                                   kReviewFile,
                                                                   "skipped.tsv"};
// Where work lies until it is done: no other command may touch it.
inline constexpr const char* kUnfinishedAnnotation = ".annotate-unfinished";

// What is put away of a chunk of bags.
struct AnnotationChunk {
  std::string text;               // lines that begin neither with "F " nor with "E "
  std::vector<ListedFile> files;  // below Result()
};

// A row of kFileList.
std::string FileRow(const ListedFile& file);

class AnnotationFolder {
 public:
  // Creates and locks the folder. Throws Error(kLockTimeout) if another process works there, Error(kDisk) if it cannot
  // be written to.
  explicit AnnotationFolder(fs::path folder);
  // A folder that was made for nothing is removed again.
  ~AnnotationFolder();
  AnnotationFolder(const AnnotationFolder&) = delete;
  AnnotationFolder& operator=(const AnnotationFolder&) = delete;

  const fs::path& path() const { return folder_; }
  // An empty folder for temporary files, until Begin.
  fs::path EmptyScratch() const;

  // Says what is to be done here. Throws Error(kUsage) if the folder holds work of another key, unless `replace`; with
  // it, a finished result is made again. Throws Error(kUsage) in any case if somebody else's file is in the way.
  // Warns of a result that is not whole, which is then not finished.
  // REQUIRES: called before all that follows.
  void Begin(std::string key, bool replace, Progress& progress);
  std::string KeyDigest() const;
  // The result of this key is in its place already.
  bool IsFinished() const { return finished_; }
  // Where the files of the result are made; what an earlier process made is there.
  fs::path Result() const { return Unfinished() / "result"; }
  // Something else to keep until the end.
  fs::path Scratch(const std::string& name) const { return Unfinished() / name; }

  // The chunk is there, and its files are as they were written. Warns of one that is damaged.
  bool HasChunk(std::size_t chunk, Progress& progress) const;
  void WriteChunk(std::size_t chunk, const AnnotationChunk& content) const;
  // Throws Error(kCorrupt) if it is not as it was written.
  AnnotationChunk ReadChunk(std::size_t chunk) const;
  fs::path ChunkPath(std::size_t chunk) const;

  // Moves all that lies in Result() to its place, kAnnotationFile last, and removes the rest. What lies there and is
  // not as annotate would leave it is kept beside the new one, with a warning: a kReviewFile or kCalledFile that was
  // changed since it was written, a folder with files of somebody else. REQUIRES: the result is whole: all
  // kAnnotationEntries and nothing else.
  void Commit(Progress& progress);

 private:
  fs::path Unfinished() const { return folder_ / kUnfinishedAnnotation; }
  fs::path Replaced() const { return Unfinished() / "replaced"; }
  fs::path Temporary() const { return folder_ / ".annotate-temporary"; }
  void RefuseStrangers() const;
  void RequireKey(const std::string& key) const;
  void RefuseOther(const std::string& what, const std::string& difference) const;
  std::string DifferenceTo(const std::string& other) const;
  bool IsWhole(Progress& progress) const;
  fs::path Kept(const std::string& name) const;
  std::string WhyKept(const std::string& name) const;
  void Keep(Progress& progress) const;
  void MoveIntoPlace(Progress& progress) const;
  void ClearAway() const;

  fs::path folder_;
  std::string key_;
  std::optional<FileLock> lock_;
  bool existed_;
  bool finished_ = false;
};

// A finished result, whose files are read one by one. It takes no lock and changes nothing.
class FinishedAnnotation {
 public:
  // Throws Error(kInput) if there is none, or none that is finished, Error(kCorrupt) if its list of files is not as it
  // was written.
  explicit FinishedAnnotation(fs::path folder);

  const fs::path& path() const { return folder_; }
  // Files in the folders of the result whose names begin so: "evidence/FBgn0000001_4-6".
  std::vector<std::string> NamesFrom(const std::string& start) const;
  // Throws Error(kCorrupt) if the file is not as it was written. REQUIRES: it is in the list.
  std::string Read(const std::string& name) const;

 private:
  fs::path folder_;
  std::map<std::string, ListedFile> files_;
};

}  // namespace flyscribe
