// Who this process is, for people who look at locks and logs.
#pragma once

#include <string>

namespace flyscribe {

std::string HostName();
// "process 4711 on lab-3 since 2026-11-16T15:50:45Z (learn for 4-6)".
std::string AboutUs(const std::string& doing);

}  // namespace flyscribe
