// A tree of images that names gene and stage range by folders: <gene>/<stage range>/<image>, anywhere below a root.
//
//   otp/4-6/insitu4593.bmp, FBgn0015524/13-17/my_embryo.png
//
// The gene may be an FBgn id, a CG id or a symbol. An image is known by BDGP's number if its name says one (insituN,
// insituN_s, N_s; bare digits do not), else by its path below the root, extension and all. A tree knows neither views
// nor terms. Files that do not lie so are left out, with the reason; so are names that are no plain UTF-8 text.
#pragma once

#include "corpus/image_files.h"
#include "corpus/source_rows.h"

namespace flyscribe {

// Adds one row a file to `rows`, as a table called after the first folder. REQUIRES: numbers of `files` are by
// ExplicitImageNumber. Of several copies of one number, the chosen
// one comes first, so that it is the one that is kept.
void ReadFolderTree(const ImageFiles& files, SourceRows& rows);

}  // namespace flyscribe
