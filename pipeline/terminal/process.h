// This process as others see it: its version, who it is in locks and logs, how it is asked to stop, how it ends.
#pragma once

#include <exception>
#include <string>

#include "core/file_lock.h"
#include "core/fs.h"

namespace flyscribe {

// flyscribe's own version, such as "0.1.0", from CMake.
std::string Version();

std::string HostName();
// "process 4711 on lab-3 since 2026-11-16T15:50:45Z (learn for 4-6)".
std::string DescribeProcess(const std::string& doing);

// SIGINT and SIGTERM ask the program to stop at the next safe place; a second one ends it at once. A full quota
// (SIGXFSZ) becomes a write error.
void CatchStopSignals();
// A mapped input that is cut short while it is read ends the program with a message and the exit code of a bad input,
// as a kill would: nothing more is written, and what was unfinished is cleared away by the next run.
void CatchCutFiles();
// The signal that arrived, or 0. Thread-safe.
int StopSignal();

// Takes the lock as soon as it is free: for what others hold for moments only. Throws Error(kInterrupted) once this
// process is asked to stop.
FileLock WaitForLock(const fs::path& file, const std::string& doing);

// Exit codes that are no errors: there is work to do; done, but some inputs were skipped.
inline constexpr int kExitPending = 2;
inline constexpr int kExitSkipped = 3;
// The exit code an exception leads to.
int ExitCodeOf(const std::exception_ptr& error);

}  // namespace flyscribe
