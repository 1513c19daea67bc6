// flyscribe simulate --output DIR: synthetic embryos with BDGP-shaped tables, as files to keep. With --patches-like
// paper: normalised descriptors in the paper's numbers, without the embryos.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "core/file.h"
#include "core/text.h"
#include "pipeline/arguments/arguments.h"
#include "pipeline/arguments/command_line.h"
#include "pipeline/command.h"
#include "pipeline/commands/result_folder.h"
#include "pipeline/config/config.h"
#include "pipeline/corpus/corpus_source.h"
#include "pipeline/paper/patches.h"
#include "pipeline/paper/published.h"
#include "pipeline/terminal/console.h"

namespace flyscribe {
namespace {

struct SimulateArguments {
  std::string output;
  std::vector<std::string> ranges;
  std::string patches_like;
  double scale = 1.0;
  CommonArguments common;

  std::vector<std::string> Ranges() const {
    if (!ranges.empty()) return ranges;
    return patches_like.empty() ? std::vector<std::string>{"4-6"} : PublishedRanges();
  }
};

// The overrides are checked as the simulate section of a config would be.
Config ReadArguments(const SimulateArguments& arguments) {
  ConfigNode root = ParseConfigText("simulate:\n", "simulate", fs::current_path());
  for (const std::string& argument : arguments.common.overrides) ApplyOverride(root, "simulate." + argument);
  ApplyOverride(root, "ranges=[" + Join(arguments.Ranges(), ", ") + "]");
  return ReadConfigTree(root, "simulate");
}

// The folder was empty before, and is again after a failure: the same command can then be given again.
template <class Body>
auto OrClear(const SimulateArguments& arguments, const Body& body) {
  try {
    return body();
  } catch (...) {
    boost::system::error_code ignored;
    for (const fs::directory_entry& entry : fs::directory_iterator(arguments.output, ignored)) {
      fs::remove_all(entry.path(), ignored);
    }
    throw;
  }
}

// One folder for each range, with descriptors.npy for `learn` and `encode`.
int SimulatePatches(const SimulateArguments& arguments, Config config) {
  config.extract.window_function = ExtractOptions::WindowFunction::kFlat;
  config.extract.smoothing = kPaperLikeSmoothing;
  Console console(DetectConsoleStyle(arguments.common.quiet));
  std::string text;
  for (const StageRange range : config.StageRanges()) {
    const std::size_t published = PublishedPatches(range.name());
    if (published == 0) {
      throw Error(ErrorCode::kUsage,
                  "the paper has no patches of stage range " + range.name(),
                  "its ranges are " + Join(PublishedRanges(), ", "),
                  {"--ranges " + range.name()});
    }
    const auto count =
        static_cast<std::size_t>(std::max(1.0, std::round(static_cast<double>(published) * arguments.scale)));
    const fs::path folder = fs::path(arguments.output) / range.name();
    CreateFolder(folder);
    console.StartStep("simulate " + range.name());
    const PatchesSummary summary =
        WriteSimulatedPatches(config, range, count, folder, arguments.common.Threads(), console);
    text += fmt::format("{}: {} patches of {} images, written to {}\n",
                        range.name(),
                        summary.patches,
                        summary.images,
                        (folder / "descriptors.npy").string());
  }
  if (!arguments.common.quiet) PrintResult(text);
  return 0;
}

int Simulate(const SimulateArguments& arguments) {
  // CLI::Range would let "nan" pass.
  if (!(arguments.scale >= 1e-6 && arguments.scale <= 100.0)) {
    throw Error(
        ErrorCode::kUsage, "expected a share from 0.000001 to 100", {}, {fmt::format("--scale {}", arguments.scale)});
  }
  const Config config = ReadArguments(arguments);
  RequireEmptyFolder(arguments.output, "choose another one: simulated files never replace others");
  if (!arguments.patches_like.empty()) {
    return OrClear(arguments, [&] { return SimulatePatches(arguments, config); });
  }
  Console console(DetectConsoleStyle(arguments.common.quiet));
  console.StartStep("simulate");
  const SimulateSummary summary =
      OrClear(arguments, [&] { return SimulateData(config, arguments.output, arguments.common.Threads(), console); });
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
  return {
      "simulate", "Make synthetic embryos with BDGP-shaped tables", [](const CommandLine& line) {
        auto arguments = std::make_shared<SimulateArguments>();
        line.Value("--output,-o", arguments->output, "New or empty folder to write to").Required();
        line.Value("--ranges", arguments->ranges, "Stage ranges; 4-6 if none is given, the paper's with --patches-like")
            .SplitAt(',');
        const Argument patches_like = line.Value("--patches-like",
                                                 arguments->patches_like,
                                                 "Write descriptors instead of embryos, in the numbers of: paper")
                                          .OneOf({"paper"});
        line.Value("--scale", arguments->scale, "With --patches-like: share of those numbers").Needs(patches_like);
        DeclareCommonArguments(line, "genes=100", arguments->common);
        return [arguments] { return Simulate(*arguments); };
      }};
}

}  // namespace flyscribe
