#include "bench/table.h"

#include <fmt/core.h>

#include <cstdio>
#include <nlohmann/json.hpp>

namespace flyscribe {
namespace {

using Json = nlohmann::ordered_json;

Json& Tables() {
  static Json tables = Json::array();
  return tables;
}

}  // namespace

BenchTable::BenchTable(std::string name, std::vector<std::string> columns)
    : index_(Tables().size()), columns_(std::move(columns)) {
  fmt::print("\n{}\n  {:<26}", name, "");
  for (const std::string& column : columns_) fmt::print(" {:>13}", column);
  fmt::print("\n");
  Tables().push_back({{"table", std::move(name)}, {"rows", Json::array()}});
}

void BenchTable::Row(const std::string& label, const std::vector<double>& values) {
  Json row = {{"what", label}};
  fmt::print("  {:<26}", label);
  for (std::size_t i = 0; i < values.size(); ++i) {
    fmt::print(" {:>13.5g}", values[i]);
    row[columns_.at(i)] = values[i];
  }
  fmt::print("\n");
  std::fflush(stdout);
  Tables()[index_]["rows"].push_back(row);
}

std::string BenchTable::AllAsJson() { return Tables().dump(2) + "\n"; }

}  // namespace flyscribe
