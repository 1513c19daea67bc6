#include "report/gallery.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>

#include "core/text.h"
#include "data/image.h"
#include "report/html.h"

namespace flyscribe {
namespace {

constexpr std::size_t kNamedCalls = 12;   // on a card
constexpr std::size_t kOpenTerms = 15;    // of a bag's page, that are not folded away
constexpr std::size_t kPagesInARow = 40;  // links of a pager; above, only some

// Whatever is hidden or off the screen is not loaded.
Html Picture(const std::string& source, const std::string& words, int width, int height) {
  return Html::Trusted(fmt::format(R"(<img loading="lazy" decoding="async" src="{}" alt="{}" width="{}" height="{}">)",
                                   EscapeHtml(source),
                                   EscapeHtml(words),
                                   width,
                                   height));
}

// A bar for the probability, a mark for the threshold. The numbers stand beside it.
Html ProbabilityBar(double probability, double threshold, bool call) {
  return Element(
      "i",
      {{"class", call ? "prob yes" : "prob"}, {"style", "--p:" + Percent(probability) + ";--t:" + Percent(threshold)}});
}

Html CallChip(bool call) {
  return Element("span", {{"class", call ? "chip" : "chip no"}}, Text(call ? "called" : "not called"));
}

std::string NameOf(const BagAnnotation& bag) { return bag.symbol.empty() ? bag.id : bag.symbol; }

std::string SourceWords(const BagAnnotation& bag) {
  if (bag.score_source == "oof") return "oof: the gene was trained on; scored by the model that held it out";
  if (bag.score_source != "new") return bag.score_source;
  const bool has_gene = !bag.fbgn.empty() || !bag.cg.empty() || !bag.symbol.empty();
  return has_gene ? "new: a gene the model has not seen"
                  : "new: no gene was given, so it is taken for one the model has not seen";
}

// Those that are known.
Html Facts(std::vector<std::pair<std::string, std::string>> facts) {
  std::erase_if(facts, [](const auto& fact) { return fact.second.empty(); });
  return FactList(facts);
}

Html Crumbs(const Html& content) { return Element("p", {{"class", "crumbs"}}, content); }

// ---- one bag

// The centres of an image's windows for gallery.js: "16 24 8 37" stands for 37 windows in a row, the first at 16, 24,
// the others each 8 pixels further to the right. Windows lie on a grid, so a few such runs name them all.
std::string WindowRuns(const std::vector<PatchPlace>& patches, std::size_t image) {
  struct Run {
    PatchPlace first;
    float step = 0.0F;
    float count = 0.0F;
  };
  std::vector<Run> runs;
  for (const PatchPlace& patch : patches) {
    if (patch.image != image) continue;
    if (!runs.empty() && runs.back().first.y == patch.y) {
      Run& run = runs.back();
      if (run.count == 1.0F) run.step = patch.x - run.first.x;
      if (run.first.x + run.count * run.step == patch.x) {
        ++run.count;
        continue;
      }
    }
    runs.push_back({patch, 0.0F, 1.0F});
  }
  std::string text;
  for (const Run& run : runs) {
    text += (text.empty() ? "" : ",") + FormatReal(run.first.x) + ' ' + FormatReal(run.first.y) + ' ' +
            FormatReal(run.step) + ' ' + FormatReal(run.count);
  }
  return text;
}

// What each of these windows adds, as a share of the largest magnitude: -127 to 127, one signed byte.
std::string PackedShares(const std::vector<PatchEvidence>& windows) {
  float largest = 0.0F;
  for (const PatchEvidence& window : windows) largest = std::max(largest, std::abs(window.contribution));
  std::string bytes;
  for (const PatchEvidence& window : windows) {
    bytes += static_cast<char>(largest > 0.0F ? std::lround(127.0F * (window.contribution / largest)) : 0);
  }
  return Base64(bytes);
}

Html Embryos(const GalleryBag& shown) {
  Html figures;
  for (std::size_t i = 0; i < shown.images.size(); ++i) {
    const GalleryImage& image = shown.images[i];
    figures += Element("figure",
                       {{"data-windows", WindowRuns(shown.patches, i)}},
                       Picture("../images/" + image.file, "Embryo " + image.id, kEmbryoWidth, kEmbryoHeight) +
                           Element("figcaption", Text(image.id)));
  }
  return Element("div", {{"class", "embryos"}}, figures);
}

// Where the strongest window lies, and what gallery.js needs to draw a map of all.
Html MapCell(const GalleryBag& shown, std::size_t rank) {
  const GalleryTerm& term = shown.terms[rank];
  const auto strongest = term.evidence == nullptr ? std::nullopt : StrongestPatch(*term.evidence);
  if (!strongest) return Cell("");
  const PatchPlace& place = shown.patches[*strongest];
  const GalleryImage& image = shown.images[place.image];
  Html words = Text(fmt::format("in {}, most by the window at {}, {}: {:+.3g}",
                                image.id,
                                FormatReal(place.x),
                                FormatReal(place.y),
                                term.evidence->contributions[*strongest]));
  if (!term.png.empty()) words += Text("; ") + Link("../../" + term.png, "PNG");
  const Html map = Element("figure",
                           {{"class", "heat"},
                            {"data-image", fmt::to_string(place.image)},
                            {"data-scale", term.scale},
                            {"data-shares", PackedShares(EvidenceIn(shown.patches, *term.evidence, place.image))}},
                           Element("figcaption", words));
  return Element("td", {{"class", "map"}}, Element("details", Element("summary", Text("where")) + map));
}

Html TermRow(const GalleryBag& shown, std::size_t rank) {
  const TermPrediction& term = shown.bag->terms[rank];
  const Html name = Link("../terms/" + shown.terms[rank].page + ".html", term.term) +
                    Element("small", Text(term.fbbt_id.empty() ? "no FBbt id" : term.fbbt_id));
  return Element("tr",
                 term.call ? Attributes{{"class", "called"}} : Attributes{},
                 Cell(fmt::to_string(rank + 1)) + Element("th", {{"scope", "row"}}, name) +
                     Element("td", ProbabilityBar(term.probability, term.threshold, term.call)) +
                     Cell(Number(term.probability, 2)) + Cell(Number(term.threshold, 2)) +
                     Cell(Number(term.decision_value, 2)) + Element("td", term.call ? CallChip(true) : Html()) +
                     MapCell(shown, rank));
}

Html TermTable(const GalleryBag& shown, const std::vector<std::size_t>& ranks) {
  Html rows;
  for (const std::size_t rank : ranks) rows += TermRow(shown, rank);
  return TableElement("Terms of " + NameOf(*shown.bag) + " by rank",
                      {"", "Term", "Probability", "", "Threshold", "Decision value", "", "Evidence"},
                      rows,
                      "ranked");
}

// The first terms and the calls; then, folded away, the others: as a sentence, or as a table if one of them has a map.
Html Terms(const GalleryBag& shown) {
  const std::vector<TermPrediction>& terms = shown.bag->terms;
  std::vector<std::size_t> open;
  std::vector<std::size_t> folded;
  std::string words;
  bool has_map = false;
  for (std::size_t rank = 0; rank < terms.size(); ++rank) {
    if (rank < kOpenTerms || terms[rank].call) {
      open.push_back(rank);
      continue;
    }
    words += (folded.empty() ? "" : ", ") + terms[rank].term + " " + Number(terms[rank].probability, 2);
    folded.push_back(rank);
    has_map = has_map || shown.terms[rank].evidence != nullptr;
  }
  Html content = TermTable(shown, open);
  if (folded.empty()) return content;
  const Html rest = has_map ? TermTable(shown, folded)
                            : Element("p", Text(words)) +
                                  Note("With their probabilities. predictions.tsv has their decision values.");
  return content + Folded("and " + Counted(folded.size(), "term", "terms") + ", less probable and not called", rest);
}

Html MapLegend(bool has_maps) {
  const Html bars = Element("span", Text("the mark across a bar is the threshold"));
  if (!has_maps) return Element("p", {{"class", "maplegend"}}, bars);
  const auto item = [](const char* spot, const char* words) {
    return Element("span", Element("i", {{"class", std::string("spot ") + spot}}) + Text(words));
  };
  return Element(
             "p",
             {{"class", "maplegend"}},
             item("warm", "windows that speak for the term") + item("cold", "windows that speak against it") + bars) +
         Element("noscript",
                 Note("Scripts are off in this browser, so no heat map is drawn. Below \"where\" stands the window "
                      "that adds "
                      "most; the command flyscribe evidence draws maps into PNG files."));
}

// ---- lists

// A picture of a bag and words about it, that lead to its page.
Html CardItem(const std::string& root, const std::string& page, const std::string& image, const Html& words) {
  const Html picture = Picture(root + "images/" + image, "", kEmbryoWidth, kEmbryoHeight);
  return Element("li", {{"class", "card"}}, Link(root + "bags/" + page + ".html", picture + words));
}

Html Card(const GalleryCard& card, const std::string& root) {
  const std::string name = card.symbol.empty() ? card.id : card.symbol;
  const std::string more = (card.symbol.empty() ? "" : card.id + " · ") + card.range;
  const Html says = Element(
      "p", {{"class", card.calls.empty() ? "says none" : "says"}}, Text(card.calls.empty() ? "no call" : card.calls));
  const Html words = Element("div", Element("b", Text(name)) + Element("small", Text(more)) + says);
  return CardItem(root, card.page, card.image, words);
}

Html Cards(const std::vector<GalleryCard>& cards, const std::string& root) {
  Html items;
  for (const GalleryCard& card : cards) items += Card(card, root);
  return Element("ul", {{"class", "cards"}}, items);
}

// All pages, or of many the near ones and about every twentieth.
Html Pager(std::size_t current, std::size_t pages, const std::string& folder) {
  if (pages < 2) return {};
  const std::size_t step = std::max<std::size_t>(1, pages / 20);
  Html links = Text("Pages");
  for (std::size_t page = 1; page <= pages; ++page) {
    const std::size_t distance = page > current ? page - current : current - page;
    const bool shown = pages <= kPagesInARow || distance <= 3 || page == 1 || page == pages || page % step == 0;
    if (!shown) continue;
    const Html number = Text(fmt::to_string(page));
    links += page == current ? Element("b", number) : Link(fmt::format("{}{}.html", folder, page), number);
  }
  return Element("div", {{"class", "pager"}, {"role", "navigation"}, {"aria-label", "Pages of bags"}}, links);
}

// ---- one term

Html EntryCard(const TermGallery& gallery, const TermGalleryEntry& entry) {
  const Html score = Element(
      "p",
      {{"class", "says"}},
      ProbabilityBar(entry.probability, gallery.threshold, entry.call) + Text(" " + Number(entry.probability, 2)));
  const Html words = Element("div", Element("b", Text(entry.name)) + score + CallChip(entry.call));
  return CardItem("../", entry.page, entry.image, words);
}

Html EntrySection(const TermGallery& gallery,
                  const std::string& title,
                  const std::string& note,
                  const std::vector<TermGalleryEntry>& entries) {
  if (entries.empty()) return {};
  Html cards;
  for (const TermGalleryEntry& entry : entries) cards += EntryCard(gallery, entry);
  return Element("section", Element("h2", Text(title)) + Lead(note) + Element("ul", {{"class", "cards"}}, cards));
}

// ---- index

Html TermLists(const std::vector<const TermGallery*>& terms) {
  Html content;
  std::string range;
  Html items;
  const auto close = [&] {
    if (items.empty()) return;
    content += Element("h3", Text(StagesTitle(range))) + Element("ul", {{"class", "terms-list"}}, items);
    items = {};
  };
  for (const TermGallery* term : terms) {
    if (term->range != range) close();
    range = term->range;
    items += Element("li",
                     Link("gallery/terms/" + term->page + ".html", term->term) +
                         Element("span", Text(Counted(term->calls, "call", "calls"))));
  }
  close();
  return content;
}

Html SkippedTable(const std::vector<std::pair<std::string, std::size_t>>& skipped) {
  if (skipped.empty()) return {};
  Html rows;
  for (const auto& [reason, count] : skipped) rows += Element("tr", Cell(reason) + NumberCell(Count(count)));
  return Element("section",
                 {{"id", "skipped"}},
                 Element("h2", Text("Left out")) + Lead("Each input is listed with its reason in skipped.tsv.") +
                     TableElement("Inputs left out", {"Reason", "Inputs"}, rows));
}

Html SearchBox(std::size_t files) {
  const Html input = Html::Trusted(
      fmt::format(R"(<input id="search" type="search" autocomplete="off" placeholder="Gene, FBgn id or term" )"
                  R"(aria-label="Search bags" data-root="gallery/" data-files="{}">)",
                  files));
  return Element("div", {{"class", "search"}}, input + Element("output", {{"id", "said"}, {"for", "search"}})) +
         Element("ul", {{"class", "cards"}, {"id", "found"}});
}

// A JavaScript string: every character that could end the string or the script is escaped.
std::string JsString(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : ToUtf8(text)) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      quoted += std::string("\\") + c;
    } else if (byte < 0x20 || c == '<' || byte == 0x7f) {
      constexpr const char* kDigits = "0123456789abcdef";
      quoted += std::string("\\u00") + kDigits[byte >> 4U] + kDigits[byte & 15U];
    } else {
      quoted += c;
    }
  }
  return quoted + '"';
}

}  // namespace

