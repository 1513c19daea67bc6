#include "corpus/source_tables.h"

#include <fmt/core.h>

#include <algorithm>
#include <initializer_list>
#include <utility>

#include "core/archive.h"
#include "core/csv.h"
#include "core/error.h"
#include "core/file.h"
#include "core/text.h"
#include "corpus/table_format.h"

namespace flyscribe {
namespace {

constexpr std::uint64_t kMaxTableBytes = std::uint64_t{1} << 30;
constexpr std::size_t kMaxTableRows = 3'000'000;
constexpr std::size_t kMaxTableContent = 3'000'000;  // terms and images
constexpr std::size_t kRowsToTellBy = 200;

Fields CleanFields(const TableRow& row) {
  Fields fields;
  for (const std::string& field : row.fields) fields.push_back(CleanField(field));
  return fields;
}

[[noreturn]] void ThrowUnknownKind(const fs::path& path) {
  std::vector<std::string> kinds;
  for (const TableFormat& format : TableFormats()) kinds.push_back("\n    " + format.name + ": " + format.columns);
  throw Error(ErrorCode::kInput,
              "no row of this table can be read",
              "the kinds of tables that are read, by their columns, are" + Join(kinds, ""),
              {path.string()});
}

// A format known by its header, or the one most of the first rows fit; null if there is none.
const TableFormat* FormatOf(const std::string& text, char delimiter, const std::vector<TableFormat>& formats) {
  const TableFormat* known = nullptr;
  std::vector<std::size_t> fitting(formats.size());
  std::size_t rows = 0;
  const auto judge = [&](const TableRow& row) {
    const Fields fields = CleanFields(row);
    const Header header = rows == 0 ? Header(fields) : Header();
    for (std::size_t i = 0; i < formats.size(); ++i) {
      if (formats[i].is_header == nullptr) {
        fitting[i] += formats[i].fits(fields) ? 1U : 0U;
      } else if (rows == 0 && known == nullptr && formats[i].is_header(header)) {
        known = &formats[i];
      }
    }
    return ++rows < kRowsToTellBy && known == nullptr;
  };
  ForEachRow(text, delimiter, judge, [](const TableProblem&) {});
  if (known != nullptr) return known;
  const auto most = std::ranges::max_element(fitting);
  return *most == 0 ? nullptr : &formats[static_cast<std::size_t>(most - fitting.begin())];
}

bool IsOneOf(const std::string& field, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), ToLower(field)) != names.end();
}

bool IsColumnName(const std::string& field) {
  return IsOneOf(field, {"name",    "gene",       "gene_id",   "cg",         "cg_id",   "cg id",     "symbol", "fbgn",
                         "fbgn_id", "flybase_id", "clone",     "est",        "path",    "image",     "url",    "file",
                         "view",    "term",       "image_url", "annotation", "comment", "resolution"});
}

// A header over columns by place: a column's name stands where the stage code belongs, or in two other places. Any
// other word there is a damaged row.
bool IsHeaderLine(const TableFormat& format, const Fields& fields) {
  if (format.is_header != nullptr) return format.is_header(Header(fields));
  if (fields.size() <= format.stage_column || ParseStageCode(fields[format.stage_column])) return false;
  const bool names_stage =
      IsOneOf(fields[format.stage_column],
              {"stage", "stages", "stage_code", "stage code", "stagecode", "stage_range", "stage range"});
  return names_stage || std::ranges::count_if(fields, IsColumnName) >= 2;
}

// A file that a table names lies below the table's own folder, or is given from the root.
void PlaceFile(const fs::path& table_folder, ImageRow& row, std::vector<fs::path>& folders) {
  const fs::path file = row.file;
  const fs::path folder = file.is_absolute() ? file.root_path() : table_folder;
  row.folder = static_cast<std::size_t>(std::find(folders.begin(), folders.end(), folder) - folders.begin());
  if (row.folder == folders.size()) folders.push_back(folder);
  row.file = file.relative_path().string();
}

// Sorts what the rows of one table say into the collected rows; one use.
class TableReader {
 public:
  TableReader(const fs::path& path, const TableFormat& format, SourceRows& rows, const Progress& progress)
      : path_(path), format_(format), rows_(rows), progress_(progress), index_(rows.tables.size()) {}

