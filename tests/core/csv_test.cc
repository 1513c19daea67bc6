#include "core/csv.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

namespace flyscribe {
namespace {

using Fields = std::vector<std::string>;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<Fields> FieldsOf(const Table& table) {
  std::vector<Fields> rows;
  for (const TableRow& row : table.rows) rows.push_back(row.fields);
  return rows;
}

std::vector<int> LinesOf(const Table& table) {
  std::vector<int> lines;
  for (const TableRow& row : table.rows) lines.push_back(row.line);
  return lines;
}

// "line: reason" of each problem.
std::vector<std::string> ProblemsOf(const Table& table) {
  std::vector<std::string> problems;
  for (const TableProblem& problem : table.problems) {
    problems.push_back(std::to_string(problem.line) + ": " + problem.reason);
  }
  return problems;
}

double SecondsToParse(const std::string& text) {
  const auto start = std::chrono::steady_clock::now();
  ParseTable(text, ',');
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

TEST(ParseTableTest, ReadsAllLineEnds) {
  for (const std::string end : {"\n", "\r\n", "\r"}) {
    const Table table = ParseTable("a,b" + end + "c,d" + end + end + "e,f", ',');
    EXPECT_THAT(FieldsOf(table), ElementsAre(Fields{"a", "b"}, Fields{"c", "d"}, Fields{"e", "f"}));
    EXPECT_THAT(LinesOf(table), ElementsAre(1, 2, 4)) << "the blank line counts but is no row";
    EXPECT_THAT(table.problems, IsEmpty());
  }
}

TEST(ParseTableTest, EmptyTextsHaveNoRows) {
  for (const std::string text : {"", "\n", "\r\n\r\n", "\r\r"}) EXPECT_THAT(ParseTable(text, ',').rows, IsEmpty());
}

TEST(ParseTableTest, KeepsEmptyFieldsAndSpaces) {
  EXPECT_THAT(FieldsOf(ParseTable(",\n, x ,\n \n", ',')),
              ElementsAre(Fields{"", ""}, Fields{"", " x ", ""}, Fields{" "}));
}

TEST(ParseTableTest, ReadsQuotes) {
  const Table table = ParseTable("\"a,b\",\"he said \"\"no\"\"\",\"\"\n\"\"\"\",x\n\"\"\n", ',');
  EXPECT_THAT(FieldsOf(table), ElementsAre(Fields{"a,b", "he said \"no\"", ""}, Fields{"\"", "x"}, Fields{""}));
  EXPECT_THAT(table.problems, IsEmpty());
}

TEST(ParseTableTest, AQuoteInsideAnUnquotedFieldIsText) {
  EXPECT_THAT(FieldsOf(ParseTable("5\" wide,a\"b\"\nnext,row\n", ',')),
              ElementsAre(Fields{"5\" wide", "a\"b\""}, Fields{"next", "row"}));
}

TEST(ParseTableTest, TabsSeparateOnlyIfAsked) {
  EXPECT_THAT(FieldsOf(ParseTable("a,b\tc\n", '\t')), ElementsAre(Fields{"a,b", "c"}));
  EXPECT_THAT(FieldsOf(ParseTable("a,b\tc\n", ',')), ElementsAre(Fields{"a", "b\tc"}));
}

TEST(ParseTableTest, CountsLinesInsideQuotes) {
  for (const std::string end : {"\n", "\r\n", "\r"}) {
    const Table table = ParseTable("\"one" + end + "two" + end + "three\",x" + end + "a,b" + end, ',');
    EXPECT_THAT(FieldsOf(table), ElementsAre(Fields{"one" + end + "two" + end + "three", "x"}, Fields{"a", "b"}));
    EXPECT_THAT(LinesOf(table), ElementsAre(1, 4));
  }
}

TEST(ParseTableTest, AnUnclosedQuoteCostsOneRow) {
  const Table table = ParseTable("a,b\nc,\"d\ne,f\ng,h\n", ',');
  EXPECT_THAT(FieldsOf(table), ElementsAre(Fields{"a", "b"}, Fields{"e", "f"}, Fields{"g", "h"}));
  EXPECT_THAT(LinesOf(table), ElementsAre(1, 3, 4));
  EXPECT_THAT(ProblemsOf(table), ElementsAre("2: quote is never closed"));
}

TEST(ParseTableTest, AnUnclosedQuoteThatMeetsAnotherCostsOneRow) {
  const Table table = ParseTable("a,\"b\r\nc,d\r\n\"e,f\",g\r\nh,i\r\n", ',');
  EXPECT_THAT(FieldsOf(table), ElementsAre(Fields{"c", "d"}, Fields{"e,f", "g"}, Fields{"h", "i"}));
  EXPECT_THAT(LinesOf(table), ElementsAre(2, 3, 4));
  EXPECT_THAT(ProblemsOf(table), ElementsAre("1: text after a closing quote"));
}

TEST(ParseTableTest, ALoneQuoteAtTheEndIsAProblem) {
  EXPECT_THAT(ProblemsOf(ParseTable("a\n\"", ',')), ElementsAre("2: quote is never closed"));
}

TEST(ParseTableTest, TextAfterAClosingQuoteCostsItsRow) {
  const Table table = ParseTable("\"a\"b,c\nd,e\n", ',');
  EXPECT_THAT(FieldsOf(table), ElementsAre(Fields{"d", "e"}));
  EXPECT_THAT(ProblemsOf(table), ElementsAre("1: text after a closing quote"));
}

TEST(ParseTableTest, NulBytesCostTheirRow) {
  const std::string text = std::string("a,b\0c\n", 6) + std::string("\"x\n\0\",y\n", 8) + "d,e\n";
  const Table table = ParseTable(text, ',');
  EXPECT_THAT(ProblemsOf(table), ElementsAre("1: NUL byte", "2: NUL byte", "3: NUL byte"))
      << "the rest of the broken field on line 3 holds the byte too";
  EXPECT_THAT(FieldsOf(table), ElementsAre(Fields{"d", "e"}));
  EXPECT_THAT(LinesOf(table), ElementsAre(4));
}

TEST(ParseTableTest, ARowOverAMebibyteIsAProblem) {
  const std::string longest(std::size_t{1} << 20, 'x');
  EXPECT_THAT(ParseTable(longest + "\na,b\n", ',').problems, IsEmpty());
  const Table table = ParseTable(longest + "y\na,b\n", ',');
  EXPECT_THAT(ProblemsOf(table), ElementsAre("1: row longer than 1 MiB"));
  EXPECT_THAT(FieldsOf(table), ElementsAre(Fields{"a", "b"}));
}

TEST(ParseTableTest, AQuoteOpenForAMebibyteCostsOneRow) {
  std::string text = "\"open\n";
  for (int i = 0; i < 200000; ++i) text += "aaa,bbb\n";
  const Table table = ParseTable(text, ',');
  EXPECT_THAT(ProblemsOf(table), ElementsAre("1: quote is not closed within 1 MiB"));
  ASSERT_EQ(table.rows.size(), 200000U);
  EXPECT_EQ(table.rows.back().line, 200001);
}

TEST(ParseTableTest, StrayQuotesDoNotTakeQuadraticTime) {
  // Every row opens a field that swallows the next rows; read again from each line, this would take an hour.
  std::string text = "\"";
  for (int i = 0; i < 500000; ++i) text += "x\",\"y\n";
  text += "\nlast,row\n";
  EXPECT_LT(SecondsToParse(text), 20.0);
  EXPECT_FALSE(ParseTable(text, ',').problems.empty());
}

TEST(ParseTableTest, LineNumbersStayRightWhenMuchIsSwallowed) {
  std::string text = "\"";
  for (int i = 0; i < 500000; ++i) text += "x\",\"y\n";
  text += "\"\n";  // closes the quote the last of them left open
  for (int i = 0; i < 300000; ++i) text += "good,row\n";
  const Table table = ParseTable(text, ',');
  ASSERT_FALSE(table.rows.empty());
  EXPECT_EQ(table.rows.back().fields, (Fields{"good", "row"}));
  EXPECT_EQ(table.rows.back().line, 800001);
}

TEST(DetectDelimiterTest, LooksAtTheFirstLineThatIsNotEmpty) {
  EXPECT_EQ(DetectDelimiter("a\tb,c\td\n"), '\t');
  EXPECT_EQ(DetectDelimiter("a\tb,c\n"), ',') << "a tie is a comma";
  EXPECT_EQ(DetectDelimiter("\r\n\n a\tb\nc,d,e,f\n"), '\t');
  EXPECT_EQ(DetectDelimiter("a,b\nc\td\te\tf"), ',');
  EXPECT_EQ(DetectDelimiter("a,b\rc\td\te\tf"), ',') << "CR ends a line too";
  EXPECT_EQ(DetectDelimiter(""), ',');
  EXPECT_EQ(DetectDelimiter("\n\r\n"), ',');
  EXPECT_EQ(DetectDelimiter("one"), ',');
}

TEST(TidiedTest, OneBlankBetweenWordsAndNoneAround) {
  EXPECT_EQ(Tidied("  ventral \t nerve\r\ncord "), "ventral nerve cord");
  EXPECT_EQ(Tidied("gap"), "gap");
  EXPECT_EQ(Tidied(" \n"), "");
}

TEST(CsvQuotedTest, ReadsBackAsItWas) {
  const std::vector<Fields> rows = {{"a", "", "\"", "\"\"", ",", "\n", "\r", "\r\n", "x\"y"}, {""}, {"", ""}, {"z"}};
  std::string text;
  for (const Fields& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) text += (i == 0 ? "" : ",") + CsvQuoted(row[i]);
    text += '\n';
  }
  const Table table = ParseTable(text, ',');
  EXPECT_EQ(FieldsOf(table), rows);
  EXPECT_THAT(table.problems, IsEmpty());
}

TEST(ForEachRowTest, InTheOrderOfTheTextUntilToldToStop) {
  std::vector<std::string> seen;
  const auto on_row = [&](const TableRow& row) {
    seen.push_back(std::to_string(row.line) + ": " + row.fields[0]);
    return row.fields[0] != "stop";
  };
  ForEachRow("a,1\n\"x\"y\n\nb,2\nstop\nc,3\n", ',', on_row, [&](const TableProblem& problem) {
    seen.push_back(std::to_string(problem.line) + "! " + problem.reason);
  });
  EXPECT_THAT(seen, ElementsAre("1: a", "2! text after a closing quote", "4: b", "5: stop"));
}

TEST(QuotedTsvRowTest, ReadsBackWhatBeginsWithAQuote) {
  const Fields fields = {"\"x\" y", "a \"quote\" within", "\"", "", "plain"};
  const std::string row = QuotedTsvRow(fields);
  EXPECT_EQ(row, "\"\"\"x\"\" y\"\ta \"quote\" within\t\"\"\"\"\t\tplain\n");
  EXPECT_EQ(FieldsOf(ParseTable(row, '\t')), std::vector<Fields>{fields});
}

TEST(TsvRowTest, TurnsTabsAndLineEndsIntoSpaces) {
  EXPECT_EQ(TsvRow({"a\tb", "c\nd", "e\rf", "g\"h", ""}), "a b\tc d\te f\tg\"h\t\n");
}

}  // namespace
}  // namespace flyscribe
