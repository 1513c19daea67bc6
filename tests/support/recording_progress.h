// Remembers what it is told, and asks to stop when a test wants it to.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/progress.h"

namespace flyscribe {

class RecordingProgress : public Progress {
 public:
  using Stop = std::function<bool(const RecordingProgress& progress)>;

  RecordingProgress() = default;
  // Asked whenever the work asks whether to stop.
  explicit RecordingProgress(Stop when) : stop(std::move(when)) {}

  void Begin(std::uint64_t count, std::string_view what) override {
    total = count;
    done = 0;
    unit = what;
  }
  void Advance(std::uint64_t more) override { done += more; }
  void Note(std::string_view remark) override { Keep(remark, notes); }
  void Say(const std::string& message) override { Keep(message, said); }
  void Warn(const std::string& message) override { Keep(message, warnings); }
  bool StopRequested() const override { return stop && stop(*this); }

  std::uint64_t total = 0;
  std::string unit;
  std::atomic<std::uint64_t> done = 0;
  std::vector<std::string> notes;
  std::vector<std::string> said;
  std::vector<std::string> warnings;
  Stop stop;

 private:
  void Keep(std::string_view text, std::vector<std::string>& texts) {
    const std::lock_guard lock(mutex_);
    texts.emplace_back(text);
  }

  std::mutex mutex_;
};

inline bool AtOnce(const RecordingProgress& /*progress*/) { return true; }

// Once so many items are done.
inline RecordingProgress::Stop AfterItems(std::uint64_t items) {
  return [items](const RecordingProgress& progress) { return progress.done >= items; };
}

}  // namespace flyscribe
