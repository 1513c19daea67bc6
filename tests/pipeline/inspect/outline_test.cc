#include "pipeline/inspect/outline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "tests/support/expect_error.h"
#include "tests/support/recording_progress.h"
#include "tests/support/temp_folder.h"

namespace flyscribe {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;
using testing::StartsWith;

class OutlineTest : public testing::Test {
 protected:
  TableOutline Table(const std::string& content) const {
    return OutlineTable(folder_.Write("x.tsv", content), NoProgress());
  }
  JsonOutline Json(const std::string& content) const { return OutlineJson(folder_.Write("x.json", content)); }
  std::vector<std::pair<std::string, std::string>> Entries(const std::string& content) const {
    const JsonOutline outline = Json(content);
    EXPECT_EQ(outline.problem, "");
    return outline.entries;
  }

  TempFolder folder_;
};

TEST_F(OutlineTest, Tables) {
  const TableOutline table = Table("term\tpositives\r\n\"a\t1\r\n\n\t\nb\t2");
  EXPECT_EQ(table.problem, "");
  EXPECT_EQ(table.rows, 3U);
  EXPECT_THAT(table.columns, ElementsAre("term", "positives"));
  EXPECT_EQ(Table("only").rows, 0U);
}

TEST_F(OutlineTest, TablesOfManyBlocks) {
  std::string text = "a\tb\n";
  for (int i = 0; i < 200000; ++i) text += std::to_string(i) + "\tx\n";
  EXPECT_EQ(Table(text).rows, 200000U);
}

TEST_F(OutlineTest, TablesThatAreNone) {
  EXPECT_EQ(Table("").problem, "the table is empty: it lacks even a header");
  EXPECT_EQ(Table("\n\r\n").problem, "the table is empty: it lacks even a header");
  EXPECT_THAT(ExpectError([&] { Table(std::string((1 << 20) + 1, 'x')); }).text,
              HasSubstr("no table: the first line has more than 1 MiB"));
  const TableOutline uneven = Table("a\tb\n1\t2\n\n3\n4\t5\t6\n");
  EXPECT_EQ(uneven.problem, "line 4 has another number of fields than the header: 1, not 2");
  EXPECT_EQ(uneven.rows, 3U) << "what there is is still told";
}

TEST_F(OutlineTest, JsonObjects) {
  EXPECT_THAT(Entries(R"({"n": null, "b": true, "i": -3, "u": 18446744073709551615, "f": 0.12345678, "s": "x\ny"})"),
              ElementsAre(Pair("n", "null"),
                          Pair("b", "true"),
                          Pair("i", "-3"),
                          Pair("u", "18446744073709551615"),
                          Pair("f", "0.123457"),
                          Pair("s", "x y")));
  EXPECT_THAT(
      Entries(R"({"e": [], "l": [1, "a", false], "o": {"k": {"deep": [1]}, "m": 2}, "z": 1, "x": {}})"),
      ElementsAre(Pair("e", "[]"), Pair("l", "[1, a, false]"), Pair("o", "{k, m}"), Pair("z", "1"), Pair("x", "{}")));
  EXPECT_THAT(Entries(R"({"l": [1, [2, 3], {"a": 4}], "m": [[]]})"),
              ElementsAre(Pair("l", "list of 3"), Pair("m", "list of 1")));
  EXPECT_THAT(Entries("{\"s\": \"" + std::string(500, 'x') + "\"}"),
              ElementsAre(Pair("s", std::string(72, 'x') + "...")));
  EXPECT_THAT(Entries("{}"), IsEmpty());
}

TEST_F(OutlineTest, LongJson) {
  std::string list = "0";
  std::string object = "\"k0\": 0";
  for (int i = 1; i < 1000; ++i) {
    list += ", " + std::to_string(i);
    object += ", \"k" + std::to_string(i) + "\": [" + std::to_string(i) + "]";
  }
  EXPECT_THAT(Entries("{\"l\": [" + list + "], \"o\": {" + object + "}}"),
              ElementsAre(Pair("l", "list of 1000"), Pair("o", "object of 1000")));
  const JsonOutline facts = Json("{" + object + "}");
  EXPECT_EQ(facts.form, "object");
  EXPECT_EQ(facts.count, 1000U);
  EXPECT_EQ(facts.entries.size(), 100U);
  EXPECT_THAT(facts.entries.back(), Pair("k99", "[99]"));
}

TEST_F(OutlineTest, JsonThatIsNoObject) {
  EXPECT_THAT(Entries("[1, [2], {\"a\": 3}]"), ElementsAre(Pair("", "[1, [2], {a}]")));
  EXPECT_THAT(Entries("\"word\""), ElementsAre(Pair("", "word")));
  EXPECT_EQ(Json("[1, 2]").form, "list");
  EXPECT_EQ(Json("[1, 2]").count, 2U);
  EXPECT_EQ(Json("7").form, "value");
}

TEST_F(OutlineTest, JsonThatCannotBeRead) {
  EXPECT_THAT(Json("{\"a\": [1, 2").problem,
              StartsWith("not readable as JSON: parse error at line 1, column 12: syntax error"));
  EXPECT_THAT(Json("").problem, StartsWith("not readable as JSON: parse error"));
  EXPECT_THAT(Json("1e999").problem, HasSubstr("number overflow"));
  EXPECT_THAT(Json(std::string(2000000, '[')).problem, HasSubstr("unexpected end of input"));
  EXPECT_EQ(Json(std::string(100000, '[') + std::string(100000, ']')).problem, "");
  EXPECT_EQ(Json("{").form, "");
}

TEST_F(OutlineTest, CanBeInterrupted) {
  const fs::path table = folder_.Write("x.tsv", "a\n");
  EXPECT_EQ(ExpectError([&] { OutlineTable(table, RecordingProgress(AtOnce)); }).code, ErrorCode::kInterrupted);
}

}  // namespace
}  // namespace flyscribe
