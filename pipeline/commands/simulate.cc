// flyscribe simulate --output DIR: synthetic embryos with BDGP-shaped tables, as files to keep.
#include "simulate/simulate.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>

#include "core/file.h"
#include "pipeline/command.h"
#include "pipeline/commands/arguments.h"
#include "pipeline/config/config.h"
#include "pipeline/console.h"

namespace flyscribe {
namespace {

struct SimulateArguments {
  std::string output;
  std::vector<std::string> ranges = {"4-6"};
  CommonArguments common;
};

// The overrides are checked as the simulate section of a config would be.
Config ReadArguments(const SimulateArguments& arguments) {
  ConfigNode root = ParseConfigText("simulate:\n", "simulate", fs::current_path());
  for (const std::string& argument : arguments.common.overrides) ApplyOverride(root, "simulate." + argument);
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
    return flyscribe::Simulate(
        config.simulate, config.StageRanges(), arguments.output, arguments.common.Threads(), progress);
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
  Console console(DetectConsoleStyle(arguments.common.quiet));
  console.StartStep("simulate");
  const SimulateSummary summary = SimulateOrClear(config, arguments, console);
  if (!arguments.common.quiet) {
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
            DeclareCommonArguments(app, "genes=100", arguments->common);
            return [arguments] { return Simulate(*arguments); };
          }};
}

}  // namespace flyscribe
