#include "report/svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "core/error.h"
#include "core/text.h"

namespace flyscribe {
namespace {

// The step of 1, 2 or 5 times a power of ten that is at least `rough`.
double NiceStep(double rough) {
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (rough <= factor * power * (1.0 + 1e-9)) return factor * power;
  }
  return 10.0 * power;
}

class Plot {
 public:
  explicit Plot(const LineChart& chart) : chart_(chart) {}

  double Left() const { return PlotMargins::kLeft; }
  double Right() const { return chart_.width - PlotMargins::kRight; }
  double Top() const { return PlotMargins::kTop; }
  double Bottom() const { return chart_.height - PlotMargins::kBottom; }
  double X(double value) const { return Left() + (Right() - Left()) * Share(chart_.x, value); }
  double Y(double value) const { return Bottom() - (Bottom() - Top()) * Share(chart_.y, value); }

 private:
  // Where on the axis, 0..1: a value outside is drawn at the edge.
  static double Share(const Axis& axis, double value) {
    const double length = axis.max - axis.min;
    return length > 0.0 ? std::clamp((value - axis.min) / length, 0.0, 1.0) : 0.0;
  }

  const LineChart& chart_;
};

Html VerticalLabel(double x, double y, const std::string& text) {
  const std::string place = Coordinate(x) + " " + Coordinate(y);
  return Element("text",
                 {{"transform", "translate(" + place + ") rotate(-90)"}, {"text-anchor", "middle"}, {"class", "axis"}},
                 Text(text));
}

Html AxesOf(const LineChart& chart) {
  const Plot plot(chart);
  Html axes;
  for (const double tick : chart.x.ticks) {
    axes += SvgLine("grid", plot.X(tick), plot.Top(), plot.X(tick), plot.Bottom());
    axes += SvgText(plot.X(tick), plot.Bottom() + 16, "middle", Number(tick, chart.x.digits));
  }
  for (const double tick : chart.y.ticks) {
    axes += SvgLine("grid", plot.Left(), plot.Y(tick), plot.Right(), plot.Y(tick));
    axes += SvgText(plot.Left() - 7, plot.Y(tick) + 4, "end", Number(tick, chart.y.digits));
  }
  axes += SvgLine("frame", plot.Left(), plot.Bottom(), plot.Right(), plot.Bottom());
  axes += SvgLine("frame", plot.Left(), plot.Top(), plot.Left(), plot.Bottom());
  const double middle = (plot.Left() + plot.Right()) / 2;
  if (!chart.x.label.empty()) {
    axes += Element("text",
                    {{"x", Coordinate(middle)},
                     {"y", Coordinate(chart.height - 6.0)},
                     {"text-anchor", "middle"},
                     {"class", "axis"}},
                    Text(chart.x.label));
  }
  if (chart.y.label.empty()) return axes;
  return axes + VerticalLabel(12, (plot.Top() + plot.Bottom()) / 2, chart.y.label);
}

std::string PathOf(const Plot& plot, const std::vector<CurvePoint>& points) {
  constexpr double kNearest = 0.5;  // pixels
  std::string path;
  double last_x = 0.0;
  double last_y = 0.0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!std::isfinite(points[i].x) || !std::isfinite(points[i].y)) continue;
    const double x = plot.X(points[i].x);
    const double y = plot.Y(points[i].y);
    const bool is_near = std::hypot(x - last_x, y - last_y) < kNearest;
    if (!path.empty() && is_near && i + 1 < points.size()) continue;
    path += (path.empty() ? "M" : "L") + Coordinate(x) + " " + Coordinate(y);
    last_x = x;
    last_y = y;
  }
  return path;
}

Html DotsOf(const Plot& plot, const std::vector<CurvePoint>& points) {
  Html dots;
  for (const CurvePoint& point : points) {
    if (!std::isfinite(point.x) || !std::isfinite(point.y)) continue;
    dots += Element(
        "circle",
        {{"class", "dot"}, {"cx", Coordinate(plot.X(point.x))}, {"cy", Coordinate(plot.Y(point.y))}, {"r", "3"}});
  }
  return dots;
}

