#include "pipeline/corpus/standardise_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/hash.h"
#include "data/image.h"
#include "tests/support/expect_error.h"
#include "tests/support/temp_folder.h"

namespace flyscribe {
namespace {

using testing::HasSubstr;

class StandardiseFileTest : public testing::Test {
 protected:
  std::variant<Standardised, Error> Read(const std::string& digest, std::uint64_t limit) const {
    return StandardiseFile(file_, digest, StandardiseOptions(), limit);
  }
  static std::string Reason(const std::variant<Standardised, Error>& said) {
    return std::holds_alternative<Error>(said) ? std::get<Error>(said).diagnostics().front().message : "";
  }

  const std::string bytes_ = EncodeBmp(RgbImage(kEmbryoWidth, kEmbryoHeight, 200));
  const std::string digest_ = Sha256OfText(bytes_);
  TempFolder folder_;
  fs::path file_ = folder_.Write("a.bmp", bytes_);
};

TEST_F(StandardiseFileTest, AnImage) {
  EXPECT_EQ(Reason(Read(digest_, bytes_.size())), "");
  EXPECT_EQ(std::get<Standardised>(Read(digest_, bytes_.size())).image.pixels.size(),
            static_cast<std::size_t>(kEmbryoWidth * kEmbryoHeight));
}

TEST_F(StandardiseFileTest, WhatCannotBeUsedIsAnAnswer) {
  EXPECT_EQ(Reason(Read(digest_, 50000)), "image file is over the limit of 50.0 kB");
  folder_.Write("a.bmp", "no picture");
  EXPECT_NE(Reason(Read(Sha256OfText("no picture"), 1000)), "");
}

TEST_F(StandardiseFileTest, AFileThatChangedOrIsGoneIsNone) {
  const std::string other = Sha256OfText("as it was");
  EXPECT_THAT(ExpectError([&] { Read(other, bytes_.size()); }).text, HasSubstr("the file changed during the run"));
  EXPECT_THAT(ExpectError([&] { Read(other, 100); }).text, HasSubstr("the file changed during the run"))
      << "also if it has grown over the limit";
  fs::remove(file_);
  EXPECT_EQ(ExpectError([&] { Read(digest_, 100); }).code, ErrorCode::kInput);
}

}  // namespace
}  // namespace flyscribe