std::string RenderBagPage(const GalleryBag& shown) {
  const BagAnnotation& bag = *shown.bag;
  const std::string title = NameOf(bag) + ", " + StagesTitle(bag.range.name());
  Html main = Crumbs(Link("../../index.html", "All bags")) + Element("h1", Text(title)) +
              Facts({{"Bag", bag.id},
                     {"FlyBase", bag.fbgn},
                     {"CG id", bag.cg},
                     {"Stage range", bag.range.name() + " (" + bag.range.fbdv() + ")"},
                     {"Scores", SourceWords(bag)}}) +
              Embryos(shown) + Element("h2", Text("Terms by rank")) + MapLegend(!shown.evidence.empty());
  main += Terms(shown);
  if (!shown.evidence.empty()) {
    main +=
        Element("p",
                {{"class", "note"}},
                Text("What every window adds to the decision values: ") + Link("../../" + shown.evidence, "JSON file"));
  }
  return RenderFolderPage(title, Element("body", Element("main", main)), "../");
}

GalleryCard MakeCard(const BagAnnotation& bag, const std::string& page, const std::string& image) {
  std::vector<std::string> calls;
  std::size_t more = 0;
  for (const TermPrediction& term : bag.terms) {
    if (term.call && calls.size() < kNamedCalls) {
      calls.push_back(term.term);
    } else if (term.call) {
      ++more;
    }
  }
  std::string text = Join(calls, ", ");
  if (more > 0) text += fmt::format(" and {} more", more);
  const std::vector<std::string> words = {bag.id, bag.symbol, bag.fbgn, bag.cg, bag.range.name(), text};
  return {page, bag.id, bag.symbol, bag.range.name(), image, text, ToLower(Join(words, " "))};
}

