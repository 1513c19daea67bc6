#include "tests/support/program.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>

#include "core/file.h"
#include "tests/support/temp_folder.h"

namespace flyscribe {
namespace {

// In the child: never returns.
[[noreturn]] void Become(const std::string& program, const std::vector<std::string>& arguments) {
  std::vector<char*> argv = {const_cast<char*>(program.c_str())};
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  execv(program.c_str(), argv.data());
  _exit(127);
}

void Redirect(int descriptor, const fs::path& file) {
  const int opened = open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  dup2(opened, descriptor);
  close(opened);
}

}  // namespace

ProgramResult RunBinary(const std::string& program,
                        const std::vector<std::string>& arguments,
                        const fs::path& where,
                        const std::vector<std::string>& environment) {
  const TempFolder folder;
  const pid_t child = fork();
  if (child == 0) {
    Redirect(STDOUT_FILENO, folder / "out");
    Redirect(STDERR_FILENO, folder / "err");
    if (chdir(where.c_str()) != 0) _exit(126);
    for (const std::string& variable : environment) putenv(const_cast<char*>(variable.c_str()));
    Become(program, arguments);
  }
  int status = 0;
  waitpid(child, &status, 0);
  const int exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return {exit_code, ReadFile(folder / "out"), ReadFile(folder / "err")};
}

}  // namespace flyscribe
