// What the page of a reproduction says before its parts: what was used as data, and how it was measured.
#pragma once

#include <string>
#include <vector>

#include "pipeline/paper/options.h"

namespace flyscribe {

std::vector<std::string> LeadText(const PaperConfig& config);
std::vector<std::string> FairnessText(const PaperConfig& config);
// "smoothing 2.8, stride 16, of real images".
std::string DescriptorsText(const PaperConfig& config);

}  // namespace flyscribe
