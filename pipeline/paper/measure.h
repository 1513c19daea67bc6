// Makes one measurement, resumably.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/fs.h"
#include "core/matrix.h"
#include "core/progress.h"
#include "pipeline/paper/measurement.h"

namespace flyscribe {

struct MeasureControl {
  std::string simd = "auto";
  // Where an interrupted measurement goes on: after an epoch, if some seconds have passed since the last time, the
  // state of learning and the times so far are written down.
  fs::path checkpoint;
  double checkpoint_seconds = 15.0;
  std::string identity;  // of the problem: a checkpoint of another one is not used
  Progress& progress;
};

// The order in which patches are visited in every epoch, by every method whose learn.patch_order is file.
std::vector<std::size_t> ShuffledOnce(std::vector<std::size_t> rows, std::int64_t seed);

// `patches` are all those of the range. Learning that diverges is a result, other errors are thrown as by Learn.
Measured TakeMeasurement(const Measurement& measurement, FloatView patches, const MeasureControl& control);

}  // namespace flyscribe
