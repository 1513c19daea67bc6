#include "pipeline/console.h"

#include <fmt/core.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>

#include "core/file.h"
#include "core/text.h"
#include "pipeline/signals.h"

namespace flyscribe {
namespace {

using std::chrono::duration;
using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr milliseconds kRedrawEvery{100};
constexpr seconds kLineEvery{30};

std::size_t TerminalWidth() {
  winsize size{};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return 80;
}

std::string Colour(const ConsoleStyle& style, const char* code, const std::string& text) {
  return style.colour ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : text;
}

}  // namespace

void WriteToError(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

ConsoleStyle DetectConsoleStyle(bool quiet) {
  const char* no_colour = std::getenv("NO_COLOR");  // NOLINT(concurrency-mt-unsafe): before any thread starts
  const bool terminal = isatty(STDERR_FILENO) == 1;
  return {terminal, terminal && (no_colour == nullptr || *no_colour == '\0'), quiet};
}

void PrintResult(const std::string& text) {
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  if (!written) ThrowWriteError("standard output", errno);
}

void Console::StartStep(const std::string& label) {
  const std::lock_guard lock(mutex_);
  label_ = label;
  unit_.clear();
  remark_.clear();
  total_ = done_ = 0;
  begun_ = drawn_ = Clock::now();
  Draw(style_.terminal);
}

void Console::FinishStep(const std::string& state, double seconds_taken, const std::string& remark) {
  const std::lock_guard lock(mutex_);
  ClearLine();
  if (style_.quiet) return;
  const std::string shown = Colour(style_, state == "hit" ? "2" : "32", fmt::format("{:<4}", state));
  const std::string time = state == "hit" ? "" : HumanSeconds(seconds_taken);
  Print(fmt::format("  {:<24} {} {:>10}  {}", label_, shown, time, remark));
}

void Console::Say(const std::string& line) {
  const std::lock_guard lock(mutex_);
  ClearLine();
  if (!style_.quiet) Print(line);
}

void Console::Begin(std::uint64_t total, std::string_view unit) {
  const std::lock_guard lock(mutex_);
  total_ = total;
  done_ = 0;
  unit_ = unit;
  begun_ = Clock::now();
}

void Console::Advance(std::uint64_t done) {
  const std::lock_guard lock(mutex_);
  done_ += done;
  Draw(false);
}

void Console::Note(std::string_view remark) {
  const std::lock_guard lock(mutex_);
  remark_ = remark;
  Draw(false);
}

void Console::Warn(const std::string& message) {
  const std::lock_guard lock(mutex_);
  ClearLine();
  ++warnings_;
  Print(Colour(style_, "33", "warning: ") + message);
}

bool Console::StopRequested() const { return StopSignal() != 0; }

std::string Console::ProgressLine() const {
  std::string line = fmt::format("  {:<24}", label_);
  if (total_ > 0) {
    const double elapsed = duration<double>(Clock::now() - begun_).count();
    const double rate = elapsed > 0.0 ? static_cast<double>(done_) / elapsed : 0.0;
    line += fmt::format(" {:>3} %  {} of {} {}", 100 * done_ / total_, done_, total_, unit_);
    if (rate > 0.0) {
      line += fmt::format("  {:.0f}/s  {} left", rate, HumanSeconds(static_cast<double>(total_ - done_) / rate));
    }
  }
  return remark_.empty() ? line : line + "  " + remark_;
}

void Console::Draw(bool force) {
  if (style_.quiet) return;
  const auto now = Clock::now();
  if (!force && now - drawn_ < (style_.terminal ? Clock::duration(kRedrawEvery) : Clock::duration(kLineEvery))) return;
  drawn_ = now;
  std::string line = ProgressLine();
  if (!style_.terminal) {
    Print(line);
    return;
  }
  line = line.substr(0, TerminalWidth() - 1);
  const std::size_t width = line.size();
  line.append(drawn_width_ > width ? drawn_width_ - width : 0, ' ');
  drawn_width_ = width;
  WriteToError("\r" + line);
}

void Console::ClearLine() {
  if (drawn_width_ == 0) return;
  WriteToError("\r" + std::string(drawn_width_, ' ') + "\r");
  drawn_width_ = 0;
}

void Console::Print(const std::string& line) const { WriteToError(line + "\n"); }

}  // namespace flyscribe
