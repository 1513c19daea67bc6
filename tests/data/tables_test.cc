#include "data/tables.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/file.h"
#include "tests/support/corrupt_text.h"
#include "tests/support/expect_error.h"
#include "tests/support/temp_folder.h"

namespace flyscribe {
namespace {

using Rows = std::vector<std::vector<std::string>>;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

class TablesTest : public ::testing::Test {
 protected:
  Rows Load(const std::string& text) const { return LoadTsv(folder_.Write("t.tsv", text), {"a", "b"}); }
  std::string Complaint(const std::string& text) const {
    const CaughtError error = ExpectError([&] { Load(text); });
    EXPECT_EQ(error.code, ErrorCode::kCorrupt);
    return error.text;
  }
  // What the complaint must be for `line`.
  std::string At(int line, const std::string& message) const {
    return CorruptText(path_.string() + ":" + std::to_string(line), message);
  }

  TempFolder folder_;
  fs::path path_ = folder_ / "t.tsv";
};

TEST_F(TablesTest, WritesTheBytes) {
  SaveTsv(path_, {"a", "b"}, {{"1", "\"x\""}, {"", "tab\there"}});
  EXPECT_EQ(ReadFile(path_), "a\tb\n1\t\"x\"\n\ttab here\n");
}

TEST_F(TablesTest, RoundTrips) {
  const Rows rows = {{"1", "\"open quote"}, {"", ""}, {" spaces ", "m\xc3\xa4rz"}, {"a", "b"}};
  SaveTsv(path_, {"a", "b"}, rows);
  EXPECT_EQ(LoadTsv(path_, {"a", "b"}), rows) << "a row like the header is a row";
  SaveTsv(path_, {"a", "b"}, {});
  EXPECT_THAT(LoadTsv(path_, {"a", "b"}), IsEmpty());
}

TEST_F(TablesTest, ReadsWhatEditorsLeave) {
  const Rows expected = {{"1", "2"}, {"3", ""}};
  EXPECT_EQ(Load("a\tb\n1\t2\n3\t"), expected) << "no line end at the end";
  EXPECT_EQ(Load("a\tb\r\n1\t2\r\n3\t\r\n"), expected) << "CRLF";
  EXPECT_EQ(Load("\na\tb\n\n1\t2\n3\t\n\n"), expected) << "blank lines";
  EXPECT_THAT(Load("a\tb"), IsEmpty());
}

TEST_F(TablesTest, Complains) {
  EXPECT_EQ(Complaint(""), At(1, "empty table"));
  EXPECT_EQ(Complaint("\n\n"), At(1, "empty table"));
  EXPECT_EQ(Complaint("b\ta\n1\t2\n"), At(1, "expected the columns a, b"));
  EXPECT_EQ(Complaint("a\tb\tc\n"), At(1, "expected the columns a, b"));
  EXPECT_EQ(Complaint("\n1\t2\n"), At(2, "expected the columns a, b"));
  EXPECT_EQ(Complaint("a\tb\n1\t2\n\n3\n"), At(4, "expected 2 fields, found 1"));
  EXPECT_EQ(Complaint("a\tb\n1\t2\t3\n"), At(2, "expected 2 fields, found 3"));
}

TEST_F(TablesTest, AMissingFileIsAnInputError) {
  EXPECT_EQ(ExpectError([&] { LoadTsv(folder_ / "no.tsv", {"a"}); }).code, ErrorCode::kInput);
}

TEST_F(TablesTest, Fields) {
  EXPECT_EQ(IntegerField("-12", path_), -12);
  EXPECT_EQ(CountField("0", path_), 0U);
  EXPECT_EQ(CountField("7", path_, 7), 7U);
  EXPECT_EQ(RealField("1e-05", path_), 1e-5);
  const auto complaint = [](auto&& body) {
    const CaughtError error = ExpectError(body);
    EXPECT_EQ(error.code, ErrorCode::kCorrupt);
    return error.text;
  };
  EXPECT_EQ(complaint([&] { IntegerField("1.5", path_); }), CorruptText(path_, "expected an integer, found '1.5'"));
  EXPECT_EQ(complaint([&] { IntegerField("", path_); }), CorruptText(path_, "expected an integer, found ''"));
  EXPECT_EQ(complaint([&] { CountField("x", path_); }), CorruptText(path_, "expected an integer, found 'x'"));
  EXPECT_EQ(complaint([&] { CountField("-1", path_); }), CorruptText(path_, "the number -1 is out of range"));
  EXPECT_EQ(complaint([&] { CountField("8", path_, 7); }), CorruptText(path_, "the number 8 is out of range"));
  EXPECT_EQ(complaint([&] { RealField("nan", path_); }), CorruptText(path_, "expected a number, found 'nan'"));
}

TEST_F(TablesTest, JsonIsUtf8WhateverNamesHold) {
  const nlohmann::ordered_json json = {{"b", "caf\xe9"}, {"a", {1}}};
  EXPECT_EQ(JsonText(json), "{\"b\":\"caf\xef\xbf\xbd\",\"a\":[1]}");
  EXPECT_EQ(JsonLines(json), "{\n  \"b\": \"caf\xef\xbf\xbd\",\n  \"a\": [\n    1\n  ]\n}\n");
  EXPECT_EQ(JsonLines(json.at("a"), 1), "[\n 1\n]\n");
}

}  // namespace
}  // namespace flyscribe
