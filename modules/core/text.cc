#include "core/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <utility>

namespace flyscribe {
namespace {

template <class Number>
std::string ShortestText(Number value) {
  std::array<char, 64> buffer{};
  const auto result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  return {buffer.data(), result.ptr};
}

template <class Number>
std::optional<Number> ParseWhole(std::string_view text) {
  Number value{};
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  if (result.ec != std::errc() || result.ptr != text.data() + text.size() || text.empty()) return std::nullopt;
  return value;
}

// The length of the well-formed UTF-8 sequence at the start of `text` (RFC 3629), or 0.
std::size_t Utf8Length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const auto continues = [&](std::size_t i) { return i < text.size() && (byte(i) & 0xc0) == 0x80; };
  const unsigned char first = byte(0);
  if (first < 0x80) return 1;
  if (first >= 0xc2 && first <= 0xdf) return continues(1) ? 2 : 0;
  if (first >= 0xe0 && first <= 0xef) {
    if (!continues(1) || !continues(2)) return 0;
    if ((first == 0xe0 && byte(1) < 0xa0) || (first == 0xed && byte(1) > 0x9f)) return 0;  // overlong, surrogate
    return 3;
  }
  if (first >= 0xf0 && first <= 0xf4) {
    if (!continues(1) || !continues(2) || !continues(3)) return 0;
    if ((first == 0xf0 && byte(1) < 0x90) || (first == 0xf4 && byte(1) > 0x8f)) return 0;  // overlong, too large
    return 4;
  }
  return 0;
}

// One character as a terminal may be given it. U+0080 to U+009F are control characters too.
std::string_view PrintableCharacter(std::string_view character) {
  constexpr std::string_view kSpaces = "\t\n\v\f\r";
  const char first = character.front();
  if (character.size() == 1 && kSpaces.find(first) != std::string_view::npos) return " ";
  const bool plain_control = character.size() == 1 && ((first >= '\0' && first < ' ') || first == '\x7f');
  const bool high_control = character.size() == 2 && first == '\xc2' && static_cast<unsigned char>(character[1]) < 0xa0;
  return plain_control || high_control ? "?" : character;
}

// Levenshtein distance by one rolling row.
std::size_t EditDistance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substituted = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, substituted});
    }
  }
  return row.back();
}

// "1.5 GB" -> 1.5 and "gb".
std::optional<std::pair<double, std::string>> SplitUnit(std::string_view text) {
  const std::string_view trimmed = Trim(text);
  const std::size_t end = std::min(trimmed.find_first_not_of("0123456789."), trimmed.size());
  const std::optional<double> number = ParseReal(trimmed.substr(0, end));
  if (!number) return std::nullopt;
  return std::pair{*number, ToLower(Trim(trimmed.substr(end)))};
}

}  // namespace

std::string_view Trim(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n\v\f";
  const std::size_t first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

std::vector<std::string> Split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  std::size_t start = 0;
  for (std::size_t end = text.find(separator); end != std::string_view::npos; end = text.find(separator, start)) {
    parts.emplace_back(text.substr(start, end - start));
    start = end + 1;
  }
  parts.emplace_back(text.substr(start));
  return parts;
}

std::string Join(std::span<const std::string> parts, std::string_view separator) {
  std::string text;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i > 0) text += separator;
    text += parts[i];
  }
  return text;
}

std::string ToLower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

std::optional<std::int64_t> ParseInteger(std::string_view text) { return ParseWhole<std::int64_t>(text); }

std::optional<double> ParseReal(std::string_view text) {
  const auto value = ParseWhole<double>(text);
  return value && std::isfinite(*value) ? value : std::nullopt;
}

std::string FormatReal(double value) { return ShortestText(value); }
std::string FormatReal(float value) { return ShortestText(value); }

std::string FormatFixed(double value, int digits) {
  std::array<char, 400> buffer{};
  const auto result =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::fixed, digits);
  return {buffer.data(), result.ptr};
}

bool IsUtf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = Utf8Length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

std::string ToUtf8(std::string_view text) {
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  if (text.substr(0, kByteOrderMark.size()) == kByteOrderMark) text.remove_prefix(kByteOrderMark.size());
  if (IsUtf8(text)) return std::string(text);
  std::string utf8;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80) {
      utf8 += c;
    } else {
      utf8 += static_cast<char>(0xc0 | (byte >> 6));
      utf8 += static_cast<char>(0x80 | (byte & 0x3f));
    }
  }
  return utf8;
}

namespace {

constexpr std::string_view kBase64Digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

}  // namespace

std::string Base64(std::string_view bytes) {
  std::string text((bytes.size() + 2) / 3 * 4, '=');
  auto out = text.begin();
  for (std::size_t offset = 0; offset < bytes.size(); offset += 3) {
    const std::string_view group = bytes.substr(offset, 3);
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < 3; ++i)
      bits = (bits << 8U) | (i < group.size() ? static_cast<std::uint8_t>(group[i]) : 0U);
    for (std::size_t i = 0; i < 4; ++i, ++out) {
      if (i <= group.size()) *out = kBase64Digits[(bits >> (18U - 6U * i)) & 63U];
    }
  }
  return text;
}

