#include "pipeline/explain/why.h"

#include <fmt/core.h>

#include <algorithm>
#include <deque>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "core/error.h"
#include "core/text.h"
#include "data/tables.h"
#include "pipeline/cache/key.h"
#include "pipeline/explain/corpus_changes.h"

namespace flyscribe {
namespace {

const std::string kInput = "input ";
const std::string kOption = "option ";
const std::string kLibrary = "library ";
const std::string kProtocol = "option protocol.";

// Inputs that come or go and other parts: the graph has another shape, because of the protocol.
bool IsShape(const KeyChange& change) {
  const bool comes_or_goes = change.before.empty() || change.after.empty();
  return change.name == "part" || (change.name.starts_with(kInput) && comes_or_goes);
}

// "option learn.lambda" -> "learn.lambda"; a library keeps its kind, so that nobody looks for it in the config.
std::string ForPeople(const std::string& name) {
  if (name.starts_with(kOption)) return name.substr(kOption.size());
  if (name.starts_with(kInput)) return name.substr(kInput.size());
  if (name == "step") return "version of the step";
  if (name == "form") return "form of the artifact";
  if (name == kLibrary + "config") return "name of the config";  // the report's key keeps it among the libraries
  return name;
}

// Digests are shortened.
std::string ValueForPeople(const std::string& value) {
  if (value.empty()) return "nothing";
  const bool digest = value.size() == 64 && value.find_first_not_of("0123456789abcdef") == std::string::npos;
  return digest ? value.substr(0, 8) : value;
}

std::string ValuesForPeople(const KeyChange& change) {
  const bool input = change.name.starts_with(kInput);
  if (input && change.before.empty()) return "a new input";
  if (input && change.after.empty()) return "no longer an input";
  return ValueForPeople(change.before) + " -> " + ValueForPeople(change.after);
}

}  // namespace

std::string KeyChange::ToString() const {
  std::string text = detail;
  if (!detail.empty() && of_other_range) text += fmt::format(" ({})", range);
  if (detail.empty()) {
    const bool of_range = name.starts_with(kInput) && range != kAllRanges;
    text = fmt::format("{}{}: {}", ForPeople(name), of_range ? " of " + range : "", ValuesForPeople(*this));
  }
  return through.empty() ? text : text + ", through " + Join(through, " < ");
}

std::string Reason::KindName() const {
  switch (kind) {
    case Kind::kCached:
      return "cached";
    case Kind::kNeverComputed:
      return "never computed";
    case Kind::kChanged:
      return "changed";
    case Kind::kRemoved:
      return "removed";
    case Kind::kDamaged:
      return "damaged";
    case Kind::kForced:
      return "forced";
    case Kind::kNotKnownYet:
      return "not known yet";
    case Kind::kUnneeded:
      return "unneeded";
    case Kind::kNotAsked:
      return "not asked";
  }
  return "unknown";
}

std::string Reason::ChangesJson() const {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const KeyChange& change : changes) {
    list.push_back({{"name", change.name},
                    {"before", change.before},
                    {"after", change.after},
                    {"through", change.through},
                    {"range", change.range},
                    {"detail", change.detail}});
  }
  return JsonText(list);
}

std::string Reason::ToString() const {
  switch (kind) {
    case Kind::kChanged: {
      std::vector<std::string> texts;
      for (const KeyChange& change : changes) texts.push_back(change.ToString());
      constexpr std::size_t kShown = 3;
      const std::size_t more = texts.size() > kShown ? texts.size() - kShown : 0;
      texts.resize(texts.size() - more);
      return Join(texts, "; ") + (more > 0 ? fmt::format("; and {} more", more) : "") +
             (config.empty() ? "" : fmt::format(" (compared with {})", config));
    }
    case Kind::kRemoved:
      return "computed before (" + made + "), but no longer in the cache";
    case Kind::kDamaged:
      return "damaged: " + problem;
    case Kind::kForced:
      return "forced";
    case Kind::kNotKnownYet:
      return "simulate comes first";
    case Kind::kUnneeded:
      return "not in the cache, and not needed";
    default:
      return KindName();
  }
}

const StepInstance* Explainer::Upstream(const StepInstance& instance, const std::string& input) const {
  for (const StepLink& link : instance.links) {
    if (link.name != input || link.instance == kNoInstance) continue;
    const StepInstance& other = plan_.instances[link.instance];
    // Of ingest only a part may matter, which has a digest of its own.
    return other.key == link.digest ? &other : nullptr;
  }
  return nullptr;
}

