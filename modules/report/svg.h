// Charts as inline SVG: lines over two axes, stacked horizontal bars, and the atoms of a dictionary as stars. No
// script, no font, no file.
//
// Colours and line styles come from the page's style sheet through classes (s0, s1, ...), so that light, dark and
// printed pages each have their own. A chart scales with the width it is given; its user units are pixels at full size.
// Points nearer than half a pixel to the one drawn before are left out, which keeps pages small and changes nothing
// that could be seen.
// Thread-safe and deterministic: pure functions.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "core/matrix.h"
#include "data/evaluation.h"
#include "report/html.h"

namespace flyscribe {

struct Axis {
  std::string label = {};
  double min = 0.0;
  double max = 1.0;
  std::vector<double> ticks = {};
  int digits = 1;  // after the point, of the ticks' labels
};

// An axis that covers [low, high] with about `intervals` steps of 1, 2 or 5 times a power of ten. Ends lie on ticks.
Axis NiceAxis(const std::string& label, double low, double high, int intervals = 5);
// [0, 1] in steps of 0.2.
Axis UnitAxis(const std::string& label);

struct Series {
  std::string name;   // shown when the pointer rests on the line
  std::string style;  // class of the style sheet: SeriesStyle(i), "mean", ...
  std::vector<CurvePoint> points;
};

// The i-th of as many styles as one can tell apart: six colours that colour-blind readers can tell apart, solid, then
// dashed, then dotted, then again from the start.
std::string SeriesStyle(std::size_t i);

struct LineChart {
  std::string id = {};  // unique in the page
  std::string title = {};
  std::string description = {};  // what the picture shows, for those who cannot see it
  Axis x = {};
  Axis y = {};
  int width = 440;
  int height = 400;
  bool diagonal = false;  // the line of chance in an ROC plot, of honesty in a reliability plot
  bool dots = false;      // a dot at every point
  std::vector<Series> series = {};
};
Html LineChartSvg(const LineChart& chart);

// Where LineChartSvg draws: the point (x.min, y.min) is at (left, height - bottom).
struct PlotMargins {
  static constexpr int kLeft = 60;
  static constexpr int kRight = 12;
  static constexpr int kTop = 10;
  static constexpr int kBottom = 44;
};

struct Bar {
  std::string label;
  std::vector<double> parts;  // stacked from the left; not negative
  std::string text = {};      // written beside the bar
};
struct BarChart {
  std::string title;
  std::string description;
  std::vector<std::string> part_styles;  // class of each part
  std::vector<Bar> bars;
  int width = 720;
};
Html BarChartSvg(const BarChart& chart);

// A swatch per series with its name and a remark; the JavaScript of the page highlights the series of one under the
// pointer in all charts of the same <figure>.
struct LegendEntry {
  std::string style;
  std::string name;
  std::string remark;
};
Html Legend(const std::vector<LegendEntry>& entries);

// At most one digit after the point: "12", "12.5".
std::string Coordinate(double value);

// For charts of other kinds: a line of a class of the style sheet; a text that begins at, ends at or is centred on x
// (`anchor`: start, end or middle).
Html SvgLine(const std::string& style, double x1, double y1, double x2, double y2);
Html SvgText(double x, double y, const std::string& anchor, const std::string& text);

// A SIFT vector as a star in each of its 4 x 4 cells.
//
// Layout (VLFeat's dense SIFT): number t + 8 (x + 4 y) is orientation t of 0..7 in the cell of column x and row y, from
// the top left. Orientation t is the direction (cos, sin)(2 pi t / 8) of the gradient with y pointing down, as in the
// picture, so it is drawn without turning. A ray's length is |value| / max |value| of half a cell.
//
// Atoms are made of descriptors whose mean was taken away: it cannot be added back, so values below zero exist. They
// mean "less than usual in this direction" and are drawn in a second tone, beneath the positive ones.
inline constexpr std::size_t kSiftLength = 128;
// The side of a cell in the glyph's own units; the whole glyph is four cells wide and high.
inline constexpr int kGlyphCell = 100;

struct GlyphPaths {
  std::string positive;  // SVG path data: one "M x y l dx dy" a ray
  std::string negative;
};

// Rays shorter than a twentieth of the longest are left out. REQUIRES: descriptor has 128 numbers.
GlyphPaths SiftGlyphPaths(std::span<const float> descriptor);

// One <svg> for one atom, titled with its rank from 1. REQUIRES: as above.
Html SiftGlyph(std::span<const float> descriptor, std::size_t rank);

// A sheet of glyphs, at most `limit`; empty if the atoms are no SIFT vectors or there are none.
Html GlyphSheet(const FloatMatrix& atoms, std::size_t limit);

}  // namespace flyscribe
