// The kernels without vector instructions. Internal to modules/sparse: ask KernelsFor("plain").
#pragma once

#include "sparse/kernels.h"

namespace flyscribe {

const Kernels& PlainKernels();

}  // namespace flyscribe
