// A private copy of the shared tiny run's cache, to be changed at will.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/file.h"
#include "core/hash.h"
#include "pipeline/run/run_log.h"
#include "tests/pipeline/tiny_run.h"

namespace flyscribe {

class CacheCopy {
 public:
  CacheCopy() {
    const fs::path from = SharedTinyRun().folder / "cache";
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(from)) {
      const fs::path target = root() / fs::relative(entry.path(), from);
      if (fs::is_directory(entry.path())) {
        fs::create_directories(target);
      } else {
        // Boost's copy_file waits for the disk.
        WriteFileAtomically(target, ReadFile(entry.path()), Durability::kUnsynced);
      }
    }
  }

  fs::path root() const { return folder_ / "cache"; }
  const TempFolder& folder() const { return folder_; }
  ArtifactStore Store() const {
    return {root(), [](const std::string&) {}};
  }
  Config ConfigWith(const std::vector<std::string>& overrides = {}) const {
    Config config = TinyConfig(folder_.path(), overrides);
    config.path = "/tiny.yaml";  // as Log() calls it
    return config;
  }
  Plan PlanWith(const std::vector<std::string>& overrides = {}) const { return PlanOf(ConfigWith(overrides)); }

  // All artifacts of a step.
  void Remove(const std::string& step) const {
    RemoveTree(root() / "4-6" / step);
    RemoveTree(root() / "all" / step);
  }

  // An artifact as if a step with this key text had left it. Returns its folder.
  fs::path Put(const StepInstance& like, const std::string& key_text, double seconds = 0.0, double work = 0.0) const {
    const ArtifactStore store = Store();
    ArtifactManifest manifest;
    manifest.step = like.step->name;
    manifest.range = like.range;
    manifest.part = like.part.name();
    manifest.key = Sha256OfText(key_text);
    manifest.seconds = seconds;
    manifest.work = manifest.size = work;
    manifest.made = "2026-01-01T00:00:00Z";
    auto lock = FileLock::TryAcquire(store.LockOf(manifest.key), "test");
    ArtifactStore::Writer writer(store, manifest.key, std::move(*lock));
    WriteFileAtomically(writer.folder() / "result.txt", "of " + manifest.key);
    return writer.Commit(manifest, key_text).artifact.folder;
  }

  // A run in the log, with the states that a forecast gives. It lives as long as the returned object, unless it ends.
  std::unique_ptr<RunLog> Log(const Plan& plan,
                              const std::string& config = "tiny",
                              const std::string& command = "flyscribe run") const {
    auto log = std::make_unique<RunLog>(root(), RunTitle{config, "/" + config + ".yaml", command, "out", ""});
    log->OnPlan(plan, ForecastRun(plan, Store(), {}));
    return log;
  }

 private:
  TempFolder folder_;
};

// REQUIRES: there is one.
inline const StepInstance& InstanceOf(const Plan& plan, const std::string& label) {
  for (const StepInstance& instance : plan.instances) {
    if (instance.Label() == label) return instance;
  }
  throw std::out_of_range(label);
}

// One fact of a key's text, changed.
inline std::string Replaced(std::string text, const std::string& old_part, const std::string& new_part) {
  const std::size_t place = text.find(old_part);
  if (place == std::string::npos) throw std::out_of_range(old_part);
  return text.replace(place, old_part.size(), new_part);
}

}  // namespace flyscribe