std::optional<std::string> DecodeBase64(std::string_view text) {
  static const std::array<std::uint8_t, 256> kValues = [] {
    std::array<std::uint8_t, 256> values{};
    for (std::size_t i = 0; i < kBase64Digits.size(); ++i) {
      values[static_cast<unsigned char>(kBase64Digits[i])] = static_cast<std::uint8_t>(i);
    }
    return values;
  }();
  if (text.size() % 4 != 0) return std::nullopt;
  const std::size_t padding = text.ends_with("==") ? 2 : text.ends_with("=") ? 1 : 0;
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3);
  for (std::size_t offset = 0; offset < text.size(); offset += 4) {
    std::uint32_t bits = 0;
    for (const char digit : text.substr(offset, 4)) bits = (bits << 6U) | kValues[static_cast<unsigned char>(digit)];
    for (const unsigned shift : {16U, 8U, 0U}) bytes += static_cast<char>((bits >> shift) & 255U);
  }
  bytes.resize(bytes.size() - padding);
  return Base64(bytes) == text ? std::optional(std::move(bytes)) : std::nullopt;
}

std::string Printable(std::string_view text, std::size_t limit) {
  std::string printable;
  for (std::size_t characters = 0; !text.empty(); ++characters) {
    if (characters == limit) return printable + "...";
    const std::size_t length = Utf8Length(text);
    printable += length == 0 ? "?" : PrintableCharacter(text.substr(0, length));
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return printable;
}

std::optional<std::string> Nearest(std::string_view word, std::span<const std::string> candidates) {
  // Two slips in a word of five letters: swapped neighbours count as two.
  const std::size_t tolerated = std::max<std::size_t>(1, (word.size() + 1) / 3);
  std::optional<std::string> nearest;
  std::size_t smallest = tolerated + 1;
  for (const std::string& candidate : candidates) {
    const std::size_t distance = EditDistance(ToLower(word), ToLower(candidate));
    const bool something_in_common = distance < std::max(word.size(), candidate.size());
    if (distance < smallest && something_in_common) {
      smallest = distance;
      nearest = candidate;
    }
  }
  return nearest;
}

std::string HumanBytes(std::uint64_t bytes) {
  constexpr std::array<const char*, 5> kUnits = {"B", "kB", "MB", "GB", "TB"};
  auto amount = static_cast<double>(bytes);
  std::size_t unit = 0;
  // The borders lie where rounding would print "1000 kB" or "100.0 kB".
  while (amount >= 999.5 && unit + 1 < kUnits.size()) {
    amount /= 1000.0;
    ++unit;
  }
  return FormatFixed(amount, unit == 0 || amount >= 99.95 ? 0 : 1) + " " + kUnits[unit];
}

std::optional<std::uint64_t> ParseBytes(std::string_view text) {
  constexpr double kMost = 1e18;
  const auto number = SplitUnit(text);
  if (!number) return std::nullopt;
  const std::vector<std::pair<std::string, double>> units = {
      {"", 1.0}, {"b", 1.0}, {"kb", 1e3}, {"mb", 1e6}, {"gb", 1e9}, {"tb", 1e12}};
  for (const auto& [unit, factor] : units) {
    if (unit == number->second && number->first * factor <= kMost) {
      return static_cast<std::uint64_t>(std::llround(number->first * factor));
    }
  }
  return std::nullopt;
}

std::optional<double> ParseDuration(std::string_view text) {
  constexpr double kTenThousandYears = 3e11;
  const auto number = SplitUnit(text);
  if (!number) return std::nullopt;
  const std::vector<std::pair<std::string, double>> units = {{"s", 1.0}, {"min", 60.0}, {"h", 3600.0}, {"d", 86400.0}};
  for (const auto& [unit, factor] : units) {
    if (unit == number->second && number->first * factor <= kTenThousandYears) return number->first * factor;
  }
  return std::nullopt;
}

std::string HumanSeconds(double seconds) {
  // Rates divided by nothing done yet are no time at all.
  constexpr double kTenThousandYears = 3e11;
  if (!(std::abs(seconds) < kTenThousandYears)) return "unknown";
  if (seconds < 9.95) return FormatFixed(seconds, 1) + " s";
  const auto whole = static_cast<std::int64_t>(std::llround(seconds));
  if (whole < 60) return std::to_string(whole) + " s";
  if (whole < 3600) return std::to_string(whole / 60) + " min " + std::to_string(whole % 60) + " s";
  return std::to_string(whole / 3600) + " h " + std::to_string(whole % 3600 / 60) + " min";
}

std::string UtcText(std::time_t time) {
  std::tm parts{};
  gmtime_r(&time, &parts);
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text.data();
}

std::string UtcNow() { return UtcText(std::time(nullptr)); }

std::string HumanAge(std::time_t then, std::time_t now) {
  constexpr std::time_t kMinute = 60;
  constexpr std::time_t kHour = 60 * kMinute;
  constexpr std::time_t kDay = 24 * kHour;
  const std::time_t age = now - then;
  const auto ago = [](std::time_t count, const char* unit, const char* units) {
    return std::to_string(count) + " " + (count == 1 ? unit : units) + " ago";
  };
  if (age < kMinute) return "just now";
  if (age < kHour) return ago(age / kMinute, "min", "min");
  if (age < kDay) return ago(age / kHour, "hour", "hours");
  return ago(age / kDay, "day", "days");
}

std::string SlugMaker::Make(const std::string& text) {
  constexpr std::size_t kLongestSlug = 80;
  std::string slug;
  for (const char c : text.substr(0, kLongestSlug)) {
    const bool plain =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
    slug += plain || (c == '.' && !slug.empty()) ? c : '-';
  }
  if (slug.empty()) slug = "-";
  for (int number = 1;; ++number) {
    std::string candidate = number == 1 ? slug : slug + "-" + std::to_string(number);
    if (!taken_.insert(ToLower(candidate)).second) continue;
    return candidate;
  }
}

}  // namespace flyscribe
