#include "corpus/import.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "core/error.h"
#include "core/parallel.h"
#include "core/rng.h"
#include "core/text.h"
#include "corpus/label_rules.h"
#include "data/collection.h"

namespace flyscribe {
namespace {

// What the range's annotations say of one gene.
struct Annotated {
  std::set<std::string> terms;
  std::vector<RowPlace> places;  // rows that count
};

// An image whose file was found.
struct Candidate {
  const CorpusImage* image = nullptr;
  std::string digest;
  std::string failure;  // why the file could not be read, if it could not
};

// Builds the collection of one range; one use.
class Importer {
 public:
  Importer(const Corpus& corpus, StageRange range, const IngestOptions& options)
      : corpus_(corpus), options_(options), rules_(options.absence_terms, options.bookkeeping_terms) {
    collection_.range = range;
    for (const std::string& view : options.views) views_.insert(ToLower(Trim(view)));
  }

  Collection Run(const ImportControl& control, Progress& progress) {
    ListTableProblems();
    ReadAnnotations();
    ChooseImages();
    HashFiles(control, progress);
    DropUnreadable();
    DropEqualPictures();
    MakeBags();
    ListUnusedAnnotations();
    if (collection_.bags.empty()) ThrowNoBags();
    return std::move(collection_);
  }

 private:
  bool InRange(int stage) const { return stage == collection_.range.code(); }
  void Filter(const RowPlace& place, const std::string& reason) {
    collection_.skipped.push_back({corpus_.NameOf(place), reason, false});
  }

  void ListTableProblems() {
    for (const LeftOut& row : corpus_.left_out) {
      if (row.stage != 0 && !InRange(row.stage)) continue;
      collection_.skipped.push_back({corpus_.NameOf(row.place), row.reason, row.fault});
    }
    const std::vector<Skipped>& problems = corpus_.folder_problems;
    collection_.skipped.insert(collection_.skipped.end(), problems.begin(), problems.end());
  }

  void ReadAnnotations() {
    for (const CorpusLabel& label : corpus_.labels) {
      if (!InRange(label.stage) || label.silent) continue;
      ++annotation_rows_;
      const LabelKind kind = rules_.KindOf(label.term);
      if (!label.problem.empty()) {
        Filter(label.place, label.problem);
      } else if (kind == LabelKind::kBookkeeping) {
        Filter(label.place, "bookkeeping term: " + label.term);
      } else {
        Annotated& annotated = annotated_[label.gene];
        annotated.places.push_back(label.place);
        if (kind == LabelKind::kTerm) annotated.terms.insert(label.term);
      }
    }
  }

  bool ViewWanted(const std::string& view) const {
    if (view.empty()) return options_.blank_view == IngestOptions::BlankView::kKeep;
    return views_.empty() || views_.contains(view);
  }

  void ChooseImages() {
    for (const CorpusImage& image : corpus_.images) {
      if (!InRange(image.stage) || image.silent) continue;
      ++image_rows_;
      if (!ViewWanted(image.view)) {
        Filter(image.place, "view not wanted: " + (image.view.empty() ? "blank" : image.view));
      } else if (!image.problem.empty() && image.fault) {
        BadImage(image, image.problem, "correct the rows of this image");
      } else if (!image.problem.empty()) {
        Filter(image.place, image.problem);
      } else if (!annotated_.contains(image.gene)) {
        Filter(image.place, "no annotation");
      } else if (!image.file) {
        BadImage(image, "image file not found: " + image.id, "add the folder it lies in to the image folders");
      } else {
        candidates_.push_back({&image, {}, {}});
      }
    }
  }

  void BadImage(const CorpusImage& image, const std::string& reason, const std::string& hint) {
    if (options_.on_bad_image == IngestOptions::OnBadImage::kFail) {
      throw Error(ErrorCode::kInput,
                  reason,
                  hint + ", or set `on_bad_image: skip` to go on without it",
                  {corpus_.NameOf(image.place)});
    }
    collection_.skipped.push_back({corpus_.NameOf(image.place), reason, true});
  }

  void HashFiles(const ImportControl& control, Progress& progress) {
    progress.Begin(candidates_.size(), "images");
    ParallelFor(control.threads, candidates_.size(), [&](std::size_t i) {
      progress.ThrowIfStopped();
      Candidate& candidate = candidates_[i];
      try {
        candidate.digest = control.digest(corpus_.PathOf(*candidate.image->file));
      } catch (const Error& error) {
        candidate.failure = error.diagnostics().front().message;
      }
      progress.Advance();
    });
  }

  // Keeps the candidates of which `keep` holds, in order; it says itself why the others go.
  template <class Keep>
  void KeepCandidates(const Keep& keep) {
    std::vector<Candidate> kept;
    for (Candidate& candidate : candidates_) {
      if (keep(candidate)) kept.push_back(std::move(candidate));
    }
    candidates_ = std::move(kept);
  }

  void DropUnreadable() {
    KeepCandidates([&](const Candidate& candidate) {
      if (candidate.failure.empty()) return true;
      BadImage(*candidate.image,
               "image file unreadable: " + candidate.image->file->file + ": " + candidate.failure,
               "check the file and its permissions");
      return false;
    });
  }

