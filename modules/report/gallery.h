// A gallery of annotated bags: many small pages that open from disk, without network or server.
//
//   index.html               what was done, search, terms, the first bags
//   gallery/bags/<bag>.html  one bag: its embryos, its terms by rank, where the evidence lies
//   gallery/terms/<t>.html   one term: the bags that show it most, least, and those on the edge
//   gallery/pages/<n>.html   all bags, so many a page
//   gallery/search/<n>.js    the list of bags for the search, loaded when it is used
//   gallery/style.css, gallery.js, images/
//
// No page grows with the number of bags. Pictures load when they come into view. Heat maps are drawn by gallery.js,
// when they are asked for, from what bag pages embed: where an image's windows lie, and for each term what they add, in
// 255 steps (a heat map needs no more; evidence/<bag>.json has the numbers). Without scripts a page shows the embryos,
// and in place of a map where the strongest window lies. Thread-safe and deterministic: pure functions.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "data/annotation.h"

namespace flyscribe {

inline constexpr std::size_t kBagsAPage = 48;
inline constexpr std::size_t kBagsASearchFile = 2000;

// A picture of a bag: its name in gallery/images, and the image's id.
struct GalleryImage {
  std::string file;
  std::string id;
};

// One row of a bag's page.
struct GalleryTerm {
  std::string page;                        // of the term, in gallery/terms, without ending
  const TermEvidence* evidence = nullptr;  // none: no map
  std::string scale;                       // the end of the map's scale, for its legend
  std::string png;                         // path of the map as a file from the root; empty: none was written
};

// All that a bag's page shows. Paths are those from the gallery's root.
struct GalleryBag {
  const BagAnnotation* bag = nullptr;
  std::vector<GalleryImage> images;  // as bag->images
  std::vector<GalleryTerm> terms;    // as bag->terms
  std::vector<PatchPlace> patches;   // of the terms' evidence
  std::string evidence;              // path of the JSON file; empty: none
};
std::string RenderBagPage(const GalleryBag& bag);

// A bag in a list.
struct GalleryCard {
  std::string page;
  std::string id;
  std::string symbol;
  std::string range;
  std::string image;  // in gallery/images
  std::string calls;  // the called terms, most probable first
  std::string words;  // what the search looks in
};
GalleryCard MakeCard(const BagAnnotation& bag, const std::string& page, const std::string& image);

// A bag in a term's gallery.
struct TermGalleryEntry {
  std::string page;
  std::string name;   // of the bag, for people
  std::string image;  // in gallery/images: the one with the strongest evidence
  double probability = 0.0;
  double decision_value = 0.0;
  bool call = false;
};

struct TermGallery {
  std::string term;
  std::string fbbt_id;
  std::string range;
  std::string page;
  double threshold = 0.0;
  std::size_t bags = 0;
  std::size_t calls = 0;
  std::vector<TermGalleryEntry> top;         // highest first
  std::vector<TermGalleryEntry> borderline;  // nearest to the threshold first
  std::vector<TermGalleryEntry> bottom;      // lowest first
};
std::string RenderTermPage(const TermGallery& gallery);

// Page `number`, from 1, of `pages`.
std::string RenderListPage(const std::vector<GalleryCard>& cards, std::size_t number, std::size_t pages);

struct GalleryIndex {
  std::vector<std::pair<std::string, std::string>> facts;
  std::vector<std::pair<std::string, std::string>> tiles;  // number, name
  std::vector<const TermGallery*> terms;                   // in the order of ranges
  std::vector<GalleryCard> first;                          // the cards of page 1
  std::size_t pages = 0;
  std::size_t search_files = 0;
  std::vector<std::pair<std::string, std::size_t>> skipped;  // reason, count
};
std::string RenderGalleryIndex(const GalleryIndex& index);

// The text of a search file: one call with the cards.
std::string SearchFile(const std::vector<GalleryCard>& cards);
// "0007.js" for 7: with zeros in front, unlike the pages, which are "7.html".
std::string SearchFileName(std::size_t number);

}  // namespace flyscribe
