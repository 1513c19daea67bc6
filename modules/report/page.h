// The frame of every page: head, style, and the policy that forbids it to load anything.
#pragma once

#include <string>

#include "report/html.h"

namespace flyscribe {

// A whole document in UTF-8. `body` is the <body> element.
std::string RenderPage(const std::string& title, const Html& body);

// The same for one of many pages in a folder, which share a style sheet and a script and show pictures beside them.
// `root` leads from the page to the folder that holds style.css and gallery.js: "../". Nothing else can be loaded.
std::string RenderFolderPage(const std::string& title, const Html& body, const std::string& root);

}  // namespace flyscribe
