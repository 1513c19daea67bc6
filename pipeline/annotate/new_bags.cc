#include "pipeline/annotate/new_bags.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "core/error.h"
#include "core/hash.h"
#include "core/parallel.h"
#include "core/slug.h"
#include "core/text.h"
#include "corpus/corpus.h"
#include "corpus/row_fields.h"
#include "pipeline/corpus/corpus_source.h"

namespace flyscribe {
namespace {

// An image that may be used, and the bag it goes to.
struct Candidate {
  std::string bag;
  Gene gene;
  GeneNames names;
  int stage = 0;
  NewImage image;
  std::string place;    // where it is listed
  std::string failure;  // why the file could not be read, if it could not
};

class BagFinder {
 public:
  explicit BagFinder(const NewBagOptions& options) : options_(options) {
    for (const std::string& view : options.views) views_.insert(ToLower(Trim(view)));
  }

  NewBags Run(Progress& progress) {
    RequireKnownRange();
    if (fs::is_directory(options_.images)) {
      ReadFolder(progress);
    } else {
      ReadCorpus({{}, options_.images, options_.image_folders}, progress);
    }
    HashFiles(progress);
    MakeBags();
    if (found_.bags.empty()) ThrowNothingLeft();
    return std::move(found_);
  }

 private:
  bool IsKnown(StageRange range) const {
    return std::count(options_.known_ranges.begin(), options_.known_ranges.end(), range) > 0;
  }

  void RequireKnownRange() const {
    if (!options_.range || IsKnown(*options_.range)) return;
    std::vector<std::string> names;
    for (const StageRange range : options_.known_ranges) names.push_back(range.name());
    throw Error(ErrorCode::kUsage,
                "the model has no stage range " + options_.range->name(),
                "it has " + Join(names, ", "),
                {"--range " + options_.range->name()});
  }

  // A tree if any file lies as in one.
  void ReadFolder(Progress& progress) {
    const std::vector<fs::path> folders = {options_.images};
    const ImageFiles files = FindImageFiles(folders, PixelsOf, ExplicitImageNumber, progress);
    const bool is_tree = std::any_of(files.all.begin(), files.all.end(), [](const ImageFile& file) {
      const fs::path range = fs::path(file.file).parent_path();
      return ParseStageCode(range.filename().string()).has_value() && !range.parent_path().filename().empty();
    });
    if (files.all.empty()) {
      throw Error(ErrorCode::kInput,
                  "there is no image file here",
                  "image files end in bmp, png, jpg, jpeg, jpe, tif or tiff",
                  {options_.images.string()});
    }
    if (is_tree) {
      ReadCorpus({{}, {}, folders}, progress);
    } else {
      ReadFlat(files);
    }
  }

  void ReadFlat(const ImageFiles& files) {
    if (!options_.range) {
      throw Error(ErrorCode::kUsage,
                  "the images do not lie in <gene>/<stage range>/, so their stage range is not known",
                  "give it: --range 4-6; every image is then a bag of its own",
                  {options_.images.string()});
    }
    found_.skipped = files.problems;
    std::map<std::string, int> same_stem;
    for (const ImageFile& file : files.all) ++same_stem[WithoutExtension(file)];
    for (const ImageFile& file : files.all) {
      const std::string stem = WithoutExtension(file);
      const std::string name = same_stem[stem] == 1 ? stem : file.file;
      if (Printable(name, name.size()) != name) {
        Skip(ToUtf8(file.file), "name is not plain UTF-8 text", true);
        continue;
      }
      const Gene word = GeneFromWord(name);
      const Gene gene = word.fbgn.empty() && word.cg.empty() ? Gene() : word;
      candidates_.push_back(
          {name, gene, NamesOf(gene), options_.range->code(), {name, options_.images / file.file, {}}, file.file, {}});
    }
  }

  static std::string WithoutExtension(const ImageFile& file) {
    return fs::path(file.file).replace_extension().generic_string();
  }

  void ReadCorpus(const Sources& sources, Progress& progress) {
    const Corpus corpus(sources, PixelsOf, progress);
    for (const LeftOut& row : corpus.left_out) Skip(corpus.NameOf(row.place), row.reason, row.fault);
    found_.skipped.insert(found_.skipped.end(), corpus.folder_problems.begin(), corpus.folder_problems.end());
    for (const CorpusImage& image : corpus.images) {
      if (!image.silent) Take(corpus, image);
    }
  }

