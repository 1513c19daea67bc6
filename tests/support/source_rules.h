// The rules of docs/architecture.md that can be read off the source text: who includes whom, where third-party headers
// may appear, what is never written, that a type's name is its own, and that every source file has a test.
//
// Pure functions over paths (relative to the repository, with '/') and texts, so that the rules are themselves tested.
// They look at lines, not at meaning: comments and the inside of literals are ignored, macros are not expanded.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace flyscribe {

struct Breach {
  std::string path;
  int line = 0;
  std::string rule;

  // "path:line: rule".
  std::string ToString() const;
  friend bool operator==(const Breach&, const Breach&) = default;
};

// C++ with comments, and the inside of string and character literals if asked, replaced by spaces. Lines stay.
std::string WithoutComments(std::string_view text, bool blank_literals);

// The breaches of a .cc, .h, CMakeLists.txt, .cmake or CMakePresets.json file, in order of their lines.
std::vector<Breach> CheckSource(const std::string& path, const std::string& text);

// The .cc files of modules/ and pipeline/ (except main.cc) that no test mirrors: modules/M/X.cc needs an X_test.cc
// below tests/M; pipeline/S/X.cc needs one below tests/pipeline or tests/S.
std::vector<std::string> SourcesWithoutTest(const std::vector<std::string>& paths);

// The types that two headers define. Both would be flyscribe::X: a program that holds both is not C++, and linkers do
// not tell. A definition is told by standing at the left margin, where clang-format puts what is in a namespace.
std::vector<Breach> TypesDefinedTwice(const std::map<std::string, std::string>& text_of_path);

}  // namespace flyscribe
