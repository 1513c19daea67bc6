#include "pipeline/explain/corpus_changes.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <vector>

#include "core/csv.h"
#include "core/text.h"

namespace flyscribe {
namespace {

// What is compared: identity -> content.
using Contents = std::map<std::string, std::string>;

// "2 bags added"; "2 added" without a noun, where it is clear what is counted.
void AddCount(std::size_t count, const std::string& noun, const std::string& what, std::vector<std::string>& texts) {
  const std::string nouns = noun.empty() ? "" : " " + noun + (count == 1 ? "" : "s");
  if (count > 0) texts.push_back(std::to_string(count) + nouns + " " + what);
}

std::size_t CountMissing(const Contents& from, const Contents& in) {
  return static_cast<std::size_t>(
      std::count_if(from.begin(), from.end(), [&](const auto& entry) { return !in.contains(entry.first); }));
}

void AddCounts(const Contents& before,
               const Contents& after,
               const std::string& noun,
               std::vector<std::string>& texts) {
  const auto changed = std::count_if(after.begin(), after.end(), [&](const auto& entry) {
    const auto earlier = before.find(entry.first);
    return earlier != before.end() && earlier->second != entry.second;
  });
  AddCount(CountMissing(after, before), noun, "added", texts);
  AddCount(CountMissing(before, after), noun, "removed", texts);
  AddCount(static_cast<std::size_t>(changed), noun, "changed", texts);
}

Contents Images(const Collection& collection) {
  Contents images;
  for (const ImageRecord& image : collection.images) {
    images[image.id] = TsvRow({image.digest, collection.bags[image.bag].id});
  }
  return images;
}

Contents Folds(const Collection& collection) {
  Contents folds;
  for (const Bag& bag : collection.bags) folds[bag.id] = std::to_string(bag.fold);
  return folds;
}

// Labels of bags that are in both; then the bags that are not.
std::vector<std::string> LabelTexts(const Collection& before, const Collection& after) {
  std::map<std::string, std::vector<std::string>> earlier;
  for (const Bag& bag : before.bags) earlier[bag.id] = bag.terms;
  std::size_t labels = 0;
  std::size_t bags = 0;
  for (const Bag& bag : after.bags) {
    const auto same = earlier.find(bag.id);
    if (same == earlier.end() || same->second == bag.terms) continue;
    std::vector<std::string> differing;
    std::set_symmetric_difference(
        same->second.begin(), same->second.end(), bag.terms.begin(), bag.terms.end(), std::back_inserter(differing));
    labels += differing.size();
    ++bags;
  }
  std::vector<std::string> texts;
  AddCount(labels, "", "changed in " + std::to_string(bags) + (bags == 1 ? " bag" : " bags"), texts);
  AddCount(CountMissing(Folds(after), Folds(before)), "bag", "added", texts);
  AddCount(CountMissing(Folds(before), Folds(after)), "bag", "removed", texts);
  return texts;
}

// Names, places of files, what was left out.
std::vector<std::string> BookkeepingTexts(const Collection& before, const Collection& after) {
  const auto names = [](const Collection& collection) {
    Contents contents;
    for (const Bag& bag : collection.bags) {
      contents[bag.id] =
          TsvRow({bag.gene, bag.symbol, bag.fbgn, JoinNames(bag.names.ids), JoinNames(bag.names.symbols)});
    }
    return contents;
  };
  const auto files = [](const Collection& collection) {
    Contents contents;
    for (const ImageRecord& image : collection.images) {
      contents[image.id] = TsvRow({std::to_string(image.folder), image.file});
    }
    return contents;
  };
  const auto skipped = [](const Collection& collection) {
    Contents contents;
    for (const Skipped& item : collection.skipped) contents[item.input] = item.reason;
    return contents;
  };
  std::vector<std::string> texts;
  AddCounts(names(before), names(after), "bag", texts);
  AddCounts(files(before), files(after), "file", texts);
  AddCounts(skipped(before), skipped(after), "skipped input", texts);
  return texts;
}

}  // namespace

std::string CorpusChanges(const std::string& aspect, const Collection& before, const Collection& after) {
  std::vector<std::string> texts;
  if (aspect == "images") AddCounts(Images(before), Images(after), "", texts);
  if (aspect == "labels") texts = LabelTexts(before, after);
  if (aspect == "folds") AddCounts(Folds(before), Folds(after), "bag", texts);
  if (aspect == "bookkeeping") texts = BookkeepingTexts(before, after);
  return Join(texts, ", ");
}

}  // namespace flyscribe
