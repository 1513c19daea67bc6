#include "corpus/review.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "core/csv.h"
#include "core/error.h"
#include "core/file.h"
#include "core/text.h"
#include "corpus/row_fields.h"
#include "corpus/source_tables.h"
#include "data/annotation.h"

namespace flyscribe {
namespace {

constexpr std::uint64_t kMaxBytes = std::uint64_t{1} << 30;

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

void RequireColumns(const Header& header, const fs::path& path) {
  std::vector<std::string> missing;
  for (const std::string name : {"stage_range", "term", "decision"}) {
    if (!header.Has(name)) missing.push_back(name);
  }
  const bool names_gene = header.Has("fbgn") || header.Has("cg") || header.Has("gene_symbol") || header.Has("bag_id");
  if (!names_gene) missing.emplace_back("fbgn");
  if (missing.empty()) return;
  throw Error(ErrorCode::kInput,
              "no review: there is no column " + Join(missing, ", "),
              "give a review.tsv that `flyscribe annotate` wrote, with its header line",
              {path.string(), 1, 0});
}

// The ids of a row; a bag's own id counts where no column names the gene.
Gene GeneOf(const Header& header, const Fields& fields) {
  const auto get = [&](const char* name) { return CleanField(header.Get(fields, name)); };
  const Gene gene = GeneFromColumns(get("cg"), get("gene_symbol"), get("fbgn"));
  return gene.Identity().empty() ? GeneFromWord(get("bag_id")) : gene;
}

// Reads one row into the review.
void AddRow(const Header& header, const TableRow& row, const std::string& name, Review& review) {
  const auto get = [&](const char* column) { return CleanField(header.Get(row.fields, column)); };
  const std::string place = name + ":" + std::to_string(row.line);
  if (get("decision").empty()) {
    ++review.undecided;
    return;
  }
  const std::optional<Verdict> verdict = ParseVerdict(get("decision"));
  const std::optional<int> stage = ParseStageCode(get("stage_range"));
  ReviewDecision decision{GeneOf(header, row.fields),
                          stage.value_or(0),
                          get("term"),
                          verdict.value_or(Verdict::kUnsure),
                          get("curator"),
                          get("date"),
                          get("note"),
                          get("model_id"),
                          place};
  if (!verdict) {
    review.problems.push_back({place, "decision is neither yes, no nor unsure: " + get("decision"), true});
  } else if (!stage) {
    review.problems.push_back({place, "unknown stage range: " + get("stage_range"), true});
  } else if (decision.gene.Identity().empty() || decision.term.empty()) {
    review.problems.push_back({place, "no gene or no term", true});
  } else {
    review.decisions.push_back(std::move(decision));
  }
}

// One label: a gene, by its number, in a range.
using LabelKey = std::tuple<std::size_t, int, std::string>;

// What was decided about one label, and by whom.
using Decisions = std::vector<const ReviewDecision*>;

// Of one curator's decisions those of the latest date.
Decisions StandingOnes(const Decisions& all) {
  std::map<std::string, std::string> latest;
  for (const ReviewDecision* decision : all) {
    std::string& date = latest[decision->curator];
    date = std::max(date, decision->date);
  }
  Decisions standing;
  for (const ReviewDecision* decision : all) {
    // Without a name nobody can be told from another.
    if (decision->curator.empty() || decision->date == latest.at(decision->curator)) standing.push_back(decision);
  }
  return standing;
}

// Merges reviews with the rows of one table; one use.
class Merger {
 public:
  Merger(const SourceRows& source, const std::vector<Review>& reviews) : source_(source) {
    std::vector<Gene> rows;
    for (const AnnotationRow& row : source.annotations) rows.push_back(row.gene);
    for (const Review& review : reviews) {
      for (const ReviewDecision& decision : review.decisions) rows.push_back(decision.gene);
    }
    genes_.emplace(rows);
    for (const AnnotationRow& row : source.annotations) {
      if (const auto gene = genes_->Find(row.gene)) labels_.insert({*gene, row.stage, row.term});
    }
    for (const Review& review : reviews) {
      for (const ReviewDecision& decision : review.decisions) Note(decision);
    }
  }

  MergedReview Run() {
    for (const auto& [key, decisions] : decided_) Decide(key, decisions);
    for (const AnnotationRow& row : source_.annotations) KeepRow(row);
    for (const LabelKey& key : added_) Append(genes_->genes()[std::get<0>(key)], std::get<1>(key), std::get<2>(key));
    for (const LeftOut& row : source_.left_out) {
      if (row.fault) merged_.problems.push_back({NameOfRow(row.place), row.reason, true});
    }
    merged_.emptied = CountEmptied();
    return std::move(merged_);
  }

