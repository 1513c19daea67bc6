#include "core/hash.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/support/expect_error.h"
#include "tests/support/temp_folder.h"

namespace flyscribe {
namespace {

// FIPS 180-2, appendix B.
constexpr const char* kOfNothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
constexpr const char* kOfAbc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
constexpr const char* kOfMillionA = "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0";

TEST(Sha256Test, KnownVectors) {
  EXPECT_EQ(Sha256OfText(""), kOfNothing);
  EXPECT_EQ(Sha256OfText("abc"), kOfAbc);
  EXPECT_EQ(Sha256OfText(std::string(1000000, 'a')), kOfMillionA);
}

TEST(Sha256Test, PiecesDoNotMatter) {
  Sha256 hash;
  for (int i = 0; i < 1000; ++i) hash.Update(std::string(1000, 'a'));
  hash.Update("");
  EXPECT_EQ(hash.HexDigest(), kOfMillionA);
}

TEST(Sha256Test, FilesHashAsTheirText) {
  const TempFolder folder;
  EXPECT_EQ(Sha256OfFile(folder.Write("empty", "")), kOfNothing);
  EXPECT_EQ(Sha256OfFile(folder.Write("abc", "abc")), kOfAbc);
  EXPECT_EQ(Sha256OfFile(folder.Write("long", std::string(1000000, 'a'))), kOfMillionA);
}

TEST(Sha256Test, NulBytesCount) { EXPECT_NE(Sha256OfText(std::string("a\0", 2)), Sha256OfText("a")); }

TEST(Sha256Test, AMissingFileIsAnInputError) {
  const TempFolder folder;
  EXPECT_EQ(ExpectError([&] { Sha256OfFile(folder / "missing"); }).code, ErrorCode::kInput);
}

}  // namespace
}  // namespace flyscribe
