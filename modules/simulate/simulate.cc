#include "simulate/simulate.h"

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

  int number() const { return bag->images[image].number; }
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
  for (const ImageJob& job : jobs) names.insert(ImageFolder(job.number()));
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

void WriteImage(const fs::path& folder, const std::string& name, const std::string& bytes) {
  WriteFile(folder / "images" / name, bytes, Durability::kUnsynced);
}

PhotographSpec PhotographOf(const SimulateOptions& options, const ImageJob& job) {
  PhotographSpec spec;
  spec.embryo = SpecOf(options, *job.bag, job.image);
  spec.max_turn = options.max_turn;
  spec.neighbours = options.neighbours;
  spec.touching = options.touching;
  spec.noise = static_cast<float>(options.photograph_noise);
  return spec;
}

std::string PoseRow(int number, const Photograph& photograph) {
  const EmbryoPose& pose = photograph.pose;
  std::string row = std::to_string(number) + '\t' + std::to_string(photograph.image.width) + '\t' +
                    std::to_string(photograph.image.height);
  for (const double value : {pose.centre_x, pose.centre_y, pose.angle, pose.half_length, pose.half_height}) {
    row += '\t' + FormatFixed(value, 3);
  }
  return row + '\n';
}

// Makes the pictures one by one; as many workers as there are may call Make at a time.
class ImageMaker {
 public:
  ImageMaker(const SimulateOptions& options, const SimulateOutput& output, const std::vector<ImageJob>& jobs)
      : options_(options), output_(output), jobs_(jobs), poses_(jobs.size()) {}

  void Make(std::size_t i) {
    const ImageJob& job = jobs_[i];
    const std::string name = ImageName(job.number());
    if (!options_.photographs) {
      WriteImage(output_.folder, name + ".bmp", EncodeBmp(RenderEmbryo(SpecOf(options_, *job.bag, job.image))));
      return;
    }
    const Photograph photograph = TakePhotograph(PhotographOf(options_, job));
    WriteImage(output_.folder, name + ".jpe", output_.encode(photograph.image));
    poses_[i] = PoseRow(job.number(), photograph);
  }

  void WritePoses() const {
    if (!options_.photographs) return;
    std::string rows = "image_id\twidth\theight\tcentre_x\tcentre_y\tangle\thalf_length\thalf_height\n";
    for (const std::string& row : poses_) rows += row;
    WriteFileAtomically(output_.folder / "poses.tsv", rows);
  }

 private:
  const SimulateOptions& options_;
  const SimulateOutput& output_;
  const std::vector<ImageJob>& jobs_;
  std::vector<std::string> poses_;  // rows of poses.tsv
};

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
                         const SimulateOutput& output,
                         int threads,
                         Progress& progress) {
  options.Check();
  if (ranges.empty()) throw Error(ErrorCode::kUsage, "no stage range to simulate", "name at least one, such as 4-6");
  FLYSCRIBE_CHECK(!options.photographs || output.encode, "photographs need an encoder");
  RequireWritableFolder(output.folder);
  const std::vector<PlannedBag> bags = PlanBags(options, {ranges.begin(), ranges.end()});
  const std::vector<ImageJob> jobs = ListImages(bags);
  CreateImageFolders(jobs, output.folder / "images");
  ImageMaker maker(options, output, jobs);
  progress.Begin(jobs.size(), "images");
  ParallelFor(threads, jobs.size(), [&](std::size_t i) {
    progress.ThrowIfStopped();
    maker.Make(i);
    progress.Advance();
  });
  maker.WritePoses();
  WriteTables(bags, output.folder);
  return Summarise(bags);
}

}  // namespace flyscribe
