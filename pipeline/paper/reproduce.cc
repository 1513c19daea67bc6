// flyscribe reproduce CONFIG: the paper's tables and figures measured again, beside the published numbers.
#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/file.h"
#include "core/parallel.h"
#include "core/simd.h"
#include "core/text.h"
#include "data/tables.h"
#include "pipeline/arguments/arguments.h"
#include "pipeline/arguments/command_line.h"
#include "pipeline/command.h"
#include "pipeline/config/describe.h"
#include "pipeline/paper/experiment.h"
#include "pipeline/paper/figure5.h"
#include "pipeline/paper/machine.h"
#include "pipeline/paper/measure_plan.h"
#include "pipeline/paper/measurement.h"
#include "pipeline/plan/planner.h"
#include "pipeline/run/observer.h"
#include "pipeline/run/output_folder.h"
#include "pipeline/run/run_log.h"
#include "pipeline/run/runner.h"
#include "pipeline/terminal/process.h"
#include "pipeline/terminal/text_table.h"

namespace flyscribe {
namespace {

using Json = nlohmann::ordered_json;

const std::string kAllExperiments = "all";
const std::string kFigure5 = "fig5";

bool Contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

struct ReproduceArguments {
  std::string config;
  CommonArguments common;
  std::vector<std::string> experiments;
  bool only_scc = false;
  bool full = false;
  bool strict = false;
  bool force = false;

  bool Chosen(const std::string& name) const {
    return Contains(experiments, name) || Contains(experiments, kAllExperiments);
  }
};

std::string CommandText(const ReproduceArguments& arguments) {
  std::string command = "flyscribe reproduce " + arguments.config;
  command += " --experiment " + Join(arguments.experiments, ",");
  command += arguments.common.SetText();
  if (arguments.common.threads >= 0) command += fmt::format(" --threads {}", arguments.common.threads);
  if (arguments.only_scc) command += " --only-scc";
  if (arguments.full) command += " --full";
  if (arguments.strict) command += " --strict";
  if (arguments.force) command += " --force";
  return command;
}

std::vector<std::string> ExperimentNames() {
  std::vector<std::string> names = {kAllExperiments};
  for (const Experiment& experiment : Experiments()) names.push_back(experiment.name);
  names.push_back(kFigure5);
  return names;
}

// Throws Error(kUsage) for an experiment that was asked for by its name and that the config gives nothing to do.
void RequireSomethingToDo(const ReproduceArguments& arguments, const Study& study) {
  for (const Experiment& experiment : Experiments()) {
    if (!Contains(arguments.experiments, experiment.name) || !experiment.wants(study).empty()) continue;
    throw Error(ErrorCode::kUsage,
                "the config names no full-size embryos",
                "set reproduce.embryos to their folder, as configs/paper/bdgp.yaml does",
                {"--experiment " + experiment.name});
  }
}

// Throws Error(kUsage) for a name that is none, and for --only-scc with another experiment than table1.
void CheckExperiments(ReproduceArguments& arguments) {
  if (arguments.experiments.empty()) arguments.experiments = {arguments.only_scc ? "table1" : kAllExperiments};
  const std::vector<std::string> names = ExperimentNames();
  for (const std::string& name : arguments.experiments) {
    const std::string given = "--experiment " + name;
    if (arguments.only_scc && name != "table1") {
      throw Error(ErrorCode::kUsage, "--only-scc is of table1", "give --experiment table1 with it", {given});
    }
    if (Contains(names, name)) continue;
    const auto nearest = Nearest(name, names);
    throw Error(ErrorCode::kUsage,
                "unknown experiment '" + name + "'",
                (nearest ? "did you mean '" + *nearest + "'? " : "") + "experiments: " + Join(names, ", "),
                {given});
  }
}

// 13-17, the paper's name, is 13-16 everywhere else.
std::string RangeName(const std::string& name) { return StageRange::FromName(name).name(); }

PaperConfig ReadReproduceConfig(const ReproduceArguments& arguments) {
  PaperConfig config = ReadPaperConfig(arguments.config, arguments.common.AllOverrides());
  ReproduceOptions& options = config.reproduce;
  options.cd_range = RangeName(options.cd_range);
  options.race_range = RangeName(options.race_range);
  std::vector<std::string> ranges;  // each once, in their order
  for (const std::string& name : options.rate_ranges) {
    if (!Contains(ranges, RangeName(name))) ranges.push_back(RangeName(name));
  }
  options.rate_ranges = std::move(ranges);
  UseSimd(config.run.simd);
  return config;
}

class ReproduceSession {
 public:
  explicit ReproduceSession(const ReproduceArguments& arguments)
      : arguments_(arguments),
        config_(std::make_shared<const PaperConfig>(ReadReproduceConfig(arguments))),
        study_{*config_, arguments.only_scc, arguments.full},
        console_(DetectConsoleStyle(arguments.common.quiet)),
        store_(config_->cache.dir, [this](const std::string& message) { everybody_.OnWarning(message); }),
        output_(OpenOutput()),
        log_(store_.root(), Title()),
        everybody_({&log_, &terminal_}) {}

