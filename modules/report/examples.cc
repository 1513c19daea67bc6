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

// ---- evidence

constexpr const char* kWarm = "#e8590c";
constexpr const char* kCold = "#0072b2";
constexpr const char* kFrame = "#7a2600";
constexpr double kWarmOpacity = 0.7;  // of the strongest mark
constexpr double kColdOpacity = 0.45;
constexpr double kSpotRadius = 9.0;   // pixels: a little over the window's half
constexpr double kWindow = 16.0;      // pixels
constexpr double kFaintest = 0.03;    // of the strongest mark; fainter ones cannot be seen
constexpr std::size_t kOutlined = 3;  // strongest windows for the term

Html Spot(const EvidenceMark& mark, double opacity) {
  const std::string words = fmt::format("{}{} at {}, {}",
                                        mark.contribution > 0.0 ? "+" : "",
                                        Number(mark.contribution, 3),
                                        Coordinate(mark.x),
                                        Coordinate(mark.y));
  return Element("circle",
                 {{"cx", Coordinate(mark.x)},
                  {"cy", Coordinate(mark.y)},
                  {"r", Coordinate(kSpotRadius)},
                  {"fill-opacity", Number(opacity, 2)}},
                 Element("title", Text(words)));
}

// Blurred together, so that neighbouring windows flow into one another. A viewer that knows no blur shows plain discs.
Html SpotLayer(const char* colour, const Html& spots) {
  return spots.empty() ? spots : Element("g", {{"fill", colour}, {"style", "filter:blur(2.5px)"}}, spots);
}

Html Spots(const std::vector<EvidenceMark>& marks) {
  double strongest = 0.0;
  for (const EvidenceMark& mark : marks) strongest = std::max(strongest, std::abs(mark.contribution));
  Html against;
  Html in_favour;
  for (const EvidenceMark& mark : marks) {
    const double share = strongest > 0.0 ? std::abs(mark.contribution) / strongest : 0.0;
    if (share < kFaintest) continue;
    if (mark.contribution > 0.0) {
      in_favour += Spot(mark, kWarmOpacity * share);
    } else {
      against += Spot(mark, kColdOpacity * share);
    }
  }
  return SpotLayer(kCold, against) + SpotLayer(kWarm, in_favour);
}

Html Outlines(const std::vector<EvidenceMark>& marks) {
  Html outlines;
  for (std::size_t i = marks.size() - std::min(kOutlined, marks.size()); i < marks.size(); ++i) {
    if (marks[i].contribution <= 0.0) continue;
    outlines += Element("rect",
                        {{"x", Coordinate(marks[i].x - kWindow / 2)},
                         {"y", Coordinate(marks[i].y - kWindow / 2)},
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

std::vector<EvidenceMark> DrawingOrder(const std::vector<EvidenceMark>& marks) {
  std::map<std::pair<float, float>, double> windows;
  for (const EvidenceMark& mark : marks) {
    if (std::isfinite(mark.contribution)) windows[{mark.x, mark.y}] += mark.contribution;
  }
  std::vector<EvidenceMark> ordered;
  for (const auto& [place, sum] : windows) ordered.push_back({place.first, place.second, sum});
  std::sort(ordered.begin(), ordered.end(), [](const EvidenceMark& a, const EvidenceMark& b) {
    const auto key = [](const EvidenceMark& mark) {
      return std::tuple(mark.contribution > 0.0, std::abs(mark.contribution), mark.y, mark.x);
    };
    return key(a) < key(b);
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
  const std::vector<EvidenceMark> marks = DrawingOrder(picture.marks);
  return Element("svg",
                 attributes,
                 Element("title", Text(picture.title)) + Photograph(picture.href) + Spots(marks) + Outlines(marks));
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
    const EvidencePicture picture{.title = bag.images[i].id, .href = "#" + ImageId(id, i), .marks = {}};
    pictures += Figure(picture, Text(bag.images[i].id));
  }
  return Element("div", {{"class", "pictures small"}}, pictures);
}

Html EvidencePictures(const ExampleBag& bag, const std::string& id) {
  Html pictures;
  std::size_t shown = 0;
  for (const ExampleTerm& term : bag.terms) {
    if (shown == kEvidencePictures) break;
    if (term.marks.empty() || term.image >= bag.images.size()) continue;
    const std::string& image = bag.images[term.image].id;
    const EvidencePicture picture{.title = fmt::format("Evidence for {} in {}", term.term, image),
                                  .href = "#" + ImageId(id, term.image),
                                  .marks = term.marks};
    pictures +=
        Figure(picture, Symbol(OutcomeOf(term)) + Element("b", Text(term.term)) + Element("small", Text(image)));
    ++shown;
  }
  if (shown == 0) return {};
  return Element("h5", Text("Where the evidence lies")) + Element("div", {{"class", "pictures"}}, pictures);
}

Html TermRow(const ExampleTerm& term) {
  const Outcome outcome = OutcomeOf(term);
  const Html name = Element("th", {{"scope", "row"}}, Symbol(outcome) + Text(term.term));
  const auto percent = [](double share) {
    return FormatFixed(std::isfinite(share) ? std::clamp(share, 0.0, 1.0) * 100.0 : 0.0, 1) + "%";
  };
  // Over 0..1, with a tick at the threshold.
  const Html bar = Element("span",
                           {{"class", "value"}, {"aria-hidden", "true"}},
                           Element("i", {{"style", "width:" + percent(term.probability)}}) +
                               Element("u", {{"style", "left:" + percent(term.threshold)}}));
  return Element("tr",
                 {{"class", WordsOf(outcome).style}},
                 name + Element("td", {{"title", "called above " + Number(term.threshold, 2)}}, bar) +
                     NumberCell(Number(term.probability, 2)) + NumberCell(Number(term.decision_value, 2)));
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
