// How a command declares its arguments: the one face of CLI11, whose header takes longer to compile than most commands.
//
//   line.Value("--images,-i", arguments.images, "Folder of images").Required();
//   line.Flag("--json", arguments.json, "Print JSON");
//
// REQUIRES everywhere: what an argument is read into outlives the parsing.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace flyscribe {

// One declared argument, and what else is to be said of it.
class Argument {
 public:
  explicit Argument(CLI::Option* option) : option_(option) {}

  Argument Required() const;
  // The word for its value in the help: "DIR".
  Argument Named(const std::string& value) const;
  Argument Between(std::int64_t low, std::int64_t high) const;
  Argument OneOf(const std::vector<std::string>& words) const;
  Argument SplitAt(char delimiter) const;
  // May be given several times, each time with one value; else a list takes all values that follow.
  Argument Repeatable() const;
  // The help shows the value it has now.
  Argument ShowDefault() const;
  Argument Described(const std::string& doc) const;
  Argument Excludes(const Argument& other) const;
  Argument Needs(const Argument& other) const;

 private:
  CLI::Option* option_;  // of CLI11's
};

class CommandLine {
 public:
  explicit CommandLine(CLI::App& app) : app_(&app) {}

  // `names` are "--output,-o", or "config" for an argument without a flag.
  Argument Value(const std::string& names, std::string& value, const std::string& doc) const;
  Argument Value(const std::string& names, int& value, const std::string& doc) const;
  Argument Value(const std::string& names, std::int64_t& value, const std::string& doc) const;
  Argument Value(const std::string& names, double& value, const std::string& doc) const;
  Argument Value(const std::string& names, std::vector<std::string>& values, const std::string& doc) const;
  Argument Flag(const std::string& names, bool& value, const std::string& doc) const;
  // Calls back with the value, or when the flag is met.
  Argument Value(const std::string& names,
                 const std::function<void(const std::string&)>& give,
                 const std::string& doc) const;
  Argument Flag(const std::string& names, const std::function<void()>& give, const std::string& doc) const;
  // REQUIRES: it was declared.
  Argument Find(const std::string& name) const;

  // A command within this one; `chosen` is called if it is the one that is given.
  CommandLine Subcommand(const std::string& name,
                         const std::string& summary,
                         const std::function<void()>& chosen = {}) const;
  // How many subcommands must and may be given.
  void RequireSubcommand(int low, int high) const;

 private:
  CLI::App* app_;
};

}  // namespace flyscribe