  int Run() {
    try {
      Measure();
      if (arguments_.Chosen(kFigure5)) Annotate();
      const Reproduction page = Tell();
      const int exit_code = arguments_.strict && page.Failed() > 0 ? static_cast<int>(ErrorCode::kScore) : 0;
      Write(page, exit_code);
      log_.End(exit_code, {}, JsonText(JsonOf(page, exit_code)));
      return exit_code;
    } catch (...) {
      log_.End(ExitCodeOf(std::current_exception()), TextOf(std::current_exception()), "{}");
      throw;
    }
  }

 private:
  fs::path Output() const { return config_->run.output; }

  OutputFolder OpenOutput() const {
    RequireSomethingToDo(arguments_, study_);
    PrepareCache(store_.root());
    const FileLock lock = LockOutput(Output());
    OutputFolder output(Output(),
                        {"reproduction.html", "reproduction.json", "reproduction.md"},
                        arguments_.config,
                        OfFirstRelease(Output() / "reproduction.json"));
    output.Remove("reproduction.json");  // what fails leaves no old success behind
    return output;
  }

  RunTitle Title() const {
    return {config_->name, config_->path, CommandText(arguments_), Output().string(), EffectivePaperYaml(*config_)};
  }

  void Measure() {
    store_.RemoveLeftovers();
    std::vector<Measurement> all;
    for (const Experiment& experiment : Experiments()) {
      if (!arguments_.Chosen(experiment.name)) continue;
      for (const Measurement& each : experiment.wants(study_)) all.push_back(each);
    }
    if (all.empty()) return;
    const int cores = DefaultThreads();
    if (config_->reproduce.side_by_side > cores) {
      everybody_.OnWarning(fmt::format("reproduce.side_by_side is {}, but this machine has {}: times will be too long",
                                       config_->reproduce.side_by_side,
                                       CountText(static_cast<std::uint64_t>(cores), "core")));
    }
    MakeDescriptors(all);
    // Those that run alone come last: they need a quiet machine.
    std::map<int, std::vector<Measurement>, std::greater<>> by_company;
    for (const Measurement& each : all) by_company[each.side_by_side].push_back(each);
    for (const auto& [company, measurements] : by_company) MeasureTogether(company, measurements);
  }

  // In a pass of their own, so that nothing is timed beside the drawing of embryos. Only for what is still to be
  // measured. Ranges that are not there come out here, before hours of measuring.
  void MakeDescriptors(const std::vector<Measurement>& measurements) {
    Runner runner = RunnerFor({});
    const std::unique_ptr<MeasurePlan> wanted = PlanFor(runner);
    for (const Measurement& each : measurements) wanted->Add(each);
    everybody_.OnKeys(wanted->plan());
    if (arguments_.force) ForgetMeasurements(*wanted, store_);
    const std::vector<Measurement> missing = wanted->MissingIn(store_);
    if (missing.empty()) return;
    const std::unique_ptr<MeasurePlan> descriptors = PlanFor(runner);
    for (const Measurement& each : missing) descriptors->AddDescriptors(each);
    const RunOutcome outcome = runner.Run(descriptors->plan());
    if (outcome.error) std::rethrow_exception(outcome.error);
  }

