// The tables and the gallery's shared pages, from the annotations of all bags, one bag after the other.
//
//   predictions.tsv, predictions.jsonl, annot.csv, review.tsv, skipped.tsv, annotation.files.tsv, annotation.json,
//   index.html, gallery/{style.css, gallery.js, pages/, search/, terms/}
//
// Nothing is synced: whoever moves the result into place does that. Memory: a page of bags and 36 bags a term; for
// review.tsv, which is sorted over all bags by uncertainty, 24 bytes a row (its text waits in a scratch file). Not
// thread-safe. Deterministic.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/file.h"
#include "core/fs.h"
#include "data/annotation.h"
#include "data/skipped.h"
#include "pipeline/annotate/bag_files.h"
#include "pipeline/annotate/new_bags.h"
#include "pipeline/model/model.h"
#include "report/gallery.h"

namespace flyscribe {

struct AnnotationCounts {
  std::size_t bags = 0;
  std::size_t images = 0;
  std::size_t calls = 0;
  std::size_t out_of_fold = 0;                 // bags of genes that were trained on
  std::map<std::string, std::size_t> skipped;  // inputs by reason
  std::size_t faults = 0;
};

class ResultWriter {
 public:
  // `bags`: how many will be added. `scratch`: a file of our own.
  ResultWriter(const fs::path& result, fs::path scratch, const Model& model, std::size_t bags);

  void Add(const NewBag& bag, const BagAnnotation& said);
  // Files of bags, for annotation.files.tsv.
  void List(const std::vector<ListedFile>& files);
  // Writes what has to wait for the last bag. `facts` go into annotation.json as they are and onto the index page.
  AnnotationCounts Finish(const std::vector<Skipped>& skipped,
                          const std::vector<std::pair<std::string, std::string>>& facts,
                          const std::string& key_digest);

 private:
  struct ReviewLine {
    double margin = 0.0;
    std::uint64_t offset = 0;
    std::uint64_t length = 0;
  };

  void AddReview(const BagAnnotation& said);
  void AddToTerms(const NewBag& bag, const BagAnnotation& said);
  void AddCard(const NewBag& bag, const BagAnnotation& said);
  // A file of the gallery.
  void Write(const std::string& name, const std::string& text);
  void WriteListPage();
  void WriteSearchFile();
  void WriteReview();
  void WriteGallery(const std::vector<Skipped>& skipped, const std::vector<std::pair<std::string, std::string>>& facts);
  void WriteAnnotationFile(const std::vector<std::pair<std::string, std::string>>& facts,
                           const std::string& key_digest) const;
  std::size_t Pages() const { return (bags_ + kBagsAPage - 1) / kBagsAPage; }

  fs::path result_;
  fs::path scratch_;
  const Model& model_;
  std::size_t bags_;
  TermPages pages_;
  FileWriter predictions_;
  FileWriter lines_;
  FileWriter called_;
  FileWriter list_;
  FileWriter review_rows_;
  std::uint64_t review_bytes_ = 0;
  std::vector<ReviewLine> review_;
  std::map<std::pair<StageRange, std::string>, TermGallery> terms_;
  std::vector<GalleryCard> page_;
  std::vector<GalleryCard> first_page_;
  std::vector<GalleryCard> search_;
  std::size_t pages_written_ = 0;
  std::size_t search_files_ = 0;
  AnnotationCounts counts_;
};

}  // namespace flyscribe