  void DropEqualPictures() {
    std::map<std::string, std::vector<const CorpusImage*>> showing;  // by the picture's digest
    for (const Candidate& candidate : candidates_) showing[candidate.digest].push_back(candidate.image);
    KeepCandidates([&](const Candidate& candidate) {
      const std::vector<const CorpusImage*>& images = showing.at(candidate.digest);
      const auto other_gene = std::find_if(
          images.begin(), images.end(), [&](const CorpusImage* image) { return image->gene != candidate.image->gene; });
      if (other_gene != images.end()) {
        BadImage(*candidate.image,
                 "same picture under two genes: " + candidate.image->id + ", " + (*other_gene)->id,
                 "take the picture from the gene it does not show");
        return false;
      }
      if (images.front() == candidate.image) return true;
      Filter(candidate.image->place, "same picture twice: " + candidate.image->id + ", " + images.front()->id);
      return false;
    });
  }

  void MakeBags() {
    // Genes are ordered by identity.
    const auto order = [](const Candidate& candidate) { return std::pair(candidate.image->gene, candidate.image->id); };
    std::sort(candidates_.begin(), candidates_.end(), [&](const Candidate& a, const Candidate& b) {
      return order(a) < order(b);
    });
    std::optional<std::size_t> open;
    for (const Candidate& candidate : candidates_) {
      const CorpusImage& image = *candidate.image;
      if (std::exchange(open, image.gene) != image.gene) OpenBag(corpus_.genes[image.gene], image.gene);
      collection_.images.push_back(
          {image.id, image.file->folder, image.file->file, candidate.digest, collection_.bags.size() - 1});
    }
  }

  void OpenBag(const Gene& gene, std::size_t index) {
    const std::string& identity = gene.Identity();
    const std::set<std::string>& terms = annotated_.at(index).terms;
    Bag bag{identity, identity, gene.symbol, gene.fbgn, 0, {terms.begin(), terms.end()}, corpus_.names[index]};
    bag.fold = FoldOfGene(identity, options_.folds, options_.split_seed);
    collection_.bags.push_back(std::move(bag));
  }

  void ListUnusedAnnotations() {
    std::set<std::size_t> with_bag;
    for (const Candidate& candidate : candidates_) with_bag.insert(candidate.image->gene);
    std::vector<RowPlace> unused;
    for (const auto& [gene, annotated] : annotated_) {
      if (!with_bag.contains(gene)) unused.insert(unused.end(), annotated.places.begin(), annotated.places.end());
    }
    std::sort(unused.begin(), unused.end());
    for (const RowPlace& place : unused) Filter(place, "annotation without image");
  }

  [[noreturn]] void ThrowNoBags() const {
    throw Error(ErrorCode::kInput,
                "no bag in stage range " + collection_.range.name() + ": of " + std::to_string(image_rows_) +
                    " image rows and " + std::to_string(annotation_rows_) +
                    " annotation rows none was usable; left out: " + ReasonsInWords(collection_.skipped),
                "check the image folders and the options `views` and `blank_view`, or leave this range out",
                {corpus_.tables.empty() ? "" : corpus_.tables.back().name});
  }

  const Corpus& corpus_;
  const IngestOptions& options_;
  LabelRules rules_;
  std::set<std::string> views_;
  std::map<std::size_t, Annotated> annotated_;  // by gene
  std::vector<Candidate> candidates_;
  std::size_t annotation_rows_ = 0;
  std::size_t image_rows_ = 0;
  Collection collection_;
};

}  // namespace

void IngestOptions::Fields(OptionsVisitor& visit) {
  visit.Words({.name = "views",
               .doc = "Views of the embryo to use, as the image table names them: lateral, dorsal, ventral. An empty "
                      "list takes every view."},
              views);
  visit.Choice({.name = "blank_view",
                .doc = "What to do with images whose view is not said; tables of seven columns and folder trees say "
                       "none.",
                .allowed = {"keep", "drop"}},
               blank_view);
  visit.Words(
      {.name = "absence_terms",
       .doc = "Words that mean that nothing is stained: a bag with no other is kept, and has no term. Case does "
              "not matter; a * at the end stands for any rest."},
      absence_terms);
  visit.Words(
      {.name = "bookkeeping_terms",
       .doc = "Words that are notes of the curators, not terms: such rows are left out. To leave out real terms, "
              "such as ubiquitous, see train.exclude_terms."},
      bookkeeping_terms);
  visit.Integer({.name = "folds", .doc = "Number of outer folds the genes are divided into.", .min = 2, .max = 100},
                folds);
  visit.Integer({.name = "split_seed",
                 .doc = "Seed of the division into folds. The same gene lies in the same fold "
                        "in every stage range."},
                split_seed);
  visit.Integer({.name = "permute_labels",
                 .doc = "Control experiment: unless 0, the bags' labels are dealt out anew by this seed, and every "
                        "score should fall to chance."},
                permute_labels);
  visit.Choice({.name = "on_bad_image",
                .doc = "skip: images that are missing, unreadable or listed under two genes are left out and "
                       "listed; fail: the first one stops the run.",
                .allowed = {"skip", "fail"}},
               on_bad_image);
}

Collection Import(const Corpus& corpus,
                  StageRange range,
                  const IngestOptions& options,
                  const ImportControl& control,
                  Progress& progress) {
  return Importer(corpus, range, options).Run(control, progress);
}

void PermuteLabels(std::int64_t seed, Collection& collection) {
  std::vector<std::vector<std::string>> labels;
  for (Bag& bag : collection.bags) labels.push_back(std::move(bag.terms));
  Rng(static_cast<std::uint64_t>(seed)).Shuffle(labels);
  for (std::size_t i = 0; i < labels.size(); ++i) collection.bags[i].terms = std::move(labels[i]);
}

}  // namespace flyscribe
