#include "report/examples.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/text.h"
#include "data/image.h"

namespace flyscribe {
namespace {

constexpr std::size_t kListedTerms = 8;
constexpr std::size_t kEvidencePictures = 4;

struct OutcomeWords {
  const char* symbol;
  const char* style;
  const char* words;
};

// In the order of Outcome.
constexpr std::array<OutcomeWords, 4> kOutcomes = {{{"✓", "hit", "called, and annotated"},
                                                    {"✗", "wrong", "called, not annotated"},
                                                    {"○", "missed", "annotated, not called"},
                                                    {"·", "rightly-not", "neither"}}};

const OutcomeWords& WordsOf(Outcome outcome) { return kOutcomes[static_cast<std::size_t>(outcome)]; }

Html Symbol(Outcome outcome) {
  const OutcomeWords& words = WordsOf(outcome);
  return Element("span",
                 {{"class", std::string("mark ") + words.style},
                  {"title", words.words},
                  {"role", "img"},
                  {"aria-label", words.words}},
                 Text(words.symbol));
}

std::string ImageId(const std::string& id, std::size_t image) { return id + "-image" + std::to_string(image); }

// The pictures themselves, in a drawing of no size: everything else refers to them.
Html EmbeddedImages(const ExampleBag& bag, const std::string& id) {
  Html images;
  for (std::size_t i = 0; i < bag.images.size(); ++i) {
    images += Element("image",
                      {{"id", ImageId(id, i)},
                       {"href", PngDataUri(bag.images[i].png)},
                       {"width", std::to_string(kEmbryoWidth)},
                       {"height", std::to_string(kEmbryoHeight)}});
  }
  return Element(
      "svg", {{"class", "store"}, {"width", "0"}, {"height", "0"}, {"aria-hidden", "true"}}, Element("defs", images));
}

Html Figure(const EvidencePicture& picture, const Html& caption) {
  return Element("figure", EvidencePictureSvg(picture) + Element("figcaption", caption));
}

Html PlainPictures(const ExampleBag& bag, const std::string& id) {
  Html pictures;
  for (std::size_t i = 0; i < bag.images.size(); ++i) {
    const EvidencePicture picture{.title = bag.images[i].id, .href = "#" + ImageId(id, i), .marks = {}};
    pictures += Figure(picture, Text(bag.images[i].id));
  }
  return Element("div", {{"class", "pictures small"}}, pictures);
}

Html EvidenceFigure(const ExampleBag& bag, const ExampleTerm& term, const std::string& id) {
  const std::string image = bag.images[term.image].id;
  const EvidencePicture picture{.title = "Evidence for " + term.term + " in " + image,
                                .href = "#" + ImageId(id, term.image),
                                .marks = term.marks};
  return Figure(picture, Symbol(OutcomeOf(term)) + Element("b", Text(term.term)) + Element("small", Text(image)));
}

Html EvidencePictures(const ExampleBag& bag, const std::string& id) {
  Html pictures;
  std::size_t shown = 0;
  for (const ExampleTerm& term : bag.terms) {
    if (shown == kEvidencePictures) break;
    if (term.marks.empty() || term.image >= bag.images.size()) continue;
    pictures += EvidenceFigure(bag, term, id);
    ++shown;
  }
  if (shown == 0) return {};
  return Element("h5", Text("Where the evidence lies")) + Element("div", {{"class", "pictures"}}, pictures);
}

// A bar over 0..1 with a tick at the threshold.
Html ProbabilityBar(const ExampleTerm& term) {
  const auto percent = [](double share) {
    return FormatFixed(std::isfinite(share) ? std::clamp(share, 0.0, 1.0) * 100.0 : 0.0, 1) + "%";
  };
  return Element("span",
                 {{"class", "value"}, {"aria-hidden", "true"}},
                 Element("i", {{"style", "width:" + percent(term.probability)}}) +
                     Element("u", {{"style", "left:" + percent(term.threshold)}}));
}

Html TermRow(const ExampleTerm& term) {
  const Outcome outcome = OutcomeOf(term);
  const Html name = Element("th", {{"scope", "row"}}, Symbol(outcome) + Text(term.term));
  const std::string threshold = "called above " + Number(term.threshold, 2);
  const Html bar = Element("td", {{"title", threshold}}, ProbabilityBar(term));
  return Element("tr",
                 {{"class", WordsOf(outcome).style}},
                 name + bar + NumberCell(Number(term.probability, 2)) + NumberCell(Number(term.decision_value, 2)));
}

Html TermTable(const ExampleBag& bag) {
  Html rows;
  std::size_t hidden = 0;
  for (std::size_t i = 0; i < bag.terms.size(); ++i) {
    if (i < kListedTerms || bag.terms[i].label) {
      rows += TermRow(bag.terms[i]);
    } else {
      ++hidden;
    }
  }
  Html table = TableElement("Predicted terms of " + bag.symbol, {"Term", "Probability", "", "Value"}, rows);
  if (hidden > 0) {
    const std::string words = "and " + Counted(hidden, "term", "terms") + " less probable, not annotated";
    table += Element("p", {{"class", "note"}}, Text(words));
  }
  return table;
}

Html TrueTerms(const ExampleBag& bag) {
  Html chips;
  for (const ExampleTerm& term : bag.terms) {
    if (term.label) chips += Element("li", Text(term.term));
  }
  if (chips.empty()) return Element("p", {{"class", "note"}}, Text("Annotated with none of the evaluated terms."));
  return Element("p", {{"class", "label"}}, Text("Annotated with")) + Element("ul", {{"class", "chips"}}, chips);
}

}  // namespace

Outcome OutcomeOf(const ExampleTerm& term) {
  if (term.call) return term.label ? Outcome::kHit : Outcome::kWrongCall;
  return term.label ? Outcome::kMissed : Outcome::kRightlyNot;
}

Html ExampleCard(const ExampleBag& bag, const std::string& id) {
  const std::string images = Counted(bag.images.size(), "image", "images");
  const Html heading = Element("h4", Element("em", Text(bag.symbol)) + Element("small", Text(bag.id + " · " + images)));
  const Html seen = PlainPictures(bag, id) + EvidencePictures(bag, id);
  const Html said = TrueTerms(bag) + TermTable(bag);
  return Element(
      "article",
      {{"class", "example"}},
      EmbeddedImages(bag, id) + heading +
          Element("div", {{"class", "columns"}}, Element("div", seen) + Element("div", {{"class", "terms"}}, said)));
}

Html ExampleKey() {
  Html items;
  for (const Outcome outcome : {Outcome::kHit, Outcome::kWrongCall, Outcome::kMissed, Outcome::kRightlyNot}) {
    items += Element("li", Symbol(outcome) + Text(WordsOf(outcome).words));
  }
  items += Element("li", Element("i", {{"class", "spot warm"}}) + Text("window speaks for the term"));
  items += Element("li", Element("i", {{"class", "spot cold"}}) + Text("window speaks against it"));
  items += Element("li", Text("\u25a1 outlined: the strongest windows for it"));
  return Element("ul", {{"class", "key"}}, items);
}

}  // namespace flyscribe
