#include "pipeline/inspect/inspect_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/file.h"
#include "core/hash.h"
#include "pipeline/cache/items.h"
#include "tests/support/expect_error.h"
#include "tests/support/temp_folder.h"

namespace flyscribe {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;
using testing::StartsWith;

class ExplainFileTest : public testing::Test {
 protected:
  FileFacts Explain(const std::string& name) const { return ExplainFile(folder_ / name, name, NoProgress()); }
  FileFacts Explain(const std::string& name, const std::string& content) const {
    folder_.Write(name, content);
    return Explain(name);
  }
  std::vector<std::pair<std::string, std::string>> Entries(const std::string& json) const {
    const FileFacts file = Explain("x.json", json);
    EXPECT_EQ(file.problem, "");
    return std::get<JsonFacts>(file.content).entries;
  }

  TempFolder folder_;
};

TEST_F(ExplainFileTest, Arrays) {
  WriteNpy<float>(folder_ / "x.npy", std::vector<float>{0, 1, 2, 3, 4, 5}, {2, 3});
  const FileFacts file = Explain("x.npy");
  EXPECT_EQ(file.kind, "array");
  EXPECT_EQ(file.bytes, 128U + 24U);
  EXPECT_EQ(file.problem, "");
  const auto& array = std::get<ArrayFacts>(file.content);
  EXPECT_EQ(array.header.ToString(), "<f4 (2, 3)");
  ASSERT_TRUE(array.statistics.has_value());
  EXPECT_EQ(array.statistics->max, Number(5.0));
}

TEST_F(ExplainFileTest, ArraysThatCannotBeRead) {
  const FileFacts file = Explain("x.npy", "\x93NUMPY");
  EXPECT_EQ(file.kind, "array");
  EXPECT_EQ(file.bytes, 6U);
  EXPECT_EQ(file.problem, "not a readable .npy array: truncated header");
  EXPECT_TRUE(std::holds_alternative<std::monostate>(file.content));
}

TEST_F(ExplainFileTest, Tables) {
  const FileFacts file = Explain("x.tsv", "term\tpositives\r\n\"a\t1\r\n\n\t\nb\t2");
  EXPECT_EQ(file.kind, "table");
  EXPECT_EQ(file.problem, "");
  const auto& table = std::get<TableFacts>(file.content);
  EXPECT_EQ(table.rows, 3U);
  EXPECT_THAT(table.columns, ElementsAre("term", "positives"));
  EXPECT_EQ(std::get<TableFacts>(Explain("x.tsv", "only").content).rows, 0U);
}

TEST_F(ExplainFileTest, TablesOfManyBlocks) {
  std::string text = "a\tb\n";
  for (int i = 0; i < 200000; ++i) text += std::to_string(i) + "\tx\n";
  EXPECT_EQ(std::get<TableFacts>(Explain("x.tsv", text).content).rows, 200000U);
}

TEST_F(ExplainFileTest, TablesThatAreNone) {
  EXPECT_EQ(Explain("x.tsv", "").problem, "the table is empty: it lacks even a header");
  EXPECT_EQ(Explain("x.tsv", "\n\r\n").problem, "the table is empty: it lacks even a header");
  EXPECT_EQ(Explain("x.tsv", std::string((1 << 20) + 1, 'x')).problem, "no table: the first line has more than 1 MiB");
  const FileFacts uneven = Explain("x.tsv", "a\tb\n1\t2\n\n3\n4\t5\t6\n");
  EXPECT_EQ(uneven.problem, "line 4 has another number of fields than the header: 1, not 2");
  EXPECT_EQ(std::get<TableFacts>(uneven.content).rows, 3U) << "what there is is still told";
}

TEST_F(ExplainFileTest, JsonObjects) {
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

TEST_F(ExplainFileTest, LongJson) {
  std::string list = "0";
  std::string object = "\"k0\": 0";
  for (int i = 1; i < 1000; ++i) {
    list += ", " + std::to_string(i);
    object += ", \"k" + std::to_string(i) + "\": [" + std::to_string(i) + "]";
  }
  EXPECT_THAT(Entries("{\"l\": [" + list + "], \"o\": {" + object + "}}"),
              ElementsAre(Pair("l", "list of 1000"), Pair("o", "object of 1000")));
  const auto facts = std::get<JsonFacts>(Explain("x.json", "{" + object + "}").content);
  EXPECT_EQ(facts.form, "object");
  EXPECT_EQ(facts.count, 1000U);
  EXPECT_EQ(facts.entries.size(), 100U);
  EXPECT_THAT(facts.entries.back(), Pair("k99", "[99]"));
}

TEST_F(ExplainFileTest, JsonThatIsNoObject) {
  EXPECT_THAT(Entries("[1, [2], {\"a\": 3}]"), ElementsAre(Pair("", "[1, [2], {a}]")));
  EXPECT_THAT(Entries("\"word\""), ElementsAre(Pair("", "word")));
  EXPECT_EQ(std::get<JsonFacts>(Explain("x.json", "[1, 2]").content).form, "list");
  EXPECT_EQ(std::get<JsonFacts>(Explain("x.json", "[1, 2]").content).count, 2U);
  EXPECT_EQ(std::get<JsonFacts>(Explain("x.json", "7").content).form, "value");
}

TEST_F(ExplainFileTest, JsonThatCannotBeRead) {
  EXPECT_THAT(Explain("x.json", "{\"a\": [1, 2").problem,
              StartsWith("not readable as JSON: parse error at line 1, column 12: syntax error"));
  EXPECT_THAT(Explain("x.json", "").problem, StartsWith("not readable as JSON: parse error"));
  EXPECT_THAT(Explain("x.json", "1e999").problem, HasSubstr("number overflow"));
  EXPECT_THAT(Explain("x.json", std::string(2000000, '[')).problem, HasSubstr("unexpected end of input"));
  EXPECT_EQ(Explain("x.json", std::string(100000, '[') + std::string(100000, ']')).problem, "");
  EXPECT_TRUE(std::holds_alternative<std::monostate>(Explain("x.json", "{").content));
}

TEST_F(ExplainFileTest, Items) {
  const ItemCache items(folder_.path(), "extract", "recipe", folder_.path());
  items.Get("input", [] { return std::string("payload"); });
  const fs::path path = items.PathOf("input");
  const FileFacts file = ExplainFile(path, "item", NoProgress());
  EXPECT_EQ(file.kind, "item");
  EXPECT_EQ(file.problem, "");
  const auto& item = std::get<ItemFacts>(file.content);
  EXPECT_EQ(item.step, "extract");
  EXPECT_EQ(item.key, path.filename().string());
  EXPECT_EQ(item.payload_bytes, 7U);
  EXPECT_TRUE(item.intact);

  WriteFile(path, Sha256OfText("payload") + "paylord");
  const FileFacts changed = ExplainFile(path, "item", NoProgress());
  EXPECT_EQ(changed.problem, "the digest does not fit the payload");
  EXPECT_FALSE(std::get<ItemFacts>(changed.content).intact);
  WriteFile(path, "short");
  EXPECT_EQ(ExplainFile(path, "item", NoProgress()).problem, "shorter than the digest it must begin with");
  WriteFile(path, Sha256OfText(""));
  EXPECT_EQ(ExplainFile(path, "item", NoProgress()).problem, "");
}

TEST_F(ExplainFileTest, ItemsOfManyBlocks) {
  const ItemCache items(folder_.path(), "extract", "recipe", folder_.path());
  items.Get("input", [] { return std::string(1000000, 'x'); });
  const FileFacts file = ExplainFile(items.PathOf("input"), "item", NoProgress());
  EXPECT_TRUE(std::get<ItemFacts>(file.content).intact);
  EXPECT_EQ(std::get<ItemFacts>(file.content).payload_bytes, 1000000U);
}

TEST_F(ExplainFileTest, OfOthersOnlySizeAndKind) {
  const std::string key(64, 'a');
  for (const auto& [name, kind] : {std::pair<std::string, std::string>{"a.HTML", "page"},
                                   {"a.bmp", "image"},
                                   {"a.txt", "text"},
                                   {"a.yaml", "config"},
                                   {"a.csv", "table"},
                                   {"a.xyz", "file"},
                                   {"elsewhere/aa/" + key, "file"},
                                   {"items/extract/aa/" + key, "file"},
                                   {"items/extract/" + key + "/ab/" + key, "file"}}) {
    const FileFacts file = Explain(name, "12345");
    EXPECT_EQ(file.kind, kind) << name;
    EXPECT_EQ(file.bytes, 5U);
    EXPECT_EQ(file.problem, "");
    EXPECT_TRUE(std::holds_alternative<std::monostate>(file.content));
  }
}

TEST_F(ExplainFileTest, FilesThatAreGone) {
  EXPECT_EQ(Explain("missing.npy").problem, "cannot be read: No such file or directory");
}

class Stopped : public Progress {
 public:
  bool StopRequested() const override { return true; }
};

TEST_F(ExplainFileTest, CanBeInterrupted) {
  const fs::path table = folder_.Write("x.tsv", "a\n");
  EXPECT_EQ(ExpectError([&] { ExplainFile(table, "x.tsv", Stopped()); }).code, ErrorCode::kInterrupted);
  EXPECT_EQ(ExpectError([&] { DigestOf(table, Stopped()); }).code, ErrorCode::kInterrupted);
}

TEST_F(ExplainFileTest, Digests) { EXPECT_EQ(DigestOf(folder_.Write("a", "abc"), NoProgress()), Sha256OfText("abc")); }

TEST(IsItemGroupTest, WhereTheCachePutsThem) {
  const std::string key(64, 'a');
  EXPECT_TRUE(IsItemGroup("cache/items/extract/" + key));
  EXPECT_FALSE(IsItemGroup("cache/4-6/extract/" + key));
  EXPECT_FALSE(IsItemGroup("cache/items/extract/aa"));
  EXPECT_FALSE(IsItemGroup("cache/items/" + key));
}

}  // namespace
}  // namespace flyscribe
