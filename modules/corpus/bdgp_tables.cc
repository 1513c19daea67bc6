#include "corpus/bdgp_tables.h"

#include <algorithm>
#include <map>
#include <optional>

#include "core/csv.h"
#include "core/error.h"
#include "core/file.h"
#include "core/text.h"
#include "corpus/image_files.h"

namespace flyscribe {
namespace {

constexpr std::uint64_t kMaxTableBytes = std::uint64_t{1} << 30;

constexpr std::size_t kAnnotationColumns = 5;
constexpr std::size_t kAnnotationStage = 3;
constexpr std::size_t kImageColumns = 7;
constexpr std::size_t kImagePath = 5;
constexpr std::size_t kImageStage = 6;
constexpr std::size_t kImageView = 7;

// Why a row is not taken up. A filter is a choice, a fault is damage.
struct Refusal {
  std::string reason;
  bool fault = true;
};

// Parses the rows of one table into Row, by the kind's own Parse.
template <class Row>
using ParseRow = std::optional<Refusal> (*)(const std::vector<std::string>& fields, Row& row);

std::string Cleaned(const std::string& field) {
  std::string text(Trim(field));
  if (text == "\\N" || text == "NULL") return {};
  // Our own tables have no place for tabs and line ends.
  for (char& c : text) {
    if (c == '\t' || c == '\n' || c == '\r') c = ' ';
  }
  return text;
}

bool IsDigits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

// ^C[GR]\d+: an annotation symbol of a gene.
bool LooksLikeCg(std::string_view text) {
  return (text.starts_with("CG") || text.starts_with("CR")) && IsDigits(text.substr(2, 1));
}

std::string FbgnOrNothing(const std::string& field) {
  return field.starts_with("FBgn") && IsDigits(std::string_view(field).substr(4)) ? field : std::string();
}

Gene MakeGene(const std::string& first, const std::string& second, const std::string& fbgn) {
  const bool swapped = LooksLikeCg(second) && !LooksLikeCg(first);
  return swapped ? Gene{second, first, FbgnOrNothing(fbgn)} : Gene{first, second, FbgnOrNothing(fbgn)};
}

std::optional<Refusal> ParseStage(const std::string& field, int& stage) {
  const auto code = ParseInteger(field);
  if (!code || *code < 1 || *code > 6) return Refusal{"bad stage code: '" + field + "'"};
  stage = static_cast<int>(*code);
  return std::nullopt;
}

std::optional<Refusal> ParseAnnotation(const std::vector<std::string>& fields, AnnotationRow& row) {
  if (fields.size() < kAnnotationColumns) return Refusal{"too few columns: " + std::to_string(fields.size())};
  const auto is_empty = [](const std::string& field) { return field.empty(); };
  if (!std::all_of(fields.begin() + kAnnotationColumns, fields.end(), is_empty)) {
    return Refusal{"too many columns: " + std::to_string(fields.size()) + " (a term with a comma must be quoted)"};
  }
  if (auto refusal = ParseStage(fields[kAnnotationStage], row.stage)) return refusal;
  row.gene = MakeGene(fields[0], fields[1], fields[2]);
  row.term = fields[4];
  if (row.gene.Identity().empty()) return Refusal{"no gene"};
  if (row.term.empty()) return Refusal{"no term"};
  return std::nullopt;
}

std::optional<Refusal> ParseImage(const std::vector<std::string>& fields, ImageRow& row) {
  if (fields.size() < kImageColumns) return Refusal{"too few columns: " + std::to_string(fields.size())};
  if (auto refusal = ParseStage(fields[kImageStage], row.stage)) return refusal;
  const std::string& path = fields[kImagePath];
  if (path.find("production_images/") != std::string::npos) {
    return Refusal{"production image, a field of many embryos", false};
  }
  const auto number = ImageNumber(fs::path(path).stem().native());
  if (!number) return Refusal{"no image number in the path: '" + path + "'"};
  row.number = *number;
  row.gene = MakeGene(fields[0], fields[1], fields[3]);
  if (row.gene.Identity().empty()) return Refusal{"no gene"};
  if (fields.size() > kImageView) row.view = ToLower(fields[kImageView]);
  return std::nullopt;
}

// A header's stage column holds a word, such as "stage".
bool IsHeader(const std::vector<std::string>& fields, std::size_t stage_column) {
  if (fields.size() <= stage_column || fields[stage_column].empty()) return false;
  const char first = ToLower(fields[stage_column])[0];
  return first >= 'a' && first <= 'z';
}

std::string ReadTable(const fs::path& path) {
  const std::string bytes = ReadFile(path, kMaxTableBytes);
  if (bytes.starts_with("\x1f\x8b")) {
    throw Error(ErrorCode::kInput, "table is compressed", "unpack it with `gunzip` first", {path.string()});
  }
  if (Trim(bytes).empty()) {
    throw Error(ErrorCode::kInput, "table is empty", "fetch the table from BDGP again", {path.string()});
  }
  return ToUtf8(bytes);
}

// Reads one table; what is not taken up goes to `skipped`. Returns the number of rows seen.
template <class Row>
std::size_t LoadTable(const fs::path& path,
                      std::size_t stage_column,
                      ParseRow<Row> parse,
                      std::vector<Row>& rows,
                      std::vector<SkippedRow>& skipped) {
  const std::string text = ReadTable(path);
  const Table table = ParseTable(text, DetectDelimiter(text));
  const auto skip = [&](int stage, int line, const Refusal& refusal) {
    const std::string input = path.filename().string() + ":" + std::to_string(line);
    skipped.push_back({stage, {input, refusal.reason, refusal.fault}});
  };
  for (const TableProblem& problem : table.problems) skip(0, problem.line, {"cannot be parsed: " + problem.reason});
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    std::vector<std::string> fields;
    for (const std::string& field : table.rows[i].fields) fields.push_back(Cleaned(field));
    Row row;
    row.line = table.rows[i].line;
    if (i == 0 && IsHeader(fields, stage_column)) {
      skip(0, row.line, {"header line", false});
    } else if (const auto refusal = parse(fields, row)) {
      skip(row.stage, row.line, *refusal);
    } else {
      rows.push_back(std::move(row));
    }
  }
  return table.rows.size() + table.problems.size();
}

void RequireRows(std::size_t count, const fs::path& path, const std::string& columns) {
  if (count > 0) return;
  throw Error(ErrorCode::kInput, "no row of this table can be read", "expected columns: " + columns, {path.string()});
}

// Fills in a missing FBgn where the CG id has exactly one elsewhere.
void CompleteGenes(BdgpTables& tables) {
  std::map<std::string, std::set<std::string>> known;
  const auto learn = [&](const Gene& gene) {
    if (!gene.cg.empty() && !gene.fbgn.empty()) known[gene.cg].insert(gene.fbgn);
  };
  const auto complete = [&](Gene& gene) {
    const auto found = known.find(gene.cg);
    if (gene.fbgn.empty() && found != known.end() && found->second.size() == 1) gene.fbgn = *found->second.begin();
  };
  for (const AnnotationRow& row : tables.annotations) learn(row.gene);
  for (const ImageRow& row : tables.images) learn(row.gene);
  for (AnnotationRow& row : tables.annotations) complete(row.gene);
  for (ImageRow& row : tables.images) complete(row.gene);
}

std::set<std::int64_t> SharedImages(const std::vector<ImageRow>& images) {
  std::map<std::int64_t, std::string> owner;
  std::set<std::int64_t> shared;
  for (const ImageRow& row : images) {
    const auto [known, is_new] = owner.try_emplace(row.number, row.gene.Identity());
    if (!is_new && known->second != row.gene.Identity()) shared.insert(row.number);
  }
  return shared;
}

}  // namespace

BdgpTables BdgpTables::Load(const fs::path& annotations, const fs::path& images) {
  BdgpTables tables;
  tables.annotations_name = annotations.filename().string();
  tables.images_name = images.filename().string();
  tables.annotation_lines =
      LoadTable(annotations, kAnnotationStage, &ParseAnnotation, tables.annotations, tables.skipped);
  RequireRows(tables.annotations.size(), annotations, "CG id, symbol, FBgn, stage code 1-6, term");
  tables.image_lines = LoadTable(images, kImageStage, &ParseImage, tables.images, tables.skipped);
  RequireRows(tables.images.size(),
              images,
              "CG id, symbol, symbol, FBgn, clone, image path, stage code 1-6, then view, comment, resolution");
  CompleteGenes(tables);
  tables.shared_images = SharedImages(tables.images);
  return tables;
}

}  // namespace flyscribe
