#include "corpus/gene.h"

#include <algorithm>
#include <set>
#include <utility>

#include "core/text.h"

namespace flyscribe {
namespace {

bool IsDigits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

// ^C[GR]\d: an annotation symbol, such as CG10036 or CR32730.
bool LooksLikeCg(std::string_view text) {
  return (text.starts_with("CG") || text.starts_with("CR")) && IsDigits(text.substr(2, 1));
}

bool LooksLikeFbgn(std::string_view text) { return text.starts_with("FBgn") && IsDigits(text.substr(4)); }

// The word as ids are written: people also write fbgn0015524 and cg10036, and leave blanks at the ends. Only a whole id
// is mended: Cg25C is a symbol, whose case counts.
std::string Canonical(std::string_view word) {
  const std::string_view trimmed = Trim(word);
  const std::string lower = ToLower(trimmed);
  for (const std::string prefix : {"FBgn", "CG", "CR"}) {
    if (!lower.starts_with(ToLower(prefix))) continue;
    const std::string_view number = trimmed.substr(prefix.size());
    if (IsDigits(number)) return prefix + std::string(number);
  }
  return std::string(trimmed);
}

using Counts = std::map<std::string, std::size_t>;

// The most frequent, then the smallest; empty if there is none.
std::string MostFrequent(const Counts& counts) {
  const auto best = std::ranges::max_element(counts, {}, &Counts::value_type::second);
  return best == counts.end() ? std::string() : best->first;
}

std::vector<std::string> Keys(const Counts& counts) {
  std::vector<std::string> keys;
  for (const auto& [key, count] : counts) keys.push_back(key);
  return keys;
}

// All names one gene goes by, with how many rows use them.
struct Names {
  Counts fbgns;
  Counts cgs;
  Counts symbols;

  void Add(const Gene& row) {
    if (!row.fbgn.empty()) ++fbgns[row.fbgn];
    if (!row.cg.empty()) ++cgs[row.cg];
    if (!row.symbol.empty()) ++symbols[row.symbol];
  }
  GeneNames All() const {
    GeneNames all = {Keys(cgs), Keys(symbols)};
    for (std::string& id : Keys(fbgns)) all.ids.push_back(std::move(id));  // sorted still: CG, CR, FBgn
    return all;
  }
  Gene Preferred() const { return {MostFrequent(cgs), MostFrequent(symbols), MostFrequent(fbgns)}; }
};

// The id that ties a row to others; empty if it has only a symbol.
const std::string& TyingId(const Gene& row) { return row.fbgn.empty() ? row.cg : row.fbgn; }

// Ids that belong together (disjoint sets, each known by one of its members).
class TiedIds {
 public:
  void Add(const Gene& row) {
    for (const std::string* id : {&row.fbgn, &row.cg}) {
      if (!id->empty()) parents_.try_emplace(*id, *id);
    }
    if (!row.fbgn.empty() && !row.cg.empty()) parents_[Root(row.fbgn)] = Root(row.cg);
  }
  // REQUIRES: the id was added.
  std::string Root(std::string id) {
    while (parents_.at(id) != id) {
      std::string& parent = parents_.at(id);
      parent = parents_.at(parent);  // shortens the way for the next one
      id = parent;
    }
    return id;
  }

