// SIGINT and SIGTERM ask the program to stop at the next safe place; a second one ends it at once. A full quota
// (SIGXFSZ) becomes a write error.
#pragma once

namespace flyscribe {

void CatchStopSignals();
// The signal that arrived, or 0. Thread-safe.
int StopSignal();

}  // namespace flyscribe