std::string RenderTermPage(const TermGallery& gallery) {
  const std::string title = gallery.term + ", " + StagesTitle(gallery.range);
  const Html main =
      Crumbs(Link("../../index.html", "All bags and terms")) + Element("h1", Text(gallery.term)) +
      Facts({{"Stage range", gallery.range},
             {"FlyBase", gallery.fbbt_id},
             {"Called", Count(gallery.calls) + " of " + Counted(gallery.bags, "bag", "bags")},
             {"Threshold", "probability " + FormatFixed(gallery.threshold, 3)}}) +
      EntrySection(gallery, "Top", "The bags most likely to show the term.", gallery.top) +
      EntrySection(
          gallery, "Borderline", "Nearest to the threshold: where a curator's word counts most.", gallery.borderline) +
      EntrySection(gallery, "Bottom", "The bags least likely to show it.", gallery.bottom);
  return RenderFolderPage(title, Element("body", Element("main", main)), "../");
}

std::string RenderListPage(const std::vector<GalleryCard>& cards, std::size_t number, std::size_t pages) {
  const std::string title = fmt::format("Bags, page {} of {}", number, pages);
  const Html main = Crumbs(Link("../../index.html", "Overview and search")) + Element("h1", Text(title)) +
                    Pager(number, pages, "") + Cards(cards, "../") + Pager(number, pages, "");
  return RenderFolderPage(title, Element("body", Element("main", main)), "../");
}

