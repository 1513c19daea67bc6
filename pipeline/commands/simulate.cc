// flyscribe simulate --output DIR: synthetic embryos with BDGP-shaped tables, as files to keep.
#include "simulate/simulate.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>

#include "core/file.h"
#include "pipeline/command.h"
#include "pipeline/config/config.h"
#include "pipeline/console.h"

namespace flyscribe {
namespace {

struct SimulateArguments {
  std::string output;
  std::vector<std::string> ranges = {"4-6"};
  std::vector<std::string> overrides;
  int threads = 0;
  bool quiet = false;
};

// The overrides are checked as the simulate section of a config would be.
Config ReadArguments(const SimulateArguments& arguments) {
  ConfigNode root = ParseConfigText("simulate:\n", "simulate", fs::current_path());
  for (const std::string& argument : arguments.overrides) ApplyOverride(root, "simulate." + argument);
  std::string ranges;
  for (const std::string& range : arguments.ranges) ranges += (ranges.empty() ? "" : ", ") + range;
  ApplyOverride(root, "ranges=[" + ranges + "]");
  return ReadConfigTree(root, "simulate");
}

void RequireEmptyFolder(const fs::path& folder) {
  RequireWritableFolder(folder);
  if (!fs::is_empty(folder)) {
    throw Error(ErrorCode::kUsage,
                "the output folder is not empty",
                "choose another one: simulated files never replace others",
                {folder.string()});
  }
}

// The folder was empty before, and is again after a failure: the same command can then be given again.
SimulateSummary SimulateOrClear(const Config& config, const SimulateArguments& arguments, Progress& progress) {
  try {
    return flyscribe::Simulate(config.simulate, config.StageRanges(), arguments.output, arguments.threads, progress);
  } catch (...) {
    boost::system::error_code ignored;
    for (const fs::directory_entry& entry : fs::directory_iterator(arguments.output, ignored)) {
      fs::remove_all(entry.path(), ignored);
    }
    throw;
  }
}

int Simulate(const SimulateArguments& arguments) {
  const Config config = ReadArguments(arguments);
  RequireEmptyFolder(arguments.output);
  Console console(DetectConsoleStyle(arguments.quiet));
  console.StartStep("simulate");
  const SimulateSummary summary = SimulateOrClear(config, arguments, console);
  if (!arguments.quiet) {
    PrintResult(fmt::format("{} images of {} genes in {} bags, written to {}\n",
                            summary.images,
                            summary.genes,
                            summary.bags,
                            arguments.output));
  }
  return 0;
}

}  // namespace

Command SimulateCommand() {
  return {"simulate", "Make synthetic embryos with BDGP-shaped tables", [](CLI::App& app) {
            auto arguments = std::make_shared<SimulateArguments>();
            app.add_option("--output,-o", arguments->output, "New or empty folder to write to")->required();
            app.add_option("--ranges", arguments->ranges, "Stage ranges")->delimiter(',')->capture_default_str();
            app.add_option("--set", arguments->overrides, "Override an option: --set genes=100 (repeatable)")
                ->type_name("KEY=VALUE")
                ->expected(1)
                ->take_all();
            app.add_option("--threads", arguments->threads, "Worker threads; 0 means one per core")
                ->check(CLI::Range(0, 1024));
            app.add_flag("--quiet,-q", arguments->quiet, "Print only warnings and errors");
            return [arguments] { return Simulate(*arguments); };
          }};
}

}  // namespace flyscribe