  void Read(const std::string& text, char delimiter) {
    const auto first_left_out = static_cast<std::ptrdiff_t>(rows_.left_out.size());
    std::vector<LeftOut> unread;
    const auto on_row = [&](const TableRow& row) {
      CountRow();
      ReadRow(row);
      return true;
    };
    ForEachRow(text, delimiter, on_row, [&](const TableProblem& problem) {
      CountRow();
      unread.push_back({{index_, problem.line}, 0, "cannot be parsed: " + problem.reason, true});
    });
    rows_.left_out.insert(rows_.left_out.begin() + first_left_out, unread.begin(), unread.end());
    rows_.tables.push_back({path_.filename().string(), format_.name, row_count_, {}});
  }

 private:
  // What is kept of a row is larger than the row, so the size of the file alone is no bound.
  void CountRow() {
    progress_.ThrowIfStopped();
    if (++row_count_ > kMaxTableRows) ThrowTooLarge(fmt::format("{} rows", kMaxTableRows));
  }

  void ReadRow(const TableRow& row) {
    const RowPlace place = {index_, row.line};
    const Fields fields = CleanFields(row);
    const bool first = std::exchange(first_row_, false);
    if (first && IsHeaderLine(format_, fields)) {
      header_ = Header(fields);
      rows_.left_out.push_back({place, 0, "header line", false});
    } else {
      Keep(format_.read(header_, fields), place);
    }
  }

  [[noreturn]] void ThrowTooLarge(const std::string& limit) const {
    throw Error(ErrorCode::kInput,
                "table has more than " + limit,
                "is this the right file? BDGP's tables have some hundred thousand",
                {path_.string()});
  }

  void Keep(RowContent content, const RowPlace& place) {
    // A row may hold a list, so the number of rows is no bound either.
    content_count_ += content.annotations.size() + content.images.size() + content.refusals.size();
    if (content_count_ > kMaxTableContent) ThrowTooLarge(fmt::format("{} terms and images", kMaxTableContent));
    for (AnnotationRow& row : content.annotations) {
      row.place = place;
      row.may_repeat = !content.images.empty();
      rows_.annotations.push_back(std::move(row));
    }
    for (ImageRow& row : content.images) {
      row.place = place;
      if (!row.file.empty()) PlaceFile(path_.parent_path(), row, rows_.folders);
      rows_.images.push_back(std::move(row));
    }
    for (Refusal& refusal : content.refusals) {
      rows_.left_out.push_back({place, content.stage, std::move(refusal.reason), refusal.fault});
    }
  }

  const fs::path& path_;
  const TableFormat& format_;
  SourceRows& rows_;
  const Progress& progress_;
  std::size_t index_;
  Header header_;
  bool first_row_ = true;
  std::size_t row_count_ = 0;
  std::size_t content_count_ = 0;
};

}  // namespace

std::string ReadTableText(const fs::path& path) {
  std::string bytes = ReadFile(path, kMaxTableBytes);
  if (IsGzip(bytes)) bytes = Gunzip(bytes, kMaxTableBytes, path.string());
  if (bytes.starts_with("\xff\xfe") || bytes.starts_with("\xfe\xff")) {
    throw Error(ErrorCode::kInput, "table is UTF-16 text", "save it as UTF-8 (CSV or tab-separated)", {path.string()});
  }
  std::string text = ToUtf8(bytes);
  if (Trim(text).empty()) {
    throw Error(ErrorCode::kInput, "table is empty", "fetch or export the table again", {path.string()});
  }
  return text;
}

void ReadTable(const fs::path& path, SourceRows& rows, const Progress& progress) {
  const std::string text = ReadTableText(path);
  const char delimiter = DetectDelimiter(text);
  const std::vector<TableFormat> formats = TableFormats();
  const TableFormat* format = FormatOf(text, delimiter, formats);
  if (format == nullptr) ThrowUnknownKind(path);
  TableReader(path, *format, rows, progress).Read(text, delimiter);
}

SourceRows ReadTables(const Sources& sources, const Progress& progress) {
  SourceRows rows;
  rows.folders = sources.image_folders;
  if (!sources.annotations.empty()) ReadTable(sources.annotations, rows, progress);
  boost::system::error_code ignored;  // whoever reads them will say what is wrong
  const bool is_same = sources.images_table == sources.annotations ||
                       fs::equivalent(sources.images_table, sources.annotations, ignored);  // however spelled
  if (!sources.images_table.empty() && !is_same) ReadTable(sources.images_table, rows, progress);
  return rows;
}

}  // namespace flyscribe
