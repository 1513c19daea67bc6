#include "core/slug.h"

#include "core/text.h"

namespace flyscribe {
namespace {

constexpr std::size_t kLongestSlug = 80;

}  // namespace

std::string SlugMaker::Make(const std::string& text) {
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
