// Measures the way from image files to descriptors: images per second on one core, and memory against their number.
//
//   ./dev bench images [--images N] [--json FILE]
//
// Two kinds of input: registered embryos (320x128, BMP) and photographs (1520x1080, JPEG), both simulated. Each stage
// is timed on its own, on one thread; the best of three passes counts. Times on a shared machine move by 20 %.
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

#include "bench/table.h"
#include "core/error.h"
#include "core/file.h"
#include "core/parallel.h"
#include "core/progress.h"
#include "data/patches.h"
#include "descriptors/dense_sift.h"
#include "imaging/image_file.h"
#include "imaging/standardise.h"
#include "simulate/genes.h"
#include "simulate/photograph.h"

namespace flyscribe {
namespace {

struct Arguments {
  std::size_t images = 40;
  std::string json;
};

constexpr int kPhotographWidth = 1520;
constexpr int kPhotographHeight = 1080;
constexpr int kQuality = 88;
constexpr int kPasses = 3;

// Nearest neighbour: enough for timing, and what is seen stays an embryo.
RgbImage Resized(const RgbImage& image, int width, int height) {
  RgbImage resized(width, height);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      std::copy_n(image.At(x * image.width / width, y * image.height / height), 3, resized.At(x, y));
    }
  }
  return resized;
}

// The first `count` lateral or other images of a simulated data set.
std::vector<EmbryoSpec> Specs(std::size_t count) {
  const SimulateOptions options;
  std::vector<EmbryoSpec> specs;
  for (int gene = 0; specs.size() < count; ++gene) {
    const auto bag = PlanBag(options, gene, StageRange::FromName("13-16"));
    if (!bag) continue;
    for (std::size_t i = 0; i < bag->images.size() && specs.size() < count; ++i) {
      specs.push_back(SpecOf(options, *bag, i));
    }
  }
  return specs;
}

// Seconds an image of the quickest of some passes over all.
template <class Work>
double SecondsAnImage(std::size_t images, const Work& work) {
  double best = 0.0;
  for (int pass = 0; pass < kPasses; ++pass) {
    const double start = SecondsNow();
    for (std::size_t i = 0; i < images; ++i) work(i);
    const double seconds = (SecondsNow() - start) / static_cast<double>(images);
    best = pass == 0 ? seconds : std::min(best, seconds);
  }
  return best;
}

ExtractOptions Extraction(ExtractOptions::WindowFunction window) {
  ExtractOptions options;
  options.window_function = window;
  return options;
}

void MeasureStages(const std::string& name, const std::vector<std::string>& files, BenchTable& table) {
  std::vector<GrayImage> decoded(files.size());
  std::vector<GrayImage> embryos(files.size());
  const double decode = SecondsAnImage(files.size(), [&](std::size_t i) { decoded[i] = DecodeGray(files[i], name); });
  const double standardise =
      SecondsAnImage(files.size(), [&](std::size_t i) { embryos[i] = Standardise(decoded[i], {}, name).image; });
  using Window = ExtractOptions::WindowFunction;
  std::vector<double> extract;
  for (const Window window : {Window::kGaussian, Window::kFlat}) {
    extract.push_back(
        SecondsAnImage(files.size(), [&](std::size_t i) { ExtractPatches(embryos[i], 0, Extraction(window)); }));
  }
  const double before = decode + standardise;
  table.Row(name,
            {1e3 * decode,
             1e3 * standardise,
             1e3 * extract[0],
             1e3 * extract[1],
             1.0 / (before + extract[0]),
             1.0 / (before + extract[1])});
}

// The most anonymous memory that was resident at any sample, in MB.
double AnonymousMegabytes() {
  std::ifstream status("/proc/self/status");
  std::string word;
  double kilobytes = 0.0;
  while (status >> word) {
    if (word == "RssAnon:") status >> kilobytes;
  }
  return kilobytes / 1024.0;
}

// The way the pipeline takes: in parallel, in order, written as a stream. The files are taken round and round.
double PeakOfStream(const std::vector<std::string>& files, std::size_t images) {
  const fs::path folder = fs::temp_directory_path() / fs::unique_path("flyscribe-bench-%%%%%%%%");
  CreateFolder(folder);
  PatchWriter writer(folder);
  const ExtractOptions options = Extraction(ExtractOptions::WindowFunction::kFlat);
  double peak = 0.0;
  const auto make = [&](std::size_t i) {
    const GrayImage image = Standardise(DecodeGray(files[i % files.size()], "bench"), {}, "bench").image;
    return ExtractPatches(image, static_cast<std::int32_t>(i), options);
  };
  ParallelInOrder(0, images, make, [&](std::size_t, const PatchSet& patches) {
    writer.Append(patches);
    peak = std::max(peak, AnonymousMegabytes());
  });
  writer.Finish();
  fs::remove_all(folder);
  return peak;
}

void Run(const Arguments& arguments) {
  std::vector<std::string> registered;
  std::vector<std::string> photographs;
  for (const EmbryoSpec& spec : Specs(arguments.images)) {
    registered.push_back(EncodeBmp(RenderEmbryo(spec)));
    const RgbImage photograph = TakePhotograph({.embryo = spec}).image;
    photographs.push_back(EncodeJpeg(Resized(photograph, kPhotographWidth, kPhotographHeight), kQuality));
  }
  BenchTable stages("One core: milliseconds an image; images per second from file to descriptors",
                    {"decode", "standardise", "SIFT", "flat SIFT", "images/s", "flat images/s"});
  MeasureStages("320x128 BMP", registered, stages);
  MeasureStages("1520x1080 JPEG", photographs, stages);
  BenchTable memory("All cores, streamed: MB of anonymous memory at the peak", {"n images", "4 n", "16 n"});
  const auto peaks = [](const std::vector<std::string>& files, std::size_t least) {
    return std::vector<double>{
        PeakOfStream(files, least), PeakOfStream(files, 4 * least), PeakOfStream(files, 16 * least)};
  };
  memory.Row("320x128 BMP, n = 512", peaks(registered, 512));
  memory.Row("1520x1080 JPEG, n = 64", peaks(photographs, 64));
  if (!arguments.json.empty()) WriteFileAtomically(arguments.json, BenchTable::AllAsJson());
}

}  // namespace
}  // namespace flyscribe

int main(int argc, char** argv) {
  flyscribe::Arguments arguments;
  CLI::App app("Measures the way from image files to descriptors.", "flyscribe_bench_images");
  app.add_option("--images", arguments.images, "Distinct images of each kind")->check(CLI::Range(1, 10000));
  app.add_option("--json", arguments.json, "Also write the tables to this file");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : static_cast<int>(flyscribe::ErrorCode::kUsage);
  }
  try {
    flyscribe::Run(arguments);
  } catch (const flyscribe::Error& error) {
    fmt::print(stderr, "{}\n", error.what());
    return static_cast<int>(error.code());
  }
  return 0;
}
