#include "corpus/import_files.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "core/csv.h"
#include "core/error.h"
#include "core/text.h"
#include "corpus/table_format.h"

namespace flyscribe {
namespace {

// --- manifest.tsv

// The path of an image file from the table's folder.
std::string PathFrom(const fs::path& folder, const fs::path& file) {
  // Through a link, `..` leads to where the link points, not back.
  const fs::path real = fs::weakly_canonical(fs::absolute(file).parent_path()) / file.filename();
  std::string path = real.lexically_relative(fs::weakly_canonical(fs::absolute(folder))).generic_string();
  if (IsUtf8(path)) return path;
  throw Error(ErrorCode::kInput,
              "manifest.tsv cannot name this file: its path is not UTF-8 text",
              "rename it; a config that names the tables and folders themselves reads it as it is",
              {ToUtf8(file.string())});
}

// --- import-report.tsv

constexpr const char* kTotal = "total";
constexpr const char* kLeftOut = "left out";
constexpr const char* kFault = "fault";
constexpr const char* kNote = "note";

// "duplicate row", "image file not found: insitu1" -> phrase and detail.
std::pair<std::string, std::string> Divide(const std::string& reason) {
  const std::size_t colon = reason.find(": ");
  if (colon == std::string::npos) return {reason, {}};
  return {reason.substr(0, colon), reason.substr(colon + 2)};
}

// Collects what is said of each row; one use.
class Reporter {
 public:
  explicit Reporter(const Corpus& corpus) : corpus_(corpus) {}

  ImportReport Make() {
    for (const LeftOut& row : corpus_.left_out) findings_[row.place].push_back({row.reason, row.fault});
    JudgeImages();
    JudgeLabels();
    for (const auto& [place, findings] : findings_) ReportRowOf(place, findings);
    for (const LeftOut& note : corpus_.notes) AddDetail(note.place, kNote, note.reason);
    for (const Skipped& problem : corpus_.folder_problems) {
      report_.rows.push_back({kFiles, 0, kFault, problem.reason, problem.input});
      ++report_.faults;
    }
    std::vector<ReportRow> totals = Totals();
    report_.rows.insert(report_.rows.begin(), totals.begin(), totals.end());
    return std::move(report_);
  }

 private:
  static constexpr const char* kFiles = "image files";

  void JudgeImages() {
    for (const CorpusImage& image : corpus_.images) {
      if (image.IsJoined()) {
        used_.insert(image.place);
        with_image_.emplace(image.gene, image.stage);
      } else if (!image.problem.empty()) {
        if (!image.silent) findings_[image.place].push_back({image.problem, image.fault});
      } else {
        findings_[image.place].push_back({"image file not found: " + image.id, true});
      }
    }
  }

  void JudgeLabels() {
    for (const CorpusLabel& label : corpus_.labels) {
      if (label.silent) continue;
      if (!label.problem.empty()) {
        findings_[label.place].push_back({label.problem, false});
      } else if (with_image_.contains({label.gene, label.stage})) {
        used_.insert(label.place);
      } else {
        findings_[label.place].push_back({"annotation without image", false});
      }
    }
  }

  // The first finding is the row's reason. A row that is used nevertheless counts as that, and its faults are told
  // apart from those of whole rows, so that the totals add up.
  void ReportRowOf(const RowPlace& place, const std::vector<Refusal>& findings) {
    if (used_.contains(place)) {
      for (const Refusal& finding : findings) {
        if (!finding.fault) continue;
        const auto [phrase, detail] = Divide(finding.reason);
        AddDetail(place, kFault, phrase + " (part of a row)" + (detail.empty() ? "" : ": " + detail));
        ++report_.faults;
      }
      return;
    }
    const Refusal& first = findings.front();
    AddDetail(place, first.fault ? kFault : kLeftOut, first.reason);
    ++counts_[{place.table, Divide(first.reason).first}];
    if (first.fault) ++report_.faults;
  }

