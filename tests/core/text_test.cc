#include "core/text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "core/rng.h"

namespace flyscribe {
namespace {

using ::testing::ElementsAre;
using Words = std::vector<std::string>;

TEST(TextTest, Trim) {
  EXPECT_EQ(Trim(" \t a b\r\n\v\f"), "a b");
  EXPECT_EQ(Trim("a"), "a");
  EXPECT_EQ(Trim(" \n "), "");
  EXPECT_EQ(Trim(""), "");
}

TEST(TextTest, SplitAndJoin) {
  EXPECT_THAT(Split("a,,b,", ','), ElementsAre("a", "", "b", ""));
  EXPECT_THAT(Split("", ','), ElementsAre(""));
  EXPECT_THAT(Split("abc", ','), ElementsAre("abc"));
  EXPECT_EQ(Join(Words{"a", "", "b"}, ", "), "a, , b");
  EXPECT_EQ(Join(Words{"a"}, ", "), "a");
  EXPECT_EQ(Join(Words{}, ", "), "");
}

TEST(TextTest, ToLowerIsAsciiOnly) { EXPECT_EQ(ToLower("AbZ[@\xc3\x84`"), "abz[@\xc3\x84`"); }

TEST(ParseIntegerTest, DecimalAndWhole) {
  EXPECT_EQ(ParseInteger("010"), 10);
  EXPECT_EQ(ParseInteger("-7"), -7);
  EXPECT_EQ(ParseInteger("0"), 0);
  EXPECT_EQ(ParseInteger("9223372036854775807"), std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(ParseInteger("-9223372036854775808"), std::numeric_limits<std::int64_t>::min());
  for (const std::string text :
       {"", "-", "+5", " 5", "5 ", "1.5", "0x10", "1e3", "five", "9223372036854775808", "1_0"}) {
    EXPECT_EQ(ParseInteger(text), std::nullopt) << "'" << text << "'";
  }
  EXPECT_EQ(ParseInteger(std::string_view("5\0", 2)), std::nullopt);
}

TEST(ParseRealTest, FiniteAndWhole) {
  EXPECT_EQ(ParseReal("0.1"), 0.1);
  EXPECT_EQ(ParseReal("-1e-05"), -1e-5);
  EXPECT_EQ(ParseReal("3"), 3.0);
  EXPECT_EQ(ParseReal("5e-324"), 5e-324);
  for (const std::string text : {"", "inf", "-inf", "nan", "1e400", "1,5", "0.1 ", " 0.1", "0x1p3", "1.5.2", "e5"}) {
    EXPECT_EQ(ParseReal(text), std::nullopt) << "'" << text << "'";
  }
}

TEST(FormatRealTest, IsTheShortestThatReadsBack) {
  EXPECT_EQ(FormatReal(0.1), "0.1");
  EXPECT_EQ(FormatReal(1e-5), "1e-05");
  EXPECT_EQ(FormatReal(1.0), "1");
  EXPECT_EQ(FormatReal(-0.0), "-0");
  EXPECT_EQ(FormatReal(0.1F), "0.1") << "a float needs fewer digits than the double nearest to it";
  EXPECT_EQ(FormatReal(static_cast<double>(0.1F)), "0.10000000149011612");
}

TEST(FormatRealTest, RoundTrips) {
  Rng rng(1);
  for (int i = 0; i < 20000; ++i) {
    const double value = std::ldexp(rng.Uniform(-1, 1), static_cast<int>(rng.Below(2000)) - 1000);
    ASSERT_EQ(ParseReal(FormatReal(value)), value) << FormatReal(value);
    const auto single = static_cast<float>(rng.Normal());
    ASSERT_EQ(std::stof(FormatReal(single)), single);
  }
  for (const double value : {std::numeric_limits<double>::max(),
                             std::numeric_limits<double>::min(),
                             std::numeric_limits<double>::denorm_min(),
                             -std::numeric_limits<double>::epsilon()}) {
    EXPECT_EQ(ParseReal(FormatReal(value)), value);
  }
}

TEST(FormatFixedTest, HasThatManyDigits) {
  EXPECT_EQ(FormatFixed(0.125, 2), "0.12") << "to even";
  EXPECT_EQ(FormatFixed(2.0, 3), "2.000");
  EXPECT_EQ(FormatFixed(-1.5, 0), "-2");
  EXPECT_EQ(FormatFixed(1e15, 1), "1000000000000000.0");
  EXPECT_EQ(FormatFixed(std::numeric_limits<double>::max(), 1).size(), 311U);
}

TEST(Utf8Test, ValidityTable) {
  for (const std::string text : {"",
                                 "ascii",
                                 "\xc2\x80",
                                 "\xdf\xbf",
                                 "\xe0\xa0\x80",
                                 "\xed\x9f\xbf",
                                 "\xee\x80\x80",
                                 "\xef\xbf\xbf",
                                 "\xf0\x90\x80\x80",
                                 "\xf4\x8f\xbf\xbf",
                                 "a\xc3\xa4z"}) {
    EXPECT_TRUE(IsUtf8(text)) << ::testing::PrintToString(text);
  }
  EXPECT_TRUE(IsUtf8(std::string_view("\0", 1)));
  for (const std::string text : {"\x80",               // continuation alone
                                 "\xbf",               //
                                 "\xc0\x80",           // overlong
                                 "\xc1\xbf",           //
                                 "\xe0\x9f\xbf",       //
                                 "\xf0\x8f\xbf\xbf",   //
                                 "\xed\xa0\x80",       // surrogates
                                 "\xed\xbf\xbf",       //
                                 "\xf4\x90\x80\x80",   // beyond U+10FFFF
                                 "\xf5\x80\x80\x80",   //
                                 "\xff",               //
                                 "\xc3",               // cut short
                                 "\xe2\x82",           //
                                 "\xf0\x9f\x98",       //
                                 "\xc3(",              // continuation missing
                                 "\xe2(\xa1",          //
                                 "\xe2\x82(",          //
                                 "\xf0\x90\x80(",      //
                                 "ok\xc3\xa4\xa4"}) {  // one too many
    EXPECT_FALSE(IsUtf8(text)) << ::testing::PrintToString(text);
  }
}

TEST(Utf8Test, AnythingElseIsLatin1) {
  EXPECT_EQ(ToUtf8("m\xe4rz \xff\x80"), "m\xc3\xa4rz \xc3\xbf\xc2\x80");
  EXPECT_EQ(ToUtf8("m\xc3\xa4rz"), "m\xc3\xa4rz");
  EXPECT_EQ(ToUtf8(""), "");
}

TEST(Utf8Test, DropsOneLeadingByteOrderMark) {
  EXPECT_EQ(ToUtf8("\xef\xbb\xbfgene"), "gene");
  EXPECT_EQ(ToUtf8("\xef\xbb\xbf\xef\xbb\xbfx"), "\xef\xbb\xbfx");
  EXPECT_EQ(ToUtf8("a\xef\xbb\xbf"), "a\xef\xbb\xbf");
  EXPECT_EQ(ToUtf8("\xef\xbb\xbf\xe4"), "\xc3\xa4") << "one bad byte must not turn the mark into letters";
}

TEST(Base64Test, GivesTheVectorsOfRfc4648) {
  EXPECT_EQ(Base64(""), "");
  EXPECT_EQ(Base64("f"), "Zg==");
  EXPECT_EQ(Base64("fo"), "Zm8=");
  EXPECT_EQ(Base64("foo"), "Zm9v");
  EXPECT_EQ(Base64("foob"), "Zm9vYg==");
  EXPECT_EQ(Base64("fooba"), "Zm9vYmE=");
  EXPECT_EQ(Base64("foobar"), "Zm9vYmFy");
}

TEST(Base64Test, CodesAllBytes) {
  EXPECT_EQ(Base64(std::string_view("\x00\xff\xfe\x80", 4)), "AP/+gA==");
  EXPECT_EQ(Base64(std::string(3, '\xfb')), "+/v7");
}

TEST(Base64Test, ComesBack) {
  std::string bytes;
  for (int i = 0; i < 300; ++i) {
    EXPECT_EQ(DecodeBase64(Base64(bytes)), bytes);
    bytes += static_cast<char>(i * 7);
  }
}

TEST(Base64Test, RefusesWhatItDoesNotWrite) {
  for (const std::string text : {"Z", "Zg", "Zg=", "Zh==", "Zm9=", "Zm9v=", "Zm 9v", "====", "Zg==Zg==", "Zm9\n"}) {
    EXPECT_EQ(DecodeBase64(text), std::nullopt) << text;
  }
}

TEST(PrintableTest, KeepsTextAndDropsWhatSteersATerminal) {
  EXPECT_EQ(Printable("caf\xc3\xa9 \xe2\x82\xac", 80), "caf\xc3\xa9 \xe2\x82\xac");
  EXPECT_EQ(Printable("a\tb\r\nc", 80), "a b  c");
  EXPECT_EQ(Printable(std::string_view("\x1b[31m\0\x7f", 7), 80), "?[31m??");
  EXPECT_EQ(Printable("\xc2\x9b"
                      "1m\xc2\xa0",
                      80),
            "?1m\xc2\xa0")
      << "U+009B begins a sequence too; U+00A0 is a space";
  EXPECT_EQ(Printable("\xff\xc3", 80), "??") << "no UTF-8";
  EXPECT_EQ(Printable("", 0), "");
}

TEST(PrintableTest, CountsCharacters) {
  EXPECT_EQ(Printable("\xc3\xa9\xc3\xa9\xc3\xa9", 3), "\xc3\xa9\xc3\xa9\xc3\xa9");
  EXPECT_EQ(Printable("\xc3\xa9\xc3\xa9\xc3\xa9", 2), "\xc3\xa9\xc3\xa9...");
  EXPECT_EQ(Printable("ab", 0), "...");
}

TEST(NearestTest, FindsSlips) {
  const Words keys = {"lambda", "atoms", "epochs", "seed"};
  EXPECT_EQ(Nearest("lamda", keys), "lambda");
  EXPECT_EQ(Nearest("Lambda", keys), "lambda");
  EXPECT_EQ(Nearest("atom", keys), "atoms");
  EXPECT_EQ(Nearest("epcohs", keys), "epochs");
  EXPECT_EQ(Nearest("sed", keys), "seed");
  EXPECT_EQ(Nearest("threads", keys), std::nullopt);
  EXPECT_EQ(Nearest("lambda", keys), "lambda");
  EXPECT_EQ(Nearest("x", Words{}), std::nullopt);
}

TEST(NearestTest, TheFirstOfEquallyNearOnesWins) {
  EXPECT_EQ(Nearest("cat", Words{"bat", "rat"}), "bat");
  EXPECT_EQ(Nearest("cats", Words{"rats", "cat", "cats"}), "cats");
}

TEST(NearestTest, WordsWithNothingInCommonAreNotNear) {
  EXPECT_EQ(Nearest("a", Words{"k"}), std::nullopt);
  EXPECT_EQ(Nearest("", Words{"k", "ab"}), std::nullopt);
  EXPECT_EQ(Nearest("a", Words{"ab"}), "ab");
}

TEST(HumanBytesTest, Borders) {
  EXPECT_EQ(HumanBytes(0), "0 B");
  EXPECT_EQ(HumanBytes(999), "999 B");
  EXPECT_EQ(HumanBytes(1000), "1.0 kB");
  EXPECT_EQ(HumanBytes(99949), "99.9 kB");
  EXPECT_EQ(HumanBytes(99960), "100 kB");
  EXPECT_EQ(HumanBytes(999499), "999 kB");
  EXPECT_EQ(HumanBytes(999600), "1.0 MB");
  EXPECT_EQ(HumanBytes(1400000000), "1.4 GB");
  EXPECT_EQ(HumanBytes(5000000000000000), "5000 TB");
}

TEST(HumanSecondsTest, Borders) {
  EXPECT_EQ(HumanSeconds(0.0), "0.0 s");
  EXPECT_EQ(HumanSeconds(9.94), "9.9 s");
  EXPECT_EQ(HumanSeconds(9.96), "10 s");
  EXPECT_EQ(HumanSeconds(59.4), "59 s");
  EXPECT_EQ(HumanSeconds(59.6), "1 min 0 s");
  EXPECT_EQ(HumanSeconds(200.0), "3 min 20 s");
  EXPECT_EQ(HumanSeconds(119.6), "2 min 0 s");
  EXPECT_EQ(HumanSeconds(3599.4), "59 min 59 s");
  EXPECT_EQ(HumanSeconds(3599.6), "1 h 0 min");
  EXPECT_EQ(HumanSeconds(7199.9), "2 h 0 min");
  EXPECT_EQ(HumanSeconds(90000.0), "25 h 0 min");
}

TEST(HumanSecondsTest, NoNumberIsUnknown) {
  EXPECT_EQ(HumanSeconds(std::numeric_limits<double>::infinity()), "unknown");
  EXPECT_EQ(HumanSeconds(std::numeric_limits<double>::quiet_NaN()), "unknown");
  EXPECT_EQ(HumanSeconds(1e300), "unknown");
}

TEST(TextTest, ParseBytes) {
  EXPECT_EQ(ParseBytes("12345"), 12345U);
  EXPECT_EQ(ParseBytes("0"), 0U);
  EXPECT_EQ(ParseBytes("7 B"), 7U);
  EXPECT_EQ(ParseBytes("800 kB"), 800000U);
  EXPECT_EQ(ParseBytes("1.5MB"), 1500000U);
  EXPECT_EQ(ParseBytes(" 20gb "), 20000000000U);
  EXPECT_EQ(ParseBytes("2 TB"), 2000000000000U);
  EXPECT_EQ(ParseBytes("1.001 kB"), 1001U) << "though 1.001 times 1000 is a little less";
  for (const char* text :
       {"", "GB", "-1", "-1 kB", "1 k", "1 GiB", "1 GB 2", "1.2.3", "inf", "nan", "1e3", "9999999 TB"}) {
    EXPECT_EQ(ParseBytes(text), std::nullopt) << text;
  }
  for (const std::uint64_t bytes : {1U, 999U, 1500000U}) EXPECT_EQ(ParseBytes(HumanBytes(bytes)), bytes);
}

TEST(TextTest, ParseDuration) {
  EXPECT_EQ(ParseDuration("90s"), 90.0);
  EXPECT_EQ(ParseDuration("15min"), 900.0);
  EXPECT_EQ(ParseDuration("1.5 h"), 5400.0);
  EXPECT_EQ(ParseDuration(" 30D "), 30 * 86400.0);
  EXPECT_EQ(ParseDuration("0s"), 0.0);
  for (const char* text : {"", "90", "s", "-1s", "1 day", "5 m", "1h 2", "inf s", "nan d", "99999999999999d"}) {
    EXPECT_EQ(ParseDuration(text), std::nullopt) << text;
  }
}

TEST(SlugMaker, FileNamesOfTheirOwn) {
  SlugMaker slugs;
  EXPECT_EQ(slugs.Make("FBgn0000001_4-6"), "FBgn0000001_4-6");
  EXPECT_EQ(slugs.Make("a/b c"), "a-b-c");
  EXPECT_EQ(slugs.Make("A/B c"), "A-B-c-2") << "some file systems know no case";
  EXPECT_EQ(slugs.Make("../x"), "-.-x");
  EXPECT_EQ(slugs.Make(""), "-");
  EXPECT_EQ(slugs.Make(std::string(500, 'x')).size(), 80U);
}

TEST(TimeTest, UtcText) {
  EXPECT_EQ(UtcText(0), "1970-01-01T00:00:00Z");
  EXPECT_EQ(UtcText(1709210096), "2024-02-29T12:34:56Z");
}

TEST(TimeTest, NowIsBetweenBeforeAndAfter) {
  const std::string before = UtcText(std::time(nullptr));
  const std::string now = UtcNow();
  EXPECT_LE(before, now);
  EXPECT_LE(now, UtcText(std::time(nullptr)));
}

TEST(TimeTest, HumanAge) {
  const auto age = [](std::time_t seconds) { return HumanAge(1000000, 1000000 + seconds); };
  EXPECT_EQ(age(0), "just now");
  EXPECT_EQ(age(59), "just now");
  EXPECT_EQ(age(60), "1 min ago");
  EXPECT_EQ(age(3599), "59 min ago");
  EXPECT_EQ(age(3600), "1 hour ago");
  EXPECT_EQ(age(2 * 3600), "2 hours ago");
  EXPECT_EQ(age(24 * 3600 - 1), "23 hours ago");
  EXPECT_EQ(age(24 * 3600), "1 day ago");
  EXPECT_EQ(age(72 * 3600), "3 days ago");
  EXPECT_EQ(age(-5), "just now") << "another host's clock may be ahead";
}

}  // namespace
}  // namespace flyscribe
