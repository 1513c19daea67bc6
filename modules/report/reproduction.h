// The reproduction of a paper as a document: tables of published and measured numbers, figures, and checks that were
// held or failed; as one HTML page that loads nothing, and as Markdown.
//
// All text is plain and escaped. The Markdown has the same words, tables and checks; instead of a figure it says what
// the figure shows, whose numbers stand in the tables. Thread-safe: pure functions.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "report/svg.h"

namespace flyscribe {

// What was claimed, and whether it was so, with the numbers it was judged by.
struct ReproductionCheck {
  enum class State { kHeld, kFailed };
  std::string claim;
  State state = State::kHeld;
  std::string numbers;
};

struct ReproductionTable {
  std::string caption = {};
  std::vector<std::string> header = {};
  std::vector<std::vector<std::string>> rows = {};  // as long as the header
  std::string note = {};                            // beneath; may be empty
};

// Bars in groups, such as four scores of each of five stage ranges, with the ends of their confidence intervals.
struct GroupedBar {
  std::optional<double> value = {};  // nothing is drawn without one
  double low = 0.0;                  // low > high: no interval is drawn
  double high = -1.0;
};
struct GroupedBars {
  std::string title = {};
  std::string description = {};
  Axis y = {};
  std::vector<std::string> groups = {};            // beneath the axis
  std::vector<std::string> members = {};           // of each group, for the legend
  std::vector<std::vector<GroupedBar>> bars = {};  // by group, then member
};
Html GroupedBarsSvg(const GroupedBars& chart);

struct ReproductionPart {
  std::string name = {};   // the paper's: "Table 1"
  std::string title = {};  // "Objective and time of OL and SCC"
  std::vector<std::string> text = {};
  std::vector<ReproductionTable> tables = {};
  std::vector<LineChart> charts = {};
  std::vector<GroupedBars> bars = {};
  std::vector<ReproductionCheck> checks = {};
  std::vector<std::string> agrees = {};
  std::vector<std::string> differs = {};
  std::vector<std::string> incomparable = {};
};

struct Reproduction {
  std::string title = {};
  std::vector<std::string> lead = {};
  std::vector<std::pair<std::string, std::string>> facts = {};  // command, data, protocol, machine, versions, seeds
  std::vector<std::string> fairness = {};                       // how measurements were made
  std::vector<ReproductionPart> parts = {};

  // Of all parts, in order.
  std::vector<ReproductionCheck> Checks() const;
  std::size_t Failed() const;
};

std::string RenderReproductionHtml(const Reproduction& reproduction);
std::string RenderReproductionMarkdown(const Reproduction& reproduction);

}  // namespace flyscribe
