#include "pipeline/arguments/config_arguments.h"

#include "core/error.h"
#include "pipeline/arguments/arguments.h"
#include "pipeline/arguments/command_line.h"
#include "pipeline/terminal/process.h"

namespace flyscribe {
namespace {

// Stops when the user asks, reports nothing.
class QuietProgress : public Progress {
 public:
  bool StopRequested() const override { return StopSignal() != 0; }
};

}  // namespace

Config ConfigArguments::Read() const { return ReadConfig(config, overrides); }

void DeclareConfigArguments(const CommandLine& line, ConfigArguments& arguments) {
  line.Value("config", arguments.config, "YAML config, such as configs/quickstart.yaml").Required();
  DeclareSet(line, "learn.lambda=0.12", arguments.overrides);
}

void DeclareCacheArguments(const CommandLine& line, CacheArguments& arguments) {
  line.Value("config", arguments.config.config, "YAML config whose cache is meant");
  line.Value("--cache", arguments.cache, "The cache's folder, instead of a config").Named("DIR");
  DeclareSet(line, "learn.lambda=0.12", arguments.config.overrides);
}

fs::path CacheArguments::Root() const {
  if (cache.empty() == config.config.empty()) {
    throw Error(ErrorCode::kUsage,
                cache.empty() ? "neither a config nor --cache is given" : "both a config and --cache are given",
                "give the config whose cache is meant, or --cache DIR");
  }
  fs::path root = cache.empty() ? fs::path(config.Read().cache.dir) : fs::absolute(cache);
  boost::system::error_code ignored;
  if (!cache.empty() && !fs::is_directory(root, ignored)) {
    throw Error(ErrorCode::kInput, "there is no such folder", "check the spelling", {root.string()});
  }
  RequireCache(root);
  return root;
}

void DeclareSelection(const CommandLine& line, RunRequest& request) {
  const Argument from =
      line.Value("--from", request.from, "Compute only this step and what follows; the rest must be cached")
          .Named("STEP");
  const Argument until = line.Value("--until", request.until, "End with this step").Named("STEP");
  line.Value("--only", request.only, "Compute only this step; what it reads must be cached")
      .Named("STEP")
      .Excludes(from)
      .Excludes(until);
  line.Value("--force", request.force, "Compute this step again and compare with what is cached (repeatable)")
      .Named("STEP")
      .Repeatable();
  line.Flag("--force-all", request.force_all, "The same for all steps");
}

Plan PlanWithoutRunning(const Config& config, const ArtifactStore& store) {
  QuietProgress progress;
  return Planner(store, {}, progress).Make({{"", config}});
}

ArtifactStore QuietStore(const fs::path& root) {
  return {root, [](const std::string&) {}};
}

}  // namespace flyscribe
