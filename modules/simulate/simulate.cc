#include "simulate/simulate.h"

#include <set>
#include <string>
#include <utility>

#include "core/error.h"
#include "core/file.h"
#include "core/parallel.h"
#include "data/image.h"
#include "simulate/embryo.h"
#include "simulate/genes.h"

namespace flyscribe {
namespace {

// By gene, then by range.
std::vector<PlannedBag> PlanBags(const SimulateOptions& options, const std::set<StageRange>& ranges) {
  std::vector<PlannedBag> bags;
  for (int gene = 0; gene < options.genes; ++gene) {
    for (const StageRange range : ranges) {
      if (auto bag = PlanBag(options, gene, range)) bags.push_back(std::move(*bag));
    }
  }
  return bags;
}

std::string ImageFolder(int number) { return "img_dir_" + std::to_string(number / 1000); }
std::string ImageName(int number) { return ImageFolder(number) + "/insitu" + std::to_string(number); }
std::string Quoted(const std::string& text) { return '"' + text + '"'; }

std::string AnnotationRows(const PlannedBag& bag) {
  const GeneName name = NameOf(bag.gene);
  std::string rows;
  for (const std::string& label : bag.labels) {
    rows += Quoted(name.cg) + ',' + Quoted(name.symbol) + ',' + Quoted(name.fbgn) + ',' +
            std::to_string(bag.range.code()) + ',' + Quoted(label) + '\n';
  }
  return rows;
}

// Clone, comment and resolution stay empty.
std::string ImageRows(const PlannedBag& bag) {
  const GeneName name = NameOf(bag.gene);
  std::string rows;
  for (const PlannedImage& image : bag.images) {
    rows += Quoted(name.cg) + ',' + Quoted(name.symbol) + ',' + Quoted(name.symbol) + ',' + Quoted(name.fbgn) + ",," +
            Quoted(ImageName(image.number) + ".jpe") + ',' + std::to_string(bag.range.code()) + ',' +
            Quoted(image.view_name) + ",,\n";
  }
  return rows;
}

struct ImageJob {
  const PlannedBag* bag = nullptr;
  std::size_t image = 0;
};

std::vector<ImageJob> ListImages(const std::vector<PlannedBag>& bags) {
  std::vector<ImageJob> jobs;
  for (const PlannedBag& bag : bags) {
    for (std::size_t i = 0; i < bag.images.size(); ++i) jobs.push_back({&bag, i});
  }
  return jobs;
}

void CreateImageFolders(const std::vector<ImageJob>& jobs, const fs::path& folder) {
  std::set<std::string> names;
  for (const ImageJob& job : jobs) names.insert(ImageFolder(job.bag->images[job.image].number));
  for (const std::string& name : names) CreateFolder(folder / name);
}

void WriteTables(const std::vector<PlannedBag>& bags, const fs::path& folder) {
  std::string annotations;
  std::string images;
  for (const PlannedBag& bag : bags) {
    annotations += AnnotationRows(bag);
    images += ImageRows(bag);
  }
  WriteFileAtomically(folder / "insitu_annot.csv", annotations);
  WriteFileAtomically(folder / "insitu_images.csv", images);
}

SimulateSummary Summarise(const std::vector<PlannedBag>& bags) {
  SimulateSummary summary;
  std::set<int> genes;
  for (const PlannedBag& bag : bags) {
    genes.insert(bag.gene);
    summary.images += bag.images.size();
    summary.labels += bag.labels.size();
  }
  summary.genes = genes.size();
  summary.bags = bags.size();
  return summary;
}

}  // namespace

SimulateSummary Simulate(const SimulateOptions& options,
                         const std::vector<StageRange>& ranges,
                         const fs::path& folder,
                         int threads,
                         Progress& progress) {
  options.Check();
  if (ranges.empty()) throw Error(ErrorCode::kUsage, "no stage range to simulate", "name at least one, such as 4-6");
  RequireWritableFolder(folder);
  const std::vector<PlannedBag> bags = PlanBags(options, {ranges.begin(), ranges.end()});
  const std::vector<ImageJob> jobs = ListImages(bags);
  CreateImageFolders(jobs, folder / "images");
  progress.Begin(jobs.size(), "images");
  ParallelFor(threads, jobs.size(), [&](std::size_t i) {
    progress.ThrowIfStopped();
    const ImageJob& job = jobs[i];
    const RgbImage image = RenderEmbryo(SpecOf(options, *job.bag, job.image));
    const std::string name = ImageName(job.bag->images[job.image].number) + ".bmp";
    WriteFile(folder / "images" / name, EncodeBmp(image), Durability::kUnsynced);
    progress.Advance();
  });
  WriteTables(bags, folder);
  return Summarise(bags);
}

}  // namespace flyscribe
