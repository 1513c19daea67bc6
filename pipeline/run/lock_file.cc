#include "pipeline/run/lock_file.h"

#include <algorithm>
#include <array>

#include "core/error.h"
#include "core/file.h"
#include "core/hash.h"
#include "core/text.h"
#include "pipeline/cache/key.h"
#include "pipeline/cache/manifest.h"

namespace flyscribe {
namespace {

const std::string kTitle = "# flyscribe lock 1: written by `flyscribe run`, checked by `flyscribe run --locked`\n";

constexpr std::array<std::string_view, 5> kSections = {"inputs", "keys", "options", "results", "versions"};

// Steps over all ranges that a range's results come from.
bool BelongsTo(const std::string& step, const std::string& of_range, const std::string& range) {
  return of_range == range || step == SimulateStep().name;
}

// "option learn.lambda: 0.1" -> options: learn.lambda: 0.1.
void AddKeyFacts(const StepInstance& instance, LockFacts& facts) {
  for (const auto& [name, value] : KeyFacts(instance.key_text)) {
    const std::size_t space = name.find(' ');
    const std::string kind = name.substr(0, space);
    const std::string rest = space == std::string::npos ? "" : name.substr(space + 1);
    if (kind == "option") facts["options"][rest] = value;
    if (kind == "library") facts["versions"][rest] = value;
    if (kind == "step") facts["versions"]["step " + instance.step->name] = Split(value, ' ').back();
    if (kind == "input" && instance.step == &IngestStep()) facts["inputs"][rest] = value;
  }
}

std::string ResultDigest(const fs::path& folder) {
  std::string text;
  for (const ListedFile& file : ReadManifest(folder).files) {
    if (file.name != kKeyName) text += file.sha256 + "  " + file.name + "\n";
  }
  return Sha256OfText(text);
}

LockFacts ReadLock(const fs::path& file) {
  boost::system::error_code ignored;
  if (!fs::exists(file, ignored)) {
    throw Error(
        ErrorCode::kUsage, "there is no lock file", "run once without --locked; it writes the file", {file.string()});
  }
  return ParseLock(ReadFile(file), file.string());
}

void Compare(const std::string& section,
             const std::map<std::string, std::string>& locked,
             const std::map<std::string, std::string>& now,
             const fs::path& file,
             std::vector<Diagnostic>& differences) {
  for (const auto& [name, values] : Differences(locked, now)) {
    const std::string then = values.first.value_or("nothing");
    differences.push_back({section + ": " + name + ": locked " + then + ", now " + values.second.value_or("nothing"),
                           {},
                           {file.string()}});
  }
}

// Keys follow from all the rest: they only say something where the rest is the same.
std::vector<Diagnostic> PlanDifferences(const LockFacts& locked, const LockFacts& now, const fs::path& file) {
  std::vector<Diagnostic> differences;
  const auto section = [](const LockFacts& facts, const char* name) {
    const auto found = facts.find(name);
    return found == facts.end() ? std::map<std::string, std::string>() : found->second;
  };
  for (const char* name : {"inputs", "options", "versions"}) {
    Compare(name, section(locked, name), section(now, name), file, differences);
  }
  if (differences.empty()) Compare("keys", section(locked, "keys"), section(now, "keys"), file, differences);
  return differences;
}

}  // namespace

LockFacts PlannedFacts(const Plan& plan, const PlanPoint& point, const std::string& range) {
  LockFacts facts;
  for (const std::size_t index : point.instances) {
    const StepInstance& instance = plan.instances[index];
    if (!BelongsTo(instance.step->name, instance.range, range)) continue;
    facts["keys"][StepLabel(instance.step->name, kAllRanges, instance.part.name())] = instance.key;
    AddKeyFacts(instance, facts);
  }
  return facts;
}

std::map<std::string, std::string> ResultFacts(const RunOutcome& outcome, const std::string& range) {
  std::map<std::string, std::string> results;
  for (const StepOutcome& step : outcome.steps) {
    if (step.folder.empty() || !BelongsTo(step.step, step.range, range)) continue;
    results[StepLabel(step.step, kAllRanges, step.part)] = ResultDigest(step.folder);
  }
  return results;
}

std::string LockText(const std::string& range, const LockFacts& facts) {
  std::string text = kTitle + "range: " + range + "\n";
  for (const auto& [section, values] : facts) {
    text += section + ":\n";
    for (const auto& [name, value] : values) text += "  " + name + ": " + value + "\n";
  }
  return text;
}

LockFacts ParseLock(const std::string& text, const std::string& source) {
  if (!text.starts_with(kTitle)) {
    throw Error(
        ErrorCode::kCorrupt, "this is no lock file of a known format", "delete it and run without --locked", {source});
  }
  LockFacts facts;
  std::string section;
  int line_number = 0;
  for (const std::string& line : Split(text, '\n')) {
    ++line_number;
    const std::size_t colon = line.find(": ");
    if (line.starts_with("  ") && colon != std::string::npos && !section.empty()) {
      facts[section][line.substr(2, colon - 2)] = line.substr(colon + 2);
    } else if (!line.empty() && line.back() == ':' && line.front() != ' ') {
      section = line.substr(0, line.size() - 1);
      const bool known = std::count(kSections.begin(), kSections.end(), section) > 0;
      if (!known) throw Error(ErrorCode::kCorrupt, "unknown section", "was the file edited?", {source, line_number, 1});
    } else if (!line.empty() && line.front() != '#' && !line.starts_with("range: ")) {
      throw Error(ErrorCode::kCorrupt, "expected '  name: value'", "was the file edited?", {source, line_number, 1});
    }
  }
  return facts;
}

fs::path LockFileOf(const fs::path& output, const std::string& range) { return output / "lock" / (range + ".yaml"); }

void RequirePlanAsLocked(const Plan& plan, const PlanPoint& point) {
  std::vector<Diagnostic> differences;
  for (const std::string& range : point.config->RangeNames()) {
    const fs::path file = LockFileOf(point.config->run.output, range);
    for (Diagnostic& difference : PlanDifferences(ReadLock(file), PlannedFacts(plan, point, range), file)) {
      differences.push_back(std::move(difference));
    }
  }
  if (differences.empty()) return;
  differences.back().hint = "run without --locked to accept the change";
  throw Error(ErrorCode::kUsage, std::move(differences));
}

void RequireResultsAsLocked(const PlanPoint& point, const RunOutcome& outcome) {
  std::vector<Diagnostic> differences;
  for (const std::string& range : point.config->RangeNames()) {
    const fs::path file = LockFileOf(point.config->run.output, range);
    std::map<std::string, std::string> locked = ReadLock(file)["results"];
    std::map<std::string, std::string> now = ResultFacts(outcome, range);
    // What was not needed now, or was not when the file was written, cannot be compared.
    std::erase_if(locked, [&](const auto& fact) { return !now.contains(fact.first); });
    std::erase_if(now, [&](const auto& fact) { return !locked.contains(fact.first); });
    Compare("results", locked, now, file, differences);
  }
  if (differences.empty()) return;
  differences.back().hint = "the same options and inputs gave other bytes: `flyscribe cache verify` looks for damage";
  throw Error(ErrorCode::kCorrupt, std::move(differences));
}

void RequireOwnLockFiles(const Config& config) {
  for (const std::string& range : config.RangeNames()) {
    const fs::path file = LockFileOf(config.run.output, range);
    if (!IsTaken(file) || ReadFile(file).starts_with(kTitle)) continue;
    throw Error(ErrorCode::kUsage,
                "the run would replace this file, which is no lock file of flyscribe",
                "move it away, or choose another `output`",
                {file.string()});
  }
}

void WriteLockFiles(const Plan& plan, const PlanPoint& point, const RunOutcome& outcome) {
  RequireOwnLockFiles(*point.config);
  for (const std::string& range : point.config->RangeNames()) {
    const fs::path file = LockFileOf(point.config->run.output, range);
    LockFacts before;
    try {
      before = ReadLock(file);
    } catch (const Error&) {
      before.clear();  // there is none yet, or none that can be read
    }
    LockFacts facts = PlannedFacts(plan, point, range);
    std::map<std::string, std::string> results = ResultFacts(outcome, range);
    for (const auto& [name, digest] : before["results"]) {
      if (before["keys"][name] == facts["keys"][name]) results.emplace(name, digest);
    }
    facts["results"] = std::move(results);
    WriteFileAtomically(file, LockText(range, facts));
  }
}

}  // namespace flyscribe
