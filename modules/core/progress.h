// What a long computation tells about itself, the clock it is measured by, and how it learns that it should stop.
//
// Modules never print: they call a Progress they are given. The application shows it as a line on a terminal, as a
// line every half minute elsewhere, or not at all.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace flyscribe {

class Progress {
 public:
  virtual ~Progress() = default;

  // Starts a count of `total` items ("images", "patches"). A later Begin replaces it.
  virtual void Begin(std::uint64_t total, std::string_view unit);
  // Reports `done` more items. Thread-safe.
  virtual void Advance(std::uint64_t done = 1);
  // A short remark shown beside the count, such as "objective 0.137". Thread-safe.
  virtual void Note(std::string_view remark);
  // Something worth a line of its own. Thread-safe.
  virtual void Say(const std::string& message);
  // Something the user should know that does not stop the work. Thread-safe.
  virtual void Warn(const std::string& message);
  // True once the user asked to stop. Thread-safe.
  virtual bool StopRequested() const;

  // Throws Error(kInterrupted) once the user asked to stop. Call it between items.
  void ThrowIfStopped() const;
};

// The Error(kInterrupted) of work that was asked to stop.
[[noreturn]] void ThrowInterrupted();

// Does nothing; for tests and for callers who do not care.
Progress& NoProgress();

// Seconds of a clock that only goes forward, since some moment in the past. Nothing that is computed may depend on it.
double SecondsNow();

}  // namespace flyscribe