std::string RenderGalleryIndex(const GalleryIndex& index) {
  Html tiles;
  for (const auto& [value, name] : index.tiles) tiles += Tile(value, name);
  const Html links = Element("ul",
                             Element("li", Link("#top", "Overview")) + Element("li", Link("#bags", "Bags")) +
                                 Element("li", Link("#terms", "Terms")) +
                                 (index.skipped.empty() ? Html() : Element("li", Link("#skipped", "Left out"))));
  const Html files = Element("p",
                             {{"class", "note"}},
                             Text("Tables: ") + Link("predictions.tsv", "predictions.tsv") + Text(", ") +
                                 Link("annot.csv", "annot.csv") + Text(", ") + Link("review.tsv", "review.tsv") +
                                 Text(", ") + Link("skipped.tsv", "skipped.tsv"));
  const Html header =
      Element("header",
              {{"id", "top"}},
              Masthead("Annotations") + Facts(index.facts) + Element("div", {{"class", "tiles"}}, tiles) + files);
  const Html bags = Element("section",
                            {{"id", "bags"}},
                            Element("h2", Text("Bags")) + SearchBox(index.search_files) +
                                Element("div",
                                        {{"id", "browse"}},
                                        Pager(1, index.pages, "gallery/pages/") + Cards(index.first, "gallery/") +
                                            Pager(1, index.pages, "gallery/pages/")));
  const Html terms = Element("section",
                             {{"id", "terms"}},
                             Element("h2", Text("Terms")) +
                                 Lead("Each term has a gallery of the bags that show it most, least, and those on "
                                      "the edge.") +
                                 TermLists(index.terms));
  const Html nav = Element("nav", {{"aria-label", "Sections"}}, links);
  return RenderFolderPage("Annotations",
                          Element("body", nav + Element("main", header + bags + terms + SkippedTable(index.skipped))),
                          "gallery/");
}

std::string SearchFile(const std::vector<GalleryCard>& cards) {
  std::string text = "flyscribeBags([\n";
  for (const GalleryCard& card : cards) {
    std::string row;
    for (const std::string* field :
         {&card.page, &card.id, &card.symbol, &card.range, &card.image, &card.calls, &card.words}) {
      row += (row.empty() ? "[" : ",") + JsString(*field);
    }
    text += row + "],\n";
  }
  return text + "]);\n";
}

std::string SearchFileName(std::size_t number) { return fmt::format("{:04}.js", number); }

}  // namespace flyscribe
