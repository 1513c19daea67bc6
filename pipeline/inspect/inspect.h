// What lies at a path: an artifact, a checkpoint, a folder of results, a model, a file, an item. It only looks: nothing
// is moved or changed.
//
// An artifact is compared with its manifest, file by file. Problems with single files are noted beside them and stop
// nothing. Of many files of one kind (the images of simulate) only number and size are told.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/fs.h"
#include "core/progress.h"
#include "pipeline/inspect/inspect_file.h"
#include "pipeline/inspect/inspect_model.h"

namespace flyscribe {

struct NamedValue {
  std::string name;
  std::string value;
};

// A file that is not as the manifest lists it.
struct Damage {
  std::string file;
  std::string reason;
};

// What manifest.json and key.txt say about an artifact; what they do not say is empty.
struct ArtifactFacts {
  fs::path folder;
  std::string step;
  std::string step_version;
  std::string range;
  std::string part;
  std::string key;
  std::string program;  // flyscribe's version
  std::string made;     // a date
  double seconds = 0.0;
  std::vector<std::string> facts;
  std::vector<NamedValue> options;
  std::vector<NamedValue> inputs;
  std::vector<NamedValue> libraries;
  bool checkpoint = false;  // of learning (see pipeline/checkpoint.h); `key` is that of the artifact it is to become
  // Of the files looked at; none if they are intact.
  std::vector<Damage> damage;
};

// Many files of one kind, or the artifacts of one folder, which are not explained one by one.
struct FileGroup {
  std::string folder;       // "images"; "." for all other places
  std::string extension;    // ".bmp"; empty for artifacts
  std::uint64_t count = 0;  // files, or artifacts
  std::uint64_t bytes = 0;
};

// NAME.indptr.npy, NAME.indices.npy and NAME.data.npy: a sparse matrix by rows.
struct CodesFacts {
  std::string name;
  std::uint64_t rows = 0;
  std::uint64_t nonzeros = 0;
  std::uint64_t fewest = 0;  // in a row
  std::uint64_t most = 0;
  std::string problem;  // why the three do not belong together; empty if they do
};

// What all items of a group were made with (see pipeline/cache/items.h).
struct RecipeFacts {
  fs::path folder;  // of the group
  std::string step;
  std::string step_version;
  std::vector<NamedValue> options;
  std::vector<NamedValue> libraries;
  std::string problem;  // why recipe.txt tells nothing or cannot be trusted
};

struct RunScore {
  std::string range;
  std::string terms;  // "top 10", "all"
  std::uint64_t count = 0;
  double auc = 0.0;
  double accuracy = 0.0;
};

// What run.json says about a run.
struct RunOverview {
  std::string version;
  std::string config;
  std::string command;
  int exit_code = 0;
  double seconds = 0.0;
  std::uint64_t peak_bytes = 0;
  std::uint64_t hits = 0;
  std::uint64_t misses = 0;
  std::uint64_t skipped = 0;
  std::vector<RunScore> scores;  // macro averages
};

struct Inspection {
  enum class Kind { kArtifact, kFolder, kFile };

  fs::path path;
  Kind kind = Kind::kFile;
  std::optional<ArtifactFacts> artifact;  // the folder itself, or the one that the file belongs to
  std::optional<RecipeFacts> recipe;      // of the items in the folder, or of the file
  std::optional<RunOverview> run;         // if there is a run.json of ours
  std::optional<ModelFacts> model;        // if the file is the bundle of one
  std::vector<FileFacts> files;           // by name
  std::vector<FileGroup> groups;
  std::vector<FileGroup> artifacts;  // below a folder that is none itself
  std::vector<CodesFacts> codes;

  // Whether all that was looked at is whole.
  bool Sound() const;
};

// Throws Error(kInput) if nothing is there or it cannot be read, Error(kInterrupted) if `progress` asks to stop.
Inspection Inspect(const fs::path& path, Progress& progress);

}  // namespace flyscribe
