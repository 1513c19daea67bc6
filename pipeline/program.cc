#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <exception>
#include <new>

#include "classify/svm.h"
#include "core/error.h"
#include "core/fs.h"
#include "core/library_versions.h"
#include "core/simd.h"
#include "core/text.h"
#include "descriptors/dense_sift.h"
#include "imaging/image_file.h"
#include "pipeline/arguments/command_line.h"
#include "pipeline/command.h"
#include "pipeline/terminal/console.h"
#include "pipeline/terminal/process.h"

namespace flyscribe {
namespace {

constexpr const char* kFooter =
    "Where to start:\n"
    "  flyscribe run configs/quickstart.yaml                          simulated embryos, from images to report\n"
    "  flyscribe annotate --model M --images DIR --output OUT         new photographs, with a model\n"
    "  flyscribe learn --input X.npy --atoms 500 --output OUT         your own matrix, without images\n"
    "\n"
    "Exit codes:\n"
    "  0 done                                     5 an input is missing or unreadable\n"
    "  1 internal error                           6 a corrupt artifact or file\n"
    "  2 there is work to do (--exit-code)        7 another process is using it\n"
    "  3 done, but some inputs were skipped       8 disk full or not writable\n"
    "  4 usage or configuration                   9 a check of `reproduce --strict` failed\n"
    "  130, 143 interrupted: the same command goes on where it stopped";

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

std::string VersionText(bool verbose) {
  std::string text = "flyscribe " + Version();
  if (!verbose) return text;
  text += "\n  instruction set  " + SimdInUse() + " (of " + Join(SimdTargets(), ", ") + "), which no result depends on";
  std::vector<std::pair<std::string, std::string>> libraries = {
      {"OpenCV", ImagingLibraryVersion()}, {"VLFeat", SiftLibraryVersion()}, {"LIBSVM", SvmLibraryVersion()}};
  for (auto& library : CoreLibraryVersions()) libraries.push_back(std::move(library));
  for (const auto& [name, version] : libraries) text += fmt::format("\n  {:<15}  {}", name, version);
  return text;
}

// CLI11 only says that a command is required; name the word that is none.
void RequireKnownCommand(int argc, const char* const* argv, const std::vector<std::string>& names) {
  if (argc < 2 || argv[1][0] == '-') return;
  if (std::count(names.begin(), names.end(), argv[1]) > 0) return;
  const auto nearest = Nearest(argv[1], names);
  throw Error(ErrorCode::kUsage,
              "unknown command '" + std::string(argv[1]) + "'",
              (nearest ? "did you mean '" + *nearest + "'? " : "") + "commands: " + Join(names, ", "));
}

}  // namespace

int RunProgram(int argc, const char* const* argv) {
  CatchStopSignals();
  CatchCutFiles();
  struct Group {
    std::string title;
    std::vector<Command> commands;
  };
  const std::vector<Group> groups = {
      {"Run and understand",
       {RunCommand(),
        PlanCommand(),
        WhyCommand(),
        StatusCommand(),
        RunsCommand(),
        CompareCommand(),
        InspectCommand(),
        GraphCommand()}},
      {"Annotate and review", {ExportCommand(), AnnotateCommand(), EvidenceCommand(), ReviewCommand()}},
      {"Data", {DataCommand(), StandardiseCommand(), SimulateCommand(), OntologyCommand()}},
      {"Sparse coding", {LearnCommand(), EncodeCommand()}},
      {"The paper", {ReproduceCommand()}},
      {"Housekeeping", {CacheCommand(), DefaultsCommand()}}};
  CLI::App app("Annotates Drosophila gene-expression images by stochastic coordinate coding.", "flyscribe");
  bool verbose = false;
  CLI::Option* with_libraries =
      app.add_flag("--verbose", verbose, "With --version: also instruction sets and libraries");
  with_libraries->needs(app.set_version_flag("--version", [&verbose] { return VersionText(verbose); }));
  app.require_subcommand(1);
  std::function<int()> chosen;
  std::vector<std::string> names;
  for (const auto& [title, commands] : groups) {
    for (const Command& command : commands) {
      CLI::App* subcommand = app.add_subcommand(command.name, command.summary)->group(title);
      subcommand->callback([&chosen, run = command.declare(CommandLine(*subcommand))] { chosen = run; });
      names.push_back(command.name);
    }
  }
  app.footer(kFooter);  // after the commands, which would inherit it
  try {
    RequireKnownCommand(argc, argv, names);
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
  return Guarded([&chosen] {
    RequireFusedMultiplyAdd();
    return chosen();
  });
}

}  // namespace flyscribe
