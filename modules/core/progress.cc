#include "core/progress.h"

#include <chrono>

#include "core/error.h"

namespace flyscribe {

void Progress::Begin(std::uint64_t /*total*/, std::string_view /*unit*/) {}
void Progress::Advance(std::uint64_t /*done*/) {}
void Progress::Note(std::string_view /*remark*/) {}
void Progress::Say(const std::string& /*message*/) {}
void Progress::Warn(const std::string& /*message*/) {}
bool Progress::StopRequested() const { return false; }

void Progress::ThrowIfStopped() const {
  if (StopRequested()) ThrowInterrupted();
}

void ThrowInterrupted() { throw Error(ErrorCode::kInterrupted, "interrupted", "run the same command again to go on"); }

Progress& NoProgress() {
  static Progress silent;
  return silent;
}

double SecondsNow() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace flyscribe
