// On processors with fused multiply-add every artifact has the same bytes, whichever vector instructions are used, by
// this program, by OpenCV or by the C library, and however many threads work.
#include "core/simd.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "tests/integration/artifact_bytes.h"
#include "tests/support/program.h"
#include "tests/support/temp_folder.h"

namespace flyscribe {
namespace {

using Bytes = std::map<std::string, std::string>;

class SameBytesTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = std::make_unique<TempFolder>();
    folder_->Write("photographs.yaml",
                   "ranges: [4-6]\nsimulate: {genes: 16, images_max: 1, seed: 7, photographs: true}\n"
                   "extract: {stride: 32}\nlearn: {atoms: 24, epochs: 2}\ntrain: {min_positives: 3}\n"
                   "protocol: {pixel_baseline: true}\nreport: {examples: 2}\n");
    usual_ = BytesWith({"--threads", "2"}, {});
    ASSERT_GT(usual_.size(), 50U);
  }
  static void TearDownTestSuite() { folder_.reset(); }

  // From photographs to report, by every learner, in a cache of its own.
  static Bytes BytesWith(const std::vector<std::string>& settings, const std::vector<std::string>& environment) {
    const std::string cache = "cache" + std::to_string(runs_++);
    std::vector<std::string> arguments = {
        "run", "photographs.yaml", "--quiet", "--sweep", "learn.method=scc,scc-minibatch,online"};
    for (const std::string& setting : {"cache.dir=" + cache, "output=output-" + cache}) {
      arguments.insert(arguments.end(), {"--set", setting});
    }
    arguments.insert(arguments.end(), settings.begin(), settings.end());
    const ProgramResult run = RunBinary(FLYSCRIBE_BINARY, arguments, folder_->path(), environment);
    EXPECT_EQ(run.exit_code, 0) << run.err;
    return ArtifactBytes(*folder_ / cache);
  }

  // The files whose bytes are not the usual ones, those that only one side has included.
  static std::vector<std::string> Differing(const Bytes& bytes) {
    std::vector<std::string> names;
    for (const auto& [name, digest] : bytes) {
      const auto usual = usual_.find(name);
      if (usual == usual_.end() || usual->second != digest) names.push_back(name);
    }
    for (const auto& [name, digest] : usual_) {
      if (!bytes.contains(name)) names.push_back(name);
    }
    return names;
  }

 private:
  static inline std::unique_ptr<TempFolder> folder_;
  static inline Bytes usual_;
  static inline int runs_ = 0;
};

TEST_F(SameBytesTest, OnEveryInstructionSet) {
  for (const std::string& set : SimdTargets()) {
    if (set == SimdInUse()) continue;  // the usual one
    EXPECT_THAT(Differing(BytesWith({"--set", "simd=" + set}, {})), testing::IsEmpty()) << set;
  }
}

TEST_F(SameBytesTest, WhateverOpenCvUses) {
  for (const std::string without :
       {"AVX512-SKX", "AVX512-SKX,AVX2,FMA3", "AVX512-SKX,AVX2,FMA3,AVX,FP16,SSE4.2,SSE4.1,SSSE3"}) {
    EXPECT_THAT(Differing(BytesWith({}, {"OPENCV_CPU_DISABLE=" + without})), testing::IsEmpty()) << without;
  }
}

TEST_F(SameBytesTest, WhateverTheCLibraryUses) {
#if !defined(__x86_64__)
  GTEST_SKIP() << "there is one way only";
#endif
  for (const std::string without : {"-AVX512F,-AVX512VL,-AVX512BW", "-ERMS,-FSRM", "-BMI2,-AVX512F,-ERMS"}) {
    const std::string tunables = "GLIBC_TUNABLES=glibc.cpu.hwcaps=" + without;
    EXPECT_THAT(Differing(BytesWith({}, {tunables})), testing::IsEmpty()) << without;
  }
}

TEST_F(SameBytesTest, WithAnyNumberOfThreads) {
  for (const std::string threads : {"1", "3"}) {
    EXPECT_THAT(Differing(BytesWith({"--threads", threads, "--jobs", threads}, {})), testing::IsEmpty()) << threads;
  }
}

}  // namespace
}  // namespace flyscribe
