#include "pipeline/explain/gc.h"

#include <algorithm>
#include <cerrno>
#include <map>

#include "core/error.h"
#include "core/file.h"
#include "core/text.h"
#include "pipeline/cache/catalogue.h"
#include "pipeline/cache/items.h"
#include "pipeline/cache/key.h"
#include "pipeline/explain/history.h"
#include "pipeline/run/run_log.h"
#include "pipeline/terminal/process.h"

namespace flyscribe {
namespace {

// Every option's default, as keys print it: "learn.lambda" -> "0.1".
const std::map<std::string, std::string>& DefaultValues() {
  static const std::map<std::string, std::string> values = [] {
    std::map<std::string, std::string> all;
    Config config;
    for (const ConfigSection& section : config.Sections()) {
      KeyTextWriter writer;
      section.fields(writer);
      const std::string prefix = section.name.empty() ? "" : section.name + ".";
      for (const auto& [name, value] : KeyFacts(writer.text())) all[prefix + name] = value;
    }
    return all;
  }();
  return values;
}

// The options of a key that tell it from others: those that are not the default, and the size of a dictionary.
std::string MainOptions(const std::string& key_text) {
  const std::string label = "option ";
  std::vector<std::string> shown;
  for (const auto& [name, value] : KeyFacts(key_text)) {
    if (!name.starts_with(label)) continue;
    const std::string option = name.substr(label.size());
    const auto usual = DefaultValues().find(option);
    const bool always = option == "learn.atoms" || option == "learn.lambda";
    if (always || usual == DefaultValues().end() || usual->second != value) shown.push_back(option + " " + value);
  }
  return Join(shown, ", ");
}

// What names a piece among those that are needed: the key of an artifact, the folder of an item group.
std::string IdentityOf(const CachePiece& piece) {
  return piece.kind == CachePiece::Kind::kItems ? piece.folder.string() : piece.key;
}

// identity of a piece -> names of those who need it
using Needs = std::map<std::string, std::set<std::string>>;

// A run and an export of one config each keep what they need: the first words of a command are "flyscribe run".
std::string PurposeOf(const RunTitle& title) {
  const std::vector<std::string> words = Split(title.command, ' ');
  return title.config_path + "\n" + (words.size() > 1 ? words[1] : "");
}

// The pieces of the last `count` runs of each config that got as far as a plan, and of all that go on.
Needs NeedsOfRuns(const std::vector<LoggedRun>& runs, int count, const fs::path& root) {
  Needs needs;
  std::map<std::string, int> seen;  // by purpose: runs so far, from the latest
  for (std::size_t i = runs.size(); i-- > 0;) {
    const LoggedRun& run = runs[i];
    const bool live = run.GoesOn();
    const bool recent = seen[PurposeOf(run.title)]++ < count;
    if (!live && !recent) continue;
    for (const LoggedStep& step : run.steps) {
      const std::string who = live ? "a run that goes on" : run.title.config;
      if (!step.key.empty()) needs[step.key].insert(who);
      needs[ItemFolder(root, step.step, RecipeOf(step.key_text)).string()].insert(who);
    }
  }
  return needs;
}

// Of all that a plan needs.
std::set<std::string> IdentitiesOf(const Plan& plan, const fs::path& root) {
  std::set<std::string> identities;
  for (const StepInstance& instance : plan.instances) {
    if (!instance.key.empty()) identities.insert(instance.key);
    identities.insert(ItemFolder(root, instance.step->name, RecipeOf(instance.key_text)).string());
  }
  return identities;
}

void AddArtifacts(const fs::path& root, std::vector<CachePiece>& pieces) {
  for (const CatalogueEntry& entry : ListArtifacts(root)) {
    CachePiece piece;
    piece.folder = entry.folder;
    piece.name = StepLabel(entry.manifest.step, entry.manifest.range, entry.manifest.part);
    piece.options = MainOptions(entry.key_text);
    piece.key = entry.manifest.key;
    piece.bytes = entry.bytes;
    piece.last_use = entry.last_use;
    piece.problem = entry.problem;
    pieces.push_back(std::move(piece));
  }
}

void AddItems(const fs::path& root, std::vector<CachePiece>& pieces) {
  for (const ItemGroup& group : ListItemGroups(root)) {
    CachePiece piece;
    piece.kind = CachePiece::Kind::kItems;
    piece.folder = group.folder;
    piece.name = "items of " + group.step + " (" + std::to_string(group.count) + ")";
    piece.options = MainOptions(group.recipe);
    piece.bytes = group.bytes;
    piece.last_use = group.last_use;
    pieces.push_back(std::move(piece));
  }
}

// Names the program gives: a key, a key with something behind it, or what was being removed.
bool IsOurs(const std::string& name) { return IsKey(name.substr(0, 64)) || name.starts_with("removed-"); }

// Folders of `parent`, each a piece of its own.
void AddFolders(const fs::path& parent,
                CachePiece::Kind kind,
                const std::string& name,
                std::vector<CachePiece>& pieces) {
  boost::system::error_code ignored;
  for (const fs::path& entry : EntriesOf(parent)) {
    if (!IsOurs(entry.filename().string())) continue;
    CachePiece piece;
    piece.kind = kind;
    piece.folder = entry;
    piece.name = name;
    piece.key = entry.filename().string();
    piece.bytes = FolderBytes(entry);
    piece.last_use = fs::last_write_time(entry, ignored);
    pieces.push_back(std::move(piece));
  }
}

class Collector {
 public:
  Collector(const fs::path& root, const GcRequest& request)
      : root_(root), request_(request), pieces_(ListPieces(root, request.plan)), runs_(ReadableRuns(root, request)) {
    kept_ = NeedsOfRuns(runs_, request.keep_last.value_or(0), root);
  }

