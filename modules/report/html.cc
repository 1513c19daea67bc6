#include "report/html.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/text.h"
#include "report/assets.h"

namespace flyscribe {
namespace {

struct Entity {
  char character;
  std::string_view text;
};
constexpr std::array<Entity, 5> kEntities = {
    {{'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}, {'\'', "&#39;"}}};

bool IsForbiddenControl(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (byte < 0x20 && c != '\t' && c != '\n' && c != '\r') || byte == 0x7f;
}

}  // namespace

std::string EscapeHtml(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char c : ToUtf8(text)) {
    const auto* const entity = std::ranges::find(kEntities, c, &Entity::character);
    if (entity != kEntities.end()) {
      out += entity->text;
    } else if (IsForbiddenControl(c)) {
      out += "\xef\xbf\xbd";  // U+FFFD
    } else {
      out += c;
    }
  }
  return out;
}

Html Text(std::string_view text) { return Html::Trusted(EscapeHtml(text)); }

Html Element(std::string_view tag, const Attributes& attributes, const Html& content) {
  std::string markup = "<" + std::string(tag);
  for (const auto& [name, value] : attributes) markup += " " + name + "=\"" + EscapeHtml(value) + "\"";
  markup += ">" + content.str() + "</" + std::string(tag) + ">";
  return Html::Trusted(markup);
}

Html Element(std::string_view tag, const Html& content) { return Element(tag, Attributes{}, content); }

std::string PngDataUri(std::string_view png) {
  return png.empty() ? std::string() : "data:image/png;base64," + Base64(png);
}

std::string Number(double value, int digits) {
  if (!std::isfinite(value)) return "–";
  std::string text = FormatFixed(std::abs(value), digits);
  const bool is_zero = text.find_first_not_of("0.") == std::string::npos;
  return value < 0.0 && !is_zero ? "−" + text : text;
}

std::string Count(std::size_t value) {
  std::string text = fmt::to_string(value);
  for (std::size_t end = text.size(); end > 3; end -= 3) text.insert(end - 3, ",");
  return text;
}

std::string ShortCount(std::size_t value) {
  constexpr std::size_t kMillion = 1000000;
  return value < kMillion ? Count(value) : FormatFixed(static_cast<double>(value) / kMillion, 2) + "\u00a0M";
}

std::string Percent(double share) {
  return FormatFixed(std::isfinite(share) ? std::clamp(share, 0.0, 1.0) * 100.0 : 0.0, 1) + "%";
}

std::string StagesTitle(std::string_view range) {
  std::string name(range);
  const std::size_t hyphen = name.find('-');
  if (hyphen != std::string::npos) name.replace(hyphen, 1, "–");
  return "Stages " + name;
}

std::string Counted(std::size_t value, std::string_view singular, std::string_view plural) {
  return Count(value) + " " + std::string(value == 1 ? singular : plural);
}

Html TableElement(const std::string& caption,
                  const std::vector<std::string>& headers,
                  const Html& rows,
                  const std::string& style) {
  Html head;
  for (const std::string& header : headers) head += Element("th", {{"scope", "col"}}, Text(header));
  const Html table = Element("caption", Text(caption)) + Element("thead", Element("tr", head)) + Element("tbody", rows);
  const Attributes attributes = style.empty() ? Attributes() : Attributes{{"class", style}};
  return Element("div", {{"class", "scroll"}}, Element("table", attributes, table));
}

Html Note(std::string_view text) { return Element("p", {{"class", "note"}}, Text(text)); }

Html Lead(std::string_view text) { return Element("p", {{"class", "lead"}}, Text(text)); }

Html Masthead(const std::string& title) {
  return Element("p", {{"class", "brand"}}, Text("flyscribe")) + Element("h1", Text(title));
}

Html Link(const std::string& target, const Html& content) { return Element("a", {{"href", target}}, content); }

Html Link(const std::string& target, const std::string& text) { return Link(target, Text(text)); }

Html FactList(const std::vector<std::pair<std::string, std::string>>& facts) {
  Html rows;
  for (const auto& [name, value] : facts) rows += Element("dt", Text(name)) + Element("dd", Text(value));
  return Element("dl", {{"class", "facts"}}, rows);
}

Html Cell(std::string_view text) { return Element("td", Text(text)); }

Html NumberCell(std::string_view text) { return Element("td", {{"class", "n"}}, Text(text)); }

Html Folded(const std::string& summary, const Html& content) {
  return Element("details", Element("summary", Text(summary)) + content);
}

Html Tile(const std::string& value, const std::string& name, const std::string& note) {
  Html content = Element("b", Text(value)) + Element("span", Text(name));
  if (!note.empty()) content += Element("small", Text(note));
  return Element("div", {{"class", "tile"}}, content);
}

namespace {

// `policy` says what may be loaded: nothing else is.
std::string Render(const std::string& title, const std::string& policy, const Html& style, const Html& body) {
  const Html head = Html::Trusted(R"(<meta charset="utf-8">)"
                                  R"(<meta name="viewport" content="width=device-width, initial-scale=1">)"
                                  R"(<meta http-equiv="Content-Security-Policy" content="default-src 'none'; )" +
                                  policy + R"("><link rel="icon" href="data:,">)") +
                    Element("title", Text(title)) + style;
  return "<!DOCTYPE html>\n" + Element("html", {{"lang", "en"}}, Element("head", head) + body).str() + "\n";
}

}  // namespace

std::string RenderPage(const std::string& title, const Html& body) {
  // Nothing but the pictures inside the page.
  return Render(title,
                "img-src data:; style-src 'unsafe-inline'; script-src 'unsafe-inline'",
                Element("style", PageStyle()),
                body);
}

std::string RenderFolderPage(const std::string& title, const Html& body, const std::string& root) {
  // A page on disk is no origin of its own for every browser, so its scheme is named as well.
  const std::string policy =
      "img-src 'self' file: data:; style-src 'self' file: 'unsafe-inline'; script-src 'self' file:";
  const std::string path = EscapeHtml(root);
  const Html links = Html::Trusted(R"(<link rel="stylesheet" href=")" + path + R"(style.css"><script defer src=")" +
                                   path + R"(gallery.js"></script>)");
  return Render(title, policy, links, body);
}

}  // namespace flyscribe
