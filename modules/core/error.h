// The one exception type of flyscribe: what went wrong, where, how to mend it, and the exit code it leads to.
//
// Thrown at the point of knowledge; caught in the worker pool (lowest item wins), in the step runner (adds what was
// being done) and in main. Several problems found in one go (a config with three typos) are one Error with several
// diagnostics.
#pragma once

#include <exception>
#include <string>
#include <vector>

namespace flyscribe {

// The values are the program's exit codes and part of its documented interface: never renumber.
enum class ErrorCode : int {
  kInternal = 1,      // a broken invariant: a bug in flyscribe
  kUsage = 4,         // command line or configuration
  kInput = 5,         // an input is missing or unreadable
  kCorrupt = 6,       // an artifact or model is damaged
  kLockTimeout = 7,   // another process holds what is needed
  kDisk = 8,          // disk full or not writable
  kScore = 9,         // a required score was not reached
  kInterrupted = 130  // stopped by SIGINT; resumable
};

// A place in a text file. Line and column count from 1; 0 means unknown.
struct Place {
  std::string file;
  int line = 0;
  int column = 0;

  // "file:line:column", shortened to what is known.
  std::string ToString() const;
};

struct Diagnostic {
  std::string message;
  std::string hint;
  Place place;

  // "place: error: message\n  hint: ...".
  std::string ToString() const;
};

class Error : public std::exception {
 public:
  Error(ErrorCode code, std::string message, std::string hint = {}, Place place = {});
  // REQUIRES: diagnostics is not empty.
  Error(ErrorCode code, std::vector<Diagnostic> diagnostics);

  ErrorCode code() const { return code_; }
  const std::vector<Diagnostic>& diagnostics() const { return diagnostics_; }

  // Adds what was being done, such as "running learn for 4-6"; outermost last.
  void AddContext(const std::string& doing);

  // All diagnostics and the context, ready to print.
  const char* what() const noexcept override { return text_.c_str(); }

 private:
  void Render();

  ErrorCode code_;
  std::vector<Diagnostic> diagnostics_;
  std::vector<std::string> context_;
  std::string text_;
};

// What a caught exception says.
std::string TextOf(const std::exception_ptr& error);

// Throws an internal Error naming the broken condition.
[[noreturn]] void FailCheck(const char* condition, const char* file, int line, const std::string& message);

}  // namespace flyscribe

// Programmer errors only: a false condition is a bug in flyscribe, never bad input. Always on.
#define FLYSCRIBE_CHECK(condition, message) \
  ((condition) ? static_cast<void>(0) : ::flyscribe::FailCheck(#condition, __FILE__, __LINE__, message))
