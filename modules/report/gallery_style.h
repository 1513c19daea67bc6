// The style sheet and the script that all pages of a gallery share, as files of their own.
#pragma once

#include <string>

namespace flyscribe {

// The page's colours and type (style.h), and what only galleries have.
std::string GalleryStyle();
// Search over all bags, whose list is loaded from search/*.js once somebody types. Every page is complete without it.
std::string GalleryScript();

}  // namespace flyscribe
