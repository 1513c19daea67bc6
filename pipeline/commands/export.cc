// flyscribe export CONFIG --output model.tar.zst: the model trained on all bags of a config, as one file for others.
#include <fmt/core.h>

#include <memory>

#include "core/archive.h"
#include "core/error.h"
#include "core/file.h"
#include "core/progress.h"
#include "core/simd.h"
#include "core/text.h"
#include "pipeline/arguments/arguments.h"
#include "pipeline/arguments/command_line.h"
#include "pipeline/command.h"
#include "pipeline/config/describe.h"
#include "pipeline/explain/gc.h"
#include "pipeline/model/model.h"
#include "pipeline/plan/planner.h"
#include "pipeline/run/observer.h"
#include "pipeline/run/run_log.h"
#include "pipeline/run/run_record.h"
#include "pipeline/run/runner.h"
#include "pipeline/terminal/process.h"
#include "pipeline/terminal/text_table.h"

namespace flyscribe {
namespace {

struct ExportArguments {
  std::string config;
  CommonArguments common;
  std::string output;
  bool force = false;
};

std::string CommandText(const ExportArguments& arguments) {
  return "flyscribe export " + arguments.config + arguments.common.SetText() + " --output " + arguments.output;
}

// One invocation of the command.
class ExportSession {
 public:
  explicit ExportSession(const ExportArguments& arguments)
      : arguments_(arguments),
        config_(ReadConfig(arguments.config, arguments.common.AllOverrides())),
        console_(DetectConsoleStyle(arguments.common.quiet)),
        store_(config_.cache.dir, [this](const std::string& message) { everybody_.OnWarning(message); }),
        log_(Prepare(), Title()),
        everybody_({&log_, &terminal_}) {}

  int Run() {
    try {
      const int exit_code = TrainAndWrite();
      log_.End(exit_code, {}, {});
      return exit_code;
    } catch (...) {
      log_.End(ExitCodeOf(std::current_exception()), TextOf(std::current_exception()), {});
      throw;
    }
  }

 private:
  // Fails in the first second, not the last. Returns the cache's folder.
  fs::path Prepare() const {
    UseSimd(config_.run.simd);
    const fs::path output = fs::absolute(arguments_.output);
    boost::system::error_code ignored;
    if (fs::is_directory(output, ignored)) {
      throw Error(ErrorCode::kUsage, "a folder is there", "name a file, such as model.tar.zst", {arguments_.output});
    }
    if (fs::exists(output, ignored) && !arguments_.force) {
      throw Error(ErrorCode::kUsage,
                  "there is a file of this name already",
                  "give another name, or --force to replace it",
                  {arguments_.output});
    }
    if (fs::exists(output, ignored) && !LooksLikeArchive(output)) {
      throw Error(ErrorCode::kUsage,
                  "the file of this name is no model",
                  "give another name: --force replaces models only",
                  {arguments_.output});
    }
    RequireWritableFolder(output.parent_path());
    PrepareCache(store_.root());
    return store_.root();
  }

  RunTitle Title() const {
    return {config_.name,
            config_.path,
            CommandText(arguments_),
            fs::absolute(arguments_.output).string(),
            EffectiveYaml(config_, false)};
  }

  int TrainAndWrite() {
    store_.RemoveLeftovers();
    RunRequest request;
    request.also = StepsOfModel();
    request.lock_timeout = config_.cache.lock_timeout;
    Runner runner(store_, request, everybody_);
    const Plan plan = PlanRun(runner, {{"", config_}}, {.remember = true, .goal = PlanGoal::kModel}, console_);
    everybody_.OnKeys(plan);
    const auto warn = [this](const std::string& message) { everybody_.OnWarning(message); };
    MakeRoom(plan, ForecastRun(plan, store_, request), store_.root(), warn);
    const RunOutcome outcome = runner.Run(plan);
    if (outcome.error) std::rethrow_exception(outcome.error);
    WriteModel(plan.points.front(), outcome);
    if (outcome.Misses() > 0) KeepBelowLimit(plan, store_.root(), warn);
    return CollectFaults(outcome).empty() ? 0 : kExitSkipped;
  }

  void WriteModel(const PlanPoint& point, const RunOutcome& outcome) {
    console_.StartStep("writing the model");
    const Model model = ModelOfRun(point, outcome);
    console_.ThrowIfStopped();
    SaveModel(model, arguments_.output);
    console_.StartStep("");
    for (const RangeModel& range : model.ranges) {
      if (range.models.terms.empty()) console_.Warn("no term of " + range.range.name() + " could be trained");
    }
    if (!arguments_.common.quiet) PrintResult(Summary(model, CollectFaults(outcome).size()));
  }

  std::string Summary(const Model& model, std::size_t faults) const {
    std::string text = "model " + model.id + "\n";
    for (const RangeModel& range : model.ranges) {
      text += fmt::format("  {:<8} {}, {} skipped, {}, {}\n",
                          range.range.name(),
                          CountText(range.models.terms.size(), "term"),
                          range.models.skipped.size(),
                          CountText(range.genes.size(), "gene"),
                          CountText(range.dictionary.atoms.rows(), "atom"));
    }
    if (faults > 0) text += fmt::format("  skipped  {} that could not be used\n", CountText(faults, "input"));
    text += fmt::format("  time     {}\n", HumanSeconds(SecondsNow() - start_));
    text += fmt::format("  file     {}, {}\n", arguments_.output, HumanBytes(fs::file_size(arguments_.output)));
    return text;
  }

  const ExportArguments& arguments_;
  double start_ = SecondsNow();
  Config config_;
  Console console_;
  ArtifactStore store_;
  RunLog log_;
  ConsoleObserver terminal_{console_};
  ObserverList everybody_;
};

}  // namespace

Command ExportCommand() {
  return {
      "export", "Train on all bags of a config and write the model as one file", [](const CommandLine& line) {
        auto arguments = std::make_shared<ExportArguments>();
        line.Value("config", arguments->config, "YAML config, such as configs/quickstart.yaml").Required();
        line.Value("--output,-o", arguments->output, "File to write, such as model.tar.zst").Required().Named("FILE");
        line.Flag("--force", arguments->force, "Replace the file if it is there");
        DeclareCommonArguments(line, "learn.lambda=0.12", arguments->common);
        return [arguments] { return ExportSession(*arguments).Run(); };
      }};
}

}  // namespace flyscribe
