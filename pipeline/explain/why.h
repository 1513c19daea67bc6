// Why a step must run: which facts of its key differ from the nearest earlier artifact of the same step, range and
// part, and through which steps the difference came.
#pragma once

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
  std::string range;   // of the step whose key it is in
  std::string detail;  // of images, labels and folds, if the earlier ones are still there: "2 added, 1 changed"

  // "learn.lambda: 0.1 -> 0.12, through pool < learn"; "images of 4-6: 2 added, 1 changed, through extract".
  std::string ToString() const;
};

struct Reason {
  enum class Kind {
    kCached,         // it need not run
    kNeverComputed,  // no earlier artifact of this step, range and part is known
    kChanged,        // `changes` says how its key differs from the nearest one's
    kRemoved,        // computed before, with this very key, but no longer in the cache
    kDamaged,        // in the cache, but not usable
    kForced,         // asked for
    kNotKnownYet,    // its inputs are not known before simulate has run
    kUnneeded,       // not in the cache, and nothing that is asked for needs it
    kNotAsked,
  };
  Kind kind = Kind::kCached;
  std::vector<KeyChange> changes;
  std::string earlier;  // the key compared with
  std::string made;     // when that was computed
  std::string problem;  // of a damaged one

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

  // The facts in which the instance differs from the nearest earlier artifact; kNeverComputed, kChanged, kRemoved or
  // kCached, going by the key alone.
  Reason Explain(const StepInstance& instance) const;
  // The same for a step of a forecast.
  Reason Explain(const StepInstance& instance, const StepForecast& forecast, const RunRequest& request) const;

 private:
  // A fact that differs, and the instance whose key it is in.
  struct RootCause {
    KeyChange change;
    const StepInstance* instance;
  };

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
  // What changed in the data, if the earlier ingest artifact can still be read.
  std::string DetailOf(const RootCause& cause) const;

  const Plan& plan_;
  const History& history_;
};

}  // namespace flyscribe