  GcResult Run() {
    for (const CachePiece& piece : pieces_) result_.bytes_before += piece.bytes;
    result_.bytes_after = result_.bytes_before;
    std::stable_sort(pieces_.begin(), pieces_.end(), [](const CachePiece& a, const CachePiece& b) {
      return a.last_use < b.last_use;
    });
    for (const CachePiece& piece : pieces_) {
      if (IsWaste(piece)) Remove(piece);
    }
    for (const CachePiece& piece : pieces_) {
      if (!IsWaste(piece) && !IsNeeded(piece) && ShallGo(piece)) Remove(piece);
    }
    RemoveOldLogs();
    return std::move(result_);
  }

  // What was renamed and is to be deleted.
  const std::vector<fs::path>& away() const { return away_; }

 private:
  // Throws Error(kInput) if one that counts cannot be read: what it needs would be taken for waste.
  static std::vector<LoggedRun> ReadableRuns(const fs::path& root, const GcRequest& request) {
    std::vector<LoggedRun> unreadable;
    std::vector<LoggedRun> runs = ListRuns(root, &unreadable);
    for (const LoggedRun& run : unreadable) {
      if (!request.keep_last && !run.alive) continue;
      throw Error(ErrorCode::kInput,
                  "the log of this run cannot be read, so what it needs is not known; nothing was removed",
                  "if what the run made is no longer wanted, remove this folder and give the same command again",
                  {(root / "runs" / run.id).string()});
    }
    return runs;
  }

  // Of no use to anybody, unless somebody is still at it.
  bool IsWaste(const CachePiece& piece) const {
    const bool damaged = piece.kind == CachePiece::Kind::kDamaged && request_.clear_damaged;
    return damaged || piece.kind == CachePiece::Kind::kLeftover;
  }

  bool IsNeeded(const CachePiece& piece) const { return piece.in_plan || kept_.contains(IdentityOf(piece)); }

