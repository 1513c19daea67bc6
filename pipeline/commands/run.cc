// flyscribe run CONFIG: one config, or a grid of them, from images to report, computing only what is not cached.
#include <algorithm>
#include <memory>

#include "core/error.h"
#include "core/file.h"
#include "core/progress.h"
#include "core/simd.h"
#include "pipeline/arguments/arguments.h"
#include "pipeline/arguments/command_line.h"
#include "pipeline/arguments/config_arguments.h"
#include "pipeline/command.h"
#include "pipeline/config/describe.h"
#include "pipeline/corpus/standardise_file.h"
#include "pipeline/explain/gc.h"
#include "pipeline/run/lock_file.h"
#include "pipeline/run/observer.h"
#include "pipeline/run/run_log.h"
#include "pipeline/run/run_record.h"
#include "pipeline/run/runner.h"
#include "pipeline/sweep/sweep.h"
#include "pipeline/sweep/sweep_choice.h"
#include "pipeline/terminal/process.h"
#include "report/sweep_page.h"

namespace flyscribe {
namespace {

constexpr int kExitDiffers = static_cast<int>(ErrorCode::kInternal);

struct RunArguments {
  std::string config;
  CommonArguments common;
  RunRequest request;
  std::vector<std::string> sweeps;
  bool json = false;
  bool rehash = false;
  bool locked = false;
  std::string debug_images;

  bool Sweeps() const { return !sweeps.empty(); }
};

std::string CommandText(const RunArguments& arguments) {
  std::string command = "flyscribe run " + arguments.config + arguments.common.SetText();
  for (const std::string& argument : arguments.sweeps) command += " --sweep '" + argument + "'";
  const RunRequest& request = arguments.request;
  if (!request.from.empty()) command += " --from " + request.from;
  if (!request.until.empty()) command += " --until " + request.until;
  if (!request.only.empty()) command += " --only " + request.only;
  for (const std::string& step : request.force) command += " --force " + step;
  if (request.force_all) command += " --force-all";
  if (request.jobs > 1) command += " --jobs " + std::to_string(request.jobs);
  if (request.keep_going) command += " --keep-going";
  if (arguments.locked) command += " --locked";
  if (arguments.common.threads >= 0) command += " --threads " + std::to_string(arguments.common.threads);
  return command;
}

// One invocation of the command.
class RunSession {
 public:
  explicit RunSession(const RunArguments& arguments)
      : arguments_(arguments),
        grid_(SweepGrid(arguments.sweeps)),
        configs_(ReadAll(arguments, grid_)),
        console_(DetectConsoleStyle(arguments.common.quiet || arguments.json)),
        store_(configs_.front().config.cache.dir,
               [this](const std::string& message) { everybody_.OnWarning(message); }),
        outputs_(OpenOutputs()),
        log_(store_.root(), Title()),
        everybody_(arguments.json ? std::vector<RunObserver*>{&log_, &events_}
                                  : std::vector<RunObserver*>{&log_, &terminal_}) {}

  int Run() {
    try {
      const int exit_code = RunAndWrite();
      Finish(exit_code, {});
      return exit_code;
    } catch (...) {
      Finish(ExitCodeOf(std::current_exception()), TextOf(std::current_exception()));
      throw;
    }
  }

 private:
  static std::vector<NamedConfig> ReadAll(const RunArguments& arguments, const std::vector<SweepPoint>& grid) {
    RequireSteps(arguments.request);
    std::vector<NamedConfig> configs = ReadConfigs(arguments.config, arguments.common.AllOverrides(), grid);
    UseSimd(configs.front().config.run.simd);
    return configs;
  }

  // Those of the points; behind them, of a sweep, the folder they lie in. Nothing is touched before all are known to be
  // usable: this fails in the first second, not the last.
  std::vector<OutputFolder> OpenOutputs() const {
    PrepareCache(store_.root());
    const FileLock lock = LockOutput(Output());
    const auto is_old = [](const NamedConfig& named) {
      return !OfFirstRelease(fs::path(named.config.run.output) / "run.json").empty();
    };
    const bool old_sweep = arguments_.Sweeps() && std::any_of(configs_.begin(), configs_.end(), is_old);
    std::vector<OutputFolder> outputs;
    for (const NamedConfig& named : configs_) {
      outputs.push_back(OpenOutput(named.config, arguments_.config));
      if (!arguments_.locked) RequireOwnLockFiles(named.config);
    }
    boost::system::error_code ignored;
    if (fs::is_directory(arguments_.debug_images, ignored) && !EntriesOf(arguments_.debug_images).empty()) {
      throw Error(ErrorCode::kUsage,
                  "the folder for pictures is not empty",
                  "choose another one: nothing is replaced here",
                  {arguments_.debug_images});
    }
    if (arguments_.Sweeps()) {
      const std::vector<std::string> files = {
          "choice_folds.tsv", "choice_scores.tsv", "report/index.html", "sweep.tsv"};
      const fs::path last = Output() / "report" / "index.html";
      outputs.emplace_back(Output(), files, arguments_.config, old_sweep ? last : fs::path());
    }
    for (std::size_t i = 0; i < configs_.size(); ++i) {
      outputs[i].Remove("run.json");  // a run that fails leaves no old success behind
    }
    return outputs;
  }