 private:
  std::string NameOfRow(const RowPlace& place) const { return source_.tables.at(place.table).NameOf(place.line); }

  void Note(const ReviewDecision& decision) {
    if (const auto gene = genes_->Find(decision.gene)) {
      decided_[{*gene, decision.stage, decision.term}].push_back(&decision);
    } else {
      merged_.problems.push_back({decision.place, "symbol of several genes: " + decision.gene.symbol, true});
    }
  }

  void Decide(const LabelKey& key, Decisions decisions) {
    std::sort(decisions.begin(), decisions.end(), [](const ReviewDecision* a, const ReviewDecision* b) {
      return std::tie(a->curator, a->date, a->place) < std::tie(b->curator, b->date, b->place);
    });
    const Decisions standing = StandingOnes(decisions);
    const auto says = [&](Verdict verdict) {
      return std::any_of(standing.begin(), standing.end(), [&](const auto* d) { return d->verdict == verdict; });
    };
    const bool conflict = says(Verdict::kYes) && says(Verdict::kNo);
    const bool was_there = labels_.contains(key);
    if (conflict) ++merged_.conflicts;
    if (!conflict && says(Verdict::kYes) && !was_there) added_.insert(key);
    if (!conflict && says(Verdict::kNo) && was_there) removed_.insert(key);
    for (const ReviewDecision* decision : decisions) {
      const bool stands = std::count(standing.begin(), standing.end(), decision) > 0;
      merged_.decisions.push_back({*decision, EffectOf(decision->verdict, stands, conflict, was_there)});
      merged_.decisions.back().decision.gene = genes_->genes()[std::get<0>(key)];
    }
  }

  static ReviewEffect EffectOf(Verdict verdict, bool stands, bool conflict, bool was_there) {
    if (!stands) return ReviewEffect::kOutdated;
    if (verdict == Verdict::kUnsure) return ReviewEffect::kUnchanged;
    if (conflict) return ReviewEffect::kConflict;
    if (verdict == Verdict::kYes) return was_there ? ReviewEffect::kConfirmed : ReviewEffect::kAdded;
    return was_there ? ReviewEffect::kRemoved : ReviewEffect::kConfirmed;
  }

  // Rows whose gene is not clear are kept as they are: whoever reads the table will list them.
  void KeepRow(const AnnotationRow& row) {
    const auto gene = genes_->Find(row.gene);
    const bool removed = gene && removed_.contains({*gene, row.stage, row.term});
    if (!removed) Append(row.gene, row.stage, row.term);
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
  std::optional<GeneIndex> genes_;
  std::set<LabelKey> labels_;  // of the source
  std::map<LabelKey, Decisions> decided_;
  std::set<LabelKey> added_;
  std::set<LabelKey> removed_;
  MergedReview merged_;
};

std::string Tsv(const std::vector<MergedDecision>& decisions, bool conflicts_only) {
  std::string text = TsvRow({"gene",
                             "fbgn",
                             "cg",
                             "symbol",
                             "stage_range",
                             "term",
                             "decision",
                             "effect",
                             "curator",
                             "date",
                             "note",
                             "model_id",
                             "source"});
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
  const std::string text = ToUtf8(ReadFile(path, kMaxBytes));
  Review review;
  std::optional<Header> header;
  const std::string name = path.filename().string();
  ForEachRow(
      text,
      DetectDelimiter(text),
      [&](TableRow& row) {
        if (header) {
          AddRow(*header, row, name, review);
        } else {
          header.emplace(row.fields);
          RequireColumns(*header, path);
        }
        return true;
      },
      [&](TableProblem& problem) {
        review.problems.push_back({name + ":" + std::to_string(problem.line), problem.reason, true});
      });
  if (!header) RequireColumns({}, path);
  return review;
}

std::string NameOf(ReviewEffect effect) {
  switch (effect) {
    case ReviewEffect::kAdded:
      return "added";
    case ReviewEffect::kRemoved:
      return "removed";
    case ReviewEffect::kConfirmed:
      return "confirmed";
    case ReviewEffect::kUnchanged:
      return "unchanged";
    case ReviewEffect::kOutdated:
      return "outdated";
    case ReviewEffect::kConflict:
      return "conflict";
  }
  return {};
}

std::string MergedReview::DecisionsTsv() const { return Tsv(decisions, false); }
std::string MergedReview::ConflictsTsv() const { return Tsv(decisions, true); }

MergedReview MergeReviews(const fs::path& annotations, const std::vector<Review>& reviews, const Progress& progress) {
  SourceRows source;
  ReadTable(annotations, source, progress);
  return Merger(source, reviews).Run();
}

}  // namespace flyscribe
