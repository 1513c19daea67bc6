#include "report/evidence.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "data/image.h"
#include "report/svg.h"

namespace flyscribe {
namespace {

constexpr const char* kWarm = "#e8590c";
constexpr const char* kCold = "#0072b2";
constexpr const char* kFrame = "#7a2600";
constexpr double kWarmOpacity = 0.7;  // of the strongest mark
constexpr double kColdOpacity = 0.45;
constexpr double kSpotRadius = 9.0;   // pixels: a little over the window's half
constexpr double kWindow = 16.0;      // pixels
constexpr double kFaintest = 0.03;    // of the strongest mark; fainter ones cannot be seen
constexpr std::size_t kOutlined = 3;  // strongest windows for the term

double Strongest(const std::vector<EvidenceMark>& marks) {
  double strongest = 0.0;
  for (const EvidenceMark& mark : marks) strongest = std::max(strongest, std::abs(mark.contribution));
  return strongest;
}

Html Spot(const EvidenceMark& mark, double opacity) {
  const std::string sign = mark.contribution > 0.0 ? "+" : "";
  const std::string words =
      sign + Number(mark.contribution, 3) + " at " + Coordinate(mark.x) + ", " + Coordinate(mark.y);
  return Element("circle",
                 {{"cx", Coordinate(mark.x)},
                  {"cy", Coordinate(mark.y)},
                  {"r", Coordinate(kSpotRadius)},
                  {"fill-opacity", Number(opacity, 2)}},
                 Element("title", Text(words)));
}

// Blurred together, so that neighbouring windows flow into one another. A viewer that knows no blur shows plain discs.
Html SpotLayer(const char* colour, const Html& spots) {
  return spots.empty() ? spots : Element("g", {{"fill", colour}, {"style", "filter:blur(2.5px)"}}, spots);
}

Html Outline(const EvidenceMark& mark) {
  return Element("rect",
                 {{"x", Coordinate(mark.x - kWindow / 2)},
                  {"y", Coordinate(mark.y - kWindow / 2)},
                  {"width", Coordinate(kWindow)},
                  {"height", Coordinate(kWindow)},
                  {"rx", "2"},
                  {"fill", "none"},
                  {"stroke", kFrame},
                  {"stroke-width", "1.2"}});
}

Html Spots(const std::vector<EvidenceMark>& marks) {
  const double strongest = Strongest(marks);
  Html against;
  Html in_favour;
  for (const EvidenceMark& mark : marks) {
    const double share = strongest > 0.0 ? std::abs(mark.contribution) / strongest : 0.0;
    if (share < kFaintest) continue;
    if (mark.contribution > 0.0) {
      in_favour += Spot(mark, kWarmOpacity * share);
    } else {
      against += Spot(mark, kColdOpacity * share);
    }
  }
  return SpotLayer(kCold, against) + SpotLayer(kWarm, in_favour);
}

Html Outlines(const std::vector<EvidenceMark>& marks) {
  Html outlines;
  for (std::size_t i = marks.size() - std::min(kOutlined, marks.size()); i < marks.size(); ++i) {
    if (marks[i].contribution > 0.0) outlines += Outline(marks[i]);
  }
  return outlines;
}

Html Photograph(const std::string& href) {
  const Attributes attributes = {
      {"href", href}, {"width", std::to_string(kEmbryoWidth)}, {"height", std::to_string(kEmbryoHeight)}};
  if (href.empty()) return {};
  return href.front() == '#' ? Element("use", {{"href", href}}) : Element("image", attributes);
}

}  // namespace

std::vector<EvidenceMark> DrawingOrder(const std::vector<EvidenceMark>& marks) {
  std::map<std::pair<float, float>, double> windows;
  for (const EvidenceMark& mark : marks) {
    if (std::isfinite(mark.contribution)) windows[{mark.x, mark.y}] += mark.contribution;
  }
  std::vector<EvidenceMark> ordered;
  for (const auto& [place, sum] : windows) ordered.push_back({place.first, place.second, sum});
  std::sort(ordered.begin(), ordered.end(), [](const EvidenceMark& a, const EvidenceMark& b) {
    const auto key = [](const EvidenceMark& mark) {
      return std::tuple(mark.contribution > 0.0, std::abs(mark.contribution), mark.y, mark.x);
    };
    return key(a) < key(b);
  });
  return ordered;
}

Html EvidencePictureSvg(const EvidencePicture& picture) {
  const std::string view = "0 0 " + std::to_string(kEmbryoWidth) + " " + std::to_string(kEmbryoHeight);
  const Attributes attributes = {{"xmlns", "http://www.w3.org/2000/svg"},
                                 {"class", "embryo"},
                                 {"viewBox", view},
                                 {"role", "img"},
                                 {"aria-label", picture.title}};
  const std::vector<EvidenceMark> marks = DrawingOrder(picture.marks);
  return Element("svg",
                 attributes,
                 Element("title", Text(picture.title)) + Photograph(picture.href) + Spots(marks) + Outlines(marks));
}

}  // namespace flyscribe
