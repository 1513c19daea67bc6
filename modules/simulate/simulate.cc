#include "simulate/simulate.h"

#include <fmt/format.h>

#include <set>
#include <string>
#include <utility>

#include "core/error.h"
#include "core/file.h"
#include "core/parallel.h"
#include "core/text.h"
#include "data/image.h"
#include "simulate/embryo.h"
#include "simulate/genes.h"
#include "simulate/photograph.h"

namespace flyscribe {
namespace {

std::string ImageFolder(int number) { return fmt::format("img_dir_{}", number / 1000); }
std::string ImageName(int number) { return fmt::format("{}/insitu{}", ImageFolder(number), number); }

// Clone, comment and resolution of an image stay empty.
void WriteTables(const std::vector<PlannedBag>& bags, const fs::path& folder) {
  std::string annotations;
  std::string images;
  for (const PlannedBag& bag : bags) {
    const auto& [cg, symbol, fbgn] = NameOf(bag.gene);
    const int code = bag.range.code();
    for (const std::string& label : bag.labels) {
      annotations += fmt::format("\"{}\",\"{}\",\"{}\",{},\"{}\"\n", cg, symbol, fbgn, code, label);
    }
    for (const PlannedImage& image : bag.images) {
      images += fmt::format("\"{}\",\"{}\",\"{}\",\"{}\",,\"{}.jpe\",{},\"{}\",,\n",
                            cg,
                            symbol,
                            symbol,
                            fbgn,
                            ImageName(image.number),
                            code,
                            image.view_name);
    }
  }
  WriteFileAtomically(folder / "insitu_annot.csv", annotations);
  WriteFileAtomically(folder / "insitu_images.csv", images);
}

struct ImageJob {
  const PlannedBag* bag = nullptr;
  std::size_t image = 0;

  int number() const { return bag->images[image].number; }
};

// Writes one picture; returns its row of poses.tsv, if it is a photograph.
std::string MakeImage(const SimulateOptions& options, const SimulateOutput& output, const ImageJob& job) {
  const EmbryoSpec embryo = SpecOf(options, *job.bag, job.image);
  const auto write = [&](const char* ending, const std::string& bytes) {
    WriteFile(output.folder / "images" / (ImageName(job.number()) + ending), bytes, Durability::kUnsynced);
  };
  if (!options.photographs) {
    write(".bmp", EncodeBmp(RenderEmbryo(embryo)));
    return {};
  }
  const auto noise = static_cast<float>(options.photograph_noise);
  const Photograph photograph = TakePhotograph({embryo, options.max_turn, options.neighbours, options.touching, noise});
  write(".jpe", output.encode(photograph.image));
  const EmbryoPose& pose = photograph.pose;
  std::string row = fmt::format("{}\t{}\t{}", job.number(), photograph.image.width, photograph.image.height);
  for (const double value : {pose.centre_x, pose.centre_y, pose.angle, pose.half_length, pose.half_height}) {
    row += '\t' + FormatFixed(value, 3);
  }
  return row + '\n';
}

}  // namespace

SimulateSummary Simulate(const SimulateOptions& options,
                         const std::vector<StageRange>& ranges,
                         const SimulateOutput& output,
                         int threads,
                         Progress& progress) {
  options.Check();
  if (ranges.empty()) throw Error(ErrorCode::kUsage, "no stage range to simulate", "name at least one, such as 4-6");
  FLYSCRIBE_CHECK(!options.photographs || output.encode, "photographs need an encoder");
  RequireWritableFolder(output.folder);
  SimulateSummary summary;
  std::vector<PlannedBag> bags;  // by gene, then by range
  const std::set<StageRange> once(ranges.begin(), ranges.end());
  for (int gene = 0; gene < options.genes; ++gene) {
    const std::size_t before = bags.size();
    for (const StageRange range : once) {
      if (auto bag = PlanBag(options, gene, range)) bags.push_back(std::move(*bag));
    }
    summary.genes += bags.size() > before ? 1U : 0U;
  }
  summary.bags = bags.size();
  std::vector<ImageJob> jobs;
  std::set<std::string> folders;
  for (const PlannedBag& bag : bags) {
    summary.images += bag.images.size();
    summary.labels += bag.labels.size();
    for (std::size_t i = 0; i < bag.images.size(); ++i) {
      jobs.push_back({&bag, i});
      folders.insert(ImageFolder(jobs.back().number()));
    }
  }
  for (const std::string& name : folders) CreateFolder(output.folder / "images" / name);
  std::vector<std::string> poses(jobs.size());
  progress.Begin(jobs.size(), "images");
  ParallelFor(threads, jobs.size(), [&](std::size_t i) {
    progress.ThrowIfStopped();
    poses[i] = MakeImage(options, output, jobs[i]);
    progress.Advance();
  });
  if (options.photographs) {
    std::string rows = "image_id\twidth\theight\tcentre_x\tcentre_y\tangle\thalf_length\thalf_height\n";
    for (const std::string& row : poses) rows += row;
    WriteFileAtomically(output.folder / "poses.tsv", rows);
  }
  WriteTables(bags, output.folder);
  return summary;
}

}  // namespace flyscribe
