#include "pipeline/explain/corpus_changes.h"

#include <fmt/core.h>

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

template <class List, class Entry>
Contents ContentsOf(const List& list, const Entry& entry) {
  Contents contents;
  for (const auto& item : list) contents.insert(entry(item));
  return contents;
}

// "2 bags renamed".
void AddCount(std::size_t count, const std::string& noun, const std::string& what, std::vector<std::string>& texts) {
  if (count > 0) texts.push_back(fmt::format("{} {}{} {}", count, noun, count == 1 ? "" : "s", what));
}

std::size_t CountMissing(const Contents& from, const Contents& in) {
  return static_cast<std::size_t>(
      std::count_if(from.begin(), from.end(), [&](const auto& entry) { return !in.contains(entry.first); }));
}

// Of those that both have.
std::size_t CountChanged(const Contents& before, const Contents& after) {
  return static_cast<std::size_t>(std::count_if(after.begin(), after.end(), [&](const auto& entry) {
    const auto earlier = before.find(entry.first);
    return earlier != before.end() && earlier->second != entry.second;
  }));
}

void AddImages(const Collection& before, const Collection& after, std::vector<std::string>& texts) {
  const auto contents = [](const Collection& collection) {
    return ContentsOf(collection.images, [](const ImageRecord& image) { return std::pair(image.id, image.digest); });
  };
  const auto bags = [](const Collection& collection) {
    return ContentsOf(collection.images,
                      [&](const ImageRecord& image) { return std::pair(image.id, collection.bags[image.bag].id); });
  };
  AddCount(CountMissing(contents(after), contents(before)), "image", "added", texts);
  AddCount(CountMissing(contents(before), contents(after)), "image", "removed", texts);
  AddCount(CountChanged(contents(before), contents(after)), "image", "changed", texts);
  AddCount(CountChanged(bags(before), bags(after)), "image", "in another bag", texts);
}

void AddLabels(const Collection& before, const Collection& after, std::vector<std::string>& texts) {
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
  AddCount(labels, "label", fmt::format("changed in {} {}", bags, bags == 1 ? "bag" : "bags"), texts);
}

// Names, places of files, what was left out.
void AddBookkeeping(const Collection& before, const Collection& after, std::vector<std::string>& texts) {
  const auto names = [](const Collection& collection) {
    return ContentsOf(collection.bags, [](const Bag& bag) {
      return std::pair(
          bag.id, TsvRow({bag.gene, bag.symbol, bag.fbgn, JoinNames(bag.names.ids), JoinNames(bag.names.symbols)}));
    });
  };
  const auto files = [](const Collection& collection) {
    return ContentsOf(collection.images, [](const ImageRecord& image) {
      return std::pair(image.id, TsvRow({std::to_string(image.folder), image.file}));
    });
  };
  const auto skipped = [](const Collection& collection) {
    return ContentsOf(collection.skipped, [](const Skipped& item) { return std::pair(item.input, item.reason); });
  };
  AddCount(CountChanged(names(before), names(after)), "bag", "renamed", texts);
  AddCount(CountChanged(files(before), files(after)), "file", "moved", texts);
  AddCount(CountMissing(skipped(after), skipped(before)), "skipped input", "added", texts);
  AddCount(CountMissing(skipped(before), skipped(after)), "skipped input", "removed", texts);
  AddCount(CountChanged(skipped(before), skipped(after)), "skipped input", "changed", texts);
}

}  // namespace

std::string CorpusChanges(const std::string& aspect, const Collection& before, const Collection& after) {
  std::vector<std::string> texts;
  if (aspect == "images") AddImages(before, after, texts);
  if (aspect == "labels") AddLabels(before, after, texts);
  if (aspect == "bookkeeping") AddBookkeeping(before, after, texts);
  if (aspect == "folds") {
    const auto folds = [](const Collection& collection) {
      return ContentsOf(collection.bags, [](const Bag& bag) { return std::pair(bag.id, std::to_string(bag.fold)); });
    };
    AddCount(CountChanged(folds(before), folds(after)), "bag", "in another fold", texts);
  }
  if (aspect == "terms") {
    const auto ids = [](const Collection& collection) {
      return ContentsOf(collection.terms, [](const TermRecord& term) { return std::pair(term.term, term.fbbt_id); });
    };
    AddCount(CountChanged(ids(before), ids(after)), "term", "with another FBbt id", texts);
  }
  return Join(texts, ", ");
}

}  // namespace flyscribe
