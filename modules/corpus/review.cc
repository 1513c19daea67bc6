#include "corpus/review.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "core/csv.h"
#include "core/error.h"
#include "core/text.h"
#include "corpus/source_tables.h"
#include "corpus/table_format.h"
#include "data/annotation.h"

namespace flyscribe {
namespace {

std::optional<Verdict> ParseVerdict(const std::string& text) {
  static const std::map<std::string, Verdict> words = {{"yes", Verdict::kYes},
                                                       {"y", Verdict::kYes},
                                                       {"1", Verdict::kYes},
                                                       {"true", Verdict::kYes},
                                                       {"accept", Verdict::kYes},
                                                       {"no", Verdict::kNo},
                                                       {"n", Verdict::kNo},
                                                       {"0", Verdict::kNo},
                                                       {"false", Verdict::kNo},
                                                       {"reject", Verdict::kNo},
                                                       {"unsure", Verdict::kUnsure},
                                                       {"?", Verdict::kUnsure},
                                                       {"maybe", Verdict::kUnsure}};
  const auto found = words.find(ToLower(text));
  return found == words.end() ? std::nullopt : std::optional(found->second);
}

std::string NameOf(Verdict verdict) {
  return verdict == Verdict::kYes ? "yes" : verdict == Verdict::kNo ? "no" : "unsure";
}

// The date as 2026-09-05, so that dates compare as their texts do. Nothing if it is no day of the calendar.
std::optional<std::string> IsoDate(const std::string& text) {
  const std::vector<std::string> parts = Split(text, '-');
  const auto is_short = [](const std::string& part) { return part.size() == 1 || part.size() == 2; };
  if (parts.size() != 3 || parts[0].size() != 4 || !is_short(parts[1]) || !is_short(parts[2])) return std::nullopt;
  const auto year = ParseInteger(parts[0]);
  const auto month = ParseInteger(parts[1]);
  const auto day = ParseInteger(parts[2]);
  if (!year || !month || !day) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year{static_cast<int>(*year)},
                                         std::chrono::month{static_cast<unsigned>(*month)},
                                         std::chrono::day{static_cast<unsigned>(*day)}};
  if (!date.ok()) return std::nullopt;
  const auto two_digits = [](const std::string& part) { return part.size() == 1 ? "0" + part : part; };
  return parts[0] + "-" + two_digits(parts[1]) + "-" + two_digits(parts[2]);
}

void RequireColumns(const Fields& header, const fs::path& path) {
  const Header names(header);
  std::vector<std::string> missing;
  for (const std::string name : {"stage_range", "term", "decision"}) {
    if (!names.Has(name)) missing.push_back(name);
  }
  const bool names_gene = names.Has("fbgn") || names.Has("cg") || names.Has("gene_symbol") || names.Has("bag_id");
  if (!names_gene) missing.emplace_back("fbgn");
  if (missing.empty()) return;
  // What a spreadsheet writes where the comma is the decimal sign.
  const bool semicolons =
      std::ranges::any_of(header, [](const std::string& field) { return field.find(';') != std::string::npos; });
  throw Error(ErrorCode::kInput,
              "no review: there is no column " + Join(missing, ", "),
              semicolons ? "save it with tabs or commas between the columns, not semicolons"
                         : "give a review.tsv that `flyscribe annotate` wrote, with its header line",
              {path.string(), 1, 0});
}

// That of the columns made for it.
Gene NamedGene(const Header& header, const Fields& fields) {
  const auto get = [&](const char* name) { return CleanField(header.Get(fields, name)); };
  return GeneFromColumns(get("cg"), get("gene_symbol"), get("fbgn"));
}

// The ids of a row; a bag's own id counts where no column names the gene.
Gene GeneOf(const Header& header, const Fields& fields) {
  const Gene gene = NamedGene(header, fields);
  return gene.Identity().empty() ? GeneFromWord(CleanField(header.Get(fields, "bag_id"))) : gene;
}

// Reads the rows below a header into a review; one use.
class RowReader {
 public:
  RowReader(const Fields& header, std::string name) : header_(header), width_(header.size()), name_(std::move(name)) {}

