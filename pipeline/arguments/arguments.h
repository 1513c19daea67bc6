// Command lines: what all commands have in common, and options of a config given as flags.
//
// A flag such as `--atoms 50` stands for the option learn.atoms: its help text comes from the option's own declaration,
// and it is read as a config would be, with the same ranges and messages. Errors point at the argument.
#pragma once

#include <string>
#include <vector>

#include "core/options.h"
#include "pipeline/config/config.h"

namespace flyscribe {

class CommandLine;

struct CommonArguments {
  std::vector<std::string> overrides;  // of --set, as given
  int threads = -1;                    // -1: not given
  bool quiet = false;

  // 0, one per core, if not given.
  int Threads() const { return threads < 0 ? 0 : threads; }
};

// Declares --set, --threads and --quiet. `example` is an argument of --set. REQUIRES: arguments outlives the parsing.
void DeclareCommonArguments(const CommandLine& line, const std::string& example, CommonArguments& arguments);

// An option's declaration, and its value as text.
struct OptionValue {
  Field field;
  std::string value;
  bool is_word = false;  // or a list of words; else a number, true or false
  bool is_flag = false;
};

// All options of a struct with their values, in the order of declaration.
template <class Options>
std::vector<OptionValue> ListOptions(Options options);

class OptionArguments {
 public:
  // Declares `flag` for the option `key`: ("--atoms", "learn.atoms"). REQUIRES: this object outlives the parsing.
  void Declare(const CommandLine& line, const std::string& flag, const std::string& key);

  // What a declared flag does when it is met. Errors point at `source`, which says how it was typed: "--atoms 50".
  void Give(const std::string& key, const std::string& value, const std::string& source);
  // A value that counts unless the option is given.
  void Imply(const std::string& key, const std::string& value, const std::string& source);

  // The options as given by flags and by `overrides`, which name options of `section` ("lambda=0.2", or
  // "learn.lambda=0.2"); all others have their defaults. All values that are wrong are reported in one Error(kUsage).
  Config Read(const std::vector<std::string>& overrides, const std::string& section) const;

 private:
  struct Given {
    std::string key;
    std::string value;
    std::string source;
  };

  void RefuseIfGiven(const std::string& key, const std::string& argument) const;

  std::vector<Given> implied_;
  std::vector<Given> flags_;
};

// Notes down every option a struct names.
class OptionLister : public OptionsVisitor {
 public:
  using OptionsVisitor::Integer;
  void Flag(const Field& field, bool& value) override;
  void Integer(const Field& field, std::int64_t& value) override;
  void Real(const Field& field, double& value) override;
  void Word(const Field& field, std::string& value) override;
  void Words(const Field& field, std::vector<std::string>& values) override;

  const std::vector<OptionValue>& options() const { return options_; }

 private:
  std::vector<OptionValue> options_;
};

template <class Options>
std::vector<OptionValue> ListOptions(Options options) {
  OptionLister lister;
  options.Fields(lister);
  return lister.options();
}

}  // namespace flyscribe
