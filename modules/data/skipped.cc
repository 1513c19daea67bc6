#include "data/skipped.h"

#include <utility>

#include "data/tables.h"

namespace flyscribe {
namespace {

const std::vector<std::string> kHeader = {"input", "reason", "kind"};

}  // namespace

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

}  // namespace flyscribe
