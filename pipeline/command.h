// The commands of the program: a table of names, each with its own options and its own file.
#pragma once

#include <functional>
#include <string>

namespace flyscribe {

class CommandLine;

struct Command {
  std::string name;
  std::string summary;
  // Declares the command's options on `line` and returns what runs it; its result is the exit code.
  std::function<std::function<int()>(const CommandLine& line)> declare;
};

Command RunCommand();
Command PlanCommand();
Command WhyCommand();
Command StatusCommand();
Command RunsCommand();
Command GraphCommand();
Command CacheCommand();
Command DataCommand();
Command ReproduceCommand();
Command SimulateCommand();
Command StandardiseCommand();
Command LearnCommand();
Command EncodeCommand();
Command ExportCommand();
Command AnnotateCommand();
Command EvidenceCommand();
Command ReviewCommand();
Command InspectCommand();
Command CompareCommand();
Command OntologyCommand();
Command DefaultsCommand();

// Parses the command line and runs the command. Errors are printed to standard error; returns the exit code.
int RunProgram(int argc, const char* const* argv);

}  // namespace flyscribe
