// flyscribe standardise: image files as 320x128 embryos, with what was found in each; scored where the truth is known.
#include "imaging/standardise.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>

#include "core/error.h"
#include "core/file.h"
#include "core/parallel.h"
#include "core/text.h"
#include "corpus/image_files.h"
#include "data/skipped.h"
#include "imaging/find_embryo.h"
#include "imaging/image_file.h"
#include "imaging/pose_score.h"
#include "pipeline/arguments/arguments.h"
#include "pipeline/arguments/command_line.h"
#include "pipeline/command.h"
#include "pipeline/commands/result_folder.h"
#include "pipeline/corpus/corpus_source.h"
#include "pipeline/corpus/standardise_file.h"
#include "pipeline/terminal/console.h"
#include "pipeline/terminal/process.h"

namespace flyscribe {
namespace {

struct StandardiseArguments {
  std::vector<std::string> images;
  std::string output;
  std::string poses;
  bool debug_images = false;
  CommonArguments common;
  OptionArguments options;
};

// What became of all files.
struct Findings {
  std::vector<ImageQuality> qualities;  // of usable ones
  std::vector<Skipped> skipped;
};

// Adds the files below a folder; what has an image's name but cannot be used is listed.
void AddFolder(const fs::path& folder,
               const Progress& progress,
               std::vector<fs::path>& files,
               std::vector<Skipped>& skipped) {
  const std::vector<fs::path> folders = {folder};
  const ImageFiles found = FindImageFiles(folders, PixelsOf, ImageNumber, progress);
  for (const ImageFile& file : found.all) files.push_back(folder / file.file);
  skipped.insert(skipped.end(), found.problems.begin(), found.problems.end());
}

void RequireExists(const fs::path& file) {
  boost::system::error_code error;
  if (fs::exists(file, error)) return;
  throw Error(ErrorCode::kInput, "no such image file or folder", "check the spelling of --images", {file.string()});
}

// The files by name, which names what is written. Two of one name are refused: one would replace the other.
std::map<std::string, fs::path> ImagesByName(const std::vector<std::string>& arguments,
                                             const Progress& progress,
                                             std::vector<Skipped>& skipped) {
  std::vector<fs::path> files;
  for (const std::string& argument : arguments) {
    RequireExists(argument);
    if (fs::is_directory(argument)) {
      AddFolder(argument, progress, files, skipped);
    } else {
      files.emplace_back(argument);
    }
  }
  std::map<std::string, fs::path> named;
  for (const fs::path& file : files) {
    const auto [other, is_new] = named.emplace(file.stem().string(), file);
    if (is_new || other->second == file) continue;
    throw Error(ErrorCode::kUsage,
                "two images have the same name",
                "the other one is " + other->second.string() + "; give them to two calls with two --output folders",
                {file.string()});
  }
  if (named.empty()) ThrowNoImageFile(Join(arguments, ", "));
  return named;
}

// Takes the files one by one, writes their pictures and keeps only what the tables need.
class FileStandardiser {
 public:
  FileStandardiser(const StandardiseArguments& arguments, const StandardiseOptions& options)
      : arguments_(arguments), options_(options), output_(arguments.output) {}

  // Adds to the findings.
  void Run(const std::map<std::string, fs::path>& images, Progress& progress, Findings& findings) const {
    const std::vector<std::pair<std::string, fs::path>> files(images.begin(), images.end());
    CreateFolder(output_ / "images");
    if (arguments_.debug_images) CreateFolder(output_ / "debug");
    progress.Begin(files.size(), "images");
    const auto make = [&](std::size_t i) {
      progress.ThrowIfStopped();
      PhotoTrace trace;
      Said said = StandardiseFile(files[i].second, {}, options_, arguments_.debug_images ? &trace : nullptr);
      if (arguments_.debug_images) WritePicture("debug", files[i].first, TracePicture(trace, said));
      const auto* found = std::get_if<Standardised>(&said);
      if (found != nullptr && WhyDropped(found->quality, options_).empty()) {
        WritePicture("images", files[i].first, EncodePng(found->image));
      }
      progress.Advance();
      return said;
    };
    ParallelInOrder(arguments_.common.Threads(), files.size(), make, [&](std::size_t i, const Said& said) {
      Note(files[i].first, files[i].second, said, findings);
    });
  }

 private:
  using Said = std::variant<Standardised, Error>;

