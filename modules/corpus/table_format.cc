#include "corpus/table_format.h"

#include <fmt/core.h>

#include <algorithm>
#include <span>
#include <utility>

#include "core/text.h"
#include "corpus/image_files.h"
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

// --- what several kinds share

// Of one row: a list of a megabyte of commas would become a hundred times its size.
constexpr std::size_t kMaxWordsOfAList = 1000;

bool HasStage(const Fields& fields, std::size_t column) {
  return fields.size() > column && ParseStageCode(fields[column]).has_value();
}

// A path to an image, by its look.
bool NamesImage(const Fields& fields, std::size_t column) {
  return fields.size() > column && HasImageExtension(fields[column]);
}

void RefuseLongList(const std::string& column, std::size_t words, RowContent& content) {
  content.Refuse(fmt::format("list of more than {} words: {} in column '{}'", kMaxWordsOfAList, words, column));
}

// False, and refused, if there are fewer columns.
bool HasColumns(const Fields& fields, std::size_t count, RowContent& content) {
  if (fields.size() < count) content.Refuse(fmt::format("too few columns: {}", fields.size()));
  return fields.size() >= count;
}

void AddAnnotation(const Gene& gene, const std::string& term, RowContent& content) {
  if (gene.Identity().empty()) return content.Refuse("no gene");
  if (term.empty()) return content.Refuse("no term");
  // flyscribe's own table could not tell it from two terms.
  if (term.find(kTermSeparator) != std::string::npos)
    return content.Refuse("'|' in a term: '" + Printable(term, 80) + "'");
  content.annotations.push_back({gene, content.stage, term, {}});
}

void AddImage(const Gene& gene, const std::string& path, const std::string& view, RowContent& content) {
  if (path.find("production_images/") != std::string::npos) {
    return content.Refuse("production image, a field of many embryos", false);
  }
  const auto number = ImageNumber(fs::path(path).stem().native());
  if (!number) return content.Refuse("no image number in the path: '" + Printable(path, 80) + "'");
  if (gene.Identity().empty()) return content.Refuse("no gene");
  ImageRow image;
  image.gene = gene;
  image.stage = content.stage;
  image.view = ToLower(view);
  image.number = *number;
  content.images.push_back(std::move(image));
}

// --- BDGP

constexpr std::size_t kAnnotationColumns = 5;
constexpr std::size_t kAnnotationStage = 3;
constexpr std::size_t kImageColumns = 7;
constexpr std::size_t kImagePath = 5;
constexpr std::size_t kImageStage = 6;
constexpr std::size_t kImageView = 7;

RowContent ReadBdgpAnnotation(const Header&, const Fields& fields) {
  RowContent content;
  if (!HasColumns(fields, kAnnotationColumns, content)) return content;
  const auto rest = std::span(fields).subspan(kAnnotationColumns);
  if (std::ranges::any_of(rest, [](const std::string& field) { return !field.empty(); })) {
    content.Refuse(fmt::format("too many columns: {} (a term with a comma must be quoted)", fields.size()));
  } else if (ReadStage(fields[kAnnotationStage], content)) {
    AddAnnotation(GeneFromColumns(fields[0], fields[1], fields[2]), fields[4], content);
  }
  return content;
}

RowContent ReadBdgpImage(const Header&, const Fields& fields) {
  RowContent content;
  if (!HasColumns(fields, kImageColumns, content) || !ReadStage(fields[kImageStage], content)) return content;
  const std::string view = fields.size() > kImageView ? fields[kImageView] : "";
  AddImage(GeneFromColumns(fields[0], fields[1], fields[3]), fields[kImagePath], view, content);
  return content;
}

// --- FlyMine

constexpr std::size_t kFlyMineColumns = 4;
constexpr std::size_t kFlyMineStage = 1;
constexpr std::size_t kFlyMinePath = 2;

RowContent ReadFlyMine(const Header&, const Fields& fields) {
  RowContent content;
  if (!HasColumns(fields, kFlyMineColumns, content) || !ReadStage(fields[kFlyMineStage], content)) return content;
  const Gene gene = GeneFromWord(fields[0]);
  if (!fields[kFlyMinePath].empty()) AddImage(gene, fields[kFlyMinePath], {}, content);
  for (ImageRow& image : content.images) image.may_repeat = true;
  AddAnnotation(gene, fields[3], content);
  return content;
}

// --- FlyExpress

// Nothing, and refused, if the field is a broken list or too long a one.
std::vector<std::string> ReadList(const std::string& field, const std::string& column, RowContent& content) {
  auto words = ParseWordList(field);
  if (!words) content.Refuse("list in column '" + column + "' cannot be read: " + Printable(field, 60));
  if (words && words->size() > kMaxWordsOfAList) RefuseLongList(column, words->size(), content);
  return words && words->size() <= kMaxWordsOfAList ? std::move(*words) : std::vector<std::string>{};
}

