#include "corpus/folder_tree.h"

#include <algorithm>

#include "core/text.h"
#include "corpus/row_fields.h"

namespace flyscribe {
namespace {

bool IsChosen(const ImageFiles& files, const ImageFile& file) {
  const auto number = ExplicitImageNumber(fs::path(file.file).stem().native());
  return !number || files.by_number.at(*number) == file;
}

// Folders and files name genes and images here, and their names go into every table and page.
bool IsPlainText(const std::string& path) { return Printable(path, path.size()) == path; }

std::optional<ImageRow> RowOf(const ImageFile& file) {
  const fs::path path = file.file;
  const fs::path range = path.parent_path();
  const std::string gene = range.parent_path().filename().string();
  const std::optional<int> stage = ParseStageCode(range.filename().string());
  if (!stage || Trim(gene).empty()) return std::nullopt;
  ImageRow row;
  row.gene = GeneFromWord(gene);
  row.stage = *stage;
  row.number = ExplicitImageNumber(path.stem().native()).value_or(-1);
  row.may_be_copy = row.number >= 0;
  row.id = file.file;
  row.file = file.file;
  row.folder = file.folder;
  return row;
}

}  // namespace

void ReadFolderTree(const ImageFiles& files, SourceRows& rows) {
  std::vector<ImageFile> ordered = files.all;
  std::stable_partition(ordered.begin(), ordered.end(), [&](const ImageFile& file) { return IsChosen(files, file); });
  SourceTable table{rows.folders.empty() ? "" : rows.folders[0].filename().string(), "folder tree", ordered.size(), {}};
  const std::size_t index = rows.tables.size();
  for (const ImageFile& file : ordered) {
    table.row_names.push_back(ToUtf8((rows.folders[file.folder].filename() / file.file).string()));
    const RowPlace place = {index, static_cast<int>(table.row_names.size())};
    std::optional<ImageRow> row = RowOf(file);
    if (!IsPlainText(file.file)) {
      rows.left_out.push_back({place, 0, "name is not plain UTF-8 text", true});
    } else if (row) {
      row->place = place;
      rows.images.push_back(std::move(*row));
    } else {
      rows.left_out.push_back({place, 0, "file does not lie in <gene>/<stage range>/", true});
    }
  }
  rows.tables.push_back(std::move(table));
}

}  // namespace flyscribe
