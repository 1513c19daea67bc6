// Which vector instructions this process uses. The choice changes speed, never a byte: kernels are written for a
// virtual vector of 16 floats (one AVX-512 register, two of AVX2, four of NEON, or a loop), with fused multiply-add and
// sums in one stated order.
//
// A fused multiply-add rounds once where a product and a sum round twice. Kernels and the C library's exp, log and pow
// use it, so a processor without it would give other bytes: RequireFusedMultiplyAdd refuses to go on there.
//
// The choice belongs to the process. UseSimd is for the time before work begins; the rest is thread-safe.
#pragma once

#include <string>
#include <vector>

namespace flyscribe {

// What this program holds and this processor runs, best first: "AVX-512", "AVX2", "NEON"; the last one is "plain", the
// same arithmetic in loops.
std::vector<std::string> SimdTargets();

// "auto" stands for the best. Throws Error(kUsage) that lists what there is.
void UseSimd(const std::string& name);
std::string SimdInUse();

// Throws Error(kUsage) if the processor has no fused multiply-add, or the C library was told not to use it
// (GLIBC_TUNABLES).
void RequireFusedMultiplyAdd();

}  // namespace flyscribe
