// Where interrupted learning goes on: the state of learning after its last finished epoch.
//
//   <folder>/epoch-3/   files of LearnState, key.txt (which problem it is of) and manifest.json (as of an artifact)
// A state is written under another name, synced and renamed, and only then is the one before it removed, likewise: a
// kill at any moment leaves the newest whole state, or the one before, or none if there was none. Not for two processes
// at once: the caller holds a lock.
//
// A state is as large as all codes, and epochs may take milliseconds: whoever saves one asks first whether it is time
// to. The clock decides what a kill costs, never a result.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/fs.h"
#include "sparse/learn.h"

namespace flyscribe {

// The step its manifest names.
inline constexpr const char* kCheckpointStep = "learn checkpoint";

class LearnCheckpoint {
 public:
  // `identity` names the problem, one fact a line, so that what differs can be told.
  LearnCheckpoint(fs::path folder, std::string identity, double seconds_between);

  // The newest state, if there is one. Throws Error(kUsage) if another problem left it, Error(kCorrupt) if it is
  // damaged.
  std::optional<LearnState> Load() const;
  // Whether `seconds_between` have passed since the last Save, or since this object was made.
  bool IsDue() const;
  void Save(const LearnState& state);
  // Removes all states, and the folder if it is then empty.
  void Remove() const;
  // The epoch of the newest state; 0 if there is none.
  int NewestEpoch() const;

 private:
  fs::path FolderOf(int epoch) const;
  // Of all states, rising.
  std::vector<int> Epochs() const;
  void Discard(int epoch) const;

  fs::path folder_;
  std::string identity_;
  double seconds_between_;
  double saved_;  // when, by SecondsNow()
};

}  // namespace flyscribe
