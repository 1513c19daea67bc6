#include "pipeline/corpus/ontology_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/expect_error.h"
#include "tests/support/temp_folder.h"

namespace flyscribe {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

class OntologyFilesTest : public ::testing::Test {
 protected:
  std::string Write(const std::string& name, const std::string& text) {
    folder_.Write(name, text);
    return (folder_ / name).string();
  }

  TempFolder folder_;
  std::vector<std::string> warnings_;
};

TEST_F(OntologyFilesTest, WithoutFilesTheShippedMapAndNoAnatomy) {
  EXPECT_EQ(ReadTermMap("", warnings_).Terms(), TermMap::Shipped().Terms());
  EXPECT_FALSE(ReadAnatomy("", warnings_).has_value());
  EXPECT_THAT(warnings_, IsEmpty());
}

TEST_F(OntologyFilesTest, TellsTheFirstProblemsAndCountsTheRest) {
  std::string rows = "subject_label\tpredicate_id\tobject_id\ngut\tskos:closeMatch\tX:1\n";
  std::string lines = "[Term]\nid: X:1\n";
  for (std::size_t i = 0; i < OntologyWarnings::kKept + 5; ++i) {
    rows += "\tskos:closeMatch\tX:2\n";
    lines += "neither tag nor stanza\n";
  }
  const std::string map = Write("map.tsv", rows);
  EXPECT_EQ(ReadTermMap(map, warnings_).Terms().size(), 1U);
  ASSERT_EQ(warnings_.size(), OntologyWarnings::kKept + 1);
  EXPECT_THAT(warnings_.front(), HasSubstr(map + ":3: "));
  EXPECT_EQ(warnings_.back(), map + ": 5 more");
  warnings_.clear();
  const std::string obo = Write("a.obo", lines);
  EXPECT_TRUE(ReadAnatomy(obo, warnings_).has_value());
  ASSERT_EQ(warnings_.size(), OntologyWarnings::kKept + 1);
  EXPECT_THAT(warnings_.front(), HasSubstr(obo + ":3: "));
  EXPECT_EQ(warnings_.back(), obo + ": 5 more");
}

TEST_F(OntologyFilesTest, AMissingFileIsAnInputError) {
  const std::string none = (folder_ / "none").string();
  EXPECT_EQ(ExpectError([&] { ReadTermMap(none, warnings_); }).code, ErrorCode::kInput);
  EXPECT_EQ(ExpectError([&] { ReadAnatomy(none, warnings_); }).code, ErrorCode::kInput);
}

}  // namespace
}  // namespace flyscribe
