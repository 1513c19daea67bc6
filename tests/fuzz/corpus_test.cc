// The checked-in bytes of every fuzz target, in every build: what once broke a reader stays mended.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/file.h"
#include "tests/fuzz/promise.h"
#include "tests/fuzz/targets.h"

namespace flyscribe {
namespace {

std::vector<fs::path> CorpusOf(const std::string& target) {
  return EntriesOf(fs::path(FLYSCRIBE_SOURCE_DIR "/tests/fuzz/corpus") / target);
}

class FuzzCorpusTest : public testing::TestWithParam<FuzzTarget> {};

TEST_P(FuzzCorpusTest, KeepsItsPromises) {
  const std::vector<fs::path> files = CorpusOf(GetParam().name);
  ASSERT_GE(files.size(), 3U) << "a target needs some bytes to begin with";
  for (const fs::path& file : files) {
    EXPECT_NO_THROW(GetParam().run(ReadFile(file))) << file.string();
  }
}

// Every beginning of every file, which is how downloads end.
TEST_P(FuzzCorpusTest, KeepsItsPromisesWhenCutOff) {
  constexpr std::size_t kSteps = 64;
  for (const fs::path& file : CorpusOf(GetParam().name)) {
    const std::string bytes = ReadFile(file);
    for (std::size_t length = 0; length < bytes.size(); length += bytes.size() / kSteps + 1) {
      ASSERT_NO_THROW(GetParam().run(std::string_view(bytes).substr(0, length)))
          << file.string() << " cut to " << length << " bytes";
    }
  }
}

std::string NameOf(const testing::TestParamInfo<FuzzTarget>& target) { return target.param.name; }

INSTANTIATE_TEST_SUITE_P(All, FuzzCorpusTest, testing::ValuesIn(FuzzTargets()), NameOf);

TEST(FuzzTargetsTest, EveryFolderOfTheCorpusHasATarget) {
  std::vector<std::string> folders;
  for (const fs::path& folder : EntriesOf(FLYSCRIBE_SOURCE_DIR "/tests/fuzz/corpus")) {
    folders.push_back(folder.filename().string());
  }
  std::vector<std::string> names;
  for (const FuzzTarget& target : FuzzTargets()) names.push_back(target.name);
  EXPECT_THAT(folders, testing::UnorderedElementsAreArray(names));
}

TEST(PromiseTest, OnlyBadInputIsAFairRefusal) {
  const auto refused = [](ErrorCode code, const std::string& text) {
    return !TryRead([&]() -> int { throw Error(code, text); });
  };
  EXPECT_EQ(TryRead([] { return 7; }), 7);
  EXPECT_TRUE(refused(ErrorCode::kInput, "no"));
  EXPECT_TRUE(refused(ErrorCode::kCorrupt, "no"));
  EXPECT_THROW(refused(ErrorCode::kInternal, "a bug"), BrokenPromise);
  EXPECT_THROW(refused(ErrorCode::kInput, "\x1b[2J"), BrokenPromise);
  EXPECT_THROW(refused(ErrorCode::kInput, std::string(5000, 'x')), BrokenPromise);
  EXPECT_THROW(Promise(false, "a bug"), BrokenPromise);
}

}  // namespace
}  // namespace flyscribe
