#include "pipeline/signals.h"

#include <unistd.h>

#include <atomic>
#include <csignal>

namespace flyscribe {
namespace {

std::atomic<int> stop_signal{0};
static_assert(std::atomic<int>::is_always_lock_free, "used in a signal handler");

void OnSignal(int signal) {
  if (stop_signal.exchange(signal) != 0) _exit(128 + signal);
}

}  // namespace

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

}  // namespace flyscribe
