// The frame of every page: head, style, and the policy that forbids it to load anything.
#pragma once

#include <string>

#include "report/html.h"

namespace flyscribe {

// A whole document in UTF-8. `body` is the <body> element.
std::string RenderPage(const std::string& title, const Html& body);

}  // namespace flyscribe
