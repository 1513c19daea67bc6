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
#include "core/file.h"
#include "core/progress.h"
#include "core/text.h"

namespace flyscribe {
namespace {

std::atomic<int> stop_signal{0};
static_assert(std::atomic<int>::is_always_lock_free, "used in a signal handler");

void OnSignal(int signal) {
  if (stop_signal.exchange(signal) != 0) _exit(128 + signal);
}

// The thread that reads a page that is gone is stopped in the midst of plain arithmetic, so that ordinary code may run.
void OnLostPage(int signal, siginfo_t* info, void* /*context*/) {
  const fs::path path = info->si_code == BUS_ADRERR ? MappedFileAt(info->si_addr) : fs::path();
  if (path.empty()) {
    std::signal(signal, SIG_DFL);  // not ours: what raised it raises it again
    return;
  }
  static std::atomic<bool> told{false};
  while (told.exchange(true)) pause();  // another thread was first, and is about to end the process
  const std::string text = "\n" + std::string(CutShort(path).what()) + "\n";
  const bool written = write(STDERR_FILENO, text.data(), text.size()) > 0;
  _exit(static_cast<int>(written ? ErrorCode::kInput : ErrorCode::kDisk));
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

void CatchCutFiles() {
  struct sigaction action {};
  action.sa_sigaction = OnLostPage;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGBUS, &action, nullptr);
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