  // Of a sweep: the folder all points lie in.
  fs::path Output() const {
    const fs::path output = configs_.front().config.run.output;
    return arguments_.Sweeps() ? output.parent_path().parent_path() : output;
  }

  RunTitle Title() const {
    const Config& config = configs_.front().config;
    return {config.name, config.path, CommandText(arguments_), Output().string(), EffectiveYaml(config, false)};
  }

  int RunAndWrite() {
    store_.RemoveLeftovers();
    RunRequest request = arguments_.request;
    request.lock_timeout = configs_.front().config.cache.lock_timeout;
    request.keep_going |= arguments_.Sweeps();
    Runner runner(store_, request, everybody_);
    const Planner::Options options = {.rehash = arguments_.rehash, .remember = true, .keep_going = arguments_.Sweeps()};
    const Plan plan = PlanRun(runner, configs_, options, console_);
    everybody_.OnKeys(plan);
    if (arguments_.locked) {
      for (const PlanPoint& point : plan.points) RequirePlanAsLocked(plan, point);
    }
    const auto warn = [this](const std::string& message) { everybody_.OnWarning(message); };
    MakeRoom(plan, ForecastRun(plan, store_, request), store_.root(), warn);
    const RunOutcome outcome = runner.Run(plan);
    if (outcome.error && !request.keep_going) std::rethrow_exception(outcome.error);
    const int exit_code = Write(plan, outcome);
    DrawDecisions(plan);  // last: results should not be lost with the pictures
    if (outcome.Misses() > 0) KeepBelowLimit(plan, store_.root(), warn);
    return exit_code;
  }

  // One picture for each image of the first point: what standardise saw in it. Made anew, also where the images came
  // from the cache.
  void DrawDecisions(const Plan& plan) {
    const PlanPoint& point = plan.points.front();
    if (arguments_.debug_images.empty() || point.corpus == nullptr) return;
    console_.StartStep("debug images");
    for (const StageRange range : point.config->StageRanges()) {
      std::vector<std::pair<std::string, fs::path>> files;
      for (const ImageRecord& image : point.corpus->Of(range).images) {
        files.emplace_back(image.id, point.corpus->PathOf(image));
      }
      const fs::path folder = fs::path(arguments_.debug_images) / range.name();
      WriteDebugImages(files, point.config->standardise, folder, point.config->run.threads, console_);
    }
    console_.StartStep("");
  }

  // Locked as a whole: tables of two runs must not lie beside each other.
  int Write(const Plan& plan, const RunOutcome& outcome) {
    const FileLock lock = LockOutput(Output());
    int exit_code = 0;
    std::vector<int> codes;
    for (std::size_t i = 0; i < plan.points.size(); ++i) {
      codes.push_back(WritePoint(plan, plan.points[i], OutcomeOf(outcome, plan.points[i]), outputs_[i]));
    }
    for (const int code : codes) exit_code = exit_code == 0 ? code : exit_code;
    if (arguments_.Sweeps()) WriteSweep(plan, outcome);
    return exit_code;
  }

  int WritePoint(const Plan& plan, const PlanPoint& point, const RunOutcome& share, OutputFolder& output) {
    if (point.error) return ReportFailure(point, point.error);
    RunRecord record{.config = *point.config,
                     .outcome = share,
                     .command = CommandText(arguments_),
                     .faults = CollectFaults(share),
                     .resources = ResourcesSinceStart(SecondsNow() - start_),
                     .id = log_.id()};
    record.exit_code = ExitCode(point, record);
    WriteOutputs(record, output);
    if (!arguments_.Sweeps()) summary_ = RunJson(record);
    if (IsWhole(share) && !arguments_.locked) WriteLockFiles(plan, point, share);
    if (!arguments_.common.quiet && !arguments_.json && !arguments_.Sweeps()) {
      PrintResult(ScoreTable(share) + ClosingBlock(record));
    }
    return record.exit_code;
  }

  bool IsWhole(const RunOutcome& share) const {
    return !share.error && arguments_.request.until.empty() && arguments_.request.only.empty();
  }

