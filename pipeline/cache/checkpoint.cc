#include "pipeline/cache/checkpoint.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "core/error.h"
#include "core/file.h"
#include "core/progress.h"
#include "core/text.h"
#include "pipeline/cache/manifest.h"
#include "pipeline/terminal/process.h"

namespace flyscribe {
namespace {

const std::string kPrefix = "epoch-";
const std::string kUnfinished = ".unfinished";
const std::string kDiscarded = ".discarded";

// The first line in which two identities differ: "; then 'option learn.lambda: 0.1', now '...'".
std::string Difference(const std::string& then, const std::string& now) {
  const std::vector<std::string> a = Split(then, '\n');
  const std::vector<std::string> b = Split(now, '\n');
  const auto [old_line, new_line] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  if (old_line == a.end() || new_line == b.end()) return {};
  return ": then '" + *old_line + "', now '" + *new_line + "'";
}

}  // namespace

LearnCheckpoint::LearnCheckpoint(fs::path folder, std::string identity, double seconds_between)
    : folder_(std::move(folder)),
      identity_(std::move(identity)),
      seconds_between_(seconds_between),
      saved_(SecondsNow()) {}

fs::path LearnCheckpoint::FolderOf(int epoch) const { return folder_ / (kPrefix + std::to_string(epoch)); }

std::vector<int> LearnCheckpoint::Epochs() const {
  std::vector<int> epochs;
  for (const fs::path& entry : EntriesOf(folder_)) {
    const std::string name = entry.filename().string();
    if (!name.starts_with(kPrefix)) continue;
    const auto epoch = ParseInteger(name.substr(kPrefix.size()));
    if (epoch && *epoch > 0 && *epoch <= std::numeric_limits<int>::max()) epochs.push_back(static_cast<int>(*epoch));
  }
  std::sort(epochs.begin(), epochs.end());
  return epochs;
}

int LearnCheckpoint::NewestEpoch() const {
  const std::vector<int> epochs = Epochs();
  return epochs.empty() ? 0 : epochs.back();
}

std::optional<LearnState> LearnCheckpoint::Load() const {
  const int epoch = NewestEpoch();
  if (epoch == 0) return std::nullopt;
  const fs::path state = FolderOf(epoch);
  try {
    const std::vector<ListedFile> files = ReadManifest(state).files;
    const std::string problem = FirstChanged(state, files);
    if (!problem.empty()) throw Error(ErrorCode::kCorrupt, problem);
    const std::string identity = ReadFile(state / kKeyName);
    if (identity != identity_) {
      throw Error(ErrorCode::kUsage,
                  "the checkpoint was left by other options or another input" + Difference(identity, identity_),
                  "give the same ones to go on, choose another --output, or give --force to begin anew",
                  {folder_.string()});
    }
    return LearnState::Load(state);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kCorrupt) throw;  // no rights, or too many open files, is no damage
    throw Error(ErrorCode::kCorrupt,
                "the checkpoint is damaged: " + error.diagnostics().front().message,
                "--force begins anew",
                {state.string()});
  }
}

bool LearnCheckpoint::IsDue() const { return SecondsNow() - saved_ >= seconds_between_; }

void LearnCheckpoint::Save(const LearnState& state) {
  const fs::path unfinished = folder_ / kUnfinished;
  const fs::path finished = FolderOf(state.epochs_done);
  RemoveTree(unfinished);
  try {
    state.Save(unfinished);
    WriteFile(unfinished / kKeyName, identity_);
    ArtifactManifest manifest;
    manifest.step = kCheckpointStep;
    manifest.part = "epoch " + std::to_string(state.epochs_done);
    manifest.made = UtcNow();
    manifest.program = Version();
    manifest.files = ListFiles(unfinished);
    WriteManifest(unfinished, manifest);
    SyncFolder(unfinished);
    RenamePath(unfinished, finished);
  } catch (...) {
    boost::system::error_code ignored;
    fs::remove_all(unfinished, ignored);  // a full disk needs the space
    fs::remove(folder_, ignored);         // unless the state before is there
    throw;
  }
  SyncFolder(folder_);
  for (const int epoch : Epochs()) {
    if (epoch != state.epochs_done) Discard(epoch);
  }
  saved_ = SecondsNow();
}

void LearnCheckpoint::Discard(int epoch) const {
  RemoveTree(folder_ / kDiscarded);
  RenamePath(FolderOf(epoch), folder_ / kDiscarded);
  RemoveTree(folder_ / kDiscarded);
}

void LearnCheckpoint::Remove() const {
  for (const int epoch : Epochs()) Discard(epoch);
  RemoveTree(folder_ / kUnfinished);
  RemoveTree(folder_ / kDiscarded);
  boost::system::error_code ignored;
  fs::remove(folder_, ignored);  // unless somebody keeps something of his own there
}

}  // namespace flyscribe
