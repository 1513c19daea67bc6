#include "corpus/import.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "core/error.h"
#include "core/rng.h"
#include "core/text.h"
#include "corpus/intake.h"
#include "data/collection.h"

namespace flyscribe {
namespace {

// Case does not matter; a pattern that ends in * fits every word that begins so.
bool FitsAny(const std::string& word, const std::vector<std::string>& patterns) {
  const std::string lower = ToLower(word);
  return std::ranges::any_of(patterns, [&](const std::string& written) {
    const std::string pattern = ToLower(Trim(written));
    return pattern.ends_with('*') ? lower.starts_with(pattern.substr(0, pattern.size() - 1)) : lower == pattern;
  });
}

// What the range's annotations say of one gene.
struct Annotated {
  std::set<std::string> terms;
  std::vector<RowPlace> places;  // rows that count
  bool has_bag = false;
};

IntakeRules RulesOf(const IngestOptions& options) {
  return {.views = options.views,
          .keep_blank_view = options.blank_view == IngestOptions::BlankView::kKeep,
          .use_bag_column = false,
          .fail_on_bad_image = options.on_bad_image == IngestOptions::OnBadImage::kFail,
          .how_to_skip = "set `on_bad_image: skip`"};
}

// Builds the collection of one range; one use.
class Importer {
 public:
  Importer(const Corpus& corpus, StageRange range, const IngestOptions& options)
      : corpus_(corpus), options_(options), rules_(RulesOf(options)), intake_(corpus, rules_, collection_.skipped) {
    collection_.range = range;
  }

  Collection Run(const ImportControl& control, Progress& progress) {
    intake_.ListProblems(collection_.range);
    ReadAnnotations();
    for (const CorpusImage& row : corpus_.images) {
      if (!InRange(row.stage) || row.silent) continue;
      ++image_rows_;
      intake_.Take(row, annotated_.contains(row.gene) ? "" : "no annotation");
    }
    const std::vector<IntakeImage> images = intake_.Hash(control, progress);
    for (const IntakeBag& bag : intake_.Bags(WithoutEqualPictures(images))) AddBag(bag);
    std::vector<RowPlace> unused;
    for (const auto& [gene, annotated] : annotated_) {
      if (!annotated.has_bag) unused.insert(unused.end(), annotated.places.begin(), annotated.places.end());
    }
    std::ranges::sort(unused);
    for (const RowPlace& place : unused) intake_.Filter(place, "annotation without image");
    if (collection_.bags.empty()) ThrowNoBags();
    return std::move(collection_);
  }

 private:
  bool InRange(int stage) const { return stage == collection_.range.code(); }

  void ReadAnnotations() {
    for (const CorpusLabel& label : corpus_.labels) {
      if (!InRange(label.stage) || label.silent) continue;
      ++annotation_rows_;
      const LabelKind kind = KindOfLabel(label.term, options_);
      if (!label.problem.empty()) {
        intake_.Filter(label.place, label.problem);
      } else if (kind == LabelKind::kBookkeeping) {
        intake_.Filter(label.place, "bookkeeping term: " + label.term);
      } else {
        Annotated& annotated = annotated_[label.gene];
        annotated.places.push_back(label.place);
        if (kind == LabelKind::kTerm) annotated.terms.insert(label.term);
      }
    }
  }

  // Of one gene's equal pictures the first row's stays; those of two genes all go.
  std::vector<IntakeImage> WithoutEqualPictures(const std::vector<IntakeImage>& images) {
    std::map<std::string, std::vector<const CorpusImage*>> showing;  // by the picture's digest
    for (const IntakeImage& image : images) showing[image.digest].push_back(image.row);
    std::vector<IntakeImage> kept;
    for (const IntakeImage& image : images) {
      const std::vector<const CorpusImage*>& equal = showing.at(image.digest);
      const auto other_gene =
          std::ranges::find_if(equal, [&](const CorpusImage* row) { return row->gene != image.row->gene; });
      if (other_gene != equal.end()) {
        intake_.BadImage(*image.row,
                         "same picture under two genes: " + image.row->id + ", " + (*other_gene)->id,
                         "take the picture from the gene it does not show");
      } else if (equal.front() != image.row) {
        intake_.Filter(image.row->place, "same picture twice: " + image.row->id + ", " + equal.front()->id);
      } else {
        kept.push_back(image);
      }
    }
    return kept;
  }

  void AddBag(const IntakeBag& taken) {
    const std::size_t index = taken.images.front().row->gene;
    const Gene& gene = corpus_.genes[index];
    Annotated& annotated = annotated_.at(index);
    annotated.has_bag = true;
    Bag bag{taken.id,
            gene.Identity(),
            gene.symbol,
            gene.fbgn,
            FoldOfGene(gene.Identity(), options_.folds, options_.split_seed),
            {annotated.terms.begin(), annotated.terms.end()},
            corpus_.names[index]};
    for (const IntakeImage& image : taken.images) {
      const ImageFile& file = *image.row->file;
      collection_.images.push_back({image.row->id, file.folder, file.file, image.digest, collection_.bags.size()});
    }
    collection_.bags.push_back(std::move(bag));
  }

  [[noreturn]] void ThrowNoBags() const {
    throw Error(ErrorCode::kInput,
                fmt::format("no bag in stage range {}: of {} image rows and {} annotation rows none was usable; left "
                            "out: {}",
                            collection_.range.name(),
                            image_rows_,
                            annotation_rows_,
                            ReasonsInWords(collection_.skipped)),
                "check the image folders and the options `views` and `blank_view`, or leave this range out",
                {corpus_.tables.empty() ? "" : corpus_.tables.back().name});
  }

  const Corpus& corpus_;
  const IngestOptions& options_;
  Collection collection_;
  IntakeRules rules_;
  Intake intake_;                               // lists what it skips in the collection
  std::map<std::size_t, Annotated> annotated_;  // by gene
  std::size_t annotation_rows_ = 0;
  std::size_t image_rows_ = 0;
};

}  // namespace

LabelKind KindOfLabel(const std::string& word, const IngestOptions& options) {
  if (FitsAny(word, options.bookkeeping_terms)) return LabelKind::kBookkeeping;
  return FitsAny(word, options.absence_terms) ? LabelKind::kAbsence : LabelKind::kTerm;
}

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