  void Read(const TableRow& row, Review& review) const {
    const std::string place = name_ + ":" + std::to_string(row.line);
    // Of a file that was cut off: what is left of the row may not be what was meant.
    if (row.fields.size() < width_) {
      const std::string count = std::to_string(row.fields.size());
      review.problems.push_back({place, "row has " + count + " fields, the header " + std::to_string(width_), true});
    } else if (Get(row, "decision").empty()) {
      ++review.undecided;
    } else if (const std::string fault = FaultOf(row); !fault.empty()) {
      review.problems.push_back({place, fault, true});
    } else {
      review.decisions.push_back(DecisionOf(row, place));
    }
  }

 private:
  std::string Get(const TableRow& row, const char* column) const { return CleanField(header_.Get(row.fields, column)); }

  // Why a decision cannot be used; empty if it can.
  std::string FaultOf(const TableRow& row) const {
    const std::optional<Verdict> verdict = ParseVerdict(Get(row, "decision"));
    const std::string term = Get(row, "term");
    const std::string date = Get(row, "date");
    if (!verdict) return "decision is neither yes, no nor unsure: " + Get(row, "decision");
    if (!ParseStageCode(Get(row, "stage_range"))) return "unknown stage range: " + Get(row, "stage_range");
    if (GeneOf(header_, row.fields).Identity().empty() || term.empty()) return "no gene or no term";
    if (!date.empty() && !IsoDate(date)) return "date is not YYYY-MM-DD: " + date;
    // Whoever reads the new table would leave it out.
    if (*verdict == Verdict::kYes && term.find(kTermSeparator) != std::string::npos) return "'|' in a term: " + term;
    return {};
  }

  // REQUIRES: there is no fault.
  ReviewDecision DecisionOf(const TableRow& row, const std::string& place) const {
    return {.gene = GeneOf(header_, row.fields),
            .names_gene = !NamedGene(header_, row.fields).Identity().empty(),
            .bag_id = Get(row, "bag_id"),
            .stage = ParseStageCode(Get(row, "stage_range")).value_or(0),
            .term = Get(row, "term"),
            .verdict = ParseVerdict(Get(row, "decision")).value_or(Verdict::kUnsure),
            .curator = Get(row, "curator"),
            .date = IsoDate(Get(row, "date")).value_or(""),
            .note = Get(row, "note"),
            .model_id = Get(row, "model_id"),
            .place = place};
  }

  Header header_;
  std::size_t width_;
  std::string name_;
};

// What spellings of one term have in common.
std::string Folded(std::string_view term) { return ToLower(Tidied(term)); }

// One label: a gene, by its number, in a range; the term is folded.
using LabelKey = std::tuple<std::size_t, int, std::string>;

// What was decided about one label, and by whom.
using Decisions = std::vector<const ReviewDecision*>;

// Of one curator's decisions those of the latest date.
Decisions LatestOfEach(const Decisions& all) {
  std::map<std::string, std::string> latest;
  for (const ReviewDecision* decision : all) {
    std::string& date = latest[decision->curator];
    date = std::max(date, decision->date);
  }
  Decisions counting;
  for (const ReviewDecision* decision : all) {
    // Without a name nobody can be told from another.
    if (decision->curator.empty() || decision->date == latest.at(decision->curator)) counting.push_back(decision);
  }
  return counting;
}

// Merges reviews with the rows of one table; one use.
class Merger {
 public:
  Merger(const SourceRows& source, const std::vector<Review>& reviews)
      : source_(source), source_genes_(GenesOf(source)) {
    const Decisions usable = UsableDecisions(reviews);
    std::vector<Gene> rows = GenesOf(source);
    for (const ReviewDecision* decision : usable) rows.push_back(decision->gene);
    genes_.emplace(rows);
    for (const AnnotationRow& row : source.annotations) {
      if (const auto gene = genes_->Find(row.gene)) labels_.insert({*gene, row.stage, Folded(row.term)});
      wordings_.try_emplace(Folded(row.term), row.term);
    }
    // A term the source does not have is spelled in one way, whatever the order of the reviews.
    std::set<std::string> spellings;
    for (const ReviewDecision* decision : usable) spellings.insert(Tidied(decision->term));
    for (const std::string& spelling : spellings) wordings_.try_emplace(Folded(spelling), spelling);
    for (const ReviewDecision* decision : usable) Note(*decision);
  }

