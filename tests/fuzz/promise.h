// How a fuzz target says what must hold.
#pragma once

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "core/error.h"
#include "core/text.h"

namespace flyscribe {

// Not an Error: a reader's refusal must never hide it.
class BrokenPromise : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

inline void Promise(bool kept, const std::string& what) {
  if (!kept) throw BrokenPromise("broken promise: " + what);
}

// UTF-8 without anything that steers a terminal, but for line ends.
inline bool IsSafeToPrint(std::string_view text) {
  const auto is_control = [](char c) { return (c >= '\0' && c < ' ' && c != '\n') || c == '\x7f'; };
  return IsUtf8(text) && std::none_of(text.begin(), text.end(), is_control);
}

// What `read` makes of the bytes, or nothing if it refuses them. That is fine: as bad input, in words that can be
// printed and not a page long. Whatever is asked of the result afterwards may not be refused any more.
template <class Read>
auto TryRead(Read&& read) -> std::optional<decltype(read())> {
  constexpr std::size_t kLongestMessage = 4096;
  try {
    return read();
  } catch (const Error& error) {
    const std::string text = error.what();
    const bool blames_input = error.code() == ErrorCode::kInput || error.code() == ErrorCode::kCorrupt;
    Promise(blames_input, "bad bytes are told as bad input, not as: " + text);
    Promise(IsSafeToPrint(text), "a message is safe to print: " + Printable(text, kLongestMessage));
    Promise(text.size() <= kLongestMessage, "a message is short, not " + std::to_string(text.size()) + " bytes");
    return std::nullopt;
  }
}

}  // namespace flyscribe