  void WritePicture(const std::string& folder, const std::string& name, const std::string& png) const {
    WriteFile(output_ / folder / (name + ".png"), png, Durability::kUnsynced);
  }

  void Note(const std::string& name, const fs::path& file, const Said& said, Findings& findings) const {
    if (const Error* problem = std::get_if<Error>(&said)) {
      findings.skipped.push_back({file.string(), problem->diagnostics().front().message, true});
      return;
    }
    ImageQuality quality = std::get<Standardised>(said).quality;
    quality.image = name;
    const std::string why_dropped = WhyDropped(quality, options_);
    if (!why_dropped.empty()) findings.skipped.push_back({file.string(), why_dropped, false});
    findings.qualities.push_back(std::move(quality));
  }

  const StandardiseArguments& arguments_;
  const StandardiseOptions& options_;
  fs::path output_;
};

std::string SummaryText(const Findings& findings, const std::string& output) {
  std::array<std::size_t, 3> ways{};
  std::size_t doubtful = 0;
  for (const ImageQuality& quality : findings.qualities) {
    ++ways[static_cast<std::size_t>(quality.way)];
    doubtful += quality.IsDoubtful() ? 1U : 0U;
  }
  const auto faults = std::count_if(
      findings.skipped.begin(), findings.skipped.end(), [](const Skipped& skipped) { return skipped.fault; });
  return fmt::format(
      "{} passed as they are, {} enlarged, {} found in photographs ({} of them doubtful), {} unusable\n"
      "written to {}\n",
      ways[0],
      ways[1],
      ways[2],
      doubtful,
      faults,
      output);
}

std::string Share(std::size_t count, std::size_t all) {
  return fmt::format("{} of {} ({:.1f} %)",
                     count,
                     all,
                     all == 0 ? 0.0 : 100.0 * static_cast<double>(count) / static_cast<double>(all));
}

std::string ScoreText(const PoseScore& score) {
  const std::size_t wrong = score.scored - score.right;
  return fmt::format(
      "known poses: {} within 4 px, 3 degrees and 5 % of the axes (at 320x128)\n"
      "  doubtful: {} of the wrong ones, {} of the right ones; end for end: {} of the right ones\n",
      Share(score.right, score.scored),
      Share(score.wrong_and_doubtful, wrong),
      Share(score.right_and_doubtful, score.right),
      Share(score.swapped, score.right));
}

int StandardiseFiles(const StandardiseArguments& arguments) {
  const Config config = arguments.options.Read(arguments.common.overrides, "standardise");
  const std::vector<KnownPose> known = arguments.poses.empty() ? std::vector<KnownPose>{} : LoadPoses(arguments.poses);
  Findings findings;
  Console console(DetectConsoleStyle(arguments.common.quiet));
  const std::map<std::string, fs::path> images = ImagesByName(arguments.images, console, findings.skipped);
  RequireEmptyFolder(arguments.output, "choose another one: nothing is replaced here");
  console.StartStep("standardise");
  FileStandardiser(arguments, config.standardise).Run(images, console, findings);
  SaveQuality(arguments.output, findings.qualities);
  SaveSkipped(arguments.output, findings.skipped);
  console.StartStep("");
  if (!arguments.common.quiet) {
    PrintResult(SummaryText(findings, arguments.output));
    if (!known.empty()) PrintResult(ScoreText(ScorePoses(findings.qualities, known)));
  }
  const bool any_fault = std::any_of(
      findings.skipped.begin(), findings.skipped.end(), [](const Skipped& skipped) { return skipped.fault; });
  return any_fault ? kExitSkipped : 0;
}

}  // namespace

Command StandardiseCommand() {
  return {"standardise", "Cut embryos out of photographs, and show how", [](const CommandLine& line) {
            auto arguments = std::make_shared<StandardiseArguments>();
            line.Value("--images", arguments->images, "Image files, or folders of them").Required();
            line.Value("--output,-o", arguments->output, "New or empty folder to write to").Required();
            line.Flag("--debug-images", arguments->debug_images, "Also show every decision as a picture, in debug/");
            line.Value("--poses", arguments->poses, "Known poses to score by: poses.tsv of simulated photographs");
            DeclareCommonArguments(line, "min_confidence=0.7", arguments->common);
            return [arguments] { return StandardiseFiles(*arguments); };
          }};
}

}  // namespace flyscribe
