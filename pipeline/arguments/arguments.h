// Command lines: what all commands have in common, and options of a config given as flags.
//
// A flag such as `--atoms 50` stands for the option learn.atoms: its help text comes from the option's own declaration,
// and it is read as a config would be, with the same ranges and messages. Errors point at the argument.
#pragma once

#include <string>
#include <vector>

#include "pipeline/config/config.h"

namespace flyscribe {

class CommandLine;

struct CommonArguments {
  std::vector<std::string> overrides;  // of --set, as given
  int threads = -1;                    // -1: not given
  bool quiet = false;

  // 0, one per core, if not given.
  int Threads() const { return threads < 0 ? 0 : threads; }
  // Those of --set, and --threads as one of them.
  std::vector<std::string> AllOverrides() const;
  // " --set 'learn.atoms=50'", as it was typed.
  std::string SetText() const;
};

// Declares --set; `example` is an argument of it. REQUIRES, as below: what is read into outlives the parsing.
void DeclareSet(const CommandLine& line, const std::string& example, std::vector<std::string>& overrides);
// Declares --set, --threads and --quiet.
void DeclareCommonArguments(const CommandLine& line, const std::string& example, CommonArguments& arguments);

class OptionArguments {
 public:
  // Declares `flag` for the option `key`: ("--atoms", "learn.atoms"). REQUIRES: this object outlives the parsing.
  void Declare(const CommandLine& line, const std::string& flag, const std::string& key);

  // What a declared flag does when it is met. Errors point at `source`, which says how it was typed: "--atoms 50".
  void Give(const std::string& key, const std::string& value, const std::string& source);
  // A value that counts unless the option is given.
  void Imply(const std::string& key, const std::string& value, const std::string& source);

  // Whether its flag was met.
  bool IsGiven(const std::string& key) const;

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

}  // namespace flyscribe
