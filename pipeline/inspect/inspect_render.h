// An inspection in words for people, or as JSON for programs.
//
// What comes from files is made safe for a terminal; in JSON it is as it was, with what is no UTF-8 replaced. The JSON
// has "format": 1; fields may be added to it, none are renamed or removed without another number. Numbers that JSON
// cannot write (NaN) are null.
#pragma once

#include <string>

#include "pipeline/inspect/inspect.h"

namespace flyscribe {

std::string InspectionText(const Inspection& inspection);
std::string InspectionJson(const Inspection& inspection);

}  // namespace flyscribe
