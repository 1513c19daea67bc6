// What can be chosen about pooling (pool.h). Apart, so that the configuration does not include the pooling.
#pragma once

#include <string>
#include <vector>

#include "core/options.h"

namespace flyscribe {

enum class PoolWeight { kPlain, kStain };
enum class PoolMethod { kMax, kAverage, kRoot };
enum class PoolSigns { kSigned, kAbsolute, kApart };
enum class PoolNormalise { kNone, kL2, kRoot };

struct PoolOptions {
  // Which codes are pooled is for the caller to obey: Pool takes those it is given.
  enum class Codes { kEncoded, kLearned };

  Codes codes = Codes::kEncoded;
  std::vector<std::string> regions = {"1x1"};
  double softness = 0.0;
  PoolWeight weight = PoolWeight::kPlain;
  PoolMethod method = PoolMethod::kMax;
  PoolSigns signs = PoolSigns::kAbsolute;
  PoolNormalise normalise = PoolNormalise::kL2;
  double stain_map = 0.0;

  void Fields(OptionsVisitor& visit);
};

}  // namespace flyscribe
