#include "pipeline/run/run_log.h"

#include <unistd.h>

#include <cerrno>
#include <ctime>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/file.h"
#include "core/progress.h"
#include "core/text.h"
#include "data/tables.h"
#include "pipeline/terminal/process.h"

namespace flyscribe {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kFormat = 1;
constexpr const char* kPlanFile = "plan.json";
constexpr double kStateEvery = 0.5;  // seconds
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 26;

// "20261116T155045123-4f2a".
std::string NewId() {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  std::string id;
  for (const char c : UtcText(now.tv_sec)) {
    if (c != '-' && c != ':' && c != 'Z') id += c;
  }
  constexpr int kNanosecondsPerMillisecond = 1000000;
  const std::string thousandths = std::to_string(1000 + now.tv_nsec / kNanosecondsPerMillisecond);
  return id + thousandths.substr(1) + "-" + fs::unique_path("%%%%").string();
}

// A run does not fail because its log cannot be written.
void WriteForPeople(const fs::path& file, const Json& json) {
  try {
    WriteFileAtomically(file, JsonLines(json, 1), Durability::kUnsynced);
  } catch (const Error&) {
    return;
  }
}

Json StepJson(const StepInstance& step, const StepForecast& forecast) {
  return {{"range", step.range},
          {"part", step.part.name()},
          {"step", step.step->name},
          {"tag", step.tag},
          {"key", step.key},
          {"forecast", StateName(forecast.state)},
          {"inputs", step.Inputs()},
          {"key_text", step.key_text}};
}

// Null if the file is missing or makes no sense: it may be about to be replaced.
Json ReadJson(const fs::path& path) {
  boost::system::error_code ignored;
  if (!fs::exists(path, ignored)) return nullptr;
  try {
    return Json::parse(ReadFile(path, kMostBytes));
  } catch (const std::exception&) {
    return nullptr;
  }
}

// Of another program what it knows.
StepState StateFrom(const Json& json) { return StateNamed(json.get<std::string>()).value_or(StepState::kNotRun); }

void ReadPlan(const Json& json, LoggedRun& run) {
  json.at("config").get_to(run.title.config);
  json.at("config_path").get_to(run.title.config_path);
  json.at("command").get_to(run.title.command);
  json.at("output").get_to(run.title.output);
  json.at("options").get_to(run.title.options);
  json.at("version").get_to(run.version);
  json.at("host").get_to(run.host);
  json.at("process").get_to(run.process);
  json.at("started").get_to(run.started);
  for (const Json& item : json.at("steps")) {
    LoggedStep step;
    item.at("range").get_to(step.range);
    item.at("part").get_to(step.part);
    item.at("step").get_to(step.step);
    step.tag = item.value("tag", "");
    item.at("key").get_to(step.key);
    item.at("key_text").get_to(step.key_text);
    item.at("inputs").get_to(step.inputs);
    // Until more is known: what is cached is a hit, what shall run is pending.
    step.state = StateFrom(item.at("forecast"));
    if (step.state == StepState::kRun) step.state = StepState::kPending;
    run.steps.push_back(std::move(step));
  }
}

void ReadState(const Json& json, LoggedRun& run) {
  if (json.is_null()) return;
  for (LoggedStep& step : run.steps) {
    const auto found = json.at("steps").find(step.key);
    if (step.key.empty() || found == json.at("steps").end()) continue;
    step.state = StateFrom(found->at("state"));
    found->at("remark").get_to(step.remark);
    found->at("seconds").get_to(step.seconds);
    step.work = found->value("work", 0.0);
    found->at("since").get_to(step.since);
    const Json& count = found->at("count");
    step.count = {count.at("done"), count.at("total"), count.at("unit"), count.at("remark")};
  }
}

void ReadEnd(const Json& json, LoggedRun& run) {
  if (json.is_null()) return;
  LoggedRun::Ending ending;
  json.at("time").get_to(ending.time);
  json.at("exit_code").get_to(ending.exit_code);
  json.at("error").get_to(ending.error);
  ending.summary = json.at("summary").dump();
  run.ending = std::move(ending);
}

// False if it has no plan, or none that can be read. What else cannot be read hides no run: its plan says what it
// needs.
bool ReadRun(const fs::path& folder, LoggedRun& run) {
  try {
    const Json plan = ReadJson(folder / kPlanFile);
    if (plan.is_null() || plan.at("format") != kFormat) return false;
    ReadPlan(plan, run);
  } catch (const Json::exception&) {
    run.steps.clear();
    return false;
  }
  const std::vector<LoggedStep> planned = run.steps;
  try {
    ReadState(ReadJson(folder / "state.json"), run);
  } catch (const Json::exception&) {
    run.steps = planned;
  }
  try {
    ReadEnd(ReadJson(folder / "end.json"), run);
  } catch (const Json::exception&) {
    run.unreadable = true;
  }
  return true;
}

}  // namespace

