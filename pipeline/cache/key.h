// What makes an artifact what it is: the text whose SHA-256 names it in the cache.
//
// One fact a line, so that "why did it rerun?" is a diff of two key.txt:
//
//   flyscribe key 1
//   step: learn 2                    the step and the version of its method
//   form: 2                          of the artifact's files, where the same result was laid out in another way before
//   range: 4-6
//   part: fold-0
//   option learn.lambda: 0.1         options that affect results
//   library libsvm: 324              versions that can change results
//   input normalise: 5f2c...         keys of the artifacts read, digests of outside files
//
// Never in it: paths, times, threads, hosts (but for a measurement of `reproduce`, whose times are its content: its key
// names the processor and the number of threads). Values cannot contain a line end (option texts are quoted), so no two
// different sets of facts give the same text.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>

namespace flyscribe {

class ArtifactKey {
 public:
  ArtifactKey(const std::string& step, int version, const std::string& range, const std::string& part);

  void AddForm(int form);
  // `options` holds "name: value" lines, as KeyText(options) of core/options.h gives them; `section` is empty for those
  // at the top level.
  void AddOptions(const std::string& section, const std::string& options);
  void AddInput(const std::string& name, const std::string& digest);
  void AddLibrary(const std::string& name, const std::string& version);

  const std::string& text() const { return text_; }
  // 64 hexadecimal digits.
  std::string Digest() const;

 private:
  void AddLine(const std::string& line);
  std::string text_;
};

// Whether a text has the form of a key: 64 hexadecimal digits.
bool IsKey(const std::string& text);

// "option learn.lambda" -> "0.1", for every line of a key's text.
std::map<std::string, std::string> KeyFacts(const std::string& key_text);

// The text of a key without inputs and form, and with range and part "all": what decides the result of a single image
// besides the image.
std::string RecipeOf(const std::string& key_text);

// What differs between two maps, such as the facts of two keys: name -> its value in the first and in the second, for
// names whose values differ; nothing where a map lacks the name.
template <class Value>
std::map<std::string, std::pair<std::optional<Value>, std::optional<Value>>> Differences(
    const std::map<std::string, Value>& first, const std::map<std::string, Value>& second) {
  std::map<std::string, std::pair<std::optional<Value>, std::optional<Value>>> both;
  for (const auto& [name, value] : first) both[name].first = value;
  for (const auto& [name, value] : second) both[name].second = value;
  std::erase_if(both, [](const auto& entry) { return entry.second.first == entry.second.second; });
  return both;
}

}  // namespace flyscribe