  int ExitCode(const PlanPoint& point, const RunRecord& record) {
    if (record.outcome.error) return ReportFailure(point, record.outcome.error);
    try {
      if (IsWhole(record.outcome) && arguments_.locked) RequireResultsAsLocked(point, record.outcome);
    } catch (const Error&) {
      return ReportFailure(point, std::current_exception());
    }
    const bool differs = std::any_of(record.outcome.steps.begin(), record.outcome.steps.end(), [](const auto& step) {
      return !step.differing.empty();
    });
    if (differs) return kExitDiffers;
    return record.faults.empty() ? 0 : kExitSkipped;
  }

  // What was thrown, on standard error; the others go on.
  int ReportFailure(const PlanPoint& point, const std::exception_ptr& failure) {
    try {
      std::rethrow_exception(failure);
    } catch (const Error& error) {
      if (error.code() == ErrorCode::kInterrupted) throw;
      WriteToError((point.name.empty() ? "" : point.name + ": ") + error.what() + "\n");
      return static_cast<int>(error.code());
    } catch (const std::exception& error) {
      WriteToError(std::string(error.what()) + "\n");
      return static_cast<int>(ErrorCode::kInternal);
    }
  }

  void WriteSweep(const Plan& plan, const RunOutcome& outcome) {
    const SweepTable table = TabulateSweep(grid_, plan, outcome);
    OutputFolder& output = outputs_.back();
    output.Write("sweep.tsv", table.Tsv());
    SweepPage page;
    page.title = configs_.front().config.report.title;
    page.command = CommandText(arguments_);
    page.header = table.header;
    page.rows = table.rows;
    for (std::size_t i = 0; i < grid_.size(); ++i) {
      const fs::path report = fs::path("..") / "points" / grid_[i].Folder() / "report" / "index.html";
      for (std::size_t range = 0; range < plan.points[i].config->StageRanges().size(); ++range) {
        const bool there = fs::exists(fs::path(configs_[i].config.run.output) / "report" / "index.html");
        page.links.push_back(there ? report.string() : "");
      }
    }
    const std::optional<SweepChoice> choice = ChooseByInnerFolds(grid_, plan, outcome);
    if (choice) {
      output.Write("choice_folds.tsv", choice->folds.Tsv());
      output.Write("choice_scores.tsv", choice->scores.Tsv());
      page.choice_folds = {choice->folds.header, choice->folds.rows};
      page.choice_scores = {choice->scores.header, choice->scores.rows};
    }
    output.Write("report/index.html", RenderSweepPage(page));
    if (arguments_.common.quiet || arguments_.json) return;
    const std::string chosen = choice ? "\nChosen by inner folds, for each fold without its tested genes:\n" +
                                            choice->folds.Text() + "\nWhat the choice scores on the tested genes:\n" +
                                            choice->scores.Text()
                                      : "";
    PrintResult("\n" + table.Text() + chosen + "\n  table    " + (Output() / "sweep.tsv").string() + "\n  report   " +
                (Output() / "report" / "index.html").string() + "\n");
  }

  void Finish(int exit_code, const std::string& error) {
    log_.End(exit_code, error, summary_);
    if (arguments_.json) JsonObserver::End(exit_code, error);
  }

  const RunArguments& arguments_;
  double start_ = SecondsNow();
  std::vector<SweepPoint> grid_;
  std::vector<NamedConfig> configs_;
  Console console_;
  ArtifactStore store_;
  std::vector<OutputFolder> outputs_;
  RunLog log_;
  ConsoleObserver terminal_{console_};
  JsonObserver events_;
  ObserverList everybody_;
  std::string summary_;  // run.json, unless it is a sweep
};

}  // namespace

Command RunCommand() {
  return {"run", "Run a config: images in, scored and explained annotations out", [](const CommandLine& line) {
            auto arguments = std::make_shared<RunArguments>();
            line.Value("config", arguments->config, "YAML config, such as configs/quickstart.yaml").Required();
            DeclareCommonArguments(line, "learn.lambda=0.12", arguments->common);
            DeclareSelection(line, arguments->request);
            line.Value("--sweep",
                       arguments->sweeps,
                       "Run at every point of a grid: --sweep learn.atoms=500,1000 (repeatable)")
                .Named("KEY=VALUE,...")
                .Repeatable();
            line.Value("--jobs,-j", arguments->request.jobs, "Steps to run side by side; they share the threads")
                .Between(1, 256);
            line.Flag("--keep-going,-k", arguments->request.keep_going, "Go on with what does not depend on a failure");
            line.Flag("--locked", arguments->locked, "Fail if anything would differ from the lock files");
            line.Flag("--rehash", arguments->rehash, "Hash all inputs again, also those that look unchanged");
            line.Value("--debug-images",
                       arguments->debug_images,
                       "New or empty folder for pictures that show how the embryo was found in each image")
                .Named("DIR");
            line.Flag("--json", arguments->json, "Print events as JSON lines instead of text");
            return [arguments] { return RunSession(*arguments).Run(); };
          }};
}

}  // namespace flyscribe
