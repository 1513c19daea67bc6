#include "corpus/bdgp.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "core/error.h"
#include "core/parallel.h"
#include "core/rng.h"
#include "core/text.h"
#include "corpus/folds.h"

namespace flyscribe {
namespace {

// What the range's annotations say of one gene.
struct Annotated {
  std::set<std::string> terms;
  std::vector<int> lines;  // rows that count
};

// An image row whose file was found.
struct Candidate {
  const ImageRow* row = nullptr;
  const ImageFile* file = nullptr;
  std::string digest;
  std::string failure;  // why the file could not be read, if it could not
};

std::string ImageId(const ImageRow& row) { return "insitu" + std::to_string(row.number); }

bool IsBookkeeping(const std::string& term) {
  const std::string lower = ToLower(term);
  return lower == "flag_for_volker" || lower.starts_with("need new term");
}

bool IsAbsence(const std::string& term) { return ToLower(term) == "no staining"; }

// Builds the collection of one range; one use.
class Importer {
 public:
  Importer(const Corpus& corpus, StageRange range, const IngestOptions& options)
      : tables_(corpus.tables), files_(corpus.files), sources_(corpus.sources), options_(options) {
    collection_.range = range;
    for (const std::string& view : options.views) views_.insert(ToLower(Trim(view)));
  }

  Collection Run(const ImportControl& control, Progress& progress) {
    ListTableProblems();
    ReadAnnotations();
    ChooseImages();
    HashFiles(control, progress);
    DropUnreadable();
    MakeBags();
    ListUnusedAnnotations();
    if (collection_.bags.empty()) ThrowNoBags();
    if (options_.permute_labels != 0) PermuteLabels();
    return std::move(collection_);
  }

 private:
  bool InRange(int stage) const { return stage == collection_.range.code(); }
  std::string AnnotationPlace(int line) const { return tables_.annotations_name + ":" + std::to_string(line); }
  std::string ImagePlace(const ImageRow& row) const { return tables_.images_name + ":" + std::to_string(row.line); }
  void Filter(const std::string& input, const std::string& reason) {
    collection_.skipped.push_back({input, reason, false});
  }

  void ListTableProblems() {
    for (const SkippedRow& row : tables_.skipped) {
      if (row.stage == 0 || InRange(row.stage)) collection_.skipped.push_back(row.skipped);
    }
    collection_.skipped.insert(collection_.skipped.end(), files_.problems.begin(), files_.problems.end());
  }

  void ReadAnnotations() {
    std::set<std::pair<std::string, std::string>> seen;
    for (const AnnotationRow& row : tables_.annotations) {
      if (!InRange(row.stage)) continue;
      ++annotation_rows_;
      if (!seen.emplace(row.gene.Identity(), row.term).second) {
        Filter(AnnotationPlace(row.line), "duplicate row");
      } else if (IsBookkeeping(row.term)) {
        Filter(AnnotationPlace(row.line), "bookkeeping term: " + row.term);
      } else {
        Annotated& annotated = annotated_[row.gene.Identity()];
        annotated.lines.push_back(row.line);
        if (!IsAbsence(row.term)) annotated.terms.insert(row.term);
      }
    }
  }

  bool ViewWanted(const std::string& view) const {
    if (view.empty()) return options_.blank_view == IngestOptions::BlankView::kKeep;
    return views_.empty() || views_.contains(view);
  }

  void ChooseImages() {
    std::set<std::int64_t> seen;
    for (const ImageRow& row : tables_.images) {
      if (!InRange(row.stage)) continue;
      ++image_rows_;
      const auto file = files_.by_number.find(row.number);
      if (!ViewWanted(row.view)) {
        Filter(ImagePlace(row), "view not wanted: " + (row.view.empty() ? "blank" : row.view));
      } else if (tables_.shared_images.contains(row.number)) {
        BadImage(row, "image listed under two genes: " + ImageId(row));
      } else if (!seen.insert(row.number).second) {
        Filter(ImagePlace(row), "duplicate row");
      } else if (!annotated_.contains(row.gene.Identity())) {
        Filter(ImagePlace(row), "no annotation");
      } else if (file == files_.by_number.end()) {
        BadImage(row, "image file not found: " + ImageId(row));
      } else {
        candidates_.push_back({&row, &file->second, {}, {}});
      }
    }
  }

  void BadImage(const ImageRow& row, const std::string& reason) {
    if (options_.on_bad_image == IngestOptions::OnBadImage::kFail) {
      throw Error(ErrorCode::kInput,
                  reason,
                  "add the folder it lies in to the image folders, or set `on_bad_image: skip` to go on without it",
                  {sources_.images_table.string(), row.line, 0});
    }
    collection_.skipped.push_back({ImagePlace(row), reason, true});
  }

