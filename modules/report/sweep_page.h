// One HTML page over the points of a sweep: their settings and scores, the best ones marked, with links to their
// reports.
//
// Like the report it opens from disk, loads nothing and escapes all text. Thread-safe: a pure function.
#pragma once

#include <string>
#include <vector>

namespace flyscribe {

struct PlainTable {
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows;
};

struct SweepPage {
  std::string title;
  std::string command;
  std::vector<std::string> header;             // names of columns, among them "range"
  std::vector<std::vector<std::string>> rows;  // one per point and range
  std::vector<std::string> links;              // one per row: a relative address; empty if there is no report
  // Which point was chosen for each fold by inner folds, and what that scores; empty: nothing was chosen.
  PlainTable choice_folds;
  PlainTable choice_scores;
};

std::string RenderSweepPage(const SweepPage& page);

}  // namespace flyscribe
