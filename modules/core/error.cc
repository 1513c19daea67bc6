#include "core/error.h"

#include <string_view>
#include <utility>

namespace flyscribe {

std::string Place::ToString() const {
  std::string text = file;
  if (line > 0) text += ":" + std::to_string(line);
  if (line > 0 && column > 0) text += ":" + std::to_string(column);
  return text;
}

std::string Diagnostic::ToString() const {
  std::string text = place.ToString();
  if (!text.empty()) text += ": ";
  text += "error: " + message;
  if (!hint.empty()) text += "\n  hint: " + hint;
  return text;
}

Error::Error(ErrorCode code, std::string message, std::string hint, Place place)
    : Error(code, std::vector<Diagnostic>{{std::move(message), std::move(hint), std::move(place)}}) {}

Error::Error(ErrorCode code, std::vector<Diagnostic> diagnostics) : code_(code), diagnostics_(std::move(diagnostics)) {
  Render();
}

void Error::AddContext(const std::string& doing) {
  context_.push_back(doing);
  Render();
}

void Error::Render() {
  text_.clear();
  for (const Diagnostic& diagnostic : diagnostics_) {
    if (!text_.empty()) text_ += "\n";
    text_ += diagnostic.ToString();
  }
  for (const std::string& doing : context_) text_ += "\n  while " + doing;
}

std::string TextOf(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const std::exception& caught) {
    return caught.what();
  } catch (...) {
    return "unknown error";
  }
}

void FailCheck(const char* condition, const char* file, int line, const std::string& message) {
  std::string_view path = file;
  const std::size_t slash = path.rfind('/');
  if (slash != std::string_view::npos) path.remove_prefix(slash + 1);
  throw Error(ErrorCode::kInternal,
              message + " (broken invariant: " + condition + ")",
              "this is a bug in flyscribe; please report it with the command and the config that led here",
              {std::string(path), line, 0});
}

}  // namespace flyscribe