  bool ShallGo(const CachePiece& piece) const {
    const bool unused = request_.keep_last && !request_.max_bytes && !request_.older_than;
    const bool old = request_.older_than && std::difftime(std::time(nullptr), piece.last_use) > *request_.older_than;
    const bool no_room = request_.max_bytes && result_.bytes_after > *request_.max_bytes;
    return unused || old || no_room;
  }

  void Remove(const CachePiece& piece) {
    if (!(request_.dry_run ? !IsBeingMade(piece) : TakeAway(piece))) return;
    result_.bytes_after -= std::min(result_.bytes_after, piece.bytes);
    result_.removed.push_back(piece);
  }

  fs::path LockOf(const CachePiece& piece) const { return root_ / "locks" / piece.key; }
  bool IsBeingMade(const CachePiece& piece) const {
    return !piece.key.empty() && LockHolder(LockOf(piece)).has_value();
  }

  // Renames the piece, under the lock of its key. False if somebody holds that, or if it is gone.
  bool TakeAway(const CachePiece& piece) {
    std::optional<FileLock> lock;
    if (!piece.key.empty()) lock = FileLock::TryAcquire(LockOf(piece), DescribeProcess("removing"));
    if (!piece.key.empty() && !lock) return false;
    const fs::path away = root_ / "tmp" / fs::unique_path("removed-%%%%-%%%%-%%%%");
    CreateFolder(away.parent_path());
    boost::system::error_code error;
    fs::rename(piece.folder, away, error);
    if (error.value() == ENOENT) return false;
    if (error) ThrowWriteError(piece.folder, error.value());
    away_.push_back(away);
    return true;
  }

  // The log of runs that are over grows without end; the latest are enough to explain by.
  void RemoveOldLogs() {
    constexpr std::size_t kLogsKept = 200;
    for (std::size_t i = 0; i + kLogsKept < runs_.size(); ++i) {
      if (!runs_[i].alive && !request_.dry_run) away_.push_back(root_ / "runs" / runs_[i].id);
    }
  }

  const fs::path& root_;
  const GcRequest& request_;
  std::vector<CachePiece> pieces_;
  std::vector<LoggedRun> runs_;
  Needs kept_;
  GcResult result_;
  std::vector<fs::path> away_;
};

}  // namespace

std::vector<CachePiece> ListPieces(const fs::path& cache_root, const Plan* plan) {
  std::vector<CachePiece> pieces;
  AddArtifacts(cache_root, pieces);
  AddItems(cache_root, pieces);
  AddFolders(cache_root / "checkpoints", CachePiece::Kind::kCheckpoint, "checkpoint of learn", pieces);
  AddFolders(cache_root / "tmp", CachePiece::Kind::kLeftover, "unfinished", pieces);
  AddFolders(cache_root / "damaged", CachePiece::Kind::kDamaged, "damaged, set aside", pieces);
  const Needs needs = NeedsOfRuns(ListRuns(cache_root), 1, cache_root);
  const std::set<std::string> planned = plan == nullptr ? std::set<std::string>() : IdentitiesOf(*plan, cache_root);
  for (CachePiece& piece : pieces) {
    const auto found = needs.find(IdentityOf(piece));
    if (found != needs.end()) piece.needed_by.assign(found->second.begin(), found->second.end());
    const bool damaged = piece.kind == CachePiece::Kind::kDamaged;
    piece.in_plan = !damaged && planned.contains(IdentityOf(piece));
  }
  return pieces;
}

void RequireKnownNeeds(const Plan& plan) {
  const std::string otherwise = ", or name the cache by --cache DIR instead: then nothing is kept for this config";
  for (const StepInstance& instance : plan.instances) {
    if (!instance.key.empty()) continue;
    throw Error(ErrorCode::kInput,
                "the simulated embryos of this config are not in the cache, so what it needs is not known; nothing was "
                "removed",
                "run the config first" + otherwise,
                {instance.Describe()});
  }
  for (const PlanPoint& point : plan.points) {
    if (point.corpus == nullptr) continue;
    for (const StageRange range : point.config->StageRanges()) {
      for (const Skipped& skipped : point.corpus->Of(range).skipped) {
        const std::string what = skipped.reason.substr(0, skipped.reason.find(':'));
        if (what != "folder cannot be read" && what != "file cannot be looked at" && what != "image file unreadable") {
          continue;
        }
        throw Error(ErrorCode::kInput,
                    skipped.reason + "; with it this config may need other artifacts, so nothing was removed",
                    "make it readable" + otherwise,
                    {skipped.input});
      }
    }
  }
}

GcResult CollectGarbage(const fs::path& cache_root, const GcRequest& request) {
  if (request.dry_run) return Collector(cache_root, request).Run();
  std::optional<FileLock> lock = WaitForPlanningLock(cache_root);
  if (!lock->enforced()) {
    throw Error(ErrorCode::kDisk,
                "the file system has no locks: whether a run needs something cannot be told",
                "remove what you like by hand while no run goes on",
                {cache_root.string()});
  }
  Collector collector(cache_root, request);
  GcResult result = collector.Run();
  lock.reset();                       // deleting takes long, and concerns nobody
  boost::system::error_code ignored;  // a run that begins now may clear it away as well
  for (const fs::path& away : collector.away()) fs::remove_all(away, ignored);
  return result;
}

namespace {

// For runs, which do not fail because something could not be removed.
GcResult CollectIfPossible(const fs::path& cache_root, const GcRequest& request) {
  try {
    return CollectGarbage(cache_root, request);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kDisk && error.code() != ErrorCode::kInput) throw;
    return {};
  }
}

}  // namespace

