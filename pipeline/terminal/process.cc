#include "pipeline/terminal/process.h"

#include <fmt/core.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <thread>
#include <utility>

#include "core/error.h"
#include "core/progress.h"
#include "core/text.h"

namespace flyscribe {
namespace {

std::atomic<int> stop_signal{0};
static_assert(std::atomic<int>::is_always_lock_free, "used in a signal handler");

void OnSignal(int signal) {
  if (stop_signal.exchange(signal) != 0) _exit(128 + signal);
}

}  // namespace

std::string Version() { return FLYSCRIBE_VERSION; }

std::string HostName() {
  std::array<char, 256> name{};
  if (gethostname(name.data(), name.size() - 1) != 0) return "unknown";
  return name.data();
}

std::string DescribeProcess(const std::string& doing) {
  return fmt::format("process {} on {} since {} ({})", getpid(), HostName(), UtcNow(), doing);
}

void CatchStopSignals() {
  struct sigaction action {};
  action.sa_handler = OnSignal;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  // A file grown beyond the user's limit is then a failed write like any other, with a message.
  std::signal(SIGXFSZ, SIG_IGN);
}

int StopSignal() { return stop_signal.load(); }

FileLock WaitForLock(const fs::path& file, const std::string& doing) {
  while (true) {
    if (auto lock = FileLock::TryAcquire(file, DescribeProcess(doing))) return std::move(*lock);
    if (StopSignal() != 0) ThrowInterrupted();
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

int ExitCodeOf(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const Error& caught) {
    if (caught.code() == ErrorCode::kInterrupted && StopSignal() != 0) return 128 + StopSignal();
    return static_cast<int>(caught.code());
  } catch (const fs::filesystem_error&) {
    return static_cast<int>(ErrorCode::kInput);
  } catch (...) {
    return static_cast<int>(ErrorCode::kInternal);
  }
}

}  // namespace flyscribe
