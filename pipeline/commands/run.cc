// flyscribe run CONFIG: one config from images to report, computing only what is not cached.
#include <CLI/CLI.hpp>
#include <chrono>

#include "core/file.h"
#include "pipeline/command.h"
#include "pipeline/commands/arguments.h"
#include "pipeline/run_record.h"
#include "pipeline/runner.h"

namespace flyscribe {
namespace {

constexpr int kExitSkipped = 3;

struct RunArguments {
  std::string config;
  CommonArguments common;
};

Config ReadArguments(const RunArguments& arguments) {
  std::vector<std::string> overrides = arguments.common.overrides;
  if (arguments.common.threads >= 0) overrides.push_back("threads=" + std::to_string(arguments.common.threads));
  return ReadConfig(arguments.config, overrides);
}

std::string CommandLine(const RunArguments& arguments) {
  std::string command = "flyscribe run " + arguments.config;
  for (const std::string& argument : arguments.common.overrides) command += " --set '" + argument + "'";
  if (arguments.common.threads >= 0) command += " --threads " + std::to_string(arguments.common.threads);
  return command;
}

int Run(const RunArguments& arguments) {
  const auto start = std::chrono::steady_clock::now();
  const Config config = ReadArguments(arguments);
  // Fail in the first second, not the last.
  RequireWritableFolder(config.run.output);
  fs::remove(fs::path(config.run.output) / "run.json");  // a run that fails leaves no old success behind
  Console console(DetectConsoleStyle(arguments.common.quiet));
  const RunOutcome outcome = Runner(config, console).Run();
  const double wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  RunRecord record{config, outcome, CommandLine(arguments), CollectFaults(outcome), ResourcesSinceStart(wall), 0};
  if (!record.faults.empty()) record.exit_code = kExitSkipped;
  WriteOutputs(record);
  if (!arguments.common.quiet) PrintResult(ScoreTable(outcome) + ClosingBlock(record));
  return record.exit_code;
}

}  // namespace

Command RunCommand() {
  return {"run", "Run a config: images in, scored and explained annotations out", [](CLI::App& app) {
            auto arguments = std::make_shared<RunArguments>();
            app.add_option("config", arguments->config, "YAML config, such as configs/quickstart.yaml")->required();
            DeclareCommonArguments(app, "learn.lambda=0.12", arguments->common);
            return [arguments] { return Run(*arguments); };
          }};
}

}  // namespace flyscribe
