// One bag of the tested genes shown in full: its pictures, what it is annotated with, what was predicted by a model
// that never saw its gene, and where the evidence lies.
//
// A linear classifier's decision value is a sum over features, and each pooled feature came from one 16 x 16 window: so
// the value is a sum over windows too (plus a bias). A window's share, the contribution c, is drawn as a soft spot at
// the window's centre: warm if c > 0, blue if c < 0, opacity in proportion to |c| / max |c|. Windows given more than
// once are added first. The strongest windows for the term are outlined as well.
// Thread-safe and deterministic: pure functions.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "data/annotation.h"
#include "data/bag_evidence.h"
#include "report/html.h"

namespace flyscribe {

// A standardised embryo with its evidence. The SVG is a complete document (it names its namespace and needs no style
// sheet), so it can also be written to a file of its own if `href` is a data: URI.
struct EvidencePicture {
  std::string title;
  std::string href;  // a data: URI, or "#id" of an <image> elsewhere in the page; empty for no picture
  std::vector<PatchEvidence> patches;  // all of this embryo
};

Html EvidencePictureSvg(const EvidencePicture& picture);

// Patches of the same window added up; ordered as they are drawn: against the term first, then for it, weakest first.
std::vector<PatchEvidence> DrawingOrder(const std::vector<PatchEvidence>& patches);

struct ExampleImage {
  std::string id;
  std::string png;  // the bytes of a PNG file, 320 x 128
};

struct ExampleBag {
  std::string id;
  std::string symbol;  // of the gene
  std::vector<ExampleImage> images;
  std::vector<TermPrediction> terms;   // by rank
  std::vector<PatchPlace> patches;     // that any of them may rest on
  std::vector<TermEvidence> evidence;  // of each term: what the patches add
  std::set<std::string> labels;        // the terms the bag carries
};

// What became of a term: each has its own symbol, colour and words.
enum class Outcome { kHit, kWrongCall, kMissed, kRightlyNot };
Outcome OutcomeOf(bool call, bool label);

// The eight first terms are listed, and further ones the bag really carries; the first four with evidence get a
// picture, of the image with the most evidence for the term.
// `id` is a prefix for the ids of the pictures, unique in the page: each is embedded once however often it is shown.
Html ExampleCard(const ExampleBag& bag, const std::string& id);

// What the symbols and colours mean.
Html ExampleKey();

}  // namespace flyscribe
