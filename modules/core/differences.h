// What differs between two maps.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>

namespace flyscribe {

// name -> its value in the first and in the second, for names whose values differ; nothing where a map lacks the name.
template <class Value>
std::map<std::string, std::pair<std::optional<Value>, std::optional<Value>>> Differences(
    const std::map<std::string, Value>& first, const std::map<std::string, Value>& second) {
  std::map<std::string, std::pair<std::optional<Value>, std::optional<Value>>> both;
  for (const auto& [name, value] : first) both[name].first = value;
  for (const auto& [name, value] : second) both[name].second = value;
  std::erase_if(both, [](const auto& entry) { return entry.second.first == entry.second.second; });
  return both;
}

}  // namespace flyscribe
