// flyscribe evidence FOLDER --bag B --term T --output FILE.png: where in the embryo a term's evidence lies, as a
// picture drawn from what `flyscribe annotate` kept.
#include <fmt/core.h>

#include <memory>

#include "core/error.h"
#include "core/file.h"
#include "pipeline/annotate/kept_evidence.h"
#include "pipeline/arguments/command_line.h"
#include "pipeline/command.h"
#include "pipeline/terminal/console.h"

namespace flyscribe {
namespace {

struct EvidenceArguments {
  std::string folder;
  HeatMapRequest request;
  std::string output;
  bool force = false;
};

// What must not be replaced is told before anything is drawn.
void RequireFree(const std::string& output, bool force) {
  const auto refuse = [&output](const std::string& message, const std::string& hint) {
    throw Error(ErrorCode::kUsage, message, hint, {"--output " + output});
  };
  boost::system::error_code ignored;
  if (fs::is_directory(output, ignored)) refuse("a folder is there", "name a file, such as map.png");
  if (!IsTaken(output)) return;
  if (!force) refuse("there is a file of this name already", "give another name, or --force to replace it");
  if (!ReadFile(output).starts_with("\x89PNG")) {
    refuse("the file of this name is no PNG", "give another name: --force replaces PNG files only");
  }
}

int DrawEvidence(const EvidenceArguments& arguments) {
  RequireFree(arguments.output, arguments.force);
  const KeptHeatMap map = DrawKeptEvidence(arguments.folder, arguments.request);
  WriteFileAtomically(arguments.output, map.png);
  PrintResult(fmt::format("{} in {}, {}: decision value {:.3g} by {} windows, those of image {} drawn\n{}\n",
                          arguments.request.term,
                          arguments.request.bag,
                          map.range,
                          map.decision_value,
                          map.windows,
                          map.image,
                          arguments.output));
  return 0;
}

}  // namespace

Command EvidenceCommand() {
  return {"evidence", "Draw where in the embryo a term's evidence lies, as a PNG", [](const CommandLine& line) {
            auto arguments = std::make_shared<EvidenceArguments>();
            HeatMapRequest& request = arguments->request;
            line.Value("folder", arguments->folder, "Output folder of `flyscribe annotate`").Required();
            line.Value("--bag", request.bag, "Bag, as in the column bag_id of predictions.tsv").Required();
            line.Value("--term", request.term, "Term, as in the column term").Required();
            line.Value("--range", request.range, "Stage range, where the bag has several");
            line.Value("--image", request.image, "Id of the image to draw over [that of the window that adds most]");
            line.Value("--output,-o", arguments->output, "PNG file to write").Required();
            line.Flag("--force", arguments->force, "Replace the file if it is there");
            return [arguments] { return DrawEvidence(*arguments); };
          }};
}

}  // namespace flyscribe
