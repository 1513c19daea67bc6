// What the user sees while work goes on: on a terminal one line per step with count, rate and time left; elsewhere a
// line every half minute; nothing but warnings when quiet. All of it on standard error.
#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "core/progress.h"
#include "data/step_state.h"

namespace flyscribe {

// Colour and cursor movement are used only on a terminal; NO_COLOR (any value) switches colour off.
struct ConsoleStyle {
  bool terminal = false;
  bool colour = false;
  bool quiet = false;
};
ConsoleStyle DetectConsoleStyle(bool quiet);

// Writes to standard error as far as it can be: a lost progress line must not end a run.
void WriteToError(const std::string& text);

// Writes a command's result to standard output: all of it, or an Error(kDisk).
void PrintResult(const std::string& text);

// How far a running step is.
struct StepCount {
  std::uint64_t done = 0;
  std::uint64_t total = 0;  // 0: not known
  std::string unit;
  std::string remark;
};

class Console : public Progress {
 public:
  explicit Console(ConsoleStyle style) : style_(style) {}
  ~Console() override { ClearLine(); }

  // Names the step that reports from now on: "learn 4-6".
  void StartStep(const std::string& label);
  // Replaces the running line by a lasting one: "learn 4-6   run   3.2 s   objective 0.137".
  void FinishStep(StepState state, double seconds, const std::string& remark);
  // The same for one of several steps that run at a time: the line that tells how far it is, and the lasting one.
  void ShowStep(const std::string& label, const StepCount& count);
  void FinishStep(const std::string& label, StepState state, double seconds, const std::string& remark);
  // A lasting line of its own.
  void Say(const std::string& line) override;

  void Begin(std::uint64_t total, std::string_view unit) override;
  void Advance(std::uint64_t done) override;
  void Note(std::string_view remark) override;
  void Warn(const std::string& message) override;
  bool StopRequested() const override;

  std::size_t warnings() const { return warnings_; }

 private:
  using Clock = std::chrono::steady_clock;

  // A step that is running.
  struct Line {
    std::string label;
    StepCount count;
    Clock::time_point begun = Clock::now();
    Clock::time_point drawn = Clock::now();
  };

  // All that follow: REQUIRES mutex_ held.
  Line& LineOf(const std::string& label);
  static std::string LongText(const Line& line);
  static std::string ShortText(const Line& line);
  void Draw(Line& line, bool force);
  void ClearLine();
  void Print(const std::string& line) const;

  ConsoleStyle style_;
  mutable std::mutex mutex_;
  std::vector<Line> lines_ = {Line()};  // the last is the current one
  std::size_t drawn_width_ = 0;
  std::size_t warnings_ = 0;
};

}  // namespace flyscribe
