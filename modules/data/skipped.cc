#include "data/skipped.h"

#include <algorithm>
#include <functional>
#include <map>
#include <tuple>
#include <utility>

#include "core/text.h"
#include "data/tables.h"

namespace flyscribe {
namespace {

const std::vector<std::string> kHeader = {"input", "reason", "kind"};
const std::vector<std::string> kFaultsHeader = {"range", "input", "reason"};

}  // namespace

std::vector<ReasonCount> CountReasons(const std::vector<Skipped>& skipped) {
  std::map<std::pair<bool, std::string>, std::size_t> counts;
  for (const Skipped& input : skipped) {
    const std::string phrase = input.reason.substr(0, input.reason.find(':'));
    ++counts[{input.fault, std::string(Trim(phrase))}];
  }
  std::vector<ReasonCount> reasons;
  for (const auto& [key, count] : counts) reasons.push_back({key.second, key.first, count});
  std::ranges::stable_sort(
      reasons, std::ranges::greater{}, [](const ReasonCount& each) { return std::tuple(each.fault, each.count); });
  return reasons;
}

std::string ReasonsInWords(const std::vector<Skipped>& skipped) {
  std::vector<std::string> words;
  for (const ReasonCount& each : CountReasons(skipped)) {
    words.push_back(each.reason + " (" + std::to_string(each.count) + ")");
  }
  return words.empty() ? "nothing" : Join(words, ", ");
}

void SaveSkipped(const fs::path& folder, const std::vector<Skipped>& skipped) {
  std::vector<std::vector<std::string>> rows;
  for (const Skipped& item : skipped) rows.push_back({item.input, item.reason, item.fault ? "fault" : "filter"});
  SaveTsv(folder / "skipped.tsv", kHeader, rows);
}

std::vector<Skipped> LoadSkipped(const fs::path& folder) {
  std::vector<Skipped> skipped;
  const fs::path path = folder / "skipped.tsv";
  for (auto& row : LoadTsv(path, kHeader)) {
    if (row[2] != "fault" && row[2] != "filter") ThrowCorrupt(path, "unknown kind '" + row[2] + "'");
    skipped.push_back({std::move(row[0]), std::move(row[1]), row[2] == "fault"});
  }
  return skipped;
}

void SaveFaults(const fs::path& folder, const std::vector<RangeFault>& faults) {
  std::vector<std::vector<std::string>> rows;
  for (const RangeFault& fault : faults) rows.push_back({fault.range, fault.skipped.input, fault.skipped.reason});
  SaveTsv(folder / "faults.tsv", kFaultsHeader, rows);
}

std::vector<RangeFault> LoadFaults(const fs::path& folder) {
  std::vector<RangeFault> faults;
  for (auto& row : LoadTsv(folder / "faults.tsv", kFaultsHeader)) {
    faults.push_back({std::move(row[0]), {std::move(row[1]), std::move(row[2]), true}});
  }
  return faults;
}

}  // namespace flyscribe
