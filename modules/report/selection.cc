#include "report/selection.h"

#include <algorithm>
#include <numeric>
#include <string>

#include "core/rng.h"

namespace flyscribe {

std::vector<std::size_t> ChooseExamples(const std::vector<Bag>& bags,
                                        const std::set<int>& tested_folds,
                                        std::size_t count) {
  std::vector<std::size_t> chosen;
  for (std::size_t bag = 0; bag < bags.size(); ++bag) {
    if (tested_folds.contains(bags[bag].fold)) chosen.push_back(bag);
  }
  std::sort(chosen.begin(), chosen.end(), [&bags](std::size_t a, std::size_t b) {
    return HashText(0, bags[a].id) < HashText(0, bags[b].id);
  });
  chosen.resize(std::min(chosen.size(), count));
  return chosen;
}

FloatMatrix MostUsedAtoms(const FloatMatrix& atoms, const SparseCodes& codes, std::size_t count) {
  std::vector<std::size_t> uses(atoms.rows());
  for (const std::int32_t atom : codes.indices) ++uses[static_cast<std::size_t>(atom)];
  std::vector<std::size_t> order(atoms.rows());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&uses](std::size_t a, std::size_t b) { return uses[a] > uses[b]; });
  order.resize(std::min(order.size(), count));
  FloatMatrix chosen(order.size(), atoms.cols());
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto atom = atoms.Row(order[i]);
    std::copy(atom.begin(), atom.end(), chosen.Row(i).begin());
  }
  return chosen;
}

std::size_t CountGenes(const std::vector<Bag>& bags) {
  std::set<std::string> genes;
  for (const Bag& bag : bags) genes.insert(bag.gene);
  return genes.size();
}

}  // namespace flyscribe
