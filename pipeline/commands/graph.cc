// flyscribe graph CONFIG --dot | --mermaid: the steps of a config as a picture, coloured by how they stand.
#include <memory>

#include "pipeline/arguments/command_line.h"
#include "pipeline/arguments/config_arguments.h"
#include "pipeline/command.h"
#include "pipeline/explain/status.h"
#include "pipeline/terminal/console.h"
#include "report/step_graph.h"

namespace flyscribe {
namespace {

struct GraphArguments {
  ConfigArguments config;
  bool dot = false;
  bool mermaid = false;
};

int RunGraphCommand(const GraphArguments& arguments) {
  const Config config = arguments.config.Read();
  const ArtifactStore store = QuietStore(config.cache.dir);
  const Plan plan = PlanWithoutRunning(config, store);
  std::vector<StepGraphNode> nodes;
  for (const LoggedStep& step : StatusOf(plan, store, ListRuns(store.root()))) {
    nodes.push_back({step.range, step.part, step.step, step.state, step.remark, step.inputs});
  }
  PrintResult(arguments.mermaid ? StepGraphMermaid(nodes) : StepGraphDot(nodes));
  return 0;
}

}  // namespace

Command GraphCommand() {
  return {"graph", "Draw the steps of a config, coloured by how they stand", [](const CommandLine& line) {
            auto arguments = std::make_shared<GraphArguments>();
            DeclareConfigArguments(line, arguments->config);
            const Argument dot =
                line.Flag("--dot", arguments->dot, "For Graphviz: flyscribe graph C --dot | dot -Tsvg (default)");
            line.Flag("--mermaid", arguments->mermaid, "For Mermaid").Excludes(dot);
            return [arguments] { return RunGraphCommand(*arguments); };
          }};
}

}  // namespace flyscribe
