#include "report/left_out.h"

#include <algorithm>

namespace flyscribe {
namespace {

const char* Kind(bool fault) { return fault ? "fault" : "filter"; }

Html CountTable(const std::vector<Skipped>& skipped) {
  Html rows;
  for (const ReasonCount& reason : CountReasons(skipped)) {
    rows += Element("tr", Cell(reason.reason) + Cell(Kind(reason.fault)) + NumberCell(Count(reason.count)));
  }
  return TableElement("Inputs left out, by reason", {"Reason", "Kind", "Inputs"}, rows);
}

Html InputList(std::vector<Skipped> skipped) {
  std::stable_partition(skipped.begin(), skipped.end(), [](const Skipped& input) { return input.fault; });
  Html rows;
  for (std::size_t i = 0; i < std::min(kListedInputs, skipped.size()); ++i) {
    rows += Element("tr", Cell(skipped[i].input) + Cell(skipped[i].reason) + Cell(Kind(skipped[i].fault)));
  }
  Html list = TableElement("Inputs left out", {"Input", "Reason", "Kind"}, rows);
  if (skipped.size() > kListedInputs) {
    list += Element("p", {{"class", "note"}}, Text("and " + Count(skipped.size() - kListedInputs) + " more"));
  }
  return list;
}

}  // namespace

Html LeftOutInputs(const std::vector<Skipped>& skipped) {
  if (skipped.empty()) return Element("p", {{"class", "note"}}, Text("Nothing was left out."));
  return CountTable(skipped) + Folded("Which inputs", InputList(skipped));
}

}  // namespace flyscribe
