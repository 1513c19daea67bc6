#include "tests/support/program.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <thread>

#include "core/file.h"

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

// Starts the program with its output in out and err below `files`; returns its process.
pid_t Start(const std::string& program,
            const std::vector<std::string>& arguments,
            const fs::path& where,
            const std::vector<std::string>& environment,
            const fs::path& files) {
  const pid_t child = fork();
  if (child != 0) return child;
  Redirect(STDOUT_FILENO, files / "out");
  Redirect(STDERR_FILENO, files / "err");
  if (chdir(where.c_str()) != 0) _exit(126);
  for (const std::string& variable : environment) putenv(const_cast<char*>(variable.c_str()));
  Become(program, arguments);
}

int ExitCode(int status) { return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status); }

}  // namespace

ProgramResult RunBinary(const std::string& program,
                        const std::vector<std::string>& arguments,
                        const fs::path& where,
                        const std::vector<std::string>& environment) {
  const TempFolder folder;
  const pid_t child = Start(program, arguments, where, environment, folder.path());
  int status = 0;
  waitpid(child, &status, 0);
  return {ExitCode(status), ReadFile(folder / "out"), ReadFile(folder / "err")};
}

RunningProgram::RunningProgram(const std::string& program,
                               const std::vector<std::string>& arguments,
                               const fs::path& where)
    : child_(Start(program, arguments, where, {}, files_.path())) {}

RunningProgram::~RunningProgram() {
  if (!running()) return;
  Signal(SIGKILL);
  Wait();
}

bool RunningProgram::running() {
  if (!ended_) ended_ = waitpid(child_, &status_, WNOHANG) == child_;
  return !ended_;
}

std::string RunningProgram::out() const { return fs::exists(files_ / "out") ? ReadFile(files_ / "out") : ""; }

void RunningProgram::Signal(int signal) const { kill(child_, signal); }

ProgramResult RunningProgram::Wait() {
  if (!ended_) waitpid(child_, &status_, 0);
  ended_ = true;
  return {ExitCode(status_), ReadFile(files_ / "out"), ReadFile(files_ / "err")};
}

bool RunningProgram::KillAfter(double seconds) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  while (running() && std::chrono::steady_clock::now() < deadline) std::this_thread::yield();
  if (!running()) return false;
  Signal(SIGKILL);
  Wait();
  return true;
}

}  // namespace flyscribe
