// Small text helpers: trimming, splitting, encodings, numbers, "did you mean", quantities and times for people, file
// names.
#pragma once

#include <cstdint>
#include <ctime>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace flyscribe {

std::string_view Trim(std::string_view text);
std::vector<std::string> Split(std::string_view text, char separator);
std::string Join(std::span<const std::string> parts, std::string_view separator);
// ASCII only.
std::string ToLower(std::string_view text);

// Whole text must be one decimal integer ("010" is ten, "1.5" and "" are none).
std::optional<std::int64_t> ParseInteger(std::string_view text);
// Whole text must be one finite decimal number.
std::optional<double> ParseReal(std::string_view text);

// The shortest decimal text that reads back as the same number: "0.1", "1e-05".
std::string FormatReal(double value);
std::string FormatReal(float value);
// A fixed number of digits after the point.
std::string FormatFixed(double value, int digits);

bool IsUtf8(std::string_view text);
// Drops a leading byte order mark. UTF-8 stays as it is; anything else is read as Latin-1, in which every byte is a
// character.
std::string ToUtf8(std::string_view text);

// RFC 4648, section 4, with padding.
std::string Base64(std::string_view bytes);
// Nothing if the text is not what Base64 gives.
std::optional<std::string> DecodeBase64(std::string_view text);

// One line that is safe on a terminal: white space becomes a space, other control characters and what is no UTF-8 '?',
// what is beyond `limit` characters "...".
std::string Printable(std::string_view text, std::size_t limit);

// The candidate nearest to `word` by edit distance, if it is near enough to be a slip of the finger.
std::optional<std::string> Nearest(std::string_view word, std::span<const std::string> candidates);

// For people: "1.4 GB"; "3 min 20 s", or "unknown" for what is not a number or beyond all use.
std::string HumanBytes(std::uint64_t bytes);
// The other way: "20GB", "1.5 MB", "800 kB", "12345" (bytes); units are powers of 1000, in any case.
std::optional<std::uint64_t> ParseBytes(std::string_view text);
// "90s", "15min", "12h", "30d", in seconds.
std::optional<double> ParseDuration(std::string_view text);
std::string HumanSeconds(double seconds);

// "2026-11-16T15:50:45Z".
std::string UtcText(std::time_t time);
std::string UtcNow();
// For people: "just now", "12 min ago", "3 days ago".
std::string HumanAge(std::time_t then, std::time_t now);

// Texts of any kind (ids, paths, names of genes) as file names: safe ones, each its own. The same texts in the same
// order give the same names. Not thread-safe.
class SlugMaker {
 public:
  // A name of letters, digits, '.', '_' and '-' that begins with no '.' and that was not given out before, however
  // upper and lower case are written. Other characters become '-', and what is too long is cut.
  std::string Make(const std::string& text);

 private:
  std::set<std::string> taken_;  // in lower case: some file systems know no other
};

}  // namespace flyscribe
