#include "core/simd.h"

#include <algorithm>
#include <atomic>
#include <cstddef>

#include "core/error.h"
#include "core/text.h"

#if defined(__x86_64__)
// What the C library (glibc, from 2.33 on) found on the processor, and what of it it may use: registers eax, ebx, ecx
// and edx of a leaf of CPUID. <sys/platform/x86.h> declares it in a way that only g++ compiles. NOLINTBEGIN: the names
// are glibc's
struct cpuid_feature {
  unsigned int present[4];
  unsigned int active[4];
};
extern "C" const cpuid_feature* __x86_get_cpuid_feature_leaf(unsigned int leaf);
// NOLINTEND
#endif

namespace flyscribe {
namespace {

// What Highway's targets of the same names need (hwy/targets.cc).
std::vector<std::string> FindTargets() {
  std::vector<std::string> targets;
#if defined(__x86_64__)
  const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2");
  const bool avx512 = avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
                      __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
                      __builtin_cpu_supports("avx512cd");
  if (avx512) targets.emplace_back("AVX-512");
  if (avx2) targets.emplace_back("AVX2");
#elif defined(__aarch64__)
  targets.emplace_back("NEON");
#endif
  targets.emplace_back("plain");
  return targets;
}

const std::vector<std::string>& Targets() {
  static const std::vector<std::string> targets = FindTargets();
  return targets;
}

std::atomic<std::size_t> in_use = 0;  // its place in Targets()

}  // namespace

std::vector<std::string> SimdTargets() { return Targets(); }

void UseSimd(const std::string& name) {
  const std::vector<std::string>& all = Targets();
  const auto found = name == "auto" ? all.begin() : std::ranges::find(all, name);
  if (found == all.end()) {
    throw Error(
        ErrorCode::kUsage, "this processor has no instruction set '" + name + "'", "it has: auto, " + Join(all, ", "));
  }
  in_use = static_cast<std::size_t>(found - all.begin());
}

std::string SimdInUse() { return Targets()[in_use]; }

void RequireFusedMultiplyAdd() {
#if defined(__x86_64__)
  const bool fma = (__x86_get_cpuid_feature_leaf(0)->active[2] >> 12 & 1U) != 0;  // leaf 1, ecx
  const bool avx2 = (__x86_get_cpuid_feature_leaf(1)->active[1] >> 5 & 1U) != 0;  // leaf 7, ebx
  if (fma && avx2) return;
  const bool has = __builtin_cpu_supports("fma") && __builtin_cpu_supports("avx2");
  throw Error(
      ErrorCode::kUsage,
      has ? "the C library was told not to use this processor's fused multiply-add (FMA), which results depend on"
          : "flyscribe needs a processor with fused multiply-add (FMA and AVX2: Intel since 2013, AMD since 2015)",
      has ? "unset GLIBC_TUNABLES, or leave FMA and AVX2 as they are" : "");
#endif
}

}  // namespace flyscribe
