#include "pipeline/version.h"

#include <gtest/gtest.h>

#include "core/file.h"

namespace flyscribe {
namespace {

TEST(Version, IsTheOneInTheCitationFile) {
  EXPECT_NE(ReadFile(FLYSCRIBE_SOURCE_DIR "/CITATION.cff").find("\nversion: " + Version() + "\n"), std::string::npos);
  EXPECT_NE(ReadFile(FLYSCRIBE_SOURCE_DIR "/CHANGELOG.md").find("## " + Version()), std::string::npos);
}

}  // namespace
}  // namespace flyscribe
