// Time for people and for measuring. Nothing that is computed may depend on it.
#pragma once

#include <ctime>
#include <string>

namespace flyscribe {

// Seconds of a clock that only goes forward, since some moment in the past.
double SecondsNow();

// "2026-11-16T15:50:45Z".
std::string UtcText(std::time_t time);
std::string UtcNow();

// For people: "just now", "12 min ago", "3 days ago".
std::string HumanAge(std::time_t then, std::time_t now);

}  // namespace flyscribe
