// The goals of speed, and whether they are held: one table at the end of a run.
//
// A goal that names a rival holds or not only where the rival was run beside us. Where it is not installed the row says
// so, and shows what stands for it: a figure of this run, and the one at which the goal would be held, going by what
// the rival took where both were measured.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace flyscribe {

struct Figure {
  double value = 0.0;
  std::string unit;  // "times", "passes"; words after the number
  double bound = 0.0;
  bool at_least = false;  // the value is to be no less than the bound; else no more

  bool Held() const { return at_least ? value >= bound : value <= bound; }
};

struct Goal {
  std::string what;              // "coding against sklearn, m = 500"
  std::optional<Figure> figure;  // nothing if it was not measured
  std::optional<Figure> stand_in = {};
  std::string why = {};  // why it was not measured

  // "held", "missed", "not measured".
  std::string State() const;
};

class Goals {
 public:
  void Add(Goal goal) { goals_.push_back(std::move(goal)); }
  // Adds those another program wrote: one JSON object a line, {"goal", "value", "unit", "bound", "at_least"}.
  void AddFile(const std::string& path);

  void Print() const;
  // The same as a table of a page.
  std::string Markdown() const;
  std::string Json() const;

 private:
  std::vector<Goal> goals_;
};

}  // namespace flyscribe