std::vector<Explainer::RootCause> Explainer::RootCauses(const std::string& earlier_text,
                                                        const StepInstance& instance) const {
  struct Pair {
    const std::string& earlier_text;
    const StepInstance& instance;
    std::vector<std::string> through;
  };
  std::vector<RootCause> causes;
  std::set<std::vector<std::string>> seen;  // each fact, and each pair of keys, counts once
  std::deque<Pair> pairs = {{earlier_text, instance, {}}};
  for (; !pairs.empty(); pairs.pop_front()) {
    const Pair& pair = pairs.front();
    for (const auto& [name, values] : Differences(KeyFacts(pair.earlier_text), KeyFacts(pair.instance.key_text))) {
      const std::string before = values.first.value_or("");
      const std::string after = values.second.value_or("");
      if (!seen.insert({name, before, after}).second) continue;
      const bool input = name.starts_with(kInput);
      const StepInstance* upstream = input ? Upstream(pair.instance, name.substr(kInput.size())) : nullptr;
      const KnownArtifact* earlier = history_.Find(before);
      if (upstream == nullptr || earlier == nullptr) {
        causes.push_back({{name, before, after, pair.through, pair.instance.range, {}}, &pair.instance});
        continue;
      }
      if (!seen.insert({before, after}).second) continue;
      std::vector<std::string> through = pair.through;
      through.push_back(upstream->step->name);
      pairs.push_back({earlier->key_text, *upstream, std::move(through)});
    }
  }
  return causes;
}

const StepInstance* Explainer::IngestBehind(const RootCause& cause) const {
  for (const StepLink& link : cause.instance->links) {
    if (kInput + link.name != cause.change.name) continue;
    const StepInstance& other = link.instance == kNoInstance ? *cause.instance : plan_.instances[link.instance];
    return other.step == &IngestStep() && other.key != link.digest ? &other : nullptr;
  }
  return nullptr;
}

std::vector<Explainer::RootCause> Explainer::PutDownToOptions(const std::vector<RootCause>& causes) const {
  std::vector<RootCause> result;
  const auto add = [&](const RootCause& cause) {
    const bool known = std::any_of(result.begin(), result.end(), [&](const RootCause& other) {
      const bool same_range = other.instance->range == cause.instance->range;
      return other.change.name == cause.change.name && (same_range || cause.change.name.starts_with(kOption));
    });
    if (!known) result.push_back(cause);
  };
  for (const RootCause& cause : causes) {
    const StepInstance* ingest = IngestBehind(cause);
    const std::vector<RootCause> options = ingest == nullptr ? std::vector<RootCause>() : OptionsBehind(cause, *ingest);
    if (options.empty()) add(cause);
    for (const RootCause& option : options) add(option);
  }
  const bool reshaped = std::any_of(
      result.begin(), result.end(), [](const RootCause& cause) { return cause.change.name.starts_with(kProtocol); });
  if (reshaped) std::erase_if(result, [](const RootCause& cause) { return IsShape(cause.change); });
  return result;
}

std::vector<const KnownArtifact*> Explainer::IngestsWith(const RootCause& cause,
                                                         std::vector<const KnownArtifact*> ingests) {
  std::erase_if(ingests, [&cause](const KnownArtifact* ingest) {
    const auto facts = KeyFacts(ingest->key_text);
    const auto digest = facts.find(cause.change.name);
    return digest == facts.end() || digest->second != cause.change.before;
  });
  return ingests;
}

std::vector<const KnownArtifact*> Explainer::EarlierIngests(const RootCause& cause) const {
  const std::string& range = cause.instance->range;
  for (const std::vector<const KnownArtifact*>& run :
       history_.OfConfig(ConfigPath(*cause.instance), IngestStep().name, range)) {
    std::vector<const KnownArtifact*> own = IngestsWith(cause, run);
    if (!own.empty()) return own;
  }
  return IngestsWith(cause, history_.Of(IngestStep().name, range));
}

std::vector<Explainer::RootCause> Explainer::OptionsBehind(const RootCause& cause, const StepInstance& ingest) const {
  std::optional<std::vector<RootCause>> fewest;
  for (const KnownArtifact* earlier : EarlierIngests(cause)) {
    std::vector<RootCause> options;
    for (const auto& [name, values] : Differences(KeyFacts(earlier->key_text), KeyFacts(ingest.key_text))) {
      if (!name.starts_with(kOption)) continue;
      std::vector<std::string> through = cause.change.through;
      if (cause.instance != &ingest) through.push_back(ingest.step->name);
      options.push_back(
          {{name, values.first.value_or(""), values.second.value_or(""), std::move(through), ingest.range, {}},
           &ingest});
    }
    if (!fewest || options.size() < fewest->size()) fewest = std::move(options);
  }
  return fewest.value_or(std::vector<RootCause>());
}

