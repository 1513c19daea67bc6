#include "data/labels.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace flyscribe {

LabelTable LabelTable::FromBags(const std::vector<Bag>& bags) {
  std::map<std::string, std::size_t> count_of;
  for (const Bag& bag : bags) {
    const std::set<std::string> distinct(bag.terms.begin(), bag.terms.end());
    for (const std::string& term : distinct) ++count_of[term];
  }
  std::vector<std::pair<std::string, std::size_t>> counts(count_of.begin(), count_of.end());
  std::stable_sort(counts.begin(), counts.end(), [](const auto& a, const auto& b) { return a.second > b.second; });

  LabelTable table;
  std::map<std::string, std::size_t> column_of;
  for (const auto& [term, count] : counts) {
    column_of[term] = table.terms.size();
    table.terms.push_back(term);
    table.positives.push_back(count);
  }
  table.values = Matrix<std::uint8_t>(bags.size(), table.terms.size());
  for (std::size_t bag = 0; bag < bags.size(); ++bag) {
    for (const std::string& term : bags[bag].terms) table.values(bag, column_of[term]) = 1;
  }
  return table;
}

}  // namespace flyscribe
