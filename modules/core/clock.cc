#include "core/clock.h"

#include <array>
#include <chrono>

namespace flyscribe {
namespace {

std::string Ago(std::time_t count, const char* unit, const char* units) {
  return std::to_string(count) + " " + (count == 1 ? unit : units) + " ago";
}

}  // namespace

double SecondsNow() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::string UtcText(std::time_t time) {
  std::tm parts{};
  gmtime_r(&time, &parts);
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text.data();
}

std::string UtcNow() { return UtcText(std::time(nullptr)); }

std::string HumanAge(std::time_t then, std::time_t now) {
  constexpr std::time_t kMinute = 60;
  constexpr std::time_t kHour = 60 * kMinute;
  constexpr std::time_t kDay = 24 * kHour;
  const std::time_t age = now - then;
  if (age < kMinute) return "just now";
  if (age < kHour) return Ago(age / kMinute, "min", "min");
  if (age < kDay) return Ago(age / kHour, "hour", "hours");
  return Ago(age / kDay, "day", "days");
}

}  // namespace flyscribe
