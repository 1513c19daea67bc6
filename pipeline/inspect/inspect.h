// What lies at a path: an artifact, a checkpoint, a folder of results, a model, a file, an item. It only looks: nothing
// is moved or changed.
//
// The facts are one JSON value, which `flyscribe inspect --json` prints and from which the text for people is made. It
// has "format": 1; fields may be added to it, none are renamed or removed without another number. Strings are as they
// were in files, with what is no UTF-8 replaced; numbers that JSON cannot write (NaN) are null.
//
//   path, kind (artifact, folder or file), sound (all that was looked at is whole)
//   artifact   what manifest.json and key.txt say of the folder, or of the one the file belongs to, and every file that
//              is not as the manifest lists it; of learning's checkpoints "key" is that of the artifact it is to become
//   recipe     what all items of a group were made with (see pipeline/cache/items.h)
//   model      what a bundle holds and what is wrong with it
//   run        what run.json says, if it is one of ours: the macro averages are its scores
//   files      each with what it holds: "array", "table", "json" or "item". Problems with single files are noted beside
//              them and stop nothing
//   groups     many files of one kind, of which only number and size are told
//   artifacts  those below a folder that is none itself, by folder
//   codes      NAME.indptr.npy, NAME.indices.npy and NAME.data.npy: sparse matrices by rows
#pragma once

#include <string>

#include "core/fs.h"
#include "core/progress.h"

namespace flyscribe {

struct Inspection {
  std::string json;
  bool sound = true;
};

// Throws Error(kInput) if nothing is there or it cannot be read, Error(kInterrupted) if `progress` asks to stop.
Inspection Inspect(const fs::path& path, Progress& progress);

// The same facts in words for people, safe for a terminal. REQUIRES: the JSON of an inspection.
std::string InspectionText(const std::string& json);

}  // namespace flyscribe