 private:
  std::map<std::string, std::string> parents_;
};

// One entry a gene, in no order that matters.
std::vector<Names> NamesOfGenes(const std::vector<Gene>& rows) {
  TiedIds ids;
  for (const Gene& row : rows) ids.Add(row);
  std::map<std::string, Names> by_root;
  for (const Gene& row : rows) {
    if (!TyingId(row).empty()) by_root[ids.Root(TyingId(row))].Add(row);
  }
  std::set<std::string> known_symbols;
  std::vector<Names> genes;
  for (auto& [root, names] : by_root) {
    for (const auto& [symbol, count] : names.symbols) known_symbols.insert(symbol);
    genes.push_back(std::move(names));
  }
  for (const Gene& row : rows) {
    if (!TyingId(row).empty() || !known_symbols.insert(row.symbol).second) continue;
    genes.emplace_back().Add(row);
  }
  return genes;
}

// "a and b and c and 5 more": the text goes with every row of the gene, so it must not grow with their number.
std::string Some(const std::vector<std::string>& names, std::size_t count) {
  const std::string text = Join(names, " and ");
  return count <= names.size() ? text : text + " and " + std::to_string(count - names.size()) + " more";
}

constexpr std::size_t kNamed = 3;

std::string SomeKeys(const Counts& counts) {
  std::vector<std::string> keys = Keys(counts);
  keys.resize(std::min(kNamed, keys.size()));
  return Some(keys, counts.size());
}

}  // namespace

Gene GeneFromColumns(const std::string& first_column,
                     const std::string& second_column,
                     const std::string& fbgn_column) {
  const std::string first = Canonical(first_column);
  const std::string second = Canonical(second_column);
  const std::string fbgn = Canonical(fbgn_column);
  Gene gene;
  for (const std::string* word : {&fbgn, &first, &second}) {
    if (gene.fbgn.empty() && LooksLikeFbgn(*word)) gene.fbgn = *word;
  }
  for (const std::string* word : {&first, &second, &fbgn}) {
    if (gene.cg.empty() && LooksLikeCg(*word)) gene.cg = *word;
  }
  // BDGP repeats the CG id of a gene that has no other symbol.
  const bool swapped = !LooksLikeCg(first) && LooksLikeCg(second);
  const auto is_name = [](const std::string& word) { return !word.empty() && !LooksLikeFbgn(word); };
  if (is_name(second) && !swapped) {
    gene.symbol = second;
  } else if (is_name(first) && !LooksLikeCg(first)) {
    gene.symbol = first;
  }
  return gene;
}

Gene GeneFromWord(const std::string& any_word) {
  const std::string word = Canonical(any_word);
  if (LooksLikeFbgn(word)) return {{}, {}, word};
  if (LooksLikeCg(word)) return {word, {}, {}};
  return {{}, word, {}};
}

GeneNames NamesOf(const Gene& gene) {
  Names names;
  names.Add(gene);
  return names.All();
}

GeneIndex::GeneIndex(const std::vector<Gene>& rows) {
  std::vector<Names> all = NamesOfGenes(rows);
  std::ranges::sort(all, {}, [](const Names& names) { return names.Preferred().Identity(); });
  for (const Names& names : all) {
    const std::size_t index = genes_.size();
    for (const auto& [id, count] : names.fbgns) by_id_[id] = index;
    for (const auto& [id, count] : names.cgs) by_id_[id] = index;
    for (const auto& [symbol, count] : names.symbols) by_symbol_[symbol].push_back(index);
    genes_.push_back(names.Preferred());
    names_.push_back(names.All());
    const bool conflict = names.fbgns.size() > 1 || names.cgs.size() > 1;
    conflicts_.push_back(conflict ? SomeKeys(names.cgs) + " stands for " + SomeKeys(names.fbgns) : "");
  }
}

std::optional<std::size_t> GeneIndex::Find(const Gene& row) const {
  if (const std::string& id = TyingId(row); !id.empty()) {
    const auto found = by_id_.find(id);
    return found == by_id_.end() ? std::nullopt : std::optional(found->second);
  }
  const auto found = by_symbol_.find(row.symbol);
  if (found == by_symbol_.end() || found->second.size() != 1) return std::nullopt;
  return found->second.front();
}

std::string GeneIndex::SharedSymbol(const Gene& row) const {
  const auto found = by_symbol_.find(row.symbol);
  if (found == by_symbol_.end() || found->second.size() < 2) return {};
  std::vector<std::string> names;
  for (std::size_t i = 0; i < std::min(kNamed, found->second.size()); ++i) {
    names.push_back(genes_[found->second[i]].Identity());
  }
  return row.symbol + " is " + Some(names, found->second.size());
}

std::string GeneIndex::Conflict(const Gene& row) const {
  const std::optional<std::size_t> gene = Find(row);
  return gene ? conflicts_[*gene] : std::string();
}

}  // namespace flyscribe
