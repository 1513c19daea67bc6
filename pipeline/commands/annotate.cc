// flyscribe annotate: a model and new images in; predictions, evidence, a table to hand back and a gallery out.
#include "pipeline/annotate/annotate.h"

#include <fmt/core.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/progress.h"
#include "core/text.h"
#include "data/tables.h"
#include "pipeline/arguments/command_line.h"
#include "pipeline/command.h"
#include "pipeline/terminal/console.h"
#include "pipeline/terminal/process.h"

namespace flyscribe {
namespace {

struct AnnotateArguments {
  std::string model;
  std::string images;
  std::vector<std::string> image_folders;
  std::string range;
  std::vector<std::string> views;
  std::string blank_view = "keep";
  std::string on_bad_image = "skip";
  std::string evidence = "calls";
  std::string maps = "none";
  std::string output;
  int threads = 0;
  bool force = false;
  bool quiet = false;
  bool json = false;
};

void RequireExists(const std::string& path, const std::string& argument) {
  boost::system::error_code ignored;
  if (fs::exists(path, ignored)) return;
  throw Error(ErrorCode::kInput, "there is no such file or folder", "check what " + argument + " names", {path});
}

// All that are searched for images: a table's own folder is not.
std::vector<fs::path> FoldersOf(const AnnotateArguments& arguments) {
  std::vector<fs::path> folders(arguments.image_folders.begin(), arguments.image_folders.end());
  boost::system::error_code ignored;
  if (fs::is_directory(arguments.images, ignored)) folders.emplace_back(arguments.images);
  return folders;
}

// Those the model was trained on, unless others are asked for; "all" for any.
std::vector<std::string> ViewsOf(const AnnotateArguments& arguments, const Model& model) {
  if (arguments.views.empty()) return model.options.ingest.views;
  return arguments.views == std::vector<std::string>{"all"} ? std::vector<std::string>() : arguments.views;
}

NewBagOptions BagOptions(const AnnotateArguments& arguments, const Model& model) {
  NewBagOptions options;
  options.images = arguments.images;
  options.image_folders.assign(arguments.image_folders.begin(), arguments.image_folders.end());
  if (!arguments.range.empty()) options.range = StageRange::FromName(arguments.range);
  for (const RangeModel& range : model.ranges) options.known_ranges.push_back(range.range);
  options.views = ViewsOf(arguments, model);
  options.keep_blank_view = arguments.blank_view == "keep";
  options.fail_on_bad_image = arguments.on_bad_image == "fail";
  options.threads = arguments.threads;
  return options;
}

AnnotateRun RunOf(const AnnotateArguments& arguments) {
  AnnotateRun run;
  const auto terms_of = [](const std::string& word) {
    return word == "all" ? EvidenceOf::kAll : word == "none" ? EvidenceOf::kNone : EvidenceOf::kCalls;
  };
  run.options.evidence = terms_of(arguments.evidence);
  run.maps = terms_of(arguments.maps);
  if (run.maps > run.options.evidence) {
    throw Error(ErrorCode::kUsage,
                "heat maps are drawn from evidence, which is not kept of all these terms",
                fmt::format("give --evidence {} too", arguments.maps),
                {"--maps " + arguments.maps});
  }
  run.options.fail_on_bad_image = arguments.on_bad_image == "fail";
  run.threads = arguments.threads;
  run.force = arguments.force;
  return run;
}

std::string SummaryText(const AnnotateOutcome& outcome, const fs::path& output, double seconds) {
  const AnnotationCounts& counts = outcome.counts;
  std::string text = fmt::format("{} bags of {} images annotated, {} calls", counts.bags, counts.images, counts.calls);
  if (counts.out_of_fold > 0) text += fmt::format("; {} bags of genes trained on, out of fold", counts.out_of_fold);
  text += "\n";
  for (const auto& [reason, count] : counts.skipped) text += fmt::format("  left out: {:>7}  {}\n", count, reason);
  if (outcome.was_finished) {
    text += "nothing to do: the folder holds these annotations already\n";
  } else if (outcome.annotated_now > 0 && seconds > 0.0) {
    text += fmt::format(
        "{}, {:.1f} images/s\n", HumanSeconds(seconds), static_cast<double>(outcome.annotated_now) / seconds);
  }
  return text + "gallery: " + (output / "index.html").string() + "\n";
}

std::string SummaryJson(const AnnotateOutcome& outcome, const Model& model, const fs::path& output, double seconds) {
  const AnnotationCounts& counts = outcome.counts;
  nlohmann::ordered_json json = {{"model_id", model.id},
                                 {"output", output.string()},
                                 {"index", (output / "index.html").string()},
                                 {"bags", counts.bags},
                                 {"images", counts.images},
                                 {"calls", counts.calls},
                                 {"out_of_fold_bags", counts.out_of_fold},
                                 {"faults", counts.faults},
                                 {"skipped", counts.skipped},
                                 {"was_finished", outcome.was_finished},
                                 {"images_now", outcome.annotated_now},
                                 {"seconds", seconds}};
  return JsonLines(json);
}

int AnnotateImages(const AnnotateArguments& arguments) {
  AnnotateRun run = RunOf(arguments);
  RequireExists(arguments.model, "--model");
  RequireExists(arguments.images, "--images");
  RequireOutside(arguments.output, FoldersOf(arguments));
  AnnotationFolder folder(arguments.output);
  Console console(DetectConsoleStyle(arguments.quiet));
  console.StartStep("load model");
  const Model model = LoadModel(arguments.model, folder.EmptyScratch());
  console.StartStep("find images");
  const NewBags inputs = FindNewBags(BagOptions(arguments, model), console);
  console.StartStep("annotate");
  run.facts = {{"Model", model.id},
               {"Images", fs::path(arguments.images).lexically_normal().filename().string()},
               {"flyscribe", Version()}};
  const double start = SecondsNow();
  const AnnotateOutcome outcome = Annotate(model, inputs, run, folder, console);
  const double seconds = SecondsNow() - start;
  console.StartStep("");
  if (arguments.json) {
    PrintResult(SummaryJson(outcome, model, arguments.output, seconds));
  } else if (!arguments.quiet) {
    PrintResult(SummaryText(outcome, arguments.output, seconds));
  }
  return outcome.counts.faults > 0 ? kExitSkipped : 0;
}

void Declare(const CommandLine& line, AnnotateArguments& arguments) {
  line.Value("--model,-m", arguments.model, "Model bundle, as `flyscribe export` writes it").Required();
  line.Value("--images,-i",
             arguments.images,
             "Folder of images (<gene>/<stage range>/<image>, or single images with --range), or a table of them")
      .Required();
  line.Value("--image-dir", arguments.image_folders, "Folder where a table's files lie; may be given several times");
  line.Value(
      "--range",
      arguments.range,
      "Stage range of single images; of a table or tree, only these rows, the others being faults (exit code 3)");
  line.Value("--views", arguments.views, "Views to take, as the table names them, or all [those trained on]")
      .SplitAt(',');
  line.Value("--blank-view", arguments.blank_view, "Images whose view is not said: keep or drop [keep]")
      .OneOf({"keep", "drop"});
  line.Value("--on-bad-image", arguments.on_bad_image, "Images that cannot be used: skip or fail [skip]")
      .OneOf({"skip", "fail"});
  line.Value("--evidence",
             arguments.evidence,
             "Terms of which is kept what every window adds, for heat maps: calls (and the 3 most probable), all, none "
             "[calls]")
      .OneOf({"calls", "all", "none"});
  line.Value("--maps",
             arguments.maps,
             "Terms whose heat maps are also written as PNG files: none, calls (and the 3 most probable), all. The "
             "gallery draws them without files; `flyscribe evidence` writes one later [none]")
      .OneOf({"none", "calls", "all"});
  line.Value("--output,-o", arguments.output, "Folder to write to; an interrupted run there is gone on with")
      .Required();
  line.Value("--threads", arguments.threads, "Worker threads; 0 means one per core").Between(0, 1024);
  line.Flag("--force", arguments.force, "Replace annotations of another model or other images in the folder");
  line.Flag("--json", arguments.json, "Print the summary as JSON");
  line.Flag("--quiet,-q", arguments.quiet, "Print only warnings and errors");
}

}  // namespace

Command AnnotateCommand() {
  return {"annotate", "Annotate new images with a model: predictions, evidence, gallery", [](const CommandLine& line) {
            auto arguments = std::make_shared<AnnotateArguments>();
            Declare(line, *arguments);
            return [arguments] { return AnnotateImages(*arguments); };
          }};
}

}  // namespace flyscribe
