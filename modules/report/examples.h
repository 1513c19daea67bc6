// One bag of the tested genes shown in full: its pictures, what it is annotated with, what was predicted by a model
// that never saw its gene, and where the evidence lies. Thread-safe and deterministic: pure functions.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "report/evidence.h"
#include "report/html.h"

namespace flyscribe {

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
