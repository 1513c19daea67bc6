// A standardised embryo with the windows drawn over it that speak for or against a term.
//
// A linear classifier's decision value is a sum over features, and each pooled feature came from one 16 x 16 window: so
// the value is a sum over windows too (plus a bias). A window's share, the contribution c, is drawn as a soft spot at
// the window's centre: warm if c > 0, blue if c < 0, opacity in proportion to |c| / max |c|. Windows given more than
// once are added first. The strongest windows for the term are outlined as well.
//
// The result is a complete SVG document (it names its namespace and needs no style sheet), so it can also be written to
// a file of its own if `href` is a data: URI.
// Thread-safe and deterministic: pure functions.
#pragma once

#include <string>
#include <vector>

#include "report/html.h"

namespace flyscribe {

struct EvidenceMark {
  float x = 0.0F;  // centre of the window, pixels of the standardised picture, from the top left
  float y = 0.0F;
  double contribution = 0.0;  // share of the decision value
  friend bool operator==(const EvidenceMark&, const EvidenceMark&) = default;
};

struct EvidencePicture {
  std::string title;
  std::string href;  // a data: URI, or "#id" of an <image> elsewhere in the page; empty for no picture
  std::vector<EvidenceMark> marks;
};

Html EvidencePictureSvg(const EvidencePicture& picture);

// Marks of the same window added up; ordered as they are drawn: against the term first, then for it, weakest first.
std::vector<EvidenceMark> DrawingOrder(const std::vector<EvidenceMark>& marks);

}  // namespace flyscribe
