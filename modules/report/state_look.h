// How the state of a step looks in the pictures of the step graph.
// Thread-safe and deterministic: constants.
#pragma once

#include <span>
#include <string_view>

namespace flyscribe {

struct StateLook {
  std::string_view name;
  std::string_view style;    // one word: in the style sheet the class "st-" + style
  std::string_view meaning;  // for the legend
  // Outside the page, where there is no style sheet: the page's light colours.
  std::string_view fill;
  std::string_view stroke;
  bool dashed = false;  // nothing was made
};

// What asks for most attention first.
std::span<const StateLook> StateLooks();

// "other" for a state without a look of its own. The reference lies in StateLooks().
const StateLook& LookOf(std::string_view state);

}  // namespace flyscribe