  MergedReview Run() {
    for (const auto& [key, decisions] : decided_) Decide(key, decisions);
    for (const AnnotationRow& row : source_.annotations) {
      // Rows whose gene is not clear are kept as they are: whoever reads the table will list them.
      const auto gene = genes_->Find(row.gene);
      const bool removed = gene && removed_.contains({*gene, row.stage, Folded(row.term)});
      if (!removed) Append(row.gene, row.stage, row.term);
    }
    for (const auto& [gene, stage, term] : added_) Append(genes_->genes()[gene], stage, wordings_.at(term));
    for (const LeftOut& row : source_.left_out) {
      if (row.fault) merged_.problems.push_back({NameOfRow(row.place), row.reason, true});
    }
    merged_.emptied = CountEmptied();
    return std::move(merged_);
  }

 private:
  std::string NameOfRow(const RowPlace& place) const { return source_.tables.at(place.table).NameOf(place.line); }

  static std::vector<Gene> GenesOf(const SourceRows& source) {
    std::vector<Gene> genes;
    for (const AnnotationRow& row : source.annotations) genes.push_back(row.gene);
    return genes;
  }

  // The first two of some ids that the source knows as two genes: "CG1 and FBgn2". Else empty.
  std::string TwoGenes(const std::vector<std::string>& ids) const {
    std::string known;
    for (const std::string& id : ids) {
      const Gene gene = GeneFromWord(id);
      if (!gene.symbol.empty() || !source_genes_.Find(gene)) continue;
      if (known.empty()) known = id;
      if (source_genes_.Find(gene) != source_genes_.Find(GeneFromWord(known))) return known + " and " + id;
    }
    return {};
  }

  // Whether there are no two genes among the ids; else the decision is listed.
  bool IsOfOneGene(const ReviewDecision& decision, const std::vector<std::string>& ids) {
    const std::string two = TwoGenes(ids);
    if (!two.empty()) merged_.problems.push_back({decision.place, "ids of two genes: " + two, true});
    return two.empty();
  }

  // Whether the row says of which gene it is; else the decision is listed. The id of a bag without a gene is the name
  // of a file.
  bool HasGene(const ReviewDecision& decision) {
    const Gene& gene = decision.gene;
    const bool is_known = decision.names_gene || gene.symbol.empty() || source_genes_.Find(gene) ||
                          !source_genes_.SharedSymbol(gene).empty();
    if (!is_known) {
      merged_.problems.push_back(
          {decision.place, "no gene: fill in fbgn or gene_symbol (" + decision.bag_id + ")", true});
    }
    return is_known;
  }

  // Ids on one row make one gene, so rows that contradict the source are set aside before genes are made of them.
  Decisions UsableDecisions(const std::vector<Review>& reviews) {
    Decisions usable;
    for (const Review& review : reviews) {
      for (const ReviewDecision& decision : review.decisions) {
        const std::vector<std::string> ids = {decision.gene.cg, decision.gene.fbgn, decision.bag_id};
        if (HasGene(decision) && IsOfOneGene(decision, ids)) usable.push_back(&decision);
      }
    }
    return usable;
  }

  void Note(const ReviewDecision& decision) {
    const auto gene = genes_->Find(decision.gene);
    if (!gene) {
      merged_.problems.push_back({decision.place, "symbol of several genes: " + decision.gene.symbol, true});
    } else if (IsOfOneGene(decision, genes_->names()[*gene].ids)) {  // rows may tie two genes by an id that is new
      decided_[{*gene, decision.stage, Folded(decision.term)}].push_back(&decision);
    }
  }

  void Decide(const LabelKey& key, Decisions decisions) {
    std::ranges::sort(decisions, [](const ReviewDecision* a, const ReviewDecision* b) {
      return std::tie(a->curator, a->date, a->place) < std::tie(b->curator, b->date, b->place);
    });
    const Decisions counting = LatestOfEach(decisions);
    const auto says = [&](Verdict verdict) {
      return std::ranges::any_of(counting, [&](const auto* d) { return d->verdict == verdict; });
    };
    const bool conflict = says(Verdict::kYes) && says(Verdict::kNo);
    const bool was_there = labels_.contains(key);
    if (conflict) ++merged_.conflicts;
    if (!conflict && says(Verdict::kYes) && !was_there) added_.insert(key);
    if (!conflict && says(Verdict::kNo) && was_there) removed_.insert(key);
    for (const ReviewDecision* decision : decisions) {
      const bool counts = std::ranges::count(counting, decision) > 0;
      merged_.decisions.push_back({*decision, EffectOf(decision->verdict, counts, conflict, was_there)});
      merged_.decisions.back().decision.gene = genes_->genes()[std::get<0>(key)];
    }
  }

