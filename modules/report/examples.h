// One bag of the tested genes shown in full: its pictures, what it is annotated with, what was predicted by a model
// that never saw its gene, and where the evidence lies.
//
// A linear classifier's decision value is a sum over features, and each pooled feature came from one 16 x 16 window: so
// the value is a sum over windows too (plus a bias). A window's share, the contribution c, is drawn as a soft spot at
// the window's centre: warm if c > 0, blue if c < 0, opacity in proportion to |c| / max |c|. Windows given more than
// once are added first. The strongest windows for the term are outlined as well.
// Thread-safe and deterministic: pure functions.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "report/html.h"

namespace flyscribe {

struct EvidenceMark {
  float x = 0.0F;  // centre of the window, pixels of the standardised picture, from the top left
  float y = 0.0F;
  double contribution = 0.0;  // share of the decision value
  friend bool operator==(const EvidenceMark&, const EvidenceMark&) = default;
};

// A standardised embryo with its evidence. The SVG is a complete document (it names its namespace and needs no style
// sheet), so it can also be written to a file of its own if `href` is a data: URI.
struct EvidencePicture {
  std::string title;
  std::string href;  // a data: URI, or "#id" of an <image> elsewhere in the page; empty for no picture
  std::vector<EvidenceMark> marks;
};

Html EvidencePictureSvg(const EvidencePicture& picture);

// Marks of the same window added up; ordered as they are drawn: against the term first, then for it, weakest first.
std::vector<EvidenceMark> DrawingOrder(const std::vector<EvidenceMark>& marks);

struct ExampleImage {
  std::string id;
  std::string png;  // the bytes of a PNG file, 320 x 128
};

struct ExampleTerm {
  std::string term;
  double decision_value = 0.0;
  double probability = 0.0;
  double threshold = 0.0;  // called above this probability
  bool label = false;      // the bag carries the term
  bool call = false;       // the classifier says it does: the decision value is above the term's cut
  std::size_t image = 0;   // of the bag's images: the one the marks lie in
  std::vector<EvidenceMark> marks;
};

struct ExampleBag {
  std::string id;
  std::string symbol;  // of the gene
  std::vector<ExampleImage> images;
  std::vector<ExampleTerm> terms;  // most probable first
};

// What became of a term: each has its own symbol, colour and words.
enum class Outcome { kHit, kWrongCall, kMissed, kRightlyNot };
Outcome OutcomeOf(const ExampleTerm& term);

// The eight first terms are listed, and further ones the bag really carries; the first four with marks get a picture.
// `id` is a prefix for the ids of the pictures, unique in the page: each is embedded once however often it is shown.
Html ExampleCard(const ExampleBag& bag, const std::string& id);

// What the symbols and colours mean.
Html ExampleKey();

}  // namespace flyscribe
