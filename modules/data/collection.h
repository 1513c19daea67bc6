// The images of one stage range, sorted into bags with their genes, labels and folds: what `ingest` leaves.
//
//   images.tsv   one row an image: id, folder, file, digest, bag
//   bags.tsv     one row a bag: id, gene, symbol, fbgn, fold, ids, symbols (all of the gene's, joined by bars)
//   labels.tsv   one row a label: bag, term
//   terms.tsv    one row a term that occurs: term, fbbt_id
//   skipped.tsv  what was left out, and why
//
// Bags are sorted by id, images by bag and then id, labels by bag and then term, so that the same inputs in another
// order give the same bytes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/fs.h"
#include "core/matrix.h"
#include "data/skipped.h"
#include "data/stage_range.h"

namespace flyscribe {

// All that one gene is called in the tables it was read from, so that it is known again by any of its names.
//
// In a field of a table they are joined by bars. A bar within a name is not told from one between two: read back, such
// a name is two, and whoever looks for it looks for both.
struct GeneNames {
  std::vector<std::string> ids;      // FBgn and CG ids, sorted: no other gene of these tables has them
  std::vector<std::string> symbols;  // sorted: another gene may have them too
  friend bool operator==(const GeneNames&, const GeneNames&) = default;
};

// "a|b", and back; the empty text is no name.
std::string JoinNames(const std::vector<std::string>& names);
std::vector<std::string> SplitNames(const std::string& field);

// Gives genes to folds: the same gene to the same fold in every stage range, on every machine.
//
//   fold(gene) = HashText(seed, gene) mod folds
//
// So images of one gene never lie on both sides of a split, and adding genes moves no other gene. Folds are of about
// equal size, not exactly. Folds within folds need a seed of their own: with the same one, the genes outside an outer
// fold would all miss the inner fold of that number. REQUIRES: folds > 0. In [0, folds).
int FoldOfGene(std::string_view gene, int folds, std::int64_t seed);

struct ImageRecord {
  std::string id;          // "insitu18837"
  std::size_t folder = 0;  // which of the configured image folders
  std::string file;        // path below that folder
  std::string digest;      // SHA-256 of the file's content
  std::size_t bag = 0;     // row of Collection::bags
  friend bool operator==(const ImageRecord&, const ImageRecord&) = default;
};

struct Bag {
  std::string id;
  std::string gene;  // the gene's identity: FBgn, else CG id, else symbol. Splits are by this.
  std::string symbol;
  std::string fbgn;                // may be empty
  int fold = 0;                    // the outer fold the gene was given to
  std::vector<std::string> terms;  // sorted, distinct; empty means: annotated as showing nothing
  GeneNames names = {};            // by which the gene is known again
  friend bool operator==(const Bag&, const Bag&) = default;
};

// A term and its id in FlyBase's anatomy, which may be empty.
struct TermRecord {
  std::string term;
  std::string fbbt_id;
  friend bool operator==(const TermRecord&, const TermRecord&) = default;
};

struct Collection {
  StageRange range;
  std::vector<Bag> bags;
  std::vector<ImageRecord> images;
  std::vector<TermRecord> terms;  // by name; may lack terms whose id nobody asked for
  std::vector<Skipped> skipped;

  // Digests of the parts different steps depend on, so that a corrected label does not rerun the dictionary.
  std::string ImagesDigest() const;  // ids, contents, bags
  std::string FoldsDigest() const;   // bag -> gene, fold
  std::string LabelsDigest() const;  // bag -> terms
  std::string TermsDigest() const;   // term -> id

  void Save(const fs::path& folder) const;
  static Collection Load(const fs::path& folder, StageRange range);
};

// Which bag carries which term, as a table of zeros and ones. Made from bags, never stored.
struct LabelTable {
  std::vector<std::string> terms;      // most frequent first, ties by name
  std::vector<std::size_t> positives;  // bags that carry the term, each counted once
  Matrix<std::uint8_t> values;         // [bags, terms]

  static LabelTable FromBags(const std::vector<Bag>& bags);
};

}  // namespace flyscribe
