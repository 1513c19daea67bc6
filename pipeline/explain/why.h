// Why a step must run: which facts of its key differ from an earlier artifact of the same step, range and part, and
// through which steps the difference came. The earlier one is the nearest of the same config's recent runs; if it has
// none, the nearest of all in the cache, which may be another config's.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "pipeline/explain/history.h"
#include "pipeline/plan/forecast.h"
#include "pipeline/plan/plan.h"

namespace flyscribe {

// One fact that is not as it was.
struct KeyChange {
  std::string name;    // "option learn.lambda", "input images", "library libsvm", "step" (its version)
  std::string before;  // empty: there was none
  std::string after;   // empty: there is none any more
  // The steps between, nearest first: "pool", "learn". Empty: it is in the step's own key.
  std::vector<std::string> through;
  std::string range;            // of the step whose key it is in
  std::string detail;           // of data, if the earlier one is still there: "2 images added, 1 image changed"
  bool of_other_range = false;  // the step it is told of is not of `range`

  // "learn.lambda: 0.1 -> 0.12, through pool < learn"; "1 image added, through extract < standardise".
  std::string ToString() const;
};

struct Reason {
  enum class Kind {
    kCached,         // it need not run
    kNeverComputed,  // no earlier artifact of this step, range and part is known
    kChanged,        // `changes` says how its key differs from the earlier one's
    kRemoved,        // computed before, with this very key, but no longer in the cache
    kDamaged,        // in the cache, but not usable
    kForced,         // asked for
    kNotKnownYet,    // its inputs are not known before simulate has run
    kUnneeded,       // not in the cache, and nothing that is asked for needs it
    kNotAsked,
  };
  Kind kind = Kind::kCached;
  std::vector<KeyChange> changes;
  std::string earlier;       // the key compared with
  std::string made;          // when that was computed
  bool of_own_run = false;   // it is of one of this config's runs, else the nearest of all
  bool of_last_run = false;  // of the last of them
  std::string config;        // of the nearest of all: whose it is, as far as it is known
  std::string problem;       // of a damaged one

  // For one line of a table.
  std::string ToString() const;
  // For machines: "cached", "never computed", "changed" ...
  std::string KindName() const;
  // The changes as a JSON array of {name, before, after, through, range, detail}.
  std::string ChangesJson() const;
};

class Explainer {
 public:
  // Both must outlive it.
  Explainer(const Plan& plan, const History& history) : plan_(plan), history_(history) {}

  // The facts in which the instance differs from the earlier artifact; kNeverComputed, kChanged, kRemoved or kCached,
  // going by the key alone.
  Reason Explain(const StepInstance& instance) const;
  // The same for a step of a forecast.
  Reason Explain(const StepInstance& instance, const StepForecast& forecast, const RunRequest& request) const;

 private:
  // A fact that differs, and the instance whose key it is in.
  struct RootCause {
    KeyChange change;
    const StepInstance* instance;
  };

  // What the instance may be compared with, by run, the latest first: of its part, of the config's recent runs that had
  // it (`own`), or all in one if there are none.
  std::vector<History::OfOneRun> Earlier(const StepInstance& instance, bool& own) const;
  // A changed input is followed to the step that made it, on the shortest way.
  std::vector<RootCause> RootCauses(const std::string& earlier_text, const StepInstance& instance) const;
  // The instance whose key the input names, if it is one.
  const StepInstance* Upstream(const StepInstance& instance, const std::string& input) const;
  // Data that came out different because options of ingest changed is put down to those options, and another shape of
  // the graph to those of the protocol.
  std::vector<RootCause> PutDownToOptions(const std::vector<RootCause>& causes) const;
  // The ingest instance whose content the cause's input is a digest of; null if it is another input.
  const StepInstance* IngestBehind(const RootCause& cause) const;
  // The options in which it differs from the earlier one that left the digest the cause was before.
  std::vector<RootCause> OptionsBehind(const RootCause& cause, const StepInstance& ingest) const;
  // Those of some ingest artifacts that left the digest the cause was before.
  static std::vector<const KnownArtifact*> IngestsWith(const RootCause& cause,
                                                       std::vector<const KnownArtifact*> ingests);
  // Those of this config's last run that has any, else of all.
  std::vector<const KnownArtifact*> EarlierIngests(const RootCause& cause) const;
  // What changed in the data, if it is data and the earlier ingest artifact can still be read.
  std::optional<std::string> DetailOf(const RootCause& cause) const;
  // With details. Where there is something to say of the data, what changed along with it is left out: a new image has
  // a new file, perhaps a new bag.
  std::vector<KeyChange> Told(std::vector<RootCause> causes, const StepInstance& instance) const;
  const std::string& ConfigPath(const StepInstance& instance) const {
    return plan_.points[instance.point].config->path;
  }

  const Plan& plan_;
  const History& history_;
};

}  // namespace flyscribe
