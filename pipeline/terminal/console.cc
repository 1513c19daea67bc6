#include "pipeline/terminal/console.h"

#include <fmt/core.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>

#include "core/file.h"
#include "core/text.h"
#include "pipeline/terminal/process.h"

namespace flyscribe {
namespace {

using std::chrono::duration;
using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr milliseconds kRedrawEvery{100};
constexpr seconds kLineEvery{30};
// Room for "evaluate-pixels 13-16" and "train-pixels 13-16 fold-0".
constexpr std::size_t kLabelWidth = 25;

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
  lines_ = {Line{label, {}}};
  Draw(lines_.back(), style_.terminal);
}

void Console::FinishStep(StepState state, double seconds_taken, const std::string& remark) {
  std::string label;
  {
    const std::lock_guard lock(mutex_);
    label = lines_.back().label;
  }
  FinishStep(label, state, seconds_taken, remark);
}

void Console::ShowStep(const std::string& label, const StepCount& count) {
  const std::lock_guard lock(mutex_);
  Line& line = LineOf(label);
  line.count = count;
  Draw(line, false);
}

void Console::FinishStep(const std::string& label, StepState state, double seconds_taken, const std::string& remark) {
  const std::lock_guard lock(mutex_);
  ClearLine();
  std::erase_if(lines_, [&](const Line& line) { return line.label == label; });
  if (lines_.empty()) lines_.emplace_back();
  if (style_.quiet) return;
  const bool ran = state == StepState::kRun;
  const char* colour = ran ? "32" : state == StepState::kFailed ? "31" : "2";
  const std::string name = state == StepState::kUnneeded ? "-" : StateName(state);
  const std::string shown = Colour(style_, colour, fmt::format("{:<4}", name));
  const std::string time = ran ? HumanSeconds(seconds_taken) : "";
  Print(fmt::format("  {:<{}} {} {:>10}  {}", label, kLabelWidth, shown, time, remark));
}

Console::Line& Console::LineOf(const std::string& label) {
  const auto found = std::find_if(lines_.begin(), lines_.end(), [&](const Line& line) { return line.label == label; });
  if (found != lines_.end()) return *found;
  if (lines_.back().label.empty()) lines_.pop_back();
  lines_.push_back({label, {}});
  if (style_.terminal) lines_.back().drawn = {};  // to be drawn at once
  return lines_.back();
}

void Console::Say(const std::string& line) {
  const std::lock_guard lock(mutex_);
  ClearLine();
  if (!style_.quiet) Print(line);
}

void Console::Begin(std::uint64_t total, std::string_view unit) {
  const std::lock_guard lock(mutex_);
  Line& line = lines_.back();
  line.count.total = total;
  line.count.done = 0;
  line.count.unit = unit;
  line.begun = Clock::now();
}

void Console::Advance(std::uint64_t done) {
  const std::lock_guard lock(mutex_);
  lines_.back().count.done += done;
  Draw(lines_.back(), false);
}

void Console::Note(std::string_view remark) {
  const std::lock_guard lock(mutex_);
  lines_.back().count.remark = remark;
  Draw(lines_.back(), false);
}

void Console::Warn(const std::string& message) {
  const std::lock_guard lock(mutex_);
  ClearLine();
  ++warnings_;
  Print(Colour(style_, "33", "warning: ") + message);
}

bool Console::StopRequested() const { return StopSignal() != 0; }

std::string Console::LongText(const Line& line) {
  const StepCount& count = line.count;
  std::string text = fmt::format("  {:<{}}", line.label, kLabelWidth);
  if (count.total > 0) {
    const double elapsed = duration<double>(Clock::now() - line.begun).count();
    const double rate = elapsed > 0.0 ? static_cast<double>(count.done) / elapsed : 0.0;
    text += fmt::format(" {:>3} %  {} of {} {}", 100 * count.done / count.total, count.done, count.total, count.unit);
    if (rate > 0.0) {
      text +=
          fmt::format("  {:.0f}/s  {} left", rate, HumanSeconds(static_cast<double>(count.total - count.done) / rate));
    }
  }
  return count.remark.empty() ? text : text + "  " + count.remark;
}

std::string Console::ShortText(const Line& line) {
  const StepCount& count = line.count;
  return "  " + line.label + (count.total > 0 ? fmt::format(" {} %", 100 * count.done / count.total) : "");
}

void Console::Draw(Line& line, bool force) {
  if (style_.quiet) return;
  const auto now = Clock::now();
  const auto pause = style_.terminal ? Clock::duration(kRedrawEvery) : Clock::duration(kLineEvery);
  if (!force && now - line.drawn < pause) return;
  line.drawn = now;
  if (!style_.terminal) {
    Print(LongText(line));
    return;
  }
  std::string text = lines_.size() == 1 ? LongText(line) : "";
  for (const Line& each : lines_) text += lines_.size() == 1 ? "" : ShortText(each);
  std::size_t fitting = std::min(text.size(), TerminalWidth() - 1);
  // Not within a character.
  while (fitting > 0 && fitting < text.size() && (static_cast<unsigned char>(text[fitting]) & 0xc0) == 0x80) --fitting;
  text.resize(fitting);
  const std::size_t width = text.size();
  text.append(drawn_width_ > width ? drawn_width_ - width : 0, ' ');
  drawn_width_ = width;
  WriteToError("\r" + text);
}

void Console::ClearLine() {
  if (drawn_width_ == 0) return;
  WriteToError("\r" + std::string(drawn_width_, ' ') + "\r");
  drawn_width_ = 0;
}

void Console::Print(const std::string& line) const { WriteToError(line + "\n"); }

}  // namespace flyscribe
