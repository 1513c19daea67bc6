// Pieces of HTML that are escaped and well-formed by construction, and the frame of every page.
//
// Markup and plain text are different types: text becomes markup only through Text(), which escapes it, and an Element
// always closes what it opens. So nothing that comes from data can open a tag, leave an attribute or run a script.
// Thread-safe and deterministic: pure functions.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace flyscribe {

class Html {
 public:
  Html() = default;
  // Markup written by us. Never pass anything that comes from data.
  static Html Trusted(std::string_view markup) {
    Html html;
    html.markup_ = markup;
    return html;
  }

  Html& operator+=(const Html& other) {
    markup_ += other.markup_;
    return *this;
  }
  friend Html operator+(Html left, const Html& right) { return std::move(left += right); }

  bool empty() const { return markup_.empty(); }
  const std::string& str() const { return markup_; }

 private:
  std::string markup_;
};

using Attributes = std::vector<std::pair<std::string, std::string>>;  // name and plain-text value, in order

// & < > " ' become entities, control characters (but tab and line ends) U+FFFD, and bytes that are no UTF-8 are read as
// Latin-1. Good for content and for quoted attribute values.
std::string EscapeHtml(std::string_view text);

Html Text(std::string_view text);
// <tag name="value">content</tag>. The tag and the attributes' names are ours; the values are escaped.
Html Element(std::string_view tag, const Attributes& attributes, const Html& content = {});
Html Element(std::string_view tag, const Html& content);

// "data:image/png;base64,..."; an empty picture gives an empty text.
std::string PngDataUri(std::string_view png);

// A number for people: fixed digits, a real minus sign, an en dash if it is not finite.
std::string Number(double value, int digits);
// 12345 -> "12,345".
std::string Count(std::size_t value);
// The same, shortened from a million on: 1234567 -> "1.23 M".
std::string ShortCount(std::size_t value);
// A share as a width of CSS, 0 to 100 %: "12.5%"; 0 if it is not finite.
std::string Percent(double share);
// A stage range as a heading: "4-6" -> "Stages 4–6".
std::string StagesTitle(std::string_view range);
// "1 bag", "2 bags".
std::string Counted(std::size_t value, std::string_view singular, std::string_view plural);

// <table> with one header row; `rows` are <tr> elements. The headers are plain text. `caption` is for screen readers.
// `style`: the table's class, if it has one.
Html TableElement(const std::string& caption,
                  const std::vector<std::string>& headers,
                  const Html& rows,
                  const std::string& style = {});
// <p class="note"> and <p class="lead"> of plain text.
Html Note(std::string_view text);
Html Lead(std::string_view text);
// The program's name above the title of a page.
Html Masthead(const std::string& title);
Html Link(const std::string& target, const Html& content);
Html Link(const std::string& target, const std::string& text);
// Names and values as a <dl>.
Html FactList(const std::vector<std::pair<std::string, std::string>>& facts);
// One <td> of plain text; numbers are set in tabular figures to the right.
Html Cell(std::string_view text);
Html NumberCell(std::string_view text);
// <details> closed at first.
Html Folded(const std::string& summary, const Html& content);
// A number with its name beneath, as in the headline.
Html Tile(const std::string& value, const std::string& name, const std::string& note = {});

// A whole document in UTF-8, with the style sheet inside and a policy that forbids it to load anything. `body` is the
// <body> element.
std::string RenderPage(const std::string& title, const Html& body);

// The same for one of many pages in a folder, which share a style sheet and a script and show pictures beside them.
// `root` leads from the page to the folder that holds style.css and gallery.js: "../". Nothing else can be loaded.
std::string RenderFolderPage(const std::string& title, const Html& body, const std::string& root);

}  // namespace flyscribe