RowContent ReadFlyExpressImages(const Header& header, const Fields& fields) {
  RowContent content;
  if (!ReadStage(header.Get(fields, "stage"), content)) return content;
  const std::vector<std::string> paths = ReadList(header.Get(fields, "image_url"), "image_url", content);
  const std::vector<std::string> views = ReadList(header.Get(fields, "direction"), "direction", content);
  if (!content.refusals.empty()) return content;
  if (paths.empty()) {
    content.Refuse("no image");
  } else if (views.size() > 1 && views.size() != paths.size()) {  // one view for all images, or one for each
    content.Refuse("views do not fit the images: " + std::to_string(views.size()) + " for " +
                   std::to_string(paths.size()));
    return content;
  }
  for (std::size_t i = 0; i < paths.size(); ++i) {
    const std::string view = views.empty() ? "" : views.size() == 1 ? views[0] : views[i];
    AddImage(GeneFromWord(header.Get(fields, "gene")), CleanField(paths[i]), CleanField(view), content);
  }
  return content;
}

RowContent ReadFlyExpressAnnotations(const Header& header, const Fields& fields) {
  RowContent content;
  if (!ReadStage(header.Get(fields, "stage"), content)) return content;
  const std::vector<std::string> terms = ReadList(header.Get(fields, "annotation"), "annotation", content);
  if (!content.refusals.empty()) return content;
  if (terms.empty()) content.Refuse("no term");
  for (const std::string& term : terms) {
    AddAnnotation(GeneFromWord(header.Get(fields, "gene")), CleanField(term), content);
  }
  return content;
}

bool HasGeneAndStage(const Header& header) { return header.Has("gene") && header.Has("stage"); }

// --- flyscribe's own

Gene ReadGene(const Header& header, const Fields& fields) {
  Gene gene = GeneFromColumns(header.Get(fields, "cg"), header.Get(fields, "symbol"), header.Get(fields, "fbgn"));
  return gene.Identity().empty() ? GeneFromWord(header.Get(fields, "gene")) : gene;
}

bool IsFlyscribeHeader(const Header& header) {
  const bool names_gene = header.Has("gene") || header.Has("fbgn") || header.Has("cg") || header.Has("symbol");
  return names_gene && header.Has("stage_range") && (header.Has("file") || header.Has("image_id"));
}

// Where a file is named, bare digits are a name like any other; without one, they are the number to find it by. Two
// folders may hold files of one name, so an image without an id is known by its path.
void NameImage(const std::string& id, ImageRow& image) {
  image.id = id.empty() ? fs::path(image.file).lexically_normal().generic_string() : id;
  const std::string stem = id.empty() ? fs::path(image.file).stem().string() : id;
  image.number = (image.file.empty() ? ImageNumber(stem) : ExplicitImageNumber(stem)).value_or(-1);
}

RowContent ReadFlyscribeImage(const Header& header, const Fields& fields) {
  RowContent content;
  if (!ReadStage(header.Get(fields, "stage_range"), content)) return content;
  ImageRow image;
  image.gene = ReadGene(header, fields);
  image.stage = content.stage;
  image.view = ToLower(header.Get(fields, "view"));
  image.bag = header.Get(fields, "bag_id");
  image.file = header.Get(fields, "file");
  NameImage(header.Get(fields, "image_id"), image);
  if (image.gene.Identity().empty()) content.Refuse("no gene");
  if (image.file.empty() && image.number < 0) content.Refuse("neither a file nor an image number");
  const std::vector<std::string> words = Split(header.Get(fields, "terms"), kTermSeparator);
  if (words.size() > kMaxWordsOfAList) RefuseLongList("terms", words.size(), content);
  if (!content.refusals.empty()) return content;
  for (const std::string& word : words) {
    const std::string term = CleanField(word);
    if (!term.empty()) content.annotations.push_back({image.gene, content.stage, term, {}});
  }
  content.images.push_back(std::move(image));
  return content;
}

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

std::vector<TableFormat> TableFormats() {
  return {
      {.name = "BDGP images",
       .columns = "CG id, symbol, symbol, FBgn, clone, image path, stage code 1-6, then view, comment, resolution",
       .stage_column = kImageStage,
       .fits = [](const Fields& fields) { return HasStage(fields, kImageStage) && NamesImage(fields, kImagePath); },
       .read = ReadBdgpImage},
      {.name = "FlyMine",
       .columns = "CG id, stage code 1-6, image path, term",
       .stage_column = kFlyMineStage,
       .fits = [](const Fields& fields) { return HasStage(fields, kFlyMineStage) && NamesImage(fields, kFlyMinePath); },
       .read = ReadFlyMine},
      {.name = "BDGP annotations",
       .columns = "CG id, symbol, FBgn, stage code 1-6, term",
       .stage_column = kAnnotationStage,
       .fits = [](const Fields& fields) { return fields.size() >= 5 && HasStage(fields, kAnnotationStage); },
       .read = ReadBdgpAnnotation},
      {.name = "FlyExpress images",
       .columns = "gene, stage, direction, image_url",
       .is_header = [](const Header& header) { return HasGeneAndStage(header) && header.Has("image_url"); },
       .read = ReadFlyExpressImages},
      {.name = "FlyExpress annotations",
       .columns = "gene, stage, annotation",
       .is_header = [](const Header& header) { return HasGeneAndStage(header) && header.Has("annotation"); },
       .read = ReadFlyExpressAnnotations},
      {.name = "flyscribe images",
       .columns = "file, stage_range, fbgn or cg or symbol, then view, terms (separated by |), image_id",
       .is_header = IsFlyscribeHeader,
       .read = ReadFlyscribeImage}};
}

}  // namespace flyscribe
