#include "corpus/row_fields.h"

#include "core/text.h"
#include "data/stage_range.h"

namespace flyscribe {
namespace {

// Walks over the inside of a Python tuple of strings.
class TupleReader {
 public:
  explicit TupleReader(std::string_view text) : text_(text) {}

  std::optional<std::vector<std::string>> Read() {
    std::vector<std::string> words;
    for (SkipSpace(); at_ < text_.size(); SkipSpace()) {
      std::optional<std::string> word = ReadString();
      if (!word) return std::nullopt;
      words.push_back(std::move(*word));
      SkipSpace();
      if (at_ < text_.size() && text_[at_++] != ',') return std::nullopt;
    }
    return words;
  }

 private:
  void SkipSpace() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }

  std::optional<std::string> ReadString() {
    const char quote = text_[at_];
    if (quote != '\'' && quote != '"') return std::nullopt;
    std::string word;
    for (++at_; at_ < text_.size(); ++at_) {
      if (text_[at_] == quote) {
        ++at_;
        return word;
      }
      if (text_[at_] == '\\' && at_ + 1 < text_.size()) ++at_;
      word += text_[at_];
    }
    return std::nullopt;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

Header::Header(const Fields& fields) {
  for (std::size_t i = 0; i < fields.size(); ++i) columns_.try_emplace(ToLower(fields[i]), i);
}

std::string Header::Get(const Fields& fields, std::string_view name) const {
  const auto column = columns_.find(name);
  return column == columns_.end() || column->second >= fields.size() ? std::string() : fields[column->second];
}

std::string CleanField(std::string_view field) {
  std::string text(Trim(field));
  if (text == "\\N" || text == "NULL") return {};
  for (char& c : text) {
    if (c == '\t' || c == '\n' || c == '\r') c = ' ';
  }
  return text;
}

std::optional<int> ParseStageCode(std::string_view text) {
  constexpr std::string_view kStage = "stage";
  std::optional<StageRange> range;
  if (const auto code = ParseInteger(text)) {
    range = StageRange::FindCode(*code);
  } else {
    if (ToLower(text.substr(0, kStage.size())) == kStage) text = Trim(text.substr(kStage.size()));
    range = StageRange::Find(text);
  }
  return range ? std::optional(range->code()) : std::nullopt;
}

bool ReadStage(const std::string& field, RowContent& content) {
  const std::optional<int> code = ParseStageCode(field);
  if (code) {
    content.stage = *code;
  } else {
    content.Refuse("bad stage code: '" + Printable(field, 40) + "'");
  }
  return code.has_value();
}

std::optional<std::vector<std::string>> ParseWordList(std::string_view text) {
  text = Trim(text);
  if (text.empty()) return std::vector<std::string>{};
  const bool tuple = text.starts_with("('") || text.starts_with("(\"") || text == "()";
  const bool list = text.starts_with('[');
  if (!tuple && !list) return std::vector<std::string>{std::string(text)};
  if (text.size() < 2 || text.back() != (tuple ? ')' : ']')) return std::nullopt;
  return TupleReader(text.substr(1, text.size() - 2)).Read();
}

}  // namespace flyscribe
