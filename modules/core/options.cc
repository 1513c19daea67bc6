#include "core/options.h"

#include <algorithm>

#include "core/text.h"

namespace flyscribe {
namespace {

// Quotes what could be mistaken for something else when lines of a key are compared.
std::string Quoted(const std::string& value) {
  std::string text = "\"";
  for (const char c : value) {
    if (c == '"' || c == '\\') text += '\\';
    if (c == '\n') {
      text += "\\n";
    } else {
      text += c;
    }
  }
  return text + "\"";
}

}  // namespace

void OptionsVisitor::Integer(const Field& field, int& value) {
  Field bounded = field;
  bounded.min = std::max(bounded.min, static_cast<double>(std::numeric_limits<int>::min()));
  bounded.max = std::min(bounded.max, static_cast<double>(std::numeric_limits<int>::max()));
  std::int64_t wide = value;
  Integer(bounded, wide);
  value = static_cast<int>(wide);
}

void KeyTextWriter::Flag(const Field& field, bool& value) { Line(field, value ? "true" : "false"); }
void KeyTextWriter::Integer(const Field& field, std::int64_t& value) { Line(field, std::to_string(value)); }
void KeyTextWriter::Real(const Field& field, double& value) { Line(field, FormatReal(value)); }
void KeyTextWriter::Word(const Field& field, std::string& value) { Line(field, Quoted(value)); }
void KeyTextWriter::Words(const Field& field, std::vector<std::string>& values) {
  std::vector<std::string> quoted;
  for (const std::string& value : values) quoted.push_back(Quoted(value));
  Line(field, "[" + Join(quoted, ", ") + "]");
}

void KeyTextWriter::Line(const Field& field, const std::string& value) {
  if (field.effect == Effect::kResults && !field.is_path) text_ += field.name + ": " + value + "\n";
}

}  // namespace flyscribe
