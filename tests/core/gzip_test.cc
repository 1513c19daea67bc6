#include "core/gzip.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/rng.h"
#include "tests/support/expect_error.h"
#include "tests/support/gzip_text.h"

namespace flyscribe {
namespace {

using testing::HasSubstr;

std::string Noise(std::size_t size) {
  Rng rng(7);
  std::string text;
  for (std::size_t i = 0; i < size; ++i) text += static_cast<char>(rng.Below(256));
  return text;
}

TEST(Gzip, RoundTrip) {
  for (const std::size_t size : {0U, 1U, 1000U, 1U << 18, 700000U}) {
    const std::string text = Noise(size);
    EXPECT_TRUE(IsGzip(GzipText(text)));
    EXPECT_EQ(Gunzip(GzipText(text), 1 << 20, "t.gz"), text) << size;
  }
}

TEST(Gzip, SeveralMembersAreOneText) {
  EXPECT_EQ(Gunzip(GzipText("fly") + GzipText("scribe"), 100, "t.gz"), "flyscribe");
}

TEST(Gzip, PlainTextIsNone) { EXPECT_FALSE(IsGzip("CG1,a")); }

TEST(Gzip, ACutOrFlippedByteIsFound) {
  const std::string packed = GzipText(Noise(2000));
  for (const std::size_t keep : {std::size_t{2}, std::size_t{9}, packed.size() / 2, packed.size() - 1}) {
    EXPECT_THAT(ExpectError([&] { Gunzip(packed.substr(0, keep), 1 << 20, "t.gz"); }).text,
                HasSubstr("t.gz: error: compressed file is cut off or damaged\n  hint: fetch it again"))
        << keep;
  }
  std::string flipped = packed;
  flipped[packed.size() / 2] = static_cast<char>(flipped[packed.size() / 2] ^ 1);
  EXPECT_EQ(ExpectError([&] { Gunzip(flipped, 1 << 20, "t.gz"); }).code, ErrorCode::kInput);
}

// The second part of a text is not lost without a word because its first byte is damaged.
TEST(Gzip, OnlyZerosMayFollow) {
  const std::string packed = GzipText("fly");
  EXPECT_EQ(Gunzip(packed + std::string(512, '\0'), 100, "t.gz"), "fly");
  for (const std::string& rest : {"\x1e" + GzipText("scribe").substr(1),
                                  std::string("\x1f"),
                                  std::string("x"),
                                  std::string(512, '\0') + GzipText("scribe")}) {
    EXPECT_EQ(
        ExpectError([&] { Gunzip(packed + rest, 100, "t.gz"); }).text,
        "t.gz: error: compressed file is cut off or damaged\n  hint: fetch it again; `gunzip --test` tells whether "
        "it is whole");
  }
}

TEST(Gzip, ABombIsRefused) {
  EXPECT_THAT(ExpectError([&] { Gunzip(GzipText(std::string(10'000'000, 'a')), 1 << 20, "bomb.gz"); }).text,
              HasSubstr("bomb.gz: error: compressed file unpacks to more than 1.0 MB"));
}

}  // namespace
}  // namespace flyscribe