  void Take(const Corpus& corpus, const CorpusImage& image) {
    const StageRange range = StageRange::FromCode(image.stage);
    const std::string place = corpus.NameOf(image.place);
    const bool view_wanted =
        image.view.empty() ? options_.keep_blank_view : views_.empty() || views_.contains(image.view);
    if (options_.range && range != *options_.range) {
      Skip(place, "other stage range: " + range.name(), true);
    } else if (!IsKnown(range)) {
      Skip(place, "stage range not in the model: " + range.name(), true);
    } else if (!view_wanted) {
      Skip(place, "view not wanted: " + (image.view.empty() ? "blank" : image.view), false);
    } else if (!image.problem.empty()) {
      image.fault ? BadImage(place, image.problem) : Skip(place, image.problem, false);
    } else if (!image.file) {
      BadImage(place, "image file not found: " + image.id);
    } else {
      const Gene& gene = corpus.genes.at(image.gene);
      candidates_.push_back({image.bag.empty() ? gene.Identity() : image.bag,
                             gene,
                             corpus.names.at(image.gene),
                             image.stage,
                             {image.id, corpus.PathOf(*image.file), {}},
                             place,
                             {}});
    }
  }

  void Skip(const std::string& place, const std::string& reason, bool fault) {
    found_.skipped.push_back({place, reason, fault});
  }

  void BadImage(const std::string& place, const std::string& reason) {
    if (options_.fail_on_bad_image) {
      throw Error(ErrorCode::kInput, reason, "--on-bad-image skip goes on without it", {place});
    }
    Skip(place, reason, true);
  }

  void HashFiles(Progress& progress) {
    progress.Begin(candidates_.size(), "files read");
    ParallelFor(options_.threads, candidates_.size(), [&](std::size_t i) {
      progress.ThrowIfStopped();
      try {
        candidates_[i].image.digest = Sha256OfFile(candidates_[i].image.path);
      } catch (const Error& error) {
        candidates_[i].failure = error.diagnostics().front().message;
      }
      progress.Advance();
    });
  }

  void MakeBags() {
    std::sort(candidates_.begin(), candidates_.end(), [](const Candidate& a, const Candidate& b) {
      return std::tie(a.stage, a.bag, a.image.id, a.image.digest) <
             std::tie(b.stage, b.bag, b.image.id, b.image.digest);
    });
    SlugMaker slugs;
    std::set<std::string> pictures;  // of the open bag
    for (Candidate& candidate : candidates_) {
      if (!candidate.failure.empty()) {
        BadImage(candidate.place, "image file unreadable: " + candidate.failure);
        continue;
      }
      const StageRange range = StageRange::FromCode(candidate.stage);
      if (found_.bags.empty() || found_.bags.back().id != candidate.bag || found_.bags.back().range != range) {
        const std::string slug = slugs.Make(candidate.bag + "_" + range.name());
        found_.bags.push_back({candidate.bag, candidate.gene, candidate.names, range, slug, {}});
        pictures.clear();
      }
      const NewBag& bag = found_.bags.back();
      if (candidate.gene != bag.gene) {
        BadImage(candidate.place,
                 "bag of two genes: " + bag.id + " (" + bag.gene.Identity() + ", " + candidate.gene.Identity() + ")");
      } else if (pictures.insert(candidate.image.digest).second) {
        found_.bags.back().images.push_back(std::move(candidate.image));
      } else {
        Skip(candidate.place, "same picture twice: " + candidate.image.id, false);
      }
    }
  }

  [[noreturn]] void ThrowNothingLeft() const {
    throw Error(ErrorCode::kInput,
                "no image is left to annotate; left out: " + ReasonsInWords(found_.skipped),
                "--image-dir says where a table's files lie, --range and --views what is taken",
                {options_.images.string()});
  }

  const NewBagOptions& options_;
  std::set<std::string> views_;
  std::vector<Candidate> candidates_;
  NewBags found_;
};

// Without links and dots, also of a folder that is yet to be made.
fs::path RealPath(const fs::path& path) {
  boost::system::error_code error;
  const fs::path real = fs::weakly_canonical(fs::absolute(path), error);
  return error ? fs::absolute(path).lexically_normal() : real;
}

bool IsAtOrBelow(const fs::path& path, const fs::path& folder) {
  return std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first == folder.end();
}

}  // namespace

void RequireOutside(const fs::path& output, const std::vector<fs::path>& image_folders) {
  for (const fs::path& folder : image_folders) {
    if (!IsAtOrBelow(RealPath(output), RealPath(folder))) continue;
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

NewBags FindNewBags(const NewBagOptions& options, Progress& progress) { return BagFinder(options).Run(progress); }

}  // namespace flyscribe
