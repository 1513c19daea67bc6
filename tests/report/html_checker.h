// A small reader of the page's markup for tests: every tag opened is closed, in order, and every attribute is quoted.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace flyscribe {

namespace html_checker {

// One tag at the start of `text` ("<name ...>"): its length, or 0 if it is malformed.
inline std::size_t TagLength(std::string_view text) {
  bool quoted = false;
  for (std::size_t i = 1; i < text.size(); ++i) {
    if (text[i] == '"') quoted = !quoted;
    if (text[i] == '<') return 0;
    if (text[i] == '>' && !quoted) return i + 1;
  }
  return 0;
}

inline std::string TagName(std::string_view tag) {
  const std::size_t start = tag[1] == '/' ? 2 : 1;
  return std::string(tag.substr(start, tag.find_first_of(" >", start) - start));
}

}  // namespace html_checker

// Empty if the markup is well-formed, else what is wrong.
inline std::string MarkupProblem(std::string_view markup) {
  static const std::set<std::string> kVoid = {"meta", "link", "img", "input", "!DOCTYPE"};
  std::vector<std::string> open;
  std::size_t at = markup.find('<');
  while (at != std::string_view::npos) {
    const std::size_t length = html_checker::TagLength(markup.substr(at));
    if (length == 0) return "malformed tag: " + std::string(markup.substr(at, 60));
    const std::string_view tag = markup.substr(at, length);
    const std::string name = html_checker::TagName(tag);
    at += length;
    if (tag[1] == '/') {
      if (open.empty() || open.back() != name) return "</" + name + "> closes " + (open.empty() ? "?" : open.back());
      open.pop_back();
    } else if (!kVoid.contains(name)) {
      open.push_back(name);
      if (name == "script" || name == "style") at = markup.find("</" + name, at);
    }
    if (at != std::string_view::npos) at = markup.find('<', at);
  }
  return open.empty() ? "" : "<" + open.back() + "> is never closed";
}

// What follows each `prefix`, up to the next quotation mark: Quoted(page, " id=\"") lists the ids.
inline std::vector<std::string> Quoted(std::string_view markup, std::string_view prefix) {
  std::vector<std::string> values;
  for (std::size_t at = markup.find(prefix); at != std::string_view::npos; at = markup.find(prefix, at)) {
    at += prefix.size();
    values.emplace_back(markup.substr(at, markup.find('"', at) - at));
  }
  return values;
}

inline std::size_t CountOf(std::string_view text, std::string_view part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string_view::npos; at = text.find(part, at + part.size())) ++count;
  return count;
}

}  // namespace flyscribe