  void MeasureTogether(int company, const std::vector<Measurement>& measurements) {
    Runner runner = RunnerFor({.jobs = company});
    const std::unique_ptr<MeasurePlan> plan = PlanFor(runner);
    for (const Measurement& each : measurements) plan->Add(each);
    everybody_.OnKeys(plan->plan());
    const RunOutcome outcome = runner.Run(plan->plan());
    if (outcome.error) std::rethrow_exception(outcome.error);
    for (const auto& [measurement, place] : plan->measurements()) {
      const StepOutcome& step = outcome.steps[place];
      Measured measured = Measured::Load(step.folder);
      origin_.Add(measured, step.hit());
      results_.Add(measurement, std::move(measured));
    }
  }

  Runner RunnerFor(RunRequest request) {
    request.lock_timeout = config_->cache.lock_timeout;
    return {store_, request, everybody_};
  }

  std::unique_ptr<MeasurePlan> PlanFor(Runner& runner) {
    if (config_->reproduce.descriptors == ReproduceOptions::Descriptors::kSimulated) {
      return std::make_unique<MeasurePlan>(config_);
    }
    return std::make_unique<MeasurePlan>(PlanRun(runner, {{"", *config_}}, {.remember = true}, console_), config_);
  }

  // Figure 5, by the steps of an ordinary run.
  void Annotate() {
    const std::vector<AnnotationPoint> points = AnnotationPoints(*config_);
    std::vector<NamedConfig> configs;
    for (const AnnotationPoint& point : points) configs.push_back({point.Name(), AnnotationConfig(*config_, point)});
    Runner runner = RunnerFor({.until = EvaluateStep().name, .jobs = config_->reproduce.side_by_side});
    const Plan plan = PlanRun(runner, configs, {.remember = true}, console_);
    const RunOutcome outcome = runner.Run(plan);
    if (outcome.error) std::rethrow_exception(outcome.error);
    std::vector<AnnotationFolders> folders;
    for (std::size_t i = 0; i < points.size(); ++i) {
      const RunOutcome share = OutcomeOf(outcome, plan.points[i]);
      folders.push_back({points[i], {}});
      for (const std::string& range : study_.Ranges()) {
        folders.back().ranges[range] = share.FolderOf(range, EvaluateStep().name);
      }
    }
    annotations_ = ReadAnnotations(*config_, folders);
  }

  Reproduction Tell() const {
    Reproduction page;
    page.title = config_->report.title;
    page.lead = LeadText(*config_);
    page.facts = Facts();
    page.fairness = FairnessText(*config_);
    for (const Experiment& experiment : Experiments()) {
      if (!arguments_.Chosen(experiment.name) || experiment.wants(study_).empty()) continue;
      page.parts.push_back(experiment.tell(study_, results_));
    }
    if (arguments_.Chosen(kFigure5)) {
      // Behind the paper's other tables and figures, before what the paper does not have.
      const auto place = std::find_if(page.parts.begin(), page.parts.end(), [](const ReproductionPart& part) {
        return !part.name.starts_with("Table") && !part.name.starts_with("Figure");
      });
      page.parts.insert(place, TellFigure5(*config_, annotations_));
    }
    return page;
  }

