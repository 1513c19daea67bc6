// How two imports of a stage range differ, in few words.
#pragma once

#include <string>

#include "data/collection.h"

namespace flyscribe {

// `aspect` is what a key calls it:
//   images       "1 image added, 2 images changed, 1 image in another bag"
//   labels       "3 labels changed in 2 bags"
//   folds        "2 bags in another fold"
//   terms        "1 term with another FBbt id"
//   bookkeeping  "1 bag renamed, 1 file moved, 1 skipped input added"
// Bags come and go with their images, so only "images" tells of it; the others compare what both have. Empty if nothing
// differs in this sense, or if there is no such aspect.
std::string CorpusChanges(const std::string& aspect, const Collection& before, const Collection& after);

}  // namespace flyscribe
