#include "pipeline/version.h"

namespace flyscribe {

std::string Version() { return FLYSCRIBE_VERSION; }

}  // namespace flyscribe
