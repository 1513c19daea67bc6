// Runs the real binary as a user would, and hands back what it said.
#pragma once

#include <string>
#include <vector>

#include "core/fs.h"

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

}  // namespace flyscribe