// The line, and the same line again, wide and invisible, so that the pointer finds it.
Html SeriesOf(const LineChart& chart, std::size_t index) {
  const Series& series = chart.series[index];
  const std::string id = fmt::format("{}-{}", chart.id, index);
  Html group = Element("title", Text(series.name));
  group += Element("path", {{"id", id}, {"d", PathOf(Plot(chart), series.points)}});
  if (chart.dots) group += DotsOf(Plot(chart), series.points);
  group += Element("use", {{"class", "hit"}, {"href", "#" + id}});
  return Element("g", {{"class", "series " + series.style}, {"data-series", series.style}}, group);
}

Html SvgRoot(int width, int height, const std::string& title, const std::string& description, const Html& content) {
  const Attributes attributes = {{"class", "chart"},
                                 {"viewBox", fmt::format("0 0 {} {}", width, height)},
                                 {"style", fmt::format("max-width:{}px", width * 5 / 4)},
                                 {"role", "img"},
                                 {"aria-label", title}};
  return Element("svg", attributes, Element("title", Text(title)) + Element("desc", Text(description)) + content);
}

double Total(const Bar& bar) { return std::accumulate(bar.parts.begin(), bar.parts.end(), 0.0); }

}  // namespace

Axis NiceAxis(const std::string& label, double low, double high, int intervals) {
  if (!std::isfinite(low) || !std::isfinite(high)) return UnitAxis(label);
  if (high - low < 1e-12 * std::max(1.0, std::abs(high))) high = low + std::max(1e-3, std::abs(low) * 0.1);
  const double step = NiceStep((high - low) / intervals);
  const double first = std::floor(low / step + 1e-9);
  const double last = std::ceil(high / step - 1e-9);
  Axis axis{.label = label, .min = first * step, .max = last * step, .digits = 0};
  const int count = static_cast<int>(last - first) + 1;
  for (int i = 0; i < count; ++i) axis.ticks.push_back((first + i) * step);
  axis.digits = std::max(0, -static_cast<int>(std::floor(std::log10(step) + 1e-9)));
  return axis;
}

Axis UnitAxis(const std::string& label) {
  return {.label = label, .min = 0.0, .max = 1.0, .ticks = {0.0, 0.2, 0.4, 0.6, 0.8, 1.0}, .digits = 1};
}

std::string SeriesStyle(std::size_t i) {
  constexpr std::size_t kStyles = 18;
  return fmt::format("s{}", i % kStyles);
}

Html LineChartSvg(const LineChart& chart) {
  const Plot plot(chart);
  Html content = AxesOf(chart);
  if (chart.diagonal) {
    content += SvgLine("chance", plot.X(chart.x.min), plot.Y(chart.y.min), plot.X(chart.x.max), plot.Y(chart.y.max));
  }
  for (std::size_t i = 0; i < chart.series.size(); ++i) content += SeriesOf(chart, i);
  return SvgRoot(chart.width, chart.height, chart.title, chart.description, content);
}

Html BarChartSvg(const BarChart& chart) {
  constexpr int kLeft = 110;
  constexpr int kRight = 110;
  constexpr int kRow = 28;
  constexpr double kBarHeight = 16.0;
  double longest = 0.0;
  for (const Bar& bar : chart.bars) longest = std::max(longest, Total(bar));
  const double scale = longest > 0.0 ? (chart.width - kLeft - kRight) / longest : 0.0;
  Html content;
  double y = 0.0;
  for (const Bar& bar : chart.bars) {
    double x = kLeft;
    content += SvgText(kLeft - 10, y + 18, "end", bar.label);
    for (std::size_t i = 0; i < bar.parts.size() && i < chart.part_styles.size(); ++i) {
      content += Element("rect",
                         {{"class", chart.part_styles[i]},
                          {"x", Coordinate(x)},
                          {"y", Coordinate(y + 6)},
                          {"width", Coordinate(bar.parts[i] * scale)},
                          {"height", Coordinate(kBarHeight)}});
      x += bar.parts[i] * scale;
    }
    content += SvgText(x + 8, y + 18, "start", bar.text);
    y += kRow;
  }
  return SvgRoot(chart.width, std::max(1, static_cast<int>(y)), chart.title, chart.description, content);
}

