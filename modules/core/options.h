// Options, declared once.
//
// An options struct has members with defaults and one function that names them:
//
//   struct PoolOptions {
//     int atoms = 500;
//     void Fields(OptionsVisitor& visit) {
//       visit.Integer({.name = "atoms", .doc = "Number of dictionary atoms, m.", .min = 1, .max = 65536}, atoms);
//     }
//   };
//
// From this one declaration come the reading of YAML with checks, `flyscribe defaults`, docs/configuration.md, the
// effective config saved with a run, and the text hashed into the cache key.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "core/error.h"

namespace flyscribe {

// Whether changing an option can change a result (then it is part of the cache key) or only time and memory.
enum class Effect { kResults, kSpeed };

struct Field {
  std::string name;
  std::string doc;
  // For numbers, inclusive.
  double min = -std::numeric_limits<double>::infinity();
  double max = std::numeric_limits<double>::infinity();
  // For words; empty means any.
  std::vector<std::string> allowed = {};
  Effect effect = Effect::kResults;
  // A file or folder: relative paths are relative to where they were written. Paths are never part of a key.
  bool is_path = false;
};

class OptionsVisitor {
 public:
  virtual ~OptionsVisitor() = default;
  virtual void Flag(const Field& field, bool& value) = 0;
  virtual void Integer(const Field& field, std::int64_t& value) = 0;
  virtual void Real(const Field& field, double& value) = 0;
  virtual void Word(const Field& field, std::string& value) = 0;
  virtual void Words(const Field& field, std::vector<std::string>& values) = 0;

  // True if this visitor sets values rather than looks at them: then the fields after this one may get new defaults
  // from those before it, such as a profile's.
  virtual bool Reads() const { return false; }

  // Conveniences on top of the five kinds above.
  void Integer(const Field& field, int& value);
  // An enumeration as a word: `allowed` lists the names in the enumerators' order.
  template <class Enum>
  void Choice(const Field& field, Enum& value) {
    const auto current = static_cast<std::size_t>(value);
    FLYSCRIBE_CHECK(current < field.allowed.size(), "option '" + field.name + "' has no name for its value");
    std::string word = field.allowed[current];
    Word(field, word);
    for (std::size_t i = 0; i < field.allowed.size(); ++i) {
      if (word == field.allowed[i]) value = static_cast<Enum>(i);
    }
  }
};

// "name: value" lines, in the order of declaration, of the fields that affect results: what a cache key hashes.
template <class Options>
std::string KeyText(Options options);

// Appends such lines to a text.
class KeyTextWriter : public OptionsVisitor {
 public:
  using OptionsVisitor::Integer;
  void Flag(const Field& field, bool& value) override;
  void Integer(const Field& field, std::int64_t& value) override;
  void Real(const Field& field, double& value) override;
  void Word(const Field& field, std::string& value) override;
  void Words(const Field& field, std::vector<std::string>& values) override;

  const std::string& text() const { return text_; }

 private:
  void Line(const Field& field, const std::string& value);
  std::string text_;
};

template <class Options>
std::string KeyText(Options options) {
  KeyTextWriter writer;
  options.Fields(writer);
  return writer.text();
}

}  // namespace flyscribe
