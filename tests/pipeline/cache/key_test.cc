#include "pipeline/cache/key.h"

#include <gtest/gtest.h>

#include "core/hash.h"
#include "tests/support/expect_error.h"

namespace flyscribe {
namespace {

TEST(ArtifactKey, OneFactALine) {
  ArtifactKey key("learn", 3, "4-6", "fold-0");
  key.AddOptions("learn", "atoms: 500\nlambda: 0.1\n");
  key.AddInput("normalise", "abc");
  key.AddLibrary("openblas kernel", "Zen");
  EXPECT_EQ(key.text(),
            "flyscribe key 1\nstep: learn 3\nrange: 4-6\npart: fold-0\noption learn.atoms: 500\n"
            "option learn.lambda: 0.1\ninput normalise: abc\nlibrary openblas kernel: Zen\n");
  EXPECT_EQ(key.Digest(), Sha256OfText(key.text()));
  EXPECT_EQ(key.Digest().size(), 64U);
}

TEST(ArtifactKey, AFactCannotSmuggleInAnother) {
  ArtifactKey key("learn", 1, "4-6", "all");
  EXPECT_EQ(ExpectError([&] { key.AddInput("x", "1\ninput y: 2"); }).code, ErrorCode::kInternal);
}

}  // namespace
}  // namespace flyscribe
