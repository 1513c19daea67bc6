// What is said about a bag of new images: every term of its stage range with a probability, and the tables this makes.
//
//   predictions.tsv    one row a bag and term, all terms, by rank: the columns of PredictionHeader
//   predictions.jsonl  the same rows as JSON objects
//   annot.csv          the calls in BDGP's own five columns, quoted as in BDGP's dump, to hand back
//   review.tsv         one row a bag and term with empty columns for a curator's decision: ReviewHeader
//
// Numbers are written so that they read back as the same bits. Thread-safe: values and pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/fs.h"
#include "data/bag_evidence.h"
#include "data/stage_range.h"

namespace flyscribe {

struct TermPrediction {
  std::string term;
  std::string fbbt_id;  // may be empty
  double decision_value = 0.0;
  double probability = 0.0;
  double threshold = 0.0;         // the cut as a probability
  bool call = false;              // decision value above the cut
  std::optional<PatchPlace> top;  // the patch that adds most to the decision value

  // How near to being decided the other way: small is uncertain.
  double Margin() const;
  friend bool operator==(const TermPrediction&, const TermPrediction&) = default;
};

struct BagAnnotation {
  std::string id;  // FBgn, else CG id, else symbol or file; not unique over ranges
  std::string fbgn;
  std::string cg;
  std::string symbol;
  StageRange range;
  std::string score_source;           // new, or oof: by the inner model that held the gene out
  std::vector<std::string> images;    // ids of those that were used
  std::vector<TermPrediction> terms;  // by rank: most probable first, then higher decision value, then name
  friend bool operator==(const BagAnnotation&, const BagAnnotation&) = default;
};

// Puts the terms in the order of their ranks.
void RankTerms(std::vector<TermPrediction>& terms);

const std::vector<std::string>& PredictionHeader();
// The rows of all terms, each with a line end.
std::string PredictionRows(const BagAnnotation& bag, const std::string& model_id);
std::string PredictionLines(const BagAnnotation& bag, const std::string& model_id);
// "CG10036","otp","FBgn0015524",4,"brain primordium".
std::string BdgpAnnotationRow(const std::string& cg,
                              const std::string& symbol,
                              const std::string& fbgn,
                              StageRange range,
                              const std::string& term);
std::string CalledRows(const BagAnnotation& bag);

// bag_id, fbgn, cg, gene_symbol, stage_range, term, fbbt_id, probability, threshold, call, margin, score_source,
// top_image, model_id; then what the curator fills in: decision, curator, date, note.
const std::vector<std::string>& ReviewHeader();
// One row. REQUIRES: term < bag.terms.size().
std::string ReviewRow(const BagAnnotation& bag, std::size_t term, const std::string& model_id);

// All of it as one line of JSON, to keep for later. Throws Error(kCorrupt) for a line that is none; `path` is named in
// it.
std::string EncodeAnnotation(const BagAnnotation& bag);
BagAnnotation DecodeAnnotation(std::string_view line, const fs::path& path);

}  // namespace flyscribe