  void HashFiles(const ImportControl& control, Progress& progress) {
    progress.Begin(candidates_.size(), "images");
    ParallelFor(control.threads, candidates_.size(), [&](std::size_t i) {
      progress.ThrowIfStopped();
      Candidate& candidate = candidates_[i];
      try {
        candidate.digest = control.digest(sources_.image_folders[candidate.file->folder] / candidate.file->file);
      } catch (const Error& error) {
        candidate.failure = error.diagnostics().front().message;
      }
      progress.Advance();
    });
  }

  void DropUnreadable() {
    std::vector<Candidate> readable;
    for (Candidate& candidate : candidates_) {
      if (candidate.failure.empty()) {
        readable.push_back(std::move(candidate));
      } else {
        BadImage(*candidate.row, "image file unreadable: " + candidate.file->file + ": " + candidate.failure);
      }
    }
    candidates_ = std::move(readable);
  }

  void MakeBags() {
    const auto order = [](const Candidate& candidate) {
      return std::pair(candidate.row->gene.Identity(), ImageId(*candidate.row));
    };
    std::sort(candidates_.begin(), candidates_.end(), [&](const Candidate& a, const Candidate& b) {
      return order(a) < order(b);
    });
    for (const Candidate& candidate : candidates_) {
      const Gene& gene = candidate.row->gene;
      if (collection_.bags.empty() || collection_.bags.back().id != gene.Identity()) OpenBag(gene);
      Bag& bag = collection_.bags.back();
      // Rows may spell a symbol differently; the smallest does not depend on their order.
      if (bag.symbol.empty() || (!gene.symbol.empty() && gene.symbol < bag.symbol)) bag.symbol = gene.symbol;
      collection_.images.push_back({ImageId(*candidate.row),
                                    candidate.file->folder,
                                    candidate.file->file,
                                    candidate.digest,
                                    collection_.bags.size() - 1});
    }
  }

  void OpenBag(const Gene& gene) {
    const std::string& identity = gene.Identity();
    const std::set<std::string>& terms = annotated_.at(identity).terms;
    Bag bag{identity, identity, gene.symbol, gene.fbgn, 0, {terms.begin(), terms.end()}};
    bag.fold = FoldOfGene(identity, options_.folds, options_.split_seed);
    collection_.bags.push_back(std::move(bag));
  }

  void ListUnusedAnnotations() {
    std::set<std::string> with_bag;
    for (const Bag& bag : collection_.bags) with_bag.insert(bag.id);
    std::vector<int> unused;
    for (const auto& [gene, annotated] : annotated_) {
      if (!with_bag.contains(gene)) unused.insert(unused.end(), annotated.lines.begin(), annotated.lines.end());
    }
    std::sort(unused.begin(), unused.end());
    for (const int line : unused) Filter(AnnotationPlace(line), "annotation without image");
  }

  [[noreturn]] void ThrowNoBags() const {
    std::map<std::string, std::size_t> counts;
    for (const Skipped& skipped : collection_.skipped) ++counts[skipped.reason.substr(0, skipped.reason.find(':'))];
    std::vector<std::string> reasons;
    for (const auto& [reason, count] : counts) reasons.push_back(reason + " (" + std::to_string(count) + ")");
    throw Error(
        ErrorCode::kInput,
        "no bag in stage range " + collection_.range.name() + ": of " + std::to_string(image_rows_) +
            " image rows and " + std::to_string(annotation_rows_) +
            " annotation rows none was usable; left out: " + (reasons.empty() ? "nothing" : Join(reasons, ", ")),
        "check the image folders and the options `views` and `blank_view`, or leave this range out",
        {sources_.images_table.string()});
  }

  void PermuteLabels() {
    std::vector<std::vector<std::string>> labels;
    for (Bag& bag : collection_.bags) labels.push_back(std::move(bag.terms));
    Rng(static_cast<std::uint64_t>(options_.permute_labels)).Shuffle(labels);
    for (std::size_t i = 0; i < labels.size(); ++i) collection_.bags[i].terms = std::move(labels[i]);
  }

  const BdgpTables& tables_;
  const ImageFiles& files_;
  const Sources& sources_;
  const IngestOptions& options_;
  std::set<std::string> views_;
  std::map<std::string, Annotated> annotated_;  // by the gene's identity
  std::vector<Candidate> candidates_;
  std::size_t annotation_rows_ = 0;
  std::size_t image_rows_ = 0;
  Collection collection_;
};

}  // namespace

Corpus::Corpus(Sources from)
    : sources(std::move(from)),
      tables(BdgpTables::Load(sources.annotations, sources.images_table)),
      files(FindImageFiles(sources.image_folders)) {}

Collection Import(const Corpus& corpus,
                  StageRange range,
                  const IngestOptions& options,
                  const ImportControl& control,
                  Progress& progress) {
  return Importer(corpus, range, options).Run(control, progress);
}

}  // namespace flyscribe
