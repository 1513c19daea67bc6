#include "corpus/table_format.h"

#include <algorithm>

#include "core/text.h"
#include "corpus/image_files.h"

namespace flyscribe {
namespace {

// --- what several kinds share

bool HasStage(const Fields& fields, std::size_t column) {
  return fields.size() > column && ParseStageCode(fields[column]).has_value();
}

// A path to an image, by its look.
bool NamesImage(const Fields& fields, std::size_t column) {
  return fields.size() > column && HasImageExtension(fields[column]);
}

// Only empty fields from `first` on.
bool IsEmptyFrom(const Fields& fields, std::size_t first) {
  const auto is_empty = [](const std::string& field) { return field.empty(); };
  return fields.size() <= first ||
         std::all_of(fields.begin() + static_cast<std::ptrdiff_t>(first), fields.end(), is_empty);
}

// False, and refused, if there are fewer columns.
bool HasColumns(const Fields& fields, std::size_t count, RowContent& content) {
  if (fields.size() < count) content.Refuse("too few columns: " + std::to_string(fields.size()));
  return fields.size() >= count;
}

void AddAnnotation(const Gene& gene, const std::string& term, RowContent& content) {
  if (gene.Identity().empty()) return content.Refuse("no gene");
  if (term.empty()) return content.Refuse("no term");
  // A manifest could not tell it from two terms.
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
  if (!IsEmptyFrom(fields, kAnnotationColumns)) {
    content.Refuse("too many columns: " + std::to_string(fields.size()) + " (a term with a comma must be quoted)");
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
  if (words && words->size() > kMaxWordsOfAList) content.RefuseLongList(column, words->size());
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

}  // namespace

TableFormat BdgpAnnotations() {
  return {.name = "BDGP annotations",
          .columns = "CG id, symbol, FBgn, stage code 1-6, term",
          .stage_column = kAnnotationStage,
          .fits = [](const Fields& fields) { return fields.size() >= 5 && HasStage(fields, kAnnotationStage); },
          .read = ReadBdgpAnnotation};
}

TableFormat BdgpImages() {
  return {.name = "BDGP images",
          .columns = "CG id, symbol, symbol, FBgn, clone, image path, stage code 1-6, then view, comment, resolution",
          .stage_column = kImageStage,
          .fits = [](const Fields& fields) { return HasStage(fields, kImageStage) && NamesImage(fields, kImagePath); },
          .read = ReadBdgpImage};
}

TableFormat FlyMineRows() {
  return {
      .name = "FlyMine",
      .columns = "CG id, stage code 1-6, image path, term",
      .stage_column = kFlyMineStage,
      .fits = [](const Fields& fields) { return HasStage(fields, kFlyMineStage) && NamesImage(fields, kFlyMinePath); },
      .read = ReadFlyMine};
}

TableFormat FlyExpressImages() {
  return {.name = "FlyExpress images",
          .columns = "gene, stage, direction, image_url",
          .is_header = [](const Header& header) { return HasGeneAndStage(header) && header.Has("image_url"); },
          .read = ReadFlyExpressImages};
}

TableFormat FlyExpressAnnotations() {
  return {.name = "FlyExpress annotations",
          .columns = "gene, stage, annotation",
          .is_header = [](const Header& header) { return HasGeneAndStage(header) && header.Has("annotation"); },
          .read = ReadFlyExpressAnnotations};
}

}  // namespace flyscribe