  static ReviewEffect EffectOf(Verdict verdict, bool counts, bool conflict, bool was_there) {
    if (!counts) return ReviewEffect::kOutdated;
    if (verdict == Verdict::kUnsure) return ReviewEffect::kUnchanged;
    if (conflict) return ReviewEffect::kConflict;
    if (verdict == Verdict::kYes) return was_there ? ReviewEffect::kConfirmed : ReviewEffect::kAdded;
    return was_there ? ReviewEffect::kRemoved : ReviewEffect::kConfirmed;
  }

  void Append(const Gene& gene, int stage, const std::string& term) {
    merged_.annotations += BdgpAnnotationRow(gene.cg, gene.symbol, gene.fbgn, StageRange::FromCode(stage), term);
    ++merged_.labels;
  }

  std::size_t CountEmptied() {
    merged_.added = added_.size();
    merged_.removed = removed_.size();
    std::set<std::pair<std::size_t, int>> left;
    for (const LabelKey& key : labels_) {
      if (!removed_.contains(key)) left.emplace(std::get<0>(key), std::get<1>(key));
    }
    for (const LabelKey& key : added_) left.emplace(std::get<0>(key), std::get<1>(key));
    std::set<std::pair<std::size_t, int>> emptied;
    for (const LabelKey& key : removed_) {
      if (!left.contains({std::get<0>(key), std::get<1>(key)})) emptied.emplace(std::get<0>(key), std::get<1>(key));
    }
    return emptied.size();
  }

  const SourceRows& source_;
  GeneIndex source_genes_;
  std::optional<GeneIndex> genes_;               // of source and reviews
  std::set<LabelKey> labels_;                    // of the source
  std::map<std::string, std::string> wordings_;  // of a folded term: the source's first
  std::map<LabelKey, Decisions> decided_;
  std::set<LabelKey> added_;
  std::set<LabelKey> removed_;
  MergedReview merged_;
};

std::string Tsv(const std::vector<MergedDecision>& decisions, bool conflicts_only) {
  std::string text =
      TsvRow(Split("gene fbgn cg symbol stage_range term decision effect curator date note model_id source", ' '));
  for (const auto& [decision, effect] : decisions) {
    if (conflicts_only && effect != ReviewEffect::kConflict) continue;
    text += TsvRow({decision.gene.Identity(),
                    decision.gene.fbgn,
                    decision.gene.cg,
                    decision.gene.symbol,
                    StageRange::FromCode(decision.stage).name(),
                    decision.term,
                    NameOf(decision.verdict),
                    NameOf(effect),
                    decision.curator,
                    decision.date,
                    decision.note,
                    decision.model_id,
                    decision.place});
  }
  return text;
}

}  // namespace

Review ReadReview(const fs::path& path) {
  const std::string text = ReadTableText(path);
  Review review;
  std::optional<RowReader> reader;
  const std::string name = path.filename().string();
  ForEachRow(
      text,
      DetectDelimiter(text),
      [&](TableRow& row) {
        if (reader) {
          reader->Read(row, review);
        } else {
          RequireColumns(row.fields, path);
          reader.emplace(row.fields, name);
        }
        return true;
      },
      [&](TableProblem& problem) {
        review.problems.push_back({name + ":" + std::to_string(problem.line), problem.reason, true});
      });
  if (!reader) RequireColumns({}, path);
  return review;
}

std::string NameOf(ReviewEffect effect) {
  // In the order of the enum.
  constexpr std::array<const char*, 6> kNames = {"added", "removed", "confirmed", "unchanged", "outdated", "conflict"};
  return kNames.at(static_cast<std::size_t>(effect));
}

std::string MergedReview::DecisionsTsv() const { return Tsv(decisions, false); }
std::string MergedReview::ConflictsTsv() const { return Tsv(decisions, true); }

MergedReview MergeReviews(const fs::path& annotations, const std::vector<Review>& reviews, const Progress& progress) {
  SourceRows source;
  ReadTable(annotations, source, progress);
  if (source.annotations.empty()) {
    // Of a table of images all decisions would be news, and the new table would hold nothing but them.
    throw Error(ErrorCode::kInput,
                "table has no annotations, it was read as: " + source.tables.front().format,
                "give the table of terms that the decisions are about, such as insitu_annot.csv",
                {annotations.string()});
  }
  return Merger(source, reviews).Run();
}

}  // namespace flyscribe
