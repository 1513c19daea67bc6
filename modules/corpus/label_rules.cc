#include "corpus/label_rules.h"

#include <algorithm>

#include "core/text.h"

namespace flyscribe {
namespace {

std::vector<std::string> Lowered(const std::vector<std::string>& patterns) {
  std::vector<std::string> lowered;
  for (const std::string& pattern : patterns) lowered.push_back(ToLower(Trim(pattern)));
  return lowered;
}

bool FitsAny(const std::string& word, const std::vector<std::string>& patterns) {
  return std::any_of(patterns.begin(), patterns.end(), [&](const std::string& pattern) {
    return pattern.ends_with('*') ? word.starts_with(pattern.substr(0, pattern.size() - 1)) : word == pattern;
  });
}

}  // namespace

LabelRules::LabelRules(const std::vector<std::string>& absence, const std::vector<std::string>& bookkeeping)
    : absence_(Lowered(absence)), bookkeeping_(Lowered(bookkeeping)) {}

LabelKind LabelRules::KindOf(std::string_view word) const {
  const std::string lower = ToLower(word);
  if (FitsAny(lower, bookkeeping_)) return LabelKind::kBookkeeping;
  return FitsAny(lower, absence_) ? LabelKind::kAbsence : LabelKind::kTerm;
}

}  // namespace flyscribe
