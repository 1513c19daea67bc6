// The page's style sheet and its few lines of script.
//
// Colours are those of Okabe and Ito (2008), which colour-blind readers can tell apart; no meaning is in colour alone.
#pragma once

#include "report/html.h"

namespace flyscribe {

Html PageStyle();
// Sorting by a table's headers and singling out a series. The page is complete without it.
Html PageScript();

}  // namespace flyscribe
