#include "data/collection.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include "core/csv.h"
#include "core/error.h"
#include "core/hash.h"
#include "core/rng.h"
#include "core/text.h"
#include "data/tables.h"

namespace flyscribe {
namespace {

const std::vector<std::string> kImagesHeader = {"id", "folder", "file", "digest", "bag"};
const std::vector<std::string> kBagsHeader = {"id", "gene", "symbol", "fbgn", "fold", "ids", "symbols"};
const std::vector<std::string> kLabelsHeader = {"bag", "term"};
const std::vector<std::string> kTermsHeader = {"term", "fbbt_id"};

std::size_t RowOfBag(const std::map<std::string, std::size_t>& rows, const std::string& bag, const fs::path& path) {
  const auto found = rows.find(bag);
  if (found == rows.end()) ThrowCorrupt(path, "unknown bag '" + bag + "'");
  return found->second;
}

}  // namespace

std::string JoinNames(const std::vector<std::string>& names) { return Join(names, "|"); }

std::vector<std::string> SplitNames(const std::string& field) {
  std::vector<std::string> names = Split(field, '|');
  std::erase(names, "");
  return names;
}

int FoldOfGene(std::string_view gene, int folds, std::int64_t seed) {
  FLYSCRIBE_CHECK(folds > 0, "there must be at least one fold");
  return static_cast<int>(HashText(static_cast<std::uint64_t>(seed), gene) % static_cast<std::uint64_t>(folds));
}

std::string Collection::ImagesDigest() const {
  Sha256 hash;
  for (const ImageRecord& image : images) hash.Update(TsvRow({image.id, image.digest, bags[image.bag].id}));
  return hash.HexDigest();
}

std::string Collection::FoldsDigest() const {
  Sha256 hash;
  for (const Bag& bag : bags) hash.Update(TsvRow({bag.id, bag.gene, std::to_string(bag.fold)}));
  return hash.HexDigest();
}

std::string Collection::LabelsDigest() const {
  Sha256 hash;
  for (const Bag& bag : bags) {
    std::vector<std::string> fields = bag.terms;
    fields.insert(fields.begin(), bag.id);
    hash.Update(TsvRow(fields));
  }
  return hash.HexDigest();
}

std::string Collection::TermsDigest() const {
  Sha256 hash;
  for (const TermRecord& record : terms) hash.Update(TsvRow({record.term, record.fbbt_id}));
  return hash.HexDigest();
}

void Collection::Save(const fs::path& folder) const {
  std::vector<std::vector<std::string>> image_rows;
  for (const ImageRecord& image : images) {
    image_rows.push_back({image.id, std::to_string(image.folder), image.file, image.digest, bags[image.bag].id});
  }
  std::vector<std::vector<std::string>> bag_rows;
  std::vector<std::vector<std::string>> label_rows;
  for (const Bag& bag : bags) {
    bag_rows.push_back({bag.id,
                        bag.gene,
                        bag.symbol,
                        bag.fbgn,
                        std::to_string(bag.fold),
                        JoinNames(bag.names.ids),
                        JoinNames(bag.names.symbols)});
    for (const std::string& term : bag.terms) label_rows.push_back({bag.id, term});
  }
  SaveTsv(folder / "images.tsv", kImagesHeader, image_rows);
  SaveTsv(folder / "bags.tsv", kBagsHeader, bag_rows);
  std::vector<std::vector<std::string>> term_rows;
  for (const TermRecord& record : terms) term_rows.push_back({record.term, record.fbbt_id});
  SaveTsv(folder / "labels.tsv", kLabelsHeader, label_rows);
  SaveTsv(folder / "terms.tsv", kTermsHeader, term_rows);
  SaveSkipped(folder, skipped);
}

Collection Collection::Load(const fs::path& folder, StageRange range) {
  Collection collection;
  collection.range = range;
  std::map<std::string, std::size_t> row_of;
  const fs::path bags_path = folder / "bags.tsv";
  for (auto& row : LoadTsv(bags_path, kBagsHeader)) {
    const bool is_new = row_of.emplace(row[0], collection.bags.size()).second;
    if (!is_new) ThrowCorrupt(bags_path, "bag '" + row[0] + "' is listed twice");
    const std::size_t fold = CountField(row[4], bags_path, std::numeric_limits<int>::max());
    GeneNames names = {SplitNames(row[5]), SplitNames(row[6])};
    collection.bags.push_back({row[0], row[1], row[2], row[3], static_cast<int>(fold), {}, std::move(names)});
  }
  const fs::path labels_path = folder / "labels.tsv";
  for (auto& row : LoadTsv(labels_path, kLabelsHeader)) {
    collection.bags[RowOfBag(row_of, row[0], labels_path)].terms.push_back(row[1]);
  }
  const fs::path images_path = folder / "images.tsv";
  for (auto& row : LoadTsv(images_path, kImagesHeader)) {
    const std::size_t image_folder = CountField(row[1], images_path);
    collection.images.push_back({row[0], image_folder, row[2], row[3], RowOfBag(row_of, row[4], images_path)});
  }
  for (auto& row : LoadTsv(folder / "terms.tsv", kTermsHeader)) collection.terms.push_back({row[0], row[1]});
  collection.skipped = LoadSkipped(folder);
  return collection;
}

LabelTable LabelTable::FromBags(const std::vector<Bag>& bags) {
  std::map<std::string, std::size_t> count_of;
  for (const Bag& bag : bags) {
    const std::set<std::string> distinct(bag.terms.begin(), bag.terms.end());
    for (const std::string& term : distinct) ++count_of[term];
  }
  std::vector<std::pair<std::string, std::size_t>> counts(count_of.begin(), count_of.end());
  std::ranges::stable_sort(counts, std::ranges::greater{}, [](const auto& count) { return count.second; });

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
