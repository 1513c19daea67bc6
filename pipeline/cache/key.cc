#include "pipeline/cache/key.h"

#include "core/error.h"
#include "core/hash.h"
#include "core/text.h"

namespace flyscribe {

ArtifactKey::ArtifactKey(const std::string& step, int version, const std::string& range, const std::string& part) {
  AddLine("flyscribe key 1");
  AddLine("step: " + step + " " + std::to_string(version));
  AddLine("range: " + range);
  AddLine("part: " + part);
}

void ArtifactKey::AddForm(int form) { AddLine("form: " + std::to_string(form)); }

void ArtifactKey::AddOptions(const std::string& section, const std::string& options) {
  for (const std::string& line : Split(options, '\n')) {
    if (!line.empty()) AddLine("option " + (section.empty() ? "" : section + ".") + line);
  }
}

void ArtifactKey::AddInput(const std::string& name, const std::string& digest) {
  AddLine("input " + name + ": " + digest);
}

void ArtifactKey::AddLibrary(const std::string& name, const std::string& version) {
  AddLine("library " + name + ": " + version);
}

std::string ArtifactKey::Digest() const { return Sha256OfText(text_); }

void ArtifactKey::AddLine(const std::string& line) {
  FLYSCRIBE_CHECK(line.find('\n') == std::string::npos, "a key's line holds a line end");
  text_ += line + "\n";
}

bool IsKey(const std::string& text) {
  return text.size() == 64 && text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

std::map<std::string, std::string> KeyFacts(const std::string& key_text) {
  std::map<std::string, std::string> facts;
  for (const std::string& line : Split(key_text, '\n')) {
    const std::size_t colon = line.find(": ");
    if (colon != std::string::npos) facts[line.substr(0, colon)] = line.substr(colon + 2);
  }
  return facts;
}

std::string RecipeOf(const std::string& key_text) {
  std::string recipe;
  for (const std::string& line : Split(key_text, '\n')) {
    if (line.empty() || line.starts_with("input ") || line.starts_with("form: ")) continue;
    const bool place = line.starts_with("range: ") || line.starts_with("part: ");
    recipe += (place ? line.substr(0, line.find(':')) + ": all" : line) + "\n";
  }
  return recipe;
}

}  // namespace flyscribe