  void AddDetail(const RowPlace& place, const char* outcome, const std::string& reason) {
    const SourceTable& table = corpus_.tables[place.table];
    auto [phrase, detail] = Divide(reason);
    const bool is_file = !table.row_names.empty();
    if (is_file) detail = table.NameOf(place.line);
    report_.rows.push_back({table.name, is_file ? 0 : place.line, outcome, std::move(phrase), std::move(detail)});
  }

  std::vector<ReportRow> Totals() const {
    std::vector<ReportRow> totals;
    const auto add = [&](const std::string& table, const std::string& what, const std::string& detail, std::size_t n) {
      totals.push_back({table, 0, kTotal, what, detail, n});
    };
    for (std::size_t i = 0; i < corpus_.tables.size(); ++i) {
      const SourceTable& table = corpus_.tables[i];
      add(table.name, "rows", table.format, table.rows);
      add(table.name, "used", {}, static_cast<std::size_t>(std::ranges::count(used_, i, &RowPlace::table)));
      for (const auto& [key, count] : counts_) {
        if (key.first == i) add(table.name, key.second, {}, count);
      }
    }
    if (corpus_.searched_folders == 0) return totals;
    add(kFiles, "files", {}, corpus_.files);
    add(kFiles, "used", {}, corpus_.used_files);
    add(kFiles, "another file of the same image is larger", {}, corpus_.copies);
    add(kFiles, "listed, but not used", {}, corpus_.unused_files);
    add(kFiles, "listed in no table", {}, corpus_.files - corpus_.used_files - corpus_.copies - corpus_.unused_files);
    return totals;
  }

  const Corpus& corpus_;
  std::map<RowPlace, std::vector<Refusal>> findings_;
  std::set<RowPlace> used_;
  std::set<std::pair<std::size_t, int>> with_image_;                   // gene, stage
  std::map<std::pair<std::size_t, std::string>, std::size_t> counts_;  // table, phrase
  ImportReport report_;
};

}  // namespace

std::string ImageTableText(const Corpus& corpus, const fs::path& folder, const IdOfTerm& id_of) {
  std::string text =
      TsvRow({"image_id", "file", "stage_range", "fbdv_ids", "fbgn", "cg", "symbol", "view", "terms", "fbbt_ids"});
  // Of each bag, in the order of their names. None has the separator in it: such terms are refused.
  std::map<std::pair<std::size_t, int>, std::vector<std::string>> terms_of;
  for (const CorpusLabel& label : corpus.labels) {
    if (label.problem.empty()) terms_of[{label.gene, label.stage}].push_back(label.term);
  }
  for (auto& [bag, words] : terms_of) std::ranges::sort(words);
  const std::string separator(1, kTermSeparator);
  for (const CorpusImage& image : corpus.images) {
    if (!image.IsJoined()) continue;
    const Gene& gene = corpus.genes[image.gene];
    const StageRange range = StageRange::FromCode(image.stage);
    const std::vector<std::string>& terms = terms_of[{image.gene, image.stage}];
    std::vector<std::string> ids;
    for (const std::string& term : terms) ids.push_back(id_of ? id_of(term, range) : "");
    text += QuotedTsvRow({image.id,
                          PathFrom(folder, corpus.PathOf(*image.file)),
                          range.name(),
                          range.fbdv(),
                          gene.fbgn,
                          gene.cg,
                          gene.symbol,
                          image.view,
                          Join(terms, separator),
                          Join(ids, separator)});
  }
  return text;
}

std::string ImportReport::Tsv() const {
  std::string text = TsvRow({"table", "line", "outcome", "reason", "detail", "count"});
  for (const ReportRow& row : rows) {
    const std::string line = row.line == 0 ? "" : std::to_string(row.line);
    text += TsvRow({row.table, line, row.outcome, row.reason, row.detail, std::to_string(row.count)});
  }
  return text;
}

ImportReport MakeImportReport(const Corpus& corpus) { return Reporter(corpus).Make(); }

}  // namespace flyscribe
