// The style sheets and scripts of all pages: the files of modules/report/assets, embedded by the build.
// Every page is complete without its script.
#pragma once

#include <string>

#include "report/html.h"

namespace flyscribe {

// Inside a report, a sweep's page or a reproduction.
Html PageStyle();
Html PageScript();

// Files that all pages of a gallery share: the page's style with what only galleries have, and the search.
std::string GalleryStyle();
std::string GalleryScript();

}  // namespace flyscribe
