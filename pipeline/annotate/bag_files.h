// The files of one annotated bag: its embryos, its evidence, its heat maps if they are wanted, its page of the gallery.
//
//   evidence/<bag>.json           what every patch adds (data/bag_evidence.h)
//   evidence/<bag>/<rank>-<term>.png   heat map over the image that holds the strongest patch
//   gallery/images/<bag>-1.jpg ...     the standardised embryos
//   gallery/bags/<bag>.html
//
// <bag> is NewBag::slug, which names its range too. Thread-safe: bags write files of their own. Deterministic.
#pragma once

#include <map>
#include <string>

#include "core/fs.h"
#include "pipeline/annotate/bag_annotator.h"
#include "pipeline/annotate/new_bags.h"
#include "pipeline/cache/manifest.h"
#include "pipeline/model/model.h"

namespace flyscribe {

// Names of the terms' pages in gallery/terms, without ending; one for each term of each range.
class TermPages {
 public:
  explicit TermPages(const Model& model);
  const std::string& Of(StageRange range, const std::string& term) const;

 private:
  std::map<std::pair<StageRange, std::string>, std::string> pages_;
};

// "FBgn0000001_4-6-2.jpg" for image 1 (from 0) of the bag with this slug.
std::string EmbryoFile(const std::string& slug, std::size_t image);

// The heat map of a term over the embryo of one image as the bytes of a PNG file. Whoever has the evidence and the file
// of the embryo comes to the same bytes. `embryo` is EmbryoFile, decoded. REQUIRES: the term is one of the evidence's.
std::string HeatMapPng(const BagEvidence& evidence,
                       const TermEvidence& term,
                       std::size_t image,
                       const GrayImage& embryo);

// Creates the folders for WriteBagFiles below `result`.
void CreateBagFolders(const fs::path& result);

// Returns what it wrote. Nothing is synced. `maps`: whose heat maps are written.
// REQUIRES: annotated.annotation, with the evidence of these terms.
std::vector<ListedFile> WriteBagFiles(
    const fs::path& result, const NewBag& bag, const AnnotatedBag& annotated, EvidenceOf maps, const TermPages& pages);

}  // namespace flyscribe
