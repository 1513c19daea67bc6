// Runs the real binary as a user would, and hands back what it said.
#pragma once

#include <string>
#include <vector>

#include "core/fs.h"
#include "tests/support/temp_folder.h"

namespace flyscribe {

struct ProgramResult {
  int exit_code = -1;  // 128 + signal if it was killed
  std::string out;
  std::string err;
};

// `program` with `arguments`, in the folder `where`, with "NAME=value" added to the environment. Waits for its end.
ProgramResult RunBinary(const std::string& program,
                        const std::vector<std::string>& arguments,
                        const fs::path& where,
                        const std::vector<std::string>& environment = {});

// A program that is running: its output goes to files, so that it never waits for a reader.
class RunningProgram {
 public:
  RunningProgram(const std::string& program, const std::vector<std::string>& arguments, const fs::path& where);
  ~RunningProgram();
  RunningProgram(const RunningProgram&) = delete;
  RunningProgram& operator=(const RunningProgram&) = delete;

  bool running();
  // What it has written to standard output so far.
  std::string out() const;
  void Signal(int signal) const;
  // Waits for its end.
  ProgramResult Wait();
  // The same, but after the time kills it. True if that was needed.
  bool KillAfter(double seconds);

 private:
  TempFolder files_;
  int child_ = -1;
  int status_ = 0;
  bool ended_ = false;
};

}  // namespace flyscribe
