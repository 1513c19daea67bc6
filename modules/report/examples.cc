#include "report/examples.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <tuple>

#include "core/text.h"
#include "data/image.h"
#include "report/svg.h"

namespace flyscribe {
namespace {

constexpr const char* kWarm = "#e8590c";
constexpr const char* kCold = "#0072b2";
constexpr const char* kFrame = "#7a2600";
constexpr double kWarmOpacity = 0.7;  // of the strongest window
constexpr double kColdOpacity = 0.45;
constexpr double kSpotRadius = 9.0;   // pixels: a little over the window's half
constexpr double kWindow = 16.0;      // pixels
constexpr double kFaintest = 0.03;    // of the strongest window; fainter ones cannot be seen
constexpr std::size_t kOutlined = 3;  // strongest windows for the term

Html Spot(const PatchEvidence& patch, double opacity) {
  const std::string words = fmt::format("{}{} at {}, {}",
                                        patch.contribution > 0.0F ? "+" : "",
                                        Number(patch.contribution, 3),
                                        Coordinate(patch.x),
                                        Coordinate(patch.y));
  return Element("circle",
                 {{"cx", Coordinate(patch.x)},
                  {"cy", Coordinate(patch.y)},
                  {"r", Coordinate(kSpotRadius)},
                  {"fill-opacity", Number(opacity, 2)}},
                 Element("title", Text(words)));
}

// Blurred together, so that neighbouring windows flow into one another. A viewer that knows no blur shows plain discs.
Html SpotLayer(const char* colour, const Html& spots) {
  return spots.empty() ? spots : Element("g", {{"fill", colour}, {"style", "filter:blur(2.5px)"}}, spots);
}

Html Spots(const std::vector<PatchEvidence>& patches) {
  double strongest = 0.0;
  for (const PatchEvidence& patch : patches) strongest = std::max(strongest, std::abs(double{patch.contribution}));
  Html against;
  Html in_favour;
  for (const PatchEvidence& patch : patches) {
    const double share = strongest > 0.0 ? std::abs(double{patch.contribution}) / strongest : 0.0;
    if (share < kFaintest) continue;
    if (patch.contribution > 0.0F) {
      in_favour += Spot(patch, kWarmOpacity * share);
    } else {
      against += Spot(patch, kColdOpacity * share);
    }
  }
  return SpotLayer(kCold, against) + SpotLayer(kWarm, in_favour);
}

Html Outlines(const std::vector<PatchEvidence>& patches) {
  Html outlines;
  for (std::size_t i = patches.size() - std::min(kOutlined, patches.size()); i < patches.size(); ++i) {
    if (patches[i].contribution <= 0.0F) continue;
    outlines += Element("rect",
                        {{"x", Coordinate(patches[i].x - kWindow / 2)},
                         {"y", Coordinate(patches[i].y - kWindow / 2)},
                         {"width", Coordinate(kWindow)},
                         {"height", Coordinate(kWindow)},
                         {"rx", "2"},
                         {"fill", "none"},
                         {"stroke", kFrame},
                         {"stroke-width", "1.2"}});
  }
  return outlines;
}

Html Photograph(const std::string& href) {
  if (href.empty()) return {};
  if (href.front() == '#') return Element("use", {{"href", href}});
  return Element("image",
                 {{"href", href}, {"width", fmt::to_string(kEmbryoWidth)}, {"height", fmt::to_string(kEmbryoHeight)}});
}

}  // namespace

std::vector<PatchEvidence> DrawingOrder(const std::vector<PatchEvidence>& patches) {
  std::map<std::pair<float, float>, double> windows;
  for (const PatchEvidence& patch : patches) {
    if (std::isfinite(patch.contribution)) windows[{patch.x, patch.y}] += double{patch.contribution};
  }
  std::vector<PatchEvidence> ordered;
  for (const auto& [place, sum] : windows) ordered.push_back({place.first, place.second, static_cast<float>(sum)});
  std::ranges::sort(ordered, {}, [](const PatchEvidence& patch) {
    return std::tuple(patch.contribution > 0.0F, std::abs(patch.contribution), patch.y, patch.x);
  });
  return ordered;
}

Html EvidencePictureSvg(const EvidencePicture& picture) {
  const std::string view = fmt::format("0 0 {} {}", kEmbryoWidth, kEmbryoHeight);
  const Attributes attributes = {{"xmlns", "http://www.w3.org/2000/svg"},
                                 {"class", "embryo"},
                                 {"viewBox", view},
                                 {"role", "img"},
                                 {"aria-label", picture.title}};
  const std::vector<PatchEvidence> windows = DrawingOrder(picture.patches);
  return Element("svg",
                 attributes,
                 Element("title", Text(picture.title)) + Photograph(picture.href) + Spots(windows) + Outlines(windows));
}

// ---- a bag

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

std::string ImageId(const std::string& id, std::size_t image) { return fmt::format("{}-image{}", id, image); }

// The pictures themselves, in a drawing of no size: everything else refers to them.
Html EmbeddedImages(const ExampleBag& bag, const std::string& id) {
  Html images;
  for (std::size_t i = 0; i < bag.images.size(); ++i) {
    images += Element("image",
                      {{"id", ImageId(id, i)},
                       {"href", PngDataUri(bag.images[i].png)},
                       {"width", fmt::to_string(kEmbryoWidth)},
                       {"height", fmt::to_string(kEmbryoHeight)}});
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
    const EvidencePicture picture{.title = bag.images[i].id, .href = "#" + ImageId(id, i), .patches = {}};
    pictures += Figure(picture, Text(bag.images[i].id));
  }
  return Element("div", {{"class", "pictures small"}}, pictures);
}

// The image with the most evidence for the term.
std::size_t MostTelling(const ExampleBag& bag, const TermEvidence& evidence) {
  std::vector<double> support(bag.images.size());
  for (std::size_t i = 0; i < bag.patches.size(); ++i) {
    const std::size_t image = bag.patches[i].image;
    if (image < support.size()) support[image] += double{evidence.contributions[i]};
  }
  return static_cast<std::size_t>(std::ranges::max_element(support) - support.begin());
}

Outcome OutcomeIn(const ExampleBag& bag, const TermPrediction& term) {
  return OutcomeOf(term.call, bag.labels.contains(term.term));
}

Html EvidencePictures(const ExampleBag& bag, const std::string& id) {
  Html pictures;
  std::size_t shown = 0;
  for (std::size_t rank = 0; rank < bag.terms.size() && shown < kEvidencePictures; ++rank) {
    const std::size_t image = MostTelling(bag, bag.evidence[rank]);
    const std::vector<PatchEvidence> patches = EvidenceIn(bag.patches, bag.evidence[rank], image);
    if (patches.empty() || image >= bag.images.size()) continue;
    const TermPrediction& term = bag.terms[rank];
    const EvidencePicture picture{.title = fmt::format("Evidence for {} in {}", term.term, bag.images[image].id),
                                  .href = "#" + ImageId(id, image),
                                  .patches = patches};
    pictures += Figure(
        picture,
        Symbol(OutcomeIn(bag, term)) + Element("b", Text(term.term)) + Element("small", Text(bag.images[image].id)));
    ++shown;
  }
  if (shown == 0) return {};
  return Element("h5", Text("Where the evidence lies")) + Element("div", {{"class", "pictures"}}, pictures);
}

Html TermRow(const TermPrediction& term, Outcome outcome) {
  const Html name = Element("th", {{"scope", "row"}}, Symbol(outcome) + Text(term.term));
  // Over 0..1, with a tick at the threshold.
  const Html bar = Element("span",
                           {{"class", "value"}, {"aria-hidden", "true"}},
                           Element("i", {{"style", "width:" + Percent(term.probability)}}) +
                               Element("u", {{"style", "left:" + Percent(term.threshold)}}));
  return Element("tr",
                 {{"class", WordsOf(outcome).style}},
                 name + Element("td", {{"title", "called above " + Number(term.threshold, 2)}}, bar) +
                     NumberCell(Number(term.probability, 2)) + NumberCell(Number(term.decision_value, 2)));
}

Html TermTable(const ExampleBag& bag) {
  Html rows;
  std::size_t hidden = 0;
  for (std::size_t rank = 0; rank < bag.terms.size(); ++rank) {
    const TermPrediction& term = bag.terms[rank];
    if (rank < kListedTerms || bag.labels.contains(term.term)) {
      rows += TermRow(term, OutcomeIn(bag, term));
    } else {
      ++hidden;
    }
  }
  Html table = TableElement("Predicted terms of " + bag.symbol, {"Term", "Probability", "", "Value"}, rows);
  if (hidden > 0) table += Note("and " + Counted(hidden, "term", "terms") + " less probable, not annotated");
  return table;
}

Html TrueTerms(const ExampleBag& bag) {
  Html chips;
  for (const TermPrediction& term : bag.terms) {
    if (bag.labels.contains(term.term)) chips += Element("li", Text(term.term));
  }
  if (chips.empty()) return Note("Annotated with none of the evaluated terms.");
  return Element("p", {{"class", "label"}}, Text("Annotated with")) + Element("ul", {{"class", "chips"}}, chips);
}

}  // namespace

Outcome OutcomeOf(bool call, bool label) {
  if (call) return label ? Outcome::kHit : Outcome::kWrongCall;
  return label ? Outcome::kMissed : Outcome::kRightlyNot;
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
