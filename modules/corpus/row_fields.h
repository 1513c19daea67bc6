// Reads the fields tables of all kinds share: stage ranges, views, lists of words.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/source_rows.h"

namespace flyscribe {

using Fields = std::vector<std::string>;

// Between the terms of a manifest's row; a term may not hold it.
inline constexpr char kTermSeparator = '|';

// Of one row: a list of a megabyte of commas would become a hundred times its size.
inline constexpr std::size_t kMaxWordsOfAList = 1000;

// Why a row, or a part of it, is not taken up.
struct Refusal {
  std::string reason;
  bool fault = true;
};

// What one row says. A row may say several things, and some of them may be of no use.
struct RowContent {
  int stage = 0;  // 0 while not known
  std::vector<AnnotationRow> annotations;
  std::vector<ImageRow> images;
  std::vector<Refusal> refusals;

  void Refuse(std::string reason, bool fault = true) { refusals.push_back({std::move(reason), fault}); }
  void RefuseLongList(const std::string& column, std::size_t words) {
    Refuse("list of more than " + std::to_string(kMaxWordsOfAList) + " words: " + std::to_string(words) +
           " in column '" + column + "'");
  }
};

// Column names of a header line, in any case, -> place.
class Header {
 public:
  Header() = default;
  explicit Header(const Fields& fields);

  bool Has(std::string_view name) const { return columns_.contains(name); }
  // The field under a name; empty if there is no such column or the row is too short.
  std::string Get(const Fields& fields, std::string_view name) const;
  std::size_t size() const { return columns_.size(); }

 private:
  std::map<std::string, std::size_t, std::less<>> columns_;
};

// Trimmed; MySQL's \N and NULL are empty; tabs and line ends, which our own tables have no place for, are spaces.
std::string CleanField(std::string_view field);

// BDGP's code 1 to 6, a range's name (4-6, 13-17), or "stage4-6". Nothing otherwise.
std::optional<int> ParseStageCode(std::string_view text);

// Sets content.stage, or refuses. False if it refused.
bool ReadStage(const std::string& field, RowContent& content);

// A Python tuple or list of strings, ('a', "b",) or ['a'], as some tables hold them; any other text is a list of one,
// an empty one of none. Nothing if it begins like a tuple and does not end as one.
std::optional<std::vector<std::string>> ParseWordList(std::string_view text);

}  // namespace flyscribe
