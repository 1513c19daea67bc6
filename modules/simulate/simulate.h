// A simulated data set in BDGP's shape: synthetic embryos with planted terms, for tests, demos and benchmarks, because
// no BDGP image may be shipped.
//
// Writes, below an existing folder,
//
//   insitu_annot.csv                          one row a label: "CG","symbol","FBgn",stage code,"term"
//   insitu_images.csv                         one row an image, ten columns, naming img_dir_<N/1000>/insitu<N>.jpe
//   images/img_dir_<N/1000>/insitu<N>.bmp     registered embryos, 320x128, 24 bit
//
// or, with options.photographs, for testing how embryos are found in photographs (simulate/photograph.h),
//
//   images/img_dir_<N/1000>/insitu<N>.jpe     photographs of the same embryos, of many sizes
//   poses.tsv                                 one row an image: its id (N), size and true pose
//
// The dumps have no headers, as BDGP's. As with FlyExpress' copies the table names BDGP's .jpe originals while the
// files are .bmp: the number is the key. The tables are written last, so a broken run leaves none.
//
// Determinism: same options and ranges, same bytes, for any number of threads; and a bag of one range is the same
// whichever other ranges are asked for.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "core/fs.h"
#include "core/progress.h"
#include "data/image.h"
#include "data/stage_range.h"
#include "simulate/options.h"

namespace flyscribe {

struct SimulateSummary {
  std::size_t genes = 0;  // with a bag in one of the ranges
  std::size_t bags = 0;   // (gene, range)
  std::size_t images = 0;
  std::size_t labels = 0;  // rows of insitu_annot.csv
};

// Where the data set goes.
struct SimulateOutput {
  fs::path folder;
  // The bytes of a photograph's file: this module knows no JPEG. Called from several threads. Needed only with
  // options.photographs.
  std::function<std::string(const RgbImage&)> encode = {};
};

// threads <= 0 means one per core. Ranges named twice count once. Throws Error(kUsage) for contradicting options or no
// range, Error(kDisk) if the folder cannot be written to.
SimulateSummary Simulate(const SimulateOptions& options,
                         const std::vector<StageRange>& ranges,
                         const SimulateOutput& output,
                         int threads,
                         Progress& progress);

}  // namespace flyscribe
