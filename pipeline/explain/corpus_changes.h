// How two imports of a stage range differ, in few words.
#pragma once

#include <string>

#include "data/collection.h"

namespace flyscribe {

// `aspect` is what a key calls it: "images", "labels", "folds" or "bookkeeping". For example "2 added, 1 changed" of
// images, "3 changed in 2 bags" of labels. Empty if nothing differs, or if there is no such aspect.
std::string CorpusChanges(const std::string& aspect, const Collection& before, const Collection& after);

}  // namespace flyscribe
