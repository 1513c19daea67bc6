#include "pipeline/arguments/config_arguments.h"

#include <CLI/CLI.hpp>

#include "core/error.h"
#include "pipeline/terminal/process.h"

namespace flyscribe {
namespace {

void DeclareSet(CLI::App& app, std::vector<std::string>& overrides) {
  app.add_option("--set", overrides, "Set any option: --set learn.lambda=0.12 (repeatable)")
      ->type_name("KEY=VALUE")
      ->expected(1)
      ->allow_extra_args(false)
      ->take_all();
}

// Stops when the user asks, reports nothing.
class QuietProgress : public Progress {
 public:
  bool StopRequested() const override { return StopSignal() != 0; }
};

}  // namespace

Config ConfigArguments::Read() const { return ReadConfig(config, overrides); }

void DeclareConfigArguments(CLI::App& app, ConfigArguments& arguments) {
  app.add_option("config", arguments.config, "YAML config, such as configs/quickstart.yaml")->required();
  DeclareSet(app, arguments.overrides);
}

void DeclareCacheArguments(CLI::App& app, CacheArguments& arguments) {
  app.add_option("config", arguments.config.config, "YAML config whose cache is meant");
  app.add_option("--cache", arguments.cache, "The cache's folder, instead of a config")->type_name("DIR");
  DeclareSet(app, arguments.config.overrides);
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

void DeclareSelection(CLI::App& app, RunRequest& request) {
  auto* from =
      app.add_option("--from", request.from, "Compute only this step and what follows; the rest must be cached")
          ->type_name("STEP");
  auto* until = app.add_option("--until", request.until, "End with this step")->type_name("STEP");
  app.add_option("--only", request.only, "Compute only this step; what it reads must be cached")
      ->type_name("STEP")
      ->excludes(from)
      ->excludes(until);
  app.add_option("--force", request.force, "Compute this step again and compare with what is cached (repeatable)")
      ->type_name("STEP")
      ->expected(1)
      ->allow_extra_args(false)
      ->take_all();
  app.add_flag("--force-all", request.force_all, "The same for all steps");
}

Plan PlanWithoutRunning(const Config& config, const ArtifactStore& store) {
  QuietProgress progress;
  return Planner(store, {}, progress).Make({{"", config}});
}

ArtifactStore QuietStore(const fs::path& root) {
  return {root, [](const std::string&) {}};
}

}  // namespace flyscribe