  std::vector<std::pair<std::string, std::string>> Facts() const {
    std::vector<std::pair<std::string, std::string>> facts = {
        {"command", CommandText(arguments_)}, {"flyscribe", Version()}, {"written", UtcNow()}};
    for (auto& fact : origin_.Facts()) facts.push_back(std::move(fact));
    facts.emplace_back("learning",
                       fmt::format("lambda {}, {} epochs, seed {}",
                                   FormatReal(config_->learn.lambda),
                                   config_->learn.epochs,
                                   config_->learn.seed));
    facts.emplace_back("descriptors", DescriptorsText(*config_));
    for (auto& fact : MachineFacts()) facts.push_back(std::move(fact));
    return facts;
  }

  static Json JsonOf(const Reproduction& page, int exit_code) {
    Json checks = Json::array();
    for (const ReproductionCheck& check : page.Checks()) {
      checks.push_back({{"check", check.claim},
                        {"held", check.state == ReproductionCheck::State::kHeld},
                        {"numbers", check.numbers}});
    }
    Json parts = Json::array();
    Json tables = Json::array();
    for (const ReproductionPart& part : page.parts) {
      parts.push_back(part.name);
      for (const ReproductionTable& table : part.tables) {
        tables.push_back(
            {{"part", part.name}, {"caption", table.caption}, {"header", table.header}, {"rows", table.rows}});
      }
    }
    return {
        {"exit_code", exit_code}, {"parts", parts}, {"failed", page.Failed()}, {"checks", checks}, {"tables", tables}};
  }

  void Write(const Reproduction& page, int exit_code) {
    const FileLock lock = LockOutput(Output());
    output_.Write("reproduction.html", RenderReproductionHtml(page));
    output_.Write("reproduction.md", RenderReproductionMarkdown(page));
    output_.Write("reproduction.json", JsonLines(JsonOf(page, exit_code), 1));
    std::string text = "\n";
    std::string failed;
    for (const ReproductionCheck& check : page.Checks()) {
      const bool held = check.state == ReproductionCheck::State::kHeld;
      text += fmt::format("  {:<7} {}: {}\n", held ? "held" : "FAILED", check.claim, check.numbers);
      if (!held) failed += fmt::format("error: check failed: {}: {}\n", check.claim, check.numbers);
    }
    if (arguments_.strict) WriteToError(failed);
    if (arguments_.common.quiet) return;
    PrintResult(text + fmt::format("\n{} of {} checks failed\n  page     {}\n  tables   {}\n",
                                   page.Failed(),
                                   page.Checks().size(),
                                   (Output() / "reproduction.html").string(),
                                   (Output() / "reproduction.md").string()));
  }

  const ReproduceArguments& arguments_;
  std::shared_ptr<const PaperConfig> config_;
  Study study_;
  Console console_;
  ArtifactStore store_;
  OutputFolder output_;
  RunLog log_;
  ConsoleObserver terminal_{console_};
  ObserverList everybody_;
  Results results_;
  AnnotationResults annotations_;
  MeasurementsOrigin origin_;
};

}  // namespace

Command ReproduceCommand() {
  return {"reproduce",
          "Measure the paper's tables and figures again, beside the published numbers",
          [](const CommandLine& line) {
            auto arguments = std::make_shared<ReproduceArguments>();
            line.Value("config", arguments->config, "YAML config, such as configs/paper/quick.yaml").Required();
            line.Value("--experiment", arguments->experiments, "Which: " + Join(ExperimentNames(), ", "))
                .SplitAt(',')
                .Named("NAME,...");
            const Argument only_scc = line.Flag("--only-scc", arguments->only_scc, "Table 1 without online learning");
            line.Flag("--full", arguments->full, "Run online learning at batch size 1 to its end: hundreds of hours")
                .Excludes(only_scc);
            line.Flag("--strict", arguments->strict, "Exit with 9 if a check failed");
            line.Flag("--force", arguments->force, "Make the measurements again");
            DeclareCommonArguments(line, "reproduce.max_patches=5000", arguments->common);
            return [arguments] {
              CheckExperiments(*arguments);
              return ReproduceSession(*arguments).Run();
            };
          }};
}

}  // namespace flyscribe
