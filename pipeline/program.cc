#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <exception>
#include <new>

#include "core/error.h"
#include "core/fs.h"
#include "core/text.h"
#include "pipeline/command.h"
#include "pipeline/terminal/console.h"
#include "pipeline/terminal/process.h"

namespace flyscribe {
namespace {

constexpr const char* kFooter =
    "Exit codes: 0 done; 1 internal error; 2 work to do (with --exit-code); 3 done, some inputs skipped;\n"
    "4 usage or configuration; 5 input missing or unreadable; 6 corrupt artifact or file; 7 in use by\n"
    "another process; 8 disk full or not writable; 9 a check of `reproduce --strict` failed;\n"
    "130/143 interrupted.\n"
    "Start with `flyscribe run configs/quickstart.yaml`, or from your own matrix, without images, with\n"
    "`flyscribe learn --input X.npy --atoms 500 --output DIR` (docs/sparse-coding.md).";

// Says what was thrown.
void Report(const std::exception_ptr& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const Error& error) {
    WriteToError(std::string(error.what()) + "\n");
  } catch (const fs::filesystem_error& error) {
    WriteToError(
        fmt::format("error: {}\n  hint: was a folder removed or its access changed meanwhile?\n", error.what()));
  } catch (const std::bad_alloc&) {
    WriteToError("error: out of memory\n  hint: use fewer patches, fewer atoms or a larger machine\n");
  } catch (const std::exception& error) {
    WriteToError(fmt::format("error: {}\n  hint: this is a bug in flyscribe; please report it\n", error.what()));
  }
}

// Runs `body` and turns what it throws into a message and an exit code.
int Guarded(const std::function<int()>& body) {
  try {
    return body();
  } catch (...) {
    Report(std::current_exception());
    return ExitCodeOf(std::current_exception());
  }
}

// CLI11 only says that a command is required; name the word that is none.
void RequireKnownCommand(int argc, const char* const* argv, const std::vector<Command>& commands) {
  if (argc < 2 || argv[1][0] == '-') return;
  std::vector<std::string> names;
  for (const Command& command : commands) names.push_back(command.name);
  if (std::count(names.begin(), names.end(), argv[1]) > 0) return;
  const auto nearest = Nearest(argv[1], names);
  throw Error(ErrorCode::kUsage,
              "unknown command '" + std::string(argv[1]) + "'",
              (nearest ? "did you mean '" + *nearest + "'? " : "") + "commands: " + Join(names, ", "));
}

}  // namespace

int RunProgram(int argc, const char* const* argv) {
  CatchStopSignals();
  const std::vector<Command> commands = {
      RunCommand(),         PlanCommand(),    WhyCommand(),     StatusCommand(),    RunsCommand(),
      GraphCommand(),       CacheCommand(),   DataCommand(),    ReproduceCommand(), SimulateCommand(),
      StandardiseCommand(), LearnCommand(),   EncodeCommand(),  ExportCommand(),    AnnotateCommand(),
      ReviewCommand(),      InspectCommand(), CompareCommand(), OntologyCommand(),  DefaultsCommand()};
  CLI::App app("Annotates Drosophila gene-expression images by stochastic coordinate coding.", "flyscribe");
  app.set_version_flag("--version", "flyscribe " + Version());
  app.require_subcommand(1);
  app.footer(kFooter);
  std::function<int()> chosen;
  for (const Command& command : commands) {
    CLI::App* subcommand = app.add_subcommand(command.name, command.summary);
    subcommand->callback([&chosen, run = command.declare(*subcommand)] { chosen = run; });
  }
  try {
    RequireKnownCommand(argc, argv, commands);
    app.parse(argc, argv);
  } catch (const CLI::Success& help) {
    return app.exit(help);  // --help, --version
  } catch (const Error& error) {
    WriteToError(std::string(error.what()) + "\n");
    return static_cast<int>(error.code());
  } catch (const CLI::ParseError& error) {
    WriteToError(fmt::format(
        "error: {}\n  hint: `flyscribe --help` lists the commands, `flyscribe COMMAND --help` the options of one\n",
        error.what()));
    return static_cast<int>(ErrorCode::kUsage);
  }
  return Guarded(chosen);
}

}  // namespace flyscribe
