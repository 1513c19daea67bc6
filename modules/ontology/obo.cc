#include "ontology/obo.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/error.h"
#include "core/file.h"
#include "core/text.h"

namespace flyscribe {
namespace {

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
constexpr std::size_t kShownOfALine = 60;

// \n and \t are what they look like, \W is a space; any other escaped character is itself.
char Unescaped(char c) {
  switch (c) {
    case 'n':
      return '\n';
    case 't':
      return '\t';
    case 'W':
      return ' ';
    default:
      return c;
  }
}

std::string Unescape(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool escaped = text[i] == '\\' && i + 1 < text.size();
    plain += escaped ? Unescaped(text[++i]) : text[i];
  }
  return ToUtf8(plain);
}

// Where `wanted` first stands outside of quotes and not behind a backslash.
std::size_t FindPlain(std::string_view text, char wanted) {
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\') {
      ++i;
    } else if (text[i] == wanted && !quoted) {
      return i;
    } else if (text[i] == '"') {
      quoted = !quoted;
    }
  }
  return std::string_view::npos;
}

// "FBbt:1 {source="x"} ! brain" -> "FBbt:1".
std::string_view WithoutTrailer(std::string_view value) {
  value = value.substr(0, FindPlain(value, '!'));
  return Trim(value.substr(0, FindPlain(value, '{')));
}

// A name may hold an apostrophe, a quote or, in old files, a brace: only a comment and "{key=value}" are cut off.
std::string_view NameWithoutTrailer(std::string_view value) {
  const std::size_t comment = value.find(" ! ");
  value = Trim(value.substr(0, comment));
  const std::size_t open = value.rfind(" {");
  const bool qualified =
      value.ends_with('}') && open != std::string_view::npos && value.find('=', open) != std::string_view::npos;
  return qualified ? Trim(value.substr(0, open)) : value;
}

