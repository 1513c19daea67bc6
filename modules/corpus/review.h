// Curators' decisions about predicted terms, merged into a table of annotations for the next training.
//
// A review is the table that annotating leaves (data/annotation.h), with its last columns filled in:
//
//   decision  yes, no or unsure (y, n, ?, 1, 0, true, false, accept, reject, maybe are read too, in any case);
//             blank: not looked at
//   curator, date, note   who, when (2026-11-17 or 2026-9-5), why; a decision without a curator counts all the same
//
// For every gene, range and term that was decided:
//
//   yes         the label is in the new table, whether it was there or not
//   no          it is not
//   unsure      it is as it was
//   yes and no  from two curators, or from one without dates that tell which is later: a conflict; it is as it was
//
// Of one curator's own decisions the latest date counts; one without a date is older than all with one. The source's
// own rows are kept in their order, added labels come after them, sorted. Decisions already in the source change
// nothing, so a review may be merged twice. Genes are matched as everywhere (gene.h): by FBgn or CG id, by symbol if it
// has neither. A row without a gene is a fault: a bag's own id counts where it is an FBgn or CG id or the symbol of a
// gene of the source, since that of an image without a gene is its file's name. So is a row with ids of two genes of
// the source. Terms that differ in case or in the number of blanks are one; the source's wording is kept.
//
// It does not write files. Deterministic; the order of the reviews does not matter.
#pragma once

#include <string>
#include <vector>

#include "core/fs.h"
#include "core/progress.h"
#include "corpus/gene.h"
#include "data/skipped.h"

namespace flyscribe {

enum class Verdict { kYes, kNo, kUnsure };

// One row of a review that carries a decision.
struct ReviewDecision {
  Gene gene;
  bool names_gene = true;  // false: no column does, the gene is the bag's id
  std::string bag_id;
  int stage = 0;
  std::string term;
  Verdict verdict = Verdict::kUnsure;
  std::string curator;
  std::string date;  // 2026-09-05, or empty
  std::string note;
  std::string model_id;
  std::string place;  // review.tsv:12
};

struct Review {
  std::vector<ReviewDecision> decisions;
  std::size_t undecided = 0;      // rows without a decision
  std::vector<Skipped> problems;  // rows with fewer fields than the header, or whose decision cannot be used
};

// Throws Error(kInput) if the file cannot be read (ReadTableText) or lacks a column it needs: stage_range, term,
// decision, and one of fbgn, cg, gene_symbol or bag_id. Tabs or commas; further columns are passed over.
Review ReadReview(const fs::path& path);

// What became of a decision.
enum class ReviewEffect { kAdded, kRemoved, kConfirmed, kUnchanged, kOutdated, kConflict };
std::string NameOf(ReviewEffect effect);

struct MergedDecision {
  ReviewDecision decision;
  ReviewEffect effect = ReviewEffect::kUnchanged;
};

struct MergedReview {
  std::string annotations;                // the new table: BDGP's five columns, no header
  std::vector<MergedDecision> decisions;  // by gene, range, term, then curator, date and place
  std::vector<Skipped> problems;          // rows of the source that could not be read, which are not in the new
                                          // table, and decisions whose gene is not clear
  std::size_t labels = 0;                 // rows of the new table
  std::size_t added = 0;
  std::size_t removed = 0;
  std::size_t conflicts = 0;  // labels with a conflict
  std::size_t emptied = 0;    // genes of a range that lost their last label: without rows they are trained on no more

  // decisions.tsv: gene, fbgn, cg, symbol, stage_range, term, decision, effect, curator, date, note, model_id, source.
  std::string DecisionsTsv() const;
  // The same of conflicts only.
  std::string ConflictsTsv() const;
};

// `annotations`: a table of any kind that is read (table_format.h). Throws Error(kInput) if it cannot be used or has no
// annotations.
MergedReview MergeReviews(const fs::path& annotations,
                          const std::vector<Review>& reviews,
                          const Progress& progress = NoProgress());

}  // namespace flyscribe
