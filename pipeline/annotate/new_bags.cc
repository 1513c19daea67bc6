#include "pipeline/annotate/new_bags.h"

#include <algorithm>
#include <set>

#include "core/error.h"
#include "core/hash.h"
#include "core/text.h"
#include "corpus/intake.h"
#include "pipeline/corpus/corpus_source.h"

namespace flyscribe {
namespace {

bool IsKnown(StageRange range, const NewBagOptions& options) {
  return std::count(options.known_ranges.begin(), options.known_ranges.end(), range) > 0;
}

void RequireKnownRange(const NewBagOptions& options) {
  if (!options.range || IsKnown(*options.range, options)) return;
  std::vector<std::string> names;
  for (const StageRange range : options.known_ranges) names.push_back(range.name());
  throw Error(ErrorCode::kUsage,
              "the model has no stage range " + options.range->name(),
              "it has " + Join(names, ", "),
              {"--range " + options.range->name()});
}

// A table's images, those of a tree, or single ones. A folder is a tree if any file lies as in one.
Corpus ReadCorpus(const NewBagOptions& options, IntakeRules& rules, Progress& progress) {
  if (!fs::is_directory(options.images)) {
    return Corpus({{}, options.images, options.image_folders}, PixelsOf, progress);
  }
  const std::vector<fs::path> folders = {options.images};
  const ImageFiles files = FindImageFiles(folders, PixelsOf, ExplicitImageNumber, progress);
  if (files.all.empty()) ThrowNoImageFile(options.images.string());
  if (IsFolderTree(files)) return Corpus({{}, {}, folders}, PixelsOf, progress);
  if (!options.range) {
    throw Error(ErrorCode::kUsage,
                "the images do not lie in <gene>/<stage range>/, so their stage range is not known",
                "give it: --range 4-6; every image is then a bag of its own",
                {options.images.string()});
  }
  rules.keep_blank_view = true;  // the folder was chosen by hand, and says no view of any image
  return SingleImages(options.images, files, *options.range);
}

// Why images of a range are not annotated; empty if they are.
std::string WhyOtherRange(StageRange range, const NewBagOptions& options) {
  if (options.range && range != *options.range) return "other stage range: " + range.name();
  return IsKnown(range, options) ? "" : "stage range not in the model: " + range.name();
}

// The images of one gene, each picture once.
NewBag MakeBag(const Corpus& corpus, const IntakeBag& taken, const std::string& slug, Intake& intake) {
  const std::size_t first = taken.images.front().row->gene;
  NewBag bag{taken.id, corpus.genes[first], corpus.names[first], taken.range, slug, {}};
  std::set<std::string> pictures;
  for (const IntakeImage& image : taken.images) {
    const CorpusImage& row = *image.row;
    const Gene& gene = corpus.genes[row.gene];
    if (gene != bag.gene) {
      intake.BadImage(row,
                      "bag of two genes: " + bag.id + " (" + bag.gene.Identity() + ", " + gene.Identity() + ")",
                      "give the genes bags of their own");
    } else if (pictures.insert(image.digest).second) {
      bag.images.push_back({row.id, corpus.PathOf(*row.file), image.digest});
    } else {
      intake.Filter(row.place, "same picture twice: " + row.id);
    }
  }
  return bag;
}

// Without links and dots, also of a folder that is yet to be made.
fs::path RealPath(const fs::path& path) {
  boost::system::error_code error;
  const fs::path real = fs::weakly_canonical(fs::absolute(path), error);
  return error ? fs::absolute(path).lexically_normal() : real;
}

}  // namespace

void RequireOutside(const fs::path& output, const std::vector<fs::path>& image_folders) {
  for (const fs::path& folder : image_folders) {
    const fs::path inner = RealPath(output);
    const fs::path outer = RealPath(folder);
    if (std::mismatch(outer.begin(), outer.end(), inner.begin(), inner.end()).first != outer.end()) continue;
    throw Error(ErrorCode::kUsage,
                "the output folder lies in the folder of images " + folder.string() +
                    ": the next run would take its pictures for images",
                "choose an --output beside the images",
                {output.string()});
  }
}

std::size_t NewBags::ImageCount() const {
  std::size_t count = 0;
  for (const NewBag& bag : bags) count += bag.images.size();
  return count;
}

NewBags FindNewBags(const NewBagOptions& options, Progress& progress) {
  RequireKnownRange(options);
  NewBags found;
  IntakeRules rules = {.views = options.views,
                       .keep_blank_view = options.keep_blank_view,
                       .use_bag_column = true,
                       .fail_on_bad_image = options.fail_on_bad_image,
                       .how_to_skip = "give --on-bad-image skip"};
  const Corpus corpus = ReadCorpus(options, rules, progress);
  Intake intake(corpus, rules, found.skipped);
  intake.ListProblems();
  for (const CorpusImage& row : corpus.images) {
    if (row.silent) continue;
    const std::string fault = WhyOtherRange(StageRange::FromCode(row.stage), options);
    if (fault.empty()) {
      intake.Take(row);
    } else {
      found.skipped.push_back({corpus.NameOf(row.place), fault, true});
    }
  }
  SlugMaker slugs;
  for (const IntakeBag& bag : intake.Bags(intake.Hash({.threads = options.threads}, progress))) {
    found.bags.push_back(MakeBag(corpus, bag, slugs.Make(bag.id + "_" + bag.range.name()), intake));
  }
  if (found.bags.empty()) {
    throw Error(ErrorCode::kInput,
                "no image is left to annotate; left out: " + ReasonsInWords(found.skipped),
                "--image-dir says where a table's files lie, --range and --views what is taken",
                {options.images.string()});
  }
  return found;
}

}  // namespace flyscribe
