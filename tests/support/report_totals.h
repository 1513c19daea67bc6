// Whether an import accounts for every row: what import-report.tsv promises.
#pragma once

#include <map>
#include <string>
#include <utility>

namespace flyscribe {

// The totals of the report, by table and reason. Adds a test failure unless in each table rows (or files) = used + all
// reasons, and as many rows are listed for a reason as it counts.
std::map<std::pair<std::string, std::string>, std::size_t> CheckedTotals(const std::string& report_tsv);

}  // namespace flyscribe
