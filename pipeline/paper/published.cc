#include "pipeline/paper/published.h"

#include <algorithm>
#include <array>
#include <map>

namespace flyscribe {
namespace {

constexpr std::array<std::size_t, 5> kPatches = {555009, 259882, 286349, 989653, 1006012};

using Row = std::array<PublishedRun, 5>;

// Table 1, by size of the dictionary, then by range.
const std::map<int, Row>& Table1() {
  static const std::map<int, Row> table = {{500,
                                            {{{0.1374, 0.1384, 15.71, 0.1439},
                                              {0.1495, 0.1503, 7.81, 0.0680},
                                              {0.1470, 0.1478, 8.60, 0.0748},
                                              {0.1465, 0.1474, 30.64, 0.2573},
                                              {0.1489, 0.1498, 31.14, 0.2616}}}},
                                           {1000,
                                            {{{0.1317, 0.1325, 59.61, 0.1889},
                                              {0.1420, 0.1429, 28.31, 0.0900},
                                              {0.1398, 0.1407, 30.77, 0.0975},
                                              {0.1399, 0.1408, 107.80, 0.3399},
                                              {0.1424, 0.1433, 111.01, 0.3469}}}},
                                           {2000,
                                            {{{0.1266, 0.1278, 219.21, 0.3666},
                                              {0.1358, 0.1366, 102.64, 0.1648},
                                              {0.1338, 0.1349, 113.09, 0.1902},
                                              {0.1342, 0.1353, 390.88, 0.6397},
                                              {0.1365, 0.1378, 397.34, 0.6401}}}}};
  return table;
}

// Place of a range in the paper's order; 5 if it is not there.
std::size_t PlaceOf(const std::string& range) {
  const std::vector<std::string>& ranges = PublishedRanges();
  return static_cast<std::size_t>(std::find(ranges.begin(), ranges.end(), range) - ranges.begin());
}

std::optional<PublishedSplit> Find(const std::map<int, PublishedSplit>& table, int atoms) {
  const auto found = table.find(atoms);
  return found == table.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace

const std::vector<std::string>& PublishedRanges() {
  static const std::vector<std::string> ranges = {"4-6", "7-8", "9-10", "11-12", "13-16"};
  return ranges;
}

std::size_t PublishedPatches(const std::string& range) {
  const std::size_t place = PlaceOf(range);
  return place < kPatches.size() ? kPatches[place] : 0;
}

std::optional<PublishedRun> PublishedTable1(int atoms, const std::string& range) {
  const auto row = Table1().find(atoms);
  const std::size_t place = PlaceOf(range);
  if (row == Table1().end() || place >= row->second.size()) return std::nullopt;
  return row->second[place];
}

std::optional<PublishedSplit> PublishedOnlineSplit(int atoms) {
  static const std::map<int, PublishedSplit> table = {
      {500, {2.58, 5.23}}, {1000, {8.83, 19.48}}, {2000, {38.75, 63.89}}};
  return Find(table, atoms);
}

std::optional<PublishedSplit> PublishedSccSplit(int atoms) {
  static const std::map<int, PublishedSplit> table = {{500, {0.22, 0.03}}, {1000, {0.39, 0.03}}, {2000, {0.71, 0.04}}};
  return Find(table, atoms);
}

double PublishedMicroseconds(double hours, const std::string& range) {
  const double visits = static_cast<double>(PublishedPatches(range)) * kPublishedEpochs;
  return visits > 0.0 ? hours * 3600.0 * 1e6 / visits : 0.0;
}

}  // namespace flyscribe
