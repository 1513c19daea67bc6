#include "bench/machine.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "core/progress.h"

namespace flyscribe {

#if defined(__x86_64__)
namespace {

constexpr int kChains = 12;  // independent sums: more than the latency of a multiply-add times two a cycle
constexpr int kRounds = 200000;
constexpr int kRepetitions = 20;

volatile float sink = 0.0F;  // what is computed must seem to be used

__attribute__((target("avx2,fma"))) void RunAvx2() {
  __m256 sums[kChains];
  const __m256 x = _mm256_set1_ps(0.999F);
  const __m256 y = _mm256_set1_ps(0.001F);
  for (__m256& sum : sums) sum = y;
  for (int round = 0; round < kRounds; ++round) {
#pragma GCC unroll 12
    for (int i = 0; i < kChains; ++i) sums[i] = _mm256_fmadd_ps(sums[i], x, y);
  }
  for (const __m256& sum : sums) sink = sink + _mm256_cvtss_f32(sum);
}

__attribute__((target("avx512f"))) void RunAvx512() {
  __m512 sums[kChains];
  const __m512 x = _mm512_set1_ps(0.999F);
  const __m512 y = _mm512_set1_ps(0.001F);
  for (__m512& sum : sums) sum = y;
  for (int round = 0; round < kRounds; ++round) {
#pragma GCC unroll 12
    for (int i = 0; i < kChains; ++i) sums[i] = _mm512_fmadd_ps(sums[i], x, y);
  }
  for (const __m512& sum : sums) sink = sink + _mm512_cvtss_f32(sum);
}

double Gflops(void (*run)(), int lanes) {
  double best = 0.0;
  for (int i = 0; i < kRepetitions; ++i) {
    const double start = SecondsNow();
    run();
    best = std::max(best, 2e-9 * kRounds * kChains * lanes / (SecondsNow() - start));
  }
  return best;
}

bool HasAvx512() {
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
         __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq");
}

}  // namespace

std::vector<Peak> MeasurePeaks() {
  std::vector<Peak> peaks;
  if (HasAvx512()) peaks.push_back({"AVX-512", Gflops(RunAvx512, 16)});
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) peaks.push_back({"AVX2", Gflops(RunAvx2, 8)});
  return peaks;
}

std::string BlasCoreType() {
  if (HasAvx512()) return "SkylakeX";
  if (__builtin_cpu_supports("avx2")) return __builtin_cpu_is("amd") ? "Zen" : "Haswell";
  return "Nehalem";
}
#else
std::vector<Peak> MeasurePeaks() { return {}; }
std::string BlasCoreType() { return "ARMV8"; }
#endif

void RestartWithBlasCore(char** argv) {
  for (const char* variable : {"OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"}) setenv(variable, "1", 1);
  const char* set = std::getenv("OPENBLAS_CORETYPE");
  if (set != nullptr && set == BlasCoreType()) return;
  setenv("OPENBLAS_CORETYPE", BlasCoreType().c_str(), 1);
  execv("/proc/self/exe", argv);  // if that fails, OpenBLAS takes what it takes, and the first line of the run says so
}

}  // namespace flyscribe