void MakeRoom(const Plan& plan,
              const std::vector<StepForecast>& forecast,
              const fs::path& cache_root,
              const std::function<void(const std::string&)>& warn) {
  const std::optional<std::uint64_t> limit = plan.points.front().config->cache.MaxBytes();
  if (!limit) return;
  const History history(cache_root);
  std::uint64_t there = 0;
  std::uint64_t to_come = 0;  // at least
  std::size_t unknown = 0;
  for (std::size_t i = 0; i < plan.instances.size(); ++i) {
    if (forecast[i].found.artifact) there += forecast[i].found.artifact->manifest.TotalBytes();
    if (forecast[i].state != StepState::kRun || forecast[i].found.artifact) continue;
    const std::optional<StepCost> cost = PredictCost(plan, plan.instances[i], history);
    const std::optional<std::uint64_t> bytes = cost ? cost->bytes : std::nullopt;
    to_come += bytes.value_or(0);
    if (!bytes) ++unknown;
  }
  if (there + to_come > *limit) {
    throw Error(ErrorCode::kDisk,
                "the run needs " + std::string(unknown > 0 ? "at least" : "about") + " " + HumanBytes(there + to_come) +
                    " in the cache, but cache.max_size is " + HumanBytes(*limit),
                "raise cache.max_size, or run fewer ranges or folds at a time");
  }
  if (unknown > 0) {
    warn("the size of what " + std::to_string(unknown) + (unknown == 1 ? " step leaves" : " steps leave") +
         " is not known yet: whether the run fits cache.max_size shows at its end");
  }
  GcRequest request;
  request.max_bytes = *limit - to_come;
  request.plan = &plan;
  if (to_come > 0) CollectIfPossible(cache_root, request);
}

void KeepBelowLimit(const Plan& plan, const fs::path& cache_root, const std::function<void(const std::string&)>& warn) {
  GcRequest request;
  request.max_bytes = plan.points.front().config->cache.MaxBytes();
  request.plan = &plan;
  if (!request.max_bytes) return;
  const GcResult result = CollectIfPossible(cache_root, request);
  if (result.bytes_after <= *request.max_bytes) return;
  warn("the cache holds " + HumanBytes(result.bytes_after) + ", more than cache.max_size, and all of it is needed");
}

}  // namespace flyscribe