RunLog::RunLog(const fs::path& cache_root, RunTitle title)
    : root_(cache_root), title_(std::move(title)), started_(UtcNow()) {
  boost::system::error_code error;
  fs::create_directories(cache_root / "runs", error);
  bool made = false;
  while (!error && !made) {
    id_ = NewId();
    folder_ = cache_root / "runs" / id_;
    made = fs::create_directory(folder_, error);  // false if another run has this very name
  }
  if (!error) {
    alive_ = FileLock::TryAcquire(folder_ / "alive", DescribeProcess(title_.command));
    return;
  }
  id_.clear();
  const bool read_only = error.value() == EROFS || error.value() == EACCES || error.value() == EPERM;
  if (!read_only) ThrowWriteError(cache_root, error.value());
}

void RunLog::OnKeys(const Plan& plan) { OnPlan(plan, std::vector<StepForecast>(plan.instances.size())); }

void RunLog::OnPlan(const Plan& plan, const std::vector<StepForecast>& forecast) {
  if (id_.empty()) return;
  Json steps = Json::array();
  for (std::size_t i = 0; i < plan.instances.size(); ++i) steps.push_back(StepJson(plan.instances[i], forecast[i]));
  const Json json = {{"format", kFormat},
                     {"id", id_},
                     {"config", title_.config},
                     {"config_path", title_.config_path},
                     {"command", title_.command},
                     {"output", title_.output},
                     {"version", Version()},
                     {"host", HostName()},
                     {"process", getpid()},
                     {"started", started_},
                     {"options", title_.options},
                     {"steps", steps}};
  const FileLock lock = WaitForPlanningLock(root_);
  WriteFileAtomically(folder_ / kPlanFile, JsonLines(json, 1), Durability::kUnsynced);
}

void RunLog::OnStart(const StepInstance& step) { Update(step, {.state = StepState::kRunning, .since = UtcNow()}); }

void RunLog::OnProgress(const StepInstance& step, const StepCount& count) {
  steps_[step.key].count = count;
  WriteState(false);
}

void RunLog::OnWait(const StepInstance& step, const std::string& holder) {
  Update(step, {.state = StepState::kWaiting, .remark = "for " + holder, .since = UtcNow()});
}

void RunLog::OnFinish(const StepInstance& step, const StepOutcome& outcome) {
  const std::string remark = outcome.error.empty() ? Join(outcome.facts, ", ") : outcome.error;
  Update(step, {.state = outcome.state, .remark = remark, .seconds = outcome.seconds, .work = outcome.work});
}

void RunLog::Update(const StepInstance& step, StepNow now) {
  const bool costly = now.state != StepState::kHit && now.state != StepState::kUnneeded;
  steps_[step.key] = std::move(now);
  WriteState(costly);
}

void RunLog::WriteState(bool at_once) {
  if (id_.empty() || (!at_once && SecondsNow() - written_ < kStateEvery)) return;
  written_ = SecondsNow();
  Json steps = Json::object();
  for (const auto& [key, now] : steps_) {
    steps[key] = {{"state", StateName(now.state)},
                  {"remark", now.remark},
                  {"seconds", now.seconds},
                  {"work", now.work},
                  {"since", now.since},
                  {"count",
                   {{"done", now.count.done},
                    {"total", now.count.total},
                    {"unit", now.count.unit},
                    {"remark", now.count.remark}}}};
  }
  WriteForPeople(folder_ / "state.json", {{"format", kFormat}, {"steps", steps}});
}

void RunLog::End(int exit_code, const std::string& error, const std::string& summary) {
  if (id_.empty()) return;
  WriteState(true);
  const Json json = {{"format", kFormat},
                     {"time", UtcNow()},
                     {"exit_code", exit_code},
                     {"error", error},
                     {"summary", summary.empty() ? Json(nullptr) : Json::parse(summary)}};
  WriteForPeople(folder_ / "end.json", json);
  alive_.reset();
}

std::string LoggedRun::State() const {
  if (ending) return ending->exit_code == 0 ? "done" : "ended with " + std::to_string(ending->exit_code);
  if (unreadable) return "unreadable";
  return alive ? "running" : "killed";
}

std::vector<LoggedRun> ListRuns(const fs::path& cache_root, std::vector<LoggedRun>* unreadable) {
  std::vector<LoggedRun> runs;
  for (const fs::path& folder : EntriesOf(cache_root / "runs")) {
    const bool planned = IsTaken(folder / kPlanFile);
    LoggedRun run;
    run.id = folder.filename().string();
    run.alive = LockHolder(folder / "alive").has_value();
    if (ReadRun(folder, run)) {
      runs.push_back(std::move(run));
    } else if (planned && unreadable != nullptr) {
      run.unreadable = true;
      unreadable->push_back(std::move(run));
    }
  }
  return runs;
}

LoggedRun FindRun(const std::vector<LoggedRun>& runs, const std::string& name) {
  std::vector<const LoggedRun*> found;
  for (const LoggedRun& run : runs) {
    if (run.id == name) return run;
    if (run.id.starts_with(name)) found.push_back(&run);
  }
  if (found.size() == 1) return *found.front();
  throw Error(ErrorCode::kUsage,
              (found.empty() ? "no run is called '" : "several runs begin with '") + name + "'",
              "`flyscribe runs` lists them");
}

fs::path PlanningLock(const fs::path& cache_root) { return cache_root / "locks" / "planning"; }

FileLock WaitForPlanningLock(const fs::path& cache_root) { return WaitForLock(PlanningLock(cache_root), "planning"); }

}  // namespace flyscribe
