// flyscribe inspect PATH: what an artifact, a folder of results, a model or a file holds, where it comes from, and
// whether it is whole. It changes nothing.
#include "pipeline/inspect/inspect.h"

#include "core/error.h"
#include "pipeline/arguments/command_line.h"
#include "pipeline/command.h"
#include "pipeline/terminal/console.h"

namespace flyscribe {
namespace {

struct InspectArguments {
  std::string path;
  bool json = false;
};

Inspection InspectWithProgress(const fs::path& path) {
  Console console(DetectConsoleStyle(false));
  console.StartStep("inspect");
  return Inspect(path, console);
}

int RunInspect(const InspectArguments& arguments) {
  const Inspection inspection = InspectWithProgress(arguments.path);
  PrintResult(arguments.json ? inspection.json : InspectionText(inspection.json));
  return inspection.sound ? 0 : static_cast<int>(ErrorCode::kCorrupt);
}

}  // namespace

Command InspectCommand() {
  return {"inspect",
          "Explain an artifact, a folder of results, a model or a file: shapes, statistics, origin",
          [](const CommandLine& line) {
            auto arguments = std::make_shared<InspectArguments>();
            line.Value("path",
                       arguments->path,
                       "Folder of an artifact, output folder, model.tar.zst, .npy, .tsv, .json or item")
                .Required();
            line.Flag("--json", arguments->json, "As JSON, for programs");
            return [arguments] { return RunInspect(*arguments); };
          }};
}

}  // namespace flyscribe
