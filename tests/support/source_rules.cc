#include "tests/support/source_rules.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <utility>

#include "core/text.h"

namespace flyscribe {
namespace {

bool IsIdentifier(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

bool IsHeader(const std::string& path) { return path.ends_with(".h"); }
bool IsCpp(const std::string& path) { return IsHeader(path) || path.ends_with(".cc"); }

// The first folder of a path: "modules" of "modules/core/npy.cc".
std::string FirstPart(std::string_view path) { return std::string(path.substr(0, path.find('/'))); }

// "core" of "modules/core/npy.cc"; empty outside modules/.
std::string ModuleOf(const std::string& path) {
  constexpr std::string_view kModules = "modules/";
  return path.starts_with(kModules) ? FirstPart(std::string_view(path).substr(kModules.size())) : "";
}

// The rooms of the pipeline, each using only those before it. command.h, what a command is, stands below all;
// program.cc and main.cc above.
constexpr std::array<std::string_view, 16> kRooms = {"command.h",
                                                     "terminal",
                                                     "config",
                                                     "cache",
                                                     "corpus",
                                                     "steps",
                                                     "plan",
                                                     "run",
                                                     "explain",
                                                     "sweep",
                                                     "model",
                                                     "inspect",
                                                     "annotate",
                                                     "arguments",
                                                     "paper",
                                                     "commands"};

// "cache" of "pipeline/cache/key.h".
std::string RoomOf(std::string_view path) { return FirstPart(path.substr(std::string_view("pipeline/").size())); }

// What is wrong with including `header` from `path`, both of the pipeline; empty if nothing.
std::string RoomRule(const std::string& path, const std::string& header) {
  const auto place = [](std::string_view file) {
    return std::find(kRooms.begin(), kRooms.end(), RoomOf(file)) - kRooms.begin();
  };
  const bool is_program = path == "pipeline/program.cc" || path == "pipeline/main.cc";
  const auto from = is_program ? std::ssize(kRooms) : place(path);
  const auto to = place(header);
  if (!is_program && from == std::ssize(kRooms)) {
    return "the pipeline has no room '" + RoomOf(path) + "': give it a place in tests/support/source_rules.cc";
  }
  if (to <= from && to < std::ssize(kRooms)) return "";
  return "the room " + RoomOf(path) + " stands below " + RoomOf(header) + " ('" + header + "')";
}

// Walks over C++ text and copies it without what is asked to be left out.
class Stripper {
 public:
  Stripper(std::string_view text, bool blank_literals) : text_(text), blank_literals_(blank_literals) {}

  std::string Strip() {
    while (at_ < text_.size()) Step();
    return std::move(out_);
  }

 private:
  bool At(std::string_view token) const { return text_.substr(at_, token.size()) == token; }
  bool AfterIdentifier() const { return at_ > 0 && IsIdentifier(text_[at_ - 1]); }

  void Step() {
    if (At("//")) {
      SkipUntil("\n", true);
    } else if (At("/*")) {
      SkipUntil("*/", true);
      Copy(2, true);
    } else if (At("R\"") && !AfterIdentifier()) {
      RawString();
    } else if (At("\"") || (At("'") && !AfterIdentifier())) {  // 1'000 is a number
      Literal();
    } else {
      Copy(1, false);
    }
  }

  void Literal() {
    const char quote = text_[at_];
    Copy(1, false);
    while (at_ < text_.size() && text_[at_] != quote && text_[at_] != '\n') Copy(At("\\") ? 2 : 1, blank_literals_);
    if (At({&quote, 1})) Copy(1, false);
  }

  void RawString() {
    const std::size_t open = text_.find('(', at_);
    if (open == std::string_view::npos) return Copy(2, false);
    const std::string close = ")" + std::string(text_.substr(at_ + 2, open - at_ - 2)) + "\"";
    SkipUntil(close, blank_literals_);
    Copy(close.size(), blank_literals_);
  }

  void SkipUntil(std::string_view token, bool blank) {
    const std::size_t end = std::min(text_.find(token, at_), text_.size());
    Copy(end - at_, blank);
  }

  // Line ends are always kept.
  void Copy(std::size_t count, bool blank) {
    for (; count > 0 && at_ < text_.size(); --count, ++at_) {
      out_ += blank && text_[at_] != '\n' ? ' ' : text_[at_];
    }
  }

  std::string_view text_;
  bool blank_literals_;
  std::size_t at_ = 0;
  std::string out_;
};

struct ThirdParty {
  std::string_view prefix;  // of the header's name
  std::string_view place;   // what the message says
  bool (*allowed)(const std::string& path);
};

template <std::size_t N>
constexpr bool IsSourceBelow(const std::string& path, const char (&folder)[N]) {
  return path.starts_with(folder) && path.ends_with(".cc");
}

bool AsksVersions(const std::string& path) { return path == "modules/core/library_versions.cc"; }

constexpr std::array<ThirdParty, 20> kThirdParty = {{
    {"opencv2/",
     "the .cc files of modules/imaging",
     [](const std::string& path) { return IsSourceBelow(path, "modules/imaging/"); }},
    {"vl/",
     "the .cc files of modules/descriptors",
     [](const std::string& path) { return IsSourceBelow(path, "modules/descriptors/"); }},
    {"libsvm/",
     "the .cc files of modules/classify and bench",
     [](const std::string& path) { return IsSourceBelow(path, "modules/classify/") || IsSourceBelow(path, "bench/"); }},
    {"svm.h",
     "the .cc files of modules/classify and bench",
     [](const std::string& path) { return IsSourceBelow(path, "modules/classify/") || IsSourceBelow(path, "bench/"); }},
    {"yaml-cpp/",
     "the .cc files of pipeline/config",
     [](const std::string& path) { return IsSourceBelow(path, "pipeline/config/"); }},
    {"cblas.h", "the .cc files of bench", [](const std::string& path) { return IsSourceBelow(path, "bench/"); }},
    {"openssl/",
     "modules/core/hash.cc and library_versions.cc",
     [](const std::string& path) { return path == "modules/core/hash.cc" || AsksVersions(path); }},
    {"archive.h",
     "modules/core/archive.cc and library_versions.cc",
     [](const std::string& path) { return path == "modules/core/archive.cc" || AsksVersions(path); }},
    {"archive_entry.h",
     "modules/core/archive.cc",
     [](const std::string& path) { return path == "modules/core/archive.cc"; }},
    {"zlib.h",
     "modules/core/archive.cc, npz.cc and library_versions.cc, and what tests compare them with",
     [](const std::string& path) {
       return path == "modules/core/archive.cc" || path == "modules/core/npz.cc" || AsksVersions(path) ||
              path == "tests/support/gzip_text.cc" || path == "tests/support/npz_reader.cc";
     }},
    {"boost/",
     "modules/core/fs.h and library_versions.cc",
     [](const std::string& path) { return path == "modules/core/fs.h" || AsksVersions(path); }},
    {"CLI/",
     "pipeline/arguments/command_line.cc and its test, pipeline/program.cc and the .cc files of bench",
     [](const std::string& path) {
       return path == "pipeline/arguments/command_line.cc" || path == "pipeline/program.cc" ||
              path == "tests/pipeline/arguments/command_line_test.cc" || IsSourceBelow(path, "bench/");
     }},
    {"kainjow/",
     "the .cc files of modules/report",
     [](const std::string& path) { return IsSourceBelow(path, "modules/report/"); }},
    {"fmt/", ".cc files", [](const std::string& path) { return path.ends_with(".cc"); }},
    {"nlohmann/", ".cc files", [](const std::string& path) { return path.ends_with(".cc"); }},
    {"hwy/",
     "modules/core/gram.cc and library_versions.cc, and modules/sparse",
     [](const std::string& path) {
       return path == "modules/core/gram.cc" || AsksVersions(path) || path.starts_with("modules/sparse/");
     }},
    {"gtest/", "tests", [](const std::string& path) { return path.starts_with("tests/"); }},
    {"gmock/", "tests", [](const std::string& path) { return path.starts_with("tests/"); }},
    {"benchmark/", "bench", [](const std::string& path) { return path.starts_with("bench/"); }},
    {"sys/", "everywhere", [](const std::string& /*path*/) { return true; }},  // the system's own
}};

// The header named by an #include line, with its delimiters: <vector> or "core/npy.h".
std::optional<std::string> IncludedHeader(std::string_view line) {
  line = Trim(line);
  if (!line.starts_with('#')) return std::nullopt;
  line = Trim(line.substr(1));
  constexpr std::string_view kInclude = "include";
  if (!line.starts_with(kInclude)) return std::nullopt;
  line = Trim(line.substr(kInclude.size()));
  if (line.size() < 3 || (line[0] != '<' && line[0] != '"')) return std::nullopt;  // a macro
  const std::size_t end = line.find(line[0] == '<' ? '>' : '"', 1);
  return std::string(line.substr(0, std::min(end, line.size() - 1) + 1));
}

// What is wrong with including flyscribe's own `header` from `path`; empty if nothing.
std::string DirectionRule(const std::string& path, const std::string& header) {
  const std::string target = FirstPart(header);
  if (header.find('/') == std::string::npos) return "include '" + header + "' by its full name, such as \"core/npy.h\"";
  if (path.starts_with("tests/") || path.starts_with("bench/")) return "";
  if (target == "tests" || target == "bench") return "only tests and benchmarks include '" + header + "'";
  const std::string module = ModuleOf(path);
  if (module.empty()) return target == "pipeline" ? RoomRule(path, header) : "";  // it may use every module
  if (target == "pipeline") return "a module never includes the pipeline ('" + header + "')";
  const bool down = target == "core" || (target == "data" && module != "core");
  if (down || target == module) return "";
  if (module == "core") return "core includes nothing but core ('" + header + "')";
  if (module == "data") return "data includes only core and data ('" + header + "')";
  return "a verb never includes another verb ('" + header + "')";
}

std::string IncludeRule(const std::string& path, const std::string& quoted_header) {
  const std::string header = quoted_header.substr(1, quoted_header.size() - 2);
  for (const ThirdParty& library : kThirdParty) {
    if (!header.starts_with(library.prefix)) continue;
    if (library.allowed(path)) return "";
    return quoted_header + " belongs only in " + std::string(library.place);
  }
  if (quoted_header.front() == '"') return DirectionRule(path, header);
  if (header.find('/') == std::string::npos) return "";
  return quoted_header + " is of a library without a place: give it one in tests/support/source_rules.cc";
}

// Whether `token` stands in `line` as a whole word.
bool HasToken(std::string_view line, std::string_view token) {
  for (std::size_t at = line.find(token); at != std::string_view::npos; at = line.find(token, at + 1)) {
    const std::size_t end = at + token.size();
    const bool begins = at == 0 || !IsIdentifier(line[at - 1]);
    const bool ends = end == line.size() || !IsIdentifier(line[end]) || !IsIdentifier(token.back());
    if (begins && ends) return true;
  }
  return false;
}

constexpr std::array<std::string_view, 9> kPrinting = {
    "std::cout", "std::cerr", "std::clog", "printf(", "fprintf(", "puts(", "fputs(", "putchar(", "perror("};
constexpr std::array<std::string_view, 5> kExits = {"exit(", "_exit(", "_Exit(", "quick_exit(", "abort("};
constexpr std::array<std::string_view, 14> kForeignRandomness = {"rand(",
                                                                 "srand(",
                                                                 "std::rand",
                                                                 "std::srand",
                                                                 "random(",
                                                                 "drand48(",
                                                                 "std::random_device",
                                                                 "std::shuffle",
                                                                 "std::random_shuffle",
                                                                 "std::sample",
                                                                 "std::mt19937",
                                                                 "std::mt19937_64",
                                                                 "std::uniform_int_distribution",
                                                                 "std::normal_distribution"};
constexpr std::array<std::string_view, 3> kUnportableFlags = {"-march=native", "-ffast-math", "-Ofast"};

void AddIfAny(std::vector<std::string>& rules,
              std::string_view line,
              std::span<const std::string_view> tokens,
              const std::string& rule) {
  for (const std::string_view token : tokens) {
    if (HasToken(line, token)) {
      rules.push_back(std::string(token) + ": " + rule);
      return;
    }
  }
}

std::vector<std::string> ConstructRules(const std::string& path, std::string_view line) {
  std::vector<std::string> rules;
  const bool in_module = path.starts_with("modules/");
  if (in_module) AddIfAny(rules, line, kPrinting, "modules never print");
  if (in_module) AddIfAny(rules, line, kExits, "modules never end the program; throw an Error");
  if (in_module || path.starts_with("pipeline/")) {
    AddIfAny(rules, line, kForeignRandomness, "random numbers come from core/rng.h alone");
  }
  if (IsHeader(path) && HasToken(line, "using namespace")) {
    rules.emplace_back("using namespace: never in a header");
  }
  return rules;
}

// A header begins with a comment, and #pragma once is the first thing after it.
std::vector<Breach> CheckHeaderStart(const std::string& path, const std::string& text) {
  std::vector<Breach> breaches;
  if (!text.starts_with("//")) breaches.push_back({path, 1, "a header begins with a comment that says what it is"});
  int line = 0;
  for (const std::string& raw : Split(WithoutComments(text, false), '\n')) {
    ++line;
    const std::string_view code = Trim(raw);
    if (code.empty()) continue;
    if (code == "#pragma once") return breaches;
    break;
  }
  breaches.push_back({path, line, "#pragma once comes first after a header's comment"});
  return breaches;
}

std::vector<Breach> CheckCpp(const std::string& path, const std::string& text) {
  std::vector<Breach> breaches;
  if (IsHeader(path)) breaches = CheckHeaderStart(path, text);
  const std::vector<std::string> with_literals = Split(WithoutComments(text, false), '\n');
  const std::vector<std::string> code = Split(WithoutComments(text, true), '\n');
  for (std::size_t i = 0; i < code.size(); ++i) {
    const int line = static_cast<int>(i) + 1;
    // Both texts: a raw string may hold a line that looks like an include.
    const bool is_directive = Trim(code[i]).starts_with('#');
    if (const auto header = is_directive ? IncludedHeader(with_literals[i]) : std::nullopt) {
      const std::string rule = IncludeRule(path, *header);
      if (!rule.empty()) breaches.push_back({path, line, rule});
    }
    for (const std::string& rule : ConstructRules(path, code[i])) breaches.push_back({path, line, rule});
  }
  return breaches;
}

std::vector<Breach> CheckBuildFile(const std::string& path, const std::string& text) {
  std::vector<Breach> breaches;
  int number = 0;
  for (const std::string& line : Split(text, '\n')) {
    ++number;
    const std::string_view code = std::string_view(line).substr(0, line.find('#'));
    for (const std::string_view flag : kUnportableFlags) {
      if (code.find(flag) == std::string_view::npos) continue;
      breaches.push_back({path, number, std::string(flag) + ": results must not depend on the machine that built"});
    }
  }
  return breaches;
}

// "X" of "a/b/X.cc".
std::string BaseName(const std::string& path) {
  const std::size_t start = path.rfind('/') + 1;  // 0 if there is none
  return path.substr(start, path.rfind('.') - start);
}

bool Mirrors(const std::string& test, const std::string& source) {
  if (!test.starts_with("tests/") || !test.ends_with(".cc") || BaseName(test) != BaseName(source) + "_test") {
    return false;
  }
  const std::string folder = Split(source, '/')[1];
  return test.starts_with("tests/" + folder + "/") ||
         (source.starts_with("pipeline/") &&
          (test.starts_with("tests/pipeline/") || test.starts_with("tests/integration/")));
}

// "X" of "class X final : public Y {" at the left margin; empty if the line defines no type, or only declares one.
std::string DefinedType(std::string_view line) {
  const bool is_declaration = line.ends_with(';') && line.find('{') == std::string_view::npos;
  if (is_declaration) return "";
  for (const std::string_view keyword : {"enum class ", "enum ", "class ", "struct ", "union "}) {
    if (!line.starts_with(keyword)) continue;
    line.remove_prefix(keyword.size());
    return std::string(line.begin(), std::find_if_not(line.begin(), line.end(), IsIdentifier));
  }
  return "";
}

}  // namespace

std::string Breach::ToString() const { return path + ":" + std::to_string(line) + ": " + rule; }

std::string WithoutComments(std::string_view text, bool blank_literals) {
  return Stripper(text, blank_literals).Strip();
}

std::vector<Breach> CheckSource(const std::string& path, const std::string& text) {
  const bool is_build_file =
      path.ends_with("CMakeLists.txt") || path.ends_with(".cmake") || path.ends_with("CMakePresets.json");
  if (is_build_file) return CheckBuildFile(path, text);
  return IsCpp(path) ? CheckCpp(path, text) : std::vector<Breach>{};
}

std::vector<std::string> SourcesWithoutTest(const std::vector<std::string>& paths) {
  std::vector<std::string> missing;
  for (const std::string& source : paths) {
    const bool needs_test = (source.starts_with("modules/") || source.starts_with("pipeline/")) &&
                            source.ends_with(".cc") && BaseName(source) != "main";
    const auto mirrors = [&](const std::string& test) { return Mirrors(test, source); };
    if (needs_test && std::none_of(paths.begin(), paths.end(), mirrors)) missing.push_back(source);
  }
  return missing;
}

std::vector<Breach> TypesDefinedTwice(const std::map<std::string, std::string>& text_of_path) {
  std::vector<Breach> breaches;
  std::map<std::string, std::string> home;  // of each type
  for (const auto& [path, text] : text_of_path) {
    if (!IsHeader(path)) continue;
    int number = 0;
    for (const std::string& line : Split(WithoutComments(text, true), '\n')) {
      ++number;
      const std::string type = DefinedType(line);
      if (type.empty()) continue;
      const std::string& first = home.try_emplace(type, path).first->second;
      if (first != path) breaches.push_back({path, number, type + " is the name of another type in " + first});
    }
  }
  return breaches;
}

}  // namespace flyscribe