std::optional<std::string> Explainer::DetailOf(const RootCause& cause) const {
  const auto corpus = plan_.points[cause.instance->point].corpus;
  if (IngestBehind(cause) == nullptr || corpus == nullptr) return std::nullopt;
  const StageRange range = StageRange::FromName(cause.instance->range);
  // Whose ingest it was does not matter: the same digest stands for the same data.
  for (const KnownArtifact* ingest : IngestsWith(cause, history_.Of(IngestStep().name, cause.instance->range))) {
    if (!ingest->present) continue;
    try {
      const Collection earlier = Collection::Load(ingest->folder, range);
      return CorpusChanges(cause.change.name.substr(kInput.size()), earlier, corpus->Of(range));
    } catch (const Error&) {
      continue;  // damaged, or removed meanwhile
    }
  }
  return std::nullopt;
}

std::vector<KeyChange> Explainer::Told(std::vector<RootCause> causes, const StepInstance& instance) const {
  std::vector<KeyChange> told;
  std::vector<KeyChange> silent;         // other data, but nothing to say of it
  std::set<std::string> ranges_of_data;  // with something to say
  for (RootCause& cause : causes) {
    const std::optional<std::string> detail = DetailOf(cause);
    cause.change.detail = detail.value_or("");
    cause.change.of_other_range = cause.change.range != instance.range;
    if (!cause.change.detail.empty()) ranges_of_data.insert(cause.change.range);
    (detail && detail->empty() ? silent : told).push_back(std::move(cause.change));
  }
  for (KeyChange& change : silent) {
    if (!ranges_of_data.contains(change.range)) told.push_back(std::move(change));
  }
  return told;
}

std::vector<History::OfOneRun> Explainer::Earlier(const StepInstance& instance, bool& own) const {
  constexpr std::size_t kRecent = 10;
  const auto other_part = [&](const KnownArtifact* known) { return known->part != instance.part.name(); };
  std::vector<History::OfOneRun> runs = history_.OfConfig(ConfigPath(instance), instance.step->name, instance.range);
  for (History::OfOneRun& run : runs) std::erase_if(run, other_part);
  std::erase_if(runs, [](const History::OfOneRun& run) { return run.empty(); });
  runs.resize(std::min(runs.size(), kRecent));
  own = !runs.empty();
  if (own) return runs;
  History::OfOneRun all = history_.Of(instance.step->name, instance.range);
  std::erase_if(all, other_part);
  return {all};
}

Reason Explainer::Explain(const StepInstance& instance) const {
  Reason reason;
  if (const KnownArtifact* same = history_.Find(instance.key)) {
    reason.kind = same->present ? Reason::Kind::kCached : Reason::Kind::kRemoved;
    reason.made = same->made;
    return reason;
  }
  reason.kind = Reason::Kind::kNeverComputed;
  std::vector<RootCause> nearest;
  const std::vector<History::OfOneRun> runs = Earlier(instance, reason.of_own_run);
  std::set<std::string> seen;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    bool of_this_run = false;
    for (const KnownArtifact* known : runs[i]) {
      if (!seen.insert(known->key).second) continue;
      std::vector<RootCause> causes = PutDownToOptions(RootCauses(known->key_text, instance));
      const bool first = reason.kind == Reason::Kind::kNeverComputed;
      // Of equals the one of the latest run; within a run, which may be a sweep, the one made last.
      const bool later = of_this_run && known->made > reason.made;
      const bool nearer = causes.size() < nearest.size() || (causes.size() == nearest.size() && later);
      if (!first && !nearer) continue;
      of_this_run = true;
      reason.kind = Reason::Kind::kChanged;
      reason.earlier = known->key;
      reason.made = known->made;
      reason.of_last_run = reason.of_own_run && i == 0;
      reason.config = reason.of_own_run ? "" : known->config;
      nearest = std::move(causes);
    }
  }
  reason.changes = Told(std::move(nearest), instance);
  return reason;
}

Reason Explainer::Explain(const StepInstance& instance, const StepForecast& forecast, const RunRequest& request) const {
  Reason reason;
  switch (forecast.state) {
    case StepState::kHit:
      return reason;
    case StepState::kNotAsked:
      reason.kind = Reason::Kind::kNotAsked;
      return reason;
    case StepState::kUnneeded:
      reason.kind = Reason::Kind::kUnneeded;
      return reason;
    default:
      break;
  }
  if (instance.key.empty()) {
    reason.kind = Reason::Kind::kNotKnownYet;
  } else if (!forecast.found.problem.empty()) {
    reason.kind = Reason::Kind::kDamaged;
    reason.problem = forecast.found.problem;
  } else if (forecast.found.artifact && request.Forces(instance)) {
    reason.kind = Reason::Kind::kForced;
  } else {
    reason = Explain(instance);
  }
  return reason;
}

}  // namespace flyscribe
