#include "report/glyphs.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/error.h"

namespace flyscribe {
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

std::string Ray(int cell_x, int cell_y, const Direction& direction, double length) {
  const auto whole = [](double value) { return std::to_string(std::lround(value)); };
  const int x = cell_x * kGlyphCell + kGlyphCell / 2;
  const int y = cell_y * kGlyphCell + kGlyphCell / 2;
  return "M" + std::to_string(x) + " " + std::to_string(y) + "l" + whole(direction.x * length) + " " +
         whole(direction.y * length);
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
    const std::string ray =
        Ray(cell % kCells, cell / kCells, kDirections[i % kOrientations], std::abs(share) * (kGlyphCell / 2.0));
    (share > 0.0 ? paths.positive : paths.negative) += ray;
  }
  return paths;
}

Html SiftGlyph(std::span<const float> descriptor, std::size_t rank) {
  const GlyphPaths paths = SiftGlyphPaths(descriptor);
  const std::string side = std::to_string(kCells * kGlyphCell);
  const std::string name = "atom " + std::to_string(rank);
  Html content = Element("title", Text(name));
  content +=
      Element("path", {{"class", "cells"}, {"d", "M100 0V400M200 0V400M300 0V400M0 100H400M0 200H400M0 300H400"}});
  content += Element("path", {{"class", "less"}, {"d", paths.negative}});
  content += Element("path", {{"class", "more"}, {"d", paths.positive}});
  return Element("svg",
                 {{"class", "glyph"}, {"viewBox", "0 0 " + side + " " + side}, {"role", "img"}, {"aria-label", name}},
                 content);
}

Html GlyphSheet(const FloatMatrix& atoms, std::size_t limit) {
  if (atoms.rows() == 0 || atoms.cols() != kSiftLength) return {};
  Html glyphs;
  for (std::size_t i = 0; i < std::min(limit, atoms.rows()); ++i) glyphs += SiftGlyph(atoms.Row(i), i + 1);
  return Element("div", {{"class", "glyphs"}}, glyphs);
}

}  // namespace flyscribe