std::vector<std::string_view> Words(std::string_view text) {
  std::vector<std::string_view> words;
  for (text = Trim(text); !text.empty(); text = Trim(text)) {
    const std::size_t end = std::min(text.find_first_of(" \t"), text.size());
    words.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return words;
}

struct Quoted {
  std::string text;
  std::string_view rest;
};

// A text in quotes at the start of `value`, and what follows it.
std::optional<Quoted> ReadQuoted(std::string_view value) {
  if (!value.starts_with('"')) return std::nullopt;
  for (std::size_t end = 1; end < value.size(); ++end) {
    if (value[end] == '\\') {
      ++end;
    } else if (value[end] == '"') {
      return Quoted{Unescape(value.substr(1, end - 1)), value.substr(end + 1)};
    }
  }
  return std::nullopt;
}

class Reader {
 public:
  Reader(const OboOptions& options, std::string name) : options_(options), name_(std::move(name)) {}

  void ReadLine(std::string_view line, int number) {
    line_ = number;
    const bool too_long = line.size() > kMaxOboLineBytes;
    if (too_long || line.find('\0') != std::string_view::npos) {
      warnings_.Add(line_, too_long ? "line longer than 1 MiB" : "NUL byte");
      return;
    }
    line = Trim(line);
    if (line.empty() || line.starts_with('!')) return;
    if (line.starts_with('[')) {
      BeginStanza(line);
    } else if (in_term_) {
      ReadTag(line);
    }
  }

  bool any_term() const { return any_term_; }

  Ontology Finish() {
    EndTerm();
    return Ontology(std::move(terms_), std::move(warnings_));
  }

 private:
  void BeginStanza(std::string_view line) {
    EndTerm();
    if (line.find(']') == std::string_view::npos) warnings_.Add(line_, "stanza without ']': " + Shown(line));
    in_term_ = line.starts_with("[Term]");
    if (!in_term_) return;
    any_term_ = true;
    term_ = OntologyTerm();
    term_.line = line_;
  }

  void EndTerm() {
    if (in_term_ && term_.id.empty()) {
      warnings_.Add(term_.line, "[Term] without id");
    } else if (in_term_) {
      terms_.push_back(std::move(term_));
    }
    in_term_ = false;
    if (terms_.size() <= kMaxOboTerms) return;
    throw Error(ErrorCode::kInput,
                "more than " + std::to_string(kMaxOboTerms) + " terms",
                "expected the ontology of fly anatomy, such as fbbt.obo of FlyBase",
                {name_, line_});
  }

  void ReadTag(std::string_view line) {
    const std::size_t colon = FindPlain(line, ':');
    if (colon == std::string_view::npos || colon == 0) return Warn("neither a tag nor a stanza", line);
    const std::string_view tag = Trim(line.substr(0, colon));
    const std::string_view value = Trim(line.substr(colon + 1));
    if (tag == "id") {
      ReadTermId(value);
    } else if (tag == "name") {
      term_.name = Unescape(NameWithoutTrailer(value));
    } else if (tag == "def") {
      ReadDefinition(value);
    } else if (tag == "synonym") {
      ReadSynonym(value);
    } else if (tag == "is_obsolete") {
      term_.obsolete = ToLower(WithoutTrailer(value)) == "true";
    } else if (tag == "relationship") {
      ReadRelationship(value);
    } else {
      ReadReference(tag, value);
    }
  }

  void ReadTermId(std::string_view value) {
    const auto id = ReadId(value, "id");
    if (!id) return;
    if (!term_.id.empty() && term_.id != *id) return Warn("second id in one stanza", value);
    term_.id = *id;
  }

  void ReadReference(std::string_view tag, std::string_view value) {
    const auto add = [&](std::vector<std::string>& ids) {
      if (auto id = ReadId(value, tag)) ids.push_back(std::move(*id));
    };
    if (tag == "alt_id") add(term_.alternative_ids);
    if (tag == "replaced_by") add(term_.replaced_by);
    if (tag == "consider") add(term_.consider);
    if (tag != "is_a") return;
    if (auto id = ReadId(value, tag)) term_.is_a.push_back({std::move(*id), line_});
  }

  // One word, no more.
  std::optional<std::string> ReadId(std::string_view value, std::string_view tag) {
    const std::vector<std::string_view> words = Words(WithoutTrailer(value));
    if (words.size() == 1 && words[0].size() <= kMaxOboIdBytes) return Unescape(words[0]);
    Warn(std::string(tag) + " is not one id", value);
    return std::nullopt;
  }

  void ReadDefinition(std::string_view value) {
    auto quoted = ReadQuoted(value);
    if (!quoted) return Warn("def without a text in quotes", value);
    term_.definition = std::move(quoted->text);
  }

  void ReadSynonym(std::string_view value) {
    auto quoted = ReadQuoted(value);
    if (!quoted) return Warn("synonym without a text in quotes", value);
    const std::vector<std::string_view> words = Words(quoted->rest);
    // RELATED is what the format says of a synonym without a scope.
    const bool scoped = !words.empty() && (words[0] == "EXACT" || words[0] == "BROAD" || words[0] == "NARROW");
    term_.synonyms.push_back({std::move(quoted->text), scoped ? std::string(words[0]) : "RELATED"});
  }

  void ReadRelationship(std::string_view value) {
    const std::vector<std::string_view> words = Words(WithoutTrailer(value));
    if (words.size() != 2 || words[1].size() > kMaxOboIdBytes) {
      return Warn("relationship is not a relation and a term", value);
    }
    const bool part_of = std::ranges::count(options_.part_of, Unescape(words[0])) > 0;
    if (part_of) term_.part_of.push_back({Unescape(words[1]), line_});
  }

  static std::string Shown(std::string_view text) { return "'" + Printable(text, kShownOfALine) + "'"; }
  void Warn(const std::string& what, std::string_view text) { warnings_.Add(line_, what + ": " + Shown(text)); }

  const OboOptions& options_;
  std::string name_;
  std::vector<OntologyTerm> terms_;
  OntologyWarnings warnings_;
  OntologyTerm term_;
  int line_ = 0;
  bool in_term_ = false;
  bool any_term_ = false;
};

}  // namespace

Ontology ParseObo(std::string_view text, const std::string& name, const OboOptions& options) {
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  Reader reader(options, name);
  int number = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of("\r\n"), text.size());
    reader.ReadLine(text.substr(0, end), ++number);
    const bool crlf = text.substr(end, 2) == "\r\n";
    text.remove_prefix(std::min(text.size(), end + (crlf ? 2 : 1)));
  }
  if (!reader.any_term()) {
    throw Error(ErrorCode::kInput,
                "no [Term] in this file",
                "expected an ontology in OBO text, unpacked, such as fbbt.obo of FlyBase",
                {name});
  }
  return reader.Finish();
}

Ontology LoadObo(const fs::path& path, const OboOptions& options) {
  return ParseObo(ReadFile(path, kMaxOboBytes), path.string(), options);
}

}  // namespace flyscribe
