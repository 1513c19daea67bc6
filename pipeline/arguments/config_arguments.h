// Arguments of the commands that look at a config's run or at a cache.
#pragma once

#include <string>
#include <vector>

#include "core/fs.h"
#include "pipeline/plan/planner.h"
#include "pipeline/sweep/sweep.h"

namespace flyscribe {

class CommandLine;

// CONFIG with --set.
struct ConfigArguments {
  std::string config;
  std::vector<std::string> overrides;

  Config Read() const;
};
void DeclareConfigArguments(const CommandLine& line, ConfigArguments& arguments);

// CONFIG with --set, or --cache DIR.
struct CacheArguments {
  ConfigArguments config;
  std::string cache;

  bool has_config() const { return !config.config.empty(); }
  // Throws Error(kUsage) unless exactly one of the two is given, Error(kInput) if there is no such cache.
  fs::path Root() const;
};
void DeclareCacheArguments(const CommandLine& line, CacheArguments& arguments);

// --from, --until, --only, --force, --force-all.
void DeclareSelection(const CommandLine& line, RunRequest& request);

// The plan of a config as the cache stands. Nothing is computed or written.
Plan PlanWithoutRunning(const Config& config, const ArtifactStore& store);

// A store that says nothing: for those who only look.
ArtifactStore QuietStore(const fs::path& root);

}  // namespace flyscribe
