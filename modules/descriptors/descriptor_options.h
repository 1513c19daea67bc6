// What can be chosen about windows, their descriptors (dense_sift.h) and what is made of them (normalise.h).
// Apart, so that the configuration does not include the verbs.
#pragma once

#include <string>
#include <vector>

#include "core/options.h"

namespace flyscribe {

inline constexpr int kLargestWindow = 128;

struct ExtractOptions {
  enum class Alignment { kCentred, kCorner };
  enum class WindowFunction { kGaussian, kFlat };

  int window = 16;
  std::vector<std::string> scales = {"1"};
  int stride = 16;
  Alignment alignment = Alignment::kCentred;
  double smoothing = 2.8;
  WindowFunction window_function = WindowFunction::kGaussian;

  void Fields(OptionsVisitor& visit) {
    visit.Integer(
        {.name = "window",
         .doc = "Side of a window in pixels; a multiple of 4, because it is cut into 4 x 4 bins (other values "
                "are refused).",
         .min = 8,
         .max = 128},
        window);
    visit.Words({.name = "scales",
                 .doc = "Sizes of windows, as multiples of the window above: [1, 2] also takes windows of twice the "
                        "side. All are coded with one dictionary."},
                scales);
    visit.Integer({.name = "stride",
                   .doc = "Distance between neighbouring windows in pixels. Halving it gives four times the patches.",
                   .min = 1,
                   .max = 128},
                  stride);
    visit.Choice({.name = "alignment",
                  .doc = "centred: windows are centred on multiples of the stride (19 x 7 on an embryo at stride 16); "
                         "corner: the first window touches the top left corner (20 x 8).",
                  .allowed = {"centred", "corner"}},
                 alignment);
    visit.Real({.name = "smoothing",
                .doc = "Standard deviation, in pixels, of the Gaussian blur before gradients are taken; 0 for none. "
                       "More blur gives smoother descriptors and sparser codes.",
                .min = 0,
                .max = 32},
               smoothing);
    visit.Choice({.name = "window_function",
                  .doc = "Weight of a pixel within its window: gaussian is VLFeat's default; flat is an approximation "
                         "about fifteen times faster.",
                  .allowed = {"gaussian", "flat"}},
                 window_function);
  }
  // The sides of the windows in pixels, one for each scale. Throws Error(kUsage) unless they are distinct whole
  // multiples of a window that is a multiple of 4, at most kLargestWindow.
  std::vector<int> WindowSides() const;
};

struct NormaliseOptions {
  enum class Filter { kPixels, kDescriptor };

  double min_deviation = 1.0;
  Filter filter = Filter::kPixels;

  void Fields(OptionsVisitor& visit) {
    visit.Real(
        {.name = "min_deviation",
         .doc = "Windows whose standard deviation is under this are flat and dropped; 0 keeps all. In gray levels "
                "(0 to 127.5), or in SIFT's units of 1/512 if filter is descriptor.",
         .min = 0,
         .max = 127.5},
        min_deviation);
    visit.Choice({.name = "filter",
                  .doc = "What the standard deviation is of: the window's gray values, before any smoothing, or the "
                         "numbers of its raw descriptor.",
                  .allowed = {"pixels", "descriptor"}},
                 filter);
  }
};

}  // namespace flyscribe