Html Legend(const std::vector<LegendEntry>& entries) {
  Html items;
  for (const LegendEntry& entry : entries) {
    const Html swatch = Element("svg",
                                {{"class", "swatch " + entry.style}, {"viewBox", "0 0 24 8"}, {"aria-hidden", "true"}},
                                Element("path", {{"d", "M0 4H24"}}));
    Html item = swatch + Element("span", Text(entry.name));
    if (!entry.remark.empty()) item += Element("small", Text(entry.remark));
    items += Element("li", {{"data-series", entry.style}}, item);
  }
  return Element("ul", {{"class", "legend"}}, items);
}

std::string Coordinate(double value) {
  std::string text = FormatFixed(value, 1);
  if (text.ends_with(".0")) text.resize(text.size() - 2);
  return text == "-0" ? "0" : text;
}

Html SvgLine(const std::string& style, double x1, double y1, double x2, double y2) {
  return Element("line",
                 {{"class", style},
                  {"x1", Coordinate(x1)},
                  {"y1", Coordinate(y1)},
                  {"x2", Coordinate(x2)},
                  {"y2", Coordinate(y2)}});
}

Html SvgText(double x, double y, const std::string& anchor, const std::string& text) {
  return Element("text", {{"x", Coordinate(x)}, {"y", Coordinate(y)}, {"text-anchor", anchor}}, Text(text));
}

// ---- SIFT glyphs

namespace {

constexpr int kCells = 4;
constexpr int kOrientations = 8;

struct Direction {
  double x;
  double y;
};

// The eight directions, exact on the axes; y points down.
constexpr double kDiagonal = 0.70710678118654752;
constexpr std::array<Direction, kOrientations> kDirections = {{{1, 0},
                                                               {kDiagonal, kDiagonal},
                                                               {0, 1},
                                                               {-kDiagonal, kDiagonal},
                                                               {-1, 0},
                                                               {-kDiagonal, -kDiagonal},
                                                               {0, -1},
                                                               {kDiagonal, -kDiagonal}}};

float LargestMagnitude(std::span<const float> values) {
  float largest = 0.0F;
  for (const float value : values) {
    if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
  }
  return largest;
}

}  // namespace

GlyphPaths SiftGlyphPaths(std::span<const float> descriptor) {
  FLYSCRIBE_CHECK(descriptor.size() == kSiftLength, "a SIFT glyph needs 128 numbers");
  constexpr double kShortest = 0.05;
  const double largest = LargestMagnitude(descriptor);
  GlyphPaths paths;
  for (std::size_t i = 0; i < descriptor.size(); ++i) {
    const double share = largest > 0.0 ? descriptor[i] / largest : 0.0;
    if (!(std::abs(share) >= kShortest)) continue;
    const int cell = static_cast<int>(i) / kOrientations;
    const Direction& direction = kDirections[i % kOrientations];
    const double length = std::abs(share) * (kGlyphCell / 2.0);
    (share > 0.0 ? paths.positive : paths.negative) += fmt::format("M{} {}l{} {}",
                                                                   cell % kCells * kGlyphCell + kGlyphCell / 2,
                                                                   cell / kCells * kGlyphCell + kGlyphCell / 2,
                                                                   std::lround(direction.x * length),
                                                                   std::lround(direction.y * length));
  }
  return paths;
}

Html SiftGlyph(std::span<const float> descriptor, std::size_t rank) {
  const GlyphPaths paths = SiftGlyphPaths(descriptor);
  const std::string view = fmt::format("0 0 {0} {0}", kCells * kGlyphCell);
  const std::string name = fmt::format("atom {}", rank);
  Html content = Element("title", Text(name));
  content +=
      Element("path", {{"class", "cells"}, {"d", "M100 0V400M200 0V400M300 0V400M0 100H400M0 200H400M0 300H400"}});
  content += Element("path", {{"class", "less"}, {"d", paths.negative}});
  content += Element("path", {{"class", "more"}, {"d", paths.positive}});
  return Element("svg", {{"class", "glyph"}, {"viewBox", view}, {"role", "img"}, {"aria-label", name}}, content);
}

Html GlyphSheet(const FloatMatrix& atoms, std::size_t limit) {
  if (atoms.rows() == 0 || atoms.cols() != kSiftLength) return {};
  Html glyphs;
  for (std::size_t i = 0; i < std::min(limit, atoms.rows()); ++i) glyphs += SiftGlyph(atoms.Row(i), i + 1);
  return Element("div", {{"class", "glyphs"}}, glyphs);
}

}  // namespace flyscribe
